#pragma once

#include <QPlainTextEdit>

namespace sg::ui {

// Edits the text of a note, over the canvas. Escape, Ctrl+Enter or a press elsewhere ends it; in the title of
// a frame Enter does, too.
class NoteEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    NoteEditor(const QString& text, bool oneLine, QWidget* parent);
    void finish(); // only the first call counts; the editor deletes itself

Q_SIGNALS:
    void finished(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const bool m_oneLine;
    bool m_done = false;
};

} // namespace sg::ui
