#pragma once

#include "ui/shell/parts/window_part.h"

#include <functional>
#include <vector>

namespace sg::ui {

class CodeEditor;
class FilesPanel;
class VariablesPanel;

// Joins the panels of a session's names and files to each other, to the code and to saving.
class WorldPart : public WindowPart {
    Q_OBJECT
public:
    WorldPart(const WindowParts& parts, VariablesPanel& variables, FilesPanel& files, CodeEditor& code);

    void show(); // what is seen of it, anew
    void saveTextThen(const std::function<void()>& next); // a text of a session; `next` where it is saved
    void forgetSave() { m_afterText.clear(); }

private:
    void joinVariables(VariablesPanel& variables);
    void joinCode(CodeEditor& code);

    FilesPanel* const m_files;
    std::vector<std::function<void()>> m_afterText; // what waits for the save of a text
};

} // namespace sg::ui
