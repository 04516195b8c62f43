#pragma once

#include "ui/code/code_language.h"
#include "ui/code/completion.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

struct CodeMark {
    int line = 1; // the first is 1
    QString message;
    bool isWarning = false;
    friend bool operator==(const CodeMark&, const CodeMark&) = default;
};

// Code with line numbers, colours of its language and the theme, its own undo, completion, and marks that
// stay with their lines. Escape hands the focus on, because Tab indents.
class CodeView : public QWidget {
    Q_OBJECT
public:
    explicit CodeView(CodeLanguage language, QWidget* parent = nullptr);

    void setText(const QString& text); // another text: forgets undo; as saved
    void replaceText(const QString& text); // one step that undo takes back; cursor and scroll stay
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isModified() const;
    void setSaved();
    void setReadOnly(bool readOnly);
    void setMarks(const std::vector<CodeMark>& marks);
    [[nodiscard]] const std::vector<CodeMark>& marks() const { return m_marks; } // as they were set
    void setWords(const CompletionWords& words);
    void goTo(int line);
    bool find(const QString& words, bool forward); // from the selection on, round the end
    [[nodiscard]] CodeLanguage language() const { return m_language; }

Q_SIGNALS:
    void textChanged();
    void modifiedChanged(bool modified);

protected:
    void changeEvent(QEvent* event) override;

private:
    class Scintilla;
    void dress();
    void showMarks();

    CodeLanguage m_language;
    Scintilla* m_editor;
    std::vector<CodeMark> m_marks;
    bool m_isMarkSought = false; // the last of them is to come into view
};

} // namespace sg::ui
