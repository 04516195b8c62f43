#pragma once

#include "ui/bridge/rows/session_rows.h"
#include "ui/shell/parts/window_part.h"

#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

class CodeEditor;
class FilesPanel;
class StatePanel;
class VariablesPanel;

// What a session holds at the selected checkpoint, or now: its names and its files.
class WorldPart : public WindowPart {
    Q_OBJECT
public:
    WorldPart(const WindowParts& parts, VariablesPanel& variables, FilesPanel& panel, StatePanel& state,
              CodeEditor& code);

    void show(); // where a panel of it is seen
    void saveTextThen(const std::function<void()>& next); // a text of a session; `next` where it is saved
    void forgetSave() { m_afterText.clear(); }

private:
    void clear(); // another thread was chosen
    void ask();
    void showCount(int changed);
    void followFiles(); // whether the files are those of a session that runs
    void setSessions(const std::vector<SessionRow>& sessions);

    VariablesPanel* const m_variables;
    FilesPanel* const m_files;
    CodeEditor* const m_code;
    std::vector<SessionRow> m_sessions;
    QTimer m_countSoon; // how many files have changed, where no panel shows them
    std::optional<QString> m_worldSession; // that the user chose for both, of several
    QString m_shownSession; // by both
    std::vector<std::function<void()>> m_afterText; // what waits for the save of a text
};

} // namespace sg::ui
