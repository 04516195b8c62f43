#include "ui/graph/canvas/note_editor.h"

#include <QKeyEvent>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kMostText = 20'000;

}

NoteEditor::NoteEditor(const QString& text, bool oneLine, QWidget* parent)
    : QPlainTextEdit(parent)
    , m_oneLine(oneLine)
{
    setObjectName(QStringLiteral("noteEditor"));
    setAccessibleName(oneLine ? tr("Title of the frame") : tr("Text of the note"));
    setPlaceholderText(oneLine ? tr("Title") : tr("Write here"));
    setTabChangesFocus(true);
    setPlainText(text);
    selectAll();
    if (oneLine) {
        setLineWrapMode(NoWrap);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
}

void NoteEditor::finish()
{
    if (std::exchange(m_done, true))
        return;
    QString text = toPlainText().left(kMostText);
    if (m_oneLine)
        text = text.section(QLatin1Char('\n'), 0, 0);
    Q_EMIT finished(text.trimmed());
    hide();
    deleteLater();
}

void NoteEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape
        || (isEnter && (m_oneLine || event->modifiers().testFlag(Qt::ControlModifier)))) {
        finish();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
    event->accept(); // the canvas below must not get the letters
}

void NoteEditor::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) // the editor's own context menu
        finish();
}

} // namespace sg::ui
