#pragma once

#include "ui/bridge/rows/storage_rows.h"
#include "ui/shell/parts/window_part.h"

namespace sg::ui {

// Wires the export and import of threads as files.
class ThreadFiles : public WindowPart {
    Q_OBJECT
public:
    explicit ThreadFiles(const WindowParts& parts);

    void addTo(QMenu& thread);
    void importThread(const QString& file); // asks for the thread's name here

Q_SIGNALS:
    void arrived(const QString& thread); // what is shown of it is to be read

private:
    void exportThread(); // asks where to
    void showThreadExported(const ThreadBundle& bundle, const UserError& error);
    void importThread();
    void showThreadImported(const ThreadBundle& bundle, const UserError& error);
    void selectImported(const std::vector<ThreadRow>& rows); // once it is listed

    QString m_imported; // a thread that is to be shown
};

} // namespace sg::ui
