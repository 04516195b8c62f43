#pragma once

#include "ui/code/code_language.h"
#include "ui/code/completion.h"
#include "ui/code/text_search.h"

#include <QPointer>
#include <QWidget>

#include <map>
#include <vector>

namespace sg::ui {

class ProblemRow;

struct CodeMark {
    int line = 1; // counted from 1
    QString message;
    bool isWarning = false;
    QStringList verbs = {}; // what can be done about it
    int problem = -1; // among those that the marks were made from
    friend bool operator==(const CodeMark&, const CodeMark&) = default;
};

// An editor for code with line numbers, syntax colours, undo, completion, several carets, and marks that stay
// with their lines. Escape moves the focus on, because Tab indents.
class CodeView : public QWidget {
    Q_OBJECT
public:
    explicit CodeView(CodeLanguage language, QWidget* parent = nullptr);

    // Shows the text of another view, with its marks: what is typed, undone and saved is the same in both.
    void shareText(CodeView& owner);
    void setText(const QString& text); // clears undo; the text counts as saved
    void replaceText(const QString& text); // one undo step; cursor and scroll position stay
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isModified() const;
    void setSaved();
    void setReadOnly(bool readOnly);
    void setMarks(const std::vector<CodeMark>& marks);
    [[nodiscard]] const std::vector<CodeMark>& marks() const { return m_marks; } // as they were set
    [[nodiscard]] std::vector<int> linesOfMarks() const; // where they are now, from 0
    void setWords(const CompletionWords& words);
    void goTo(int line);
    // Shows the matches of a search: they are tinted, `present` (-1: none) is selected and scrolled to.
    void showMatches(const std::vector<TextMatch>& matches, int present);
    [[nodiscard]] TextMatch selection() const;
    void replace(const std::vector<TextMatch>& places, const QStringList& with); // in order; one edit
    void setValues(const std::map<int, QString>& values); // behind the ends of lines, by line
    // Names that a live session knows at the end of `code`, which namesWanted() asked for.
    void offerNames(const QString& code, int typed, const QStringList& names);
    [[nodiscard]] CodeLanguage language() const { return m_language; }

Q_SIGNALS:
    void textChanged();
    void modifiedChanged(bool modified);
    void namesWanted(const QString& code); // which complete it
    void verbChosen(const sg::ui::CodeMark& mark, int verb); // of the view that owns the text

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class Scintilla;
    void dress();
    void dressSigns();
    void showMarks();
    void showRows();
    void placeRows();
    void wire();
    struct MovedMarks { // by an edit that takes whole lines with it
        std::vector<int> before;
        std::vector<int> after;
    };
    void placeMarks(const std::vector<int>& lines);
    void replaceRange(long start, long length, const QByteArray& with, MovedMarks moved);
    void takeUndo(int modification, int token);
    [[nodiscard]] qsizetype characterAt(long position) const;

    CodeLanguage m_language;
    Scintilla* m_editor;
    std::vector<CodeMark> m_marks;
    std::vector<MovedMarks> m_moves; // what the undo stack's own steps stand for, two for each
    bool m_isMarkSought = false; // scroll to the last mark
    std::vector<int> m_handles; // of the marks' signs, which know their present lines
    QPointer<CodeView> m_owner; // of the text; null: this one
    std::vector<QPointer<CodeView>> m_beside; // that show this text
    std::vector<ProblemRow*> m_rows; // one a mark
};

} // namespace sg::ui
