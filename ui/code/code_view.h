#pragma once

#include "ui/code/code_language.h"
#include "ui/code/completion.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

struct CodeMark {
    int line = 1; // counted from 1
    QString message;
    bool isWarning = false;
    friend bool operator==(const CodeMark&, const CodeMark&) = default;
};

// An editor for code with line numbers, syntax colours, undo, completion, and marks that stay with their
// lines. Escape moves the focus on, because Tab indents.
class CodeView : public QWidget {
    Q_OBJECT
public:
    explicit CodeView(CodeLanguage language, QWidget* parent = nullptr);

    void setText(const QString& text); // clears undo; the text counts as saved
    void replaceText(const QString& text); // one undo step; cursor and scroll position stay
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isModified() const;
    void setSaved();
    void setReadOnly(bool readOnly);
    void setMarks(const std::vector<CodeMark>& marks);
    [[nodiscard]] const std::vector<CodeMark>& marks() const { return m_marks; } // as they were set
    void setWords(const CompletionWords& words);
    void goTo(int line);
    bool find(const QString& words, bool forward); // from the selection on, continued at the other end
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
    bool m_isMarkSought = false; // scroll to the last mark
};

} // namespace sg::ui
