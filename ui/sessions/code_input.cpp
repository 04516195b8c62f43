#include "ui/sessions/code_input.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>
#include <QTextBlock>

#include <algorithm>

namespace sg::ui {

CodeInput::CodeInput(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_matches(new QStringListModel(this))
{
    setObjectName(QStringLiteral("consoleInput"));
    setAccessibleName(tr("Python code for the session"));
    setPlaceholderText(tr("Python; Enter runs it, Shift+Enter is a new line, Tab completes"));
    setFont(monoFont());
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_completer = new QCompleter(m_matches, this);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->popup()->setFont(monoFont());
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &CodeInput::insert);
    connect(this, &QPlainTextEdit::textChanged, this, &CodeInput::fitHeight);
    fitHeight();
}

void CodeInput::setHistory(const QStringList& history)
{
    m_history = history;
    m_place = history.size();
    m_typed.clear();
}

void CodeInput::fitHeight()
{
    const int lines = std::clamp(blockCount(), 1, 8);
    setFixedHeight(lines * fontMetrics().lineSpacing() + scaledLength(12));
}

// Tells whether Enter runs the code: open brackets need their ends, and a block needs an empty line.
bool CodeInput::isWhole() const
{
    const QString code = toPlainText();
    if (code.count(QLatin1Char('(')) > code.count(QLatin1Char(')'))
        || code.count(QLatin1Char('[')) > code.count(QLatin1Char(']'))
        || code.count(QLatin1Char('{')) > code.count(QLatin1Char('}')))
        return false;
    const QString last = code.section(QLatin1Char('\n'), -1);
    if (last.trimmed().endsWith(QLatin1Char(':')))
        return false;
    return blockCount() == 1 || last.trimmed().isEmpty() || !last.startsWith(QLatin1Char(' '));
}

bool CodeInput::walk(int by)
{
    const qsizetype wanted = m_place + by;
    if (wanted < 0 || wanted > m_history.size())
        return false;
    if (m_place == m_history.size())
        m_typed = toPlainText();
    m_place = wanted;
    setPlainText(m_place == m_history.size() ? m_typed : m_history[m_place]);
    moveCursor(QTextCursor::End);
    return true;
}

void CodeInput::keyPressEvent(QKeyEvent* event)
{
    const bool isOpen = m_completer->popup()->isVisible();
    if (isOpen
        && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Tab
            || event->key() == Qt::Key_Escape)) {
        event->ignore(); // the completion list takes it
        return;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ShiftModifier) || !isWhole())
            break;
        if (!toPlainText().trimmed().isEmpty())
            Q_EMIT entered(toPlainText().trimmed());
        return;
    case Qt::Key_Up:
        if (textCursor().blockNumber() == 0 && walk(-1))
            return;
        break;
    case Qt::Key_Down:
        if (textCursor().blockNumber() == blockCount() - 1 && walk(1))
            return;
        break;
    case Qt::Key_Tab: {
        const QString before = textCursor().block().text().left(textCursor().positionInBlock());
        if (before.trimmed().isEmpty())
            insertPlainText(QStringLiteral("    "));
        else
            Q_EMIT completionWanted(toPlainText(), textCursor().position());
        return;
    }
    default: break;
    }
    if (event->key() == Qt::Key_Return && event->modifiers().testFlag(Qt::ShiftModifier)) {
        insertPlainText(QStringLiteral("\n")); // the editor itself would insert a Unicode line separator
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void CodeInput::showCompletion(const CodeCompletion& completion)
{
    if (completion.code != toPlainText() || completion.cursor != textCursor().position()
        || completion.matches.isEmpty())
        return;
    m_completion = completion;
    if (completion.matches.size() == 1) {
        insert(completion.matches.front());
        return;
    }
    m_matches->setStringList(completion.matches);
    QRect place = cursorRect();
    place.setWidth(m_completer->popup()->sizeHintForColumn(0) + scaledLength(28));
    m_completer->complete(place);
}

void CodeInput::insert(const QString& match)
{
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min<int>(m_completion.start, static_cast<int>(toPlainText().size())));
    cursor.setPosition(std::min<int>(m_completion.end, static_cast<int>(toPlainText().size())),
                       QTextCursor::KeepAnchor);
    cursor.insertText(match);
    setTextCursor(cursor);
}

} // namespace sg::ui
