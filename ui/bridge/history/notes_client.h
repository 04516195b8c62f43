#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"

#include <optional>

namespace sg::ui {

// People's labels of threads, and their bookmarks of checkpoints. Each change is answered with all notes.
class NotesClient : public Client {
    Q_OBJECT
public:
    explicit NotesClient(OpenProject& project);

    void load();
    void setLabel(const QString& thread, const QString& label); // an empty label shows the id
    void setBookmark(const QString& thread, const QString& checkpoint, const std::optional<QString>& note);

Q_SIGNALS:
    void loaded(const sg::ui::NoteRows& notes);

private:
    template<typename Change>
    void change(Change change);
};

} // namespace sg::ui
