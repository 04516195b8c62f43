#pragma once

#include <QPlainTextEdit>

namespace sg::ui {

// The text of a note while it is written, over the canvas. Escape or a press elsewhere ends it, Ctrl+Enter
// too; in a frame's title Enter does.
class NoteEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    NoteEditor(const QString& text, bool oneLine, QWidget* parent);
    void finish(); // once; it goes afterwards

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
