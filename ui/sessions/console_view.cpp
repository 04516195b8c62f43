#include "ui/sessions/console_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kMostLines = 10'000;
constexpr qsizetype kMostHistory = 500;

QTextCharFormat inkFormat(Token token)
{
    QTextCharFormat format;
    format.setForeground(color(token));
    return format;
}

} // namespace

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

// A line that ends with a colon, or stands in a block, waits for an empty one.
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
        event->ignore(); // the list takes it
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
        insertPlainText(QStringLiteral("\n")); // not the line separator that the editor would put there
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

ConsoleView::ConsoleView(QWidget* parent)
    : QWidget(parent)
    , m_output(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("console"));
    m_output->setObjectName(QStringLiteral("consoleOutput"));
    m_output->setAccessibleName(tr("What the cells print"));
    m_output->setReadOnly(true);
    m_output->setFont(monoFont());
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setMaximumBlockCount(kMostLines);
    m_output->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_output->document()->setDocumentMargin(8);
    m_output->setToolTip(tr("Double click or Enter: look at the moment of the line"));
    m_output->installEventFilter(this);
    m_output->viewport()->installEventFilter(this);
    m_output->setPlaceholderText(
        tr("Cells run in the thread's live session: they see its names and change them."));
    auto* foot = new Strip(0, &Tokens::border, this, Strip::Line::Above);
    foot->setMinimumHeight(0);
    foot->setMaximumHeight(QWIDGETSIZE_MAX);
    m_input = new CodeInput(foot);
    auto* sign = new QLabel(QStringLiteral(">>>"), foot);
    sign->setFont(monoFont(TextSize::Dense, QFont::DemiBold));
    auto* warning = new QLabel(tr("Writes to the live session"), foot);
    warning->setFont(uiFont(TextSize::Small));
    warning->setForegroundRole(QPalette::PlaceholderText);
    m_stop = new QPushButton(icon(QLatin1String("stop"), &Tokens::failed), tr("Stop cell"), foot);
    m_stop->setObjectName(QStringLiteral("consoleStop"));
    m_stop->setProperty("sgFlat", true);
    m_stop->hide();
    makeDense(m_stop);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 3, 8, 3);
    row->setSpacing(8);
    row->addWidget(sign, 0, Qt::AlignTop);
    row->addWidget(m_input, 1);
    row->addWidget(warning);
    row->addWidget(m_stop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_output, 1);
    column->addWidget(foot);
    connect(m_input, &CodeInput::entered, this, &ConsoleView::run);
    connect(m_input, &CodeInput::completionWanted, this, &ConsoleView::completionWanted);
    connect(m_stop, &QPushButton::clicked, this, &ConsoleView::stopRequested);
}

void ConsoleView::setThread(const QString& thread)
{
    if (thread == m_thread)
        return;
    m_thread = thread;
    m_output->clear();
    m_began = 0;
    m_input->setHistory(m_histories.value(thread));
    setBusy(false);
}

void ConsoleView::run(const QString& code)
{
    QStringList& history = m_histories[m_thread];
    history.removeAll(code);
    history << code;
    while (history.size() > kMostHistory)
        history.removeFirst();
    m_input->setHistory(history);
    m_input->clear();
    const QStringList lines = code.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i)
        append((i == 0 ? QStringLiteral(">>> ") : QStringLiteral("... ")) + lines[i],
               inkFormat(&Tokens::muted));
    setBusy(true);
    Q_EMIT cellEntered(code);
}

void ConsoleView::append(const QString& text, const QTextCharFormat& format)
{
    QScrollBar* bar = m_output->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    QTextCursor cursor(m_output->document());
    cursor.movePosition(QTextCursor::End);
    if (!m_output->document()->isEmpty())
        cursor.insertBlock();
    const auto now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    if (m_began <= 0)
        m_began = now;
    cursor.insertText(text, format);
    // From the end: of a long text the document drops the first lines at once.
    QTextBlock line = m_output->document()->lastBlock();
    for (qsizetype lines = text.count(QLatin1Char('\n')) + 1; lines > 0 && line.isValid(); --lines) {
        line.setUserState(static_cast<int>(std::min(now - m_began, 2e9)));
        line = line.previous();
    }
    showMoment();
    if (atEnd)
        bar->setValue(bar->maximum());
}

double ConsoleView::timeOf(const QTextBlock& line) const
{
    return line.isValid() && line.userState() >= 0 ? m_began + line.userState() : kUnknown;
}

bool ConsoleView::eventFilter(QObject* watched, QEvent* event)
{
    const auto* key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event) : nullptr;
    const bool isEnter = key && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
    QTextCursor line = m_output->textCursor();
    if (event->type() == QEvent::MouseButtonDblClick && watched == m_output->viewport())
        line = m_output->cursorForPosition(static_cast<QMouseEvent*>(event)->position().toPoint());
    else if (!isEnter)
        return false;
    if (const double time = timeOf(line.block()); !std::isnan(time))
        Q_EMIT momentRequested(time);
    return isEnter; // a double click selects the word as well
}

void ConsoleView::setMoment(double timeMs)
{
    m_moment = timeMs;
    showMoment();
}

void ConsoleView::showMoment()
{
    QList<QTextEdit::ExtraSelection> quiet;
    QTextBlock line = std::isnan(m_moment) ? QTextBlock() : m_output->document()->begin();
    while (line.isValid() && !(timeOf(line) > m_moment))
        line = line.next();
    if (line.isValid()) {
        QTextEdit::ExtraSelection later;
        later.cursor = QTextCursor(line);
        later.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        later.format = inkFormat(&Tokens::muted);
        quiet << later;
    }
    m_output->setExtraSelections(quiet);
}

void ConsoleView::print(const std::vector<LogRow>& lines)
{
    QStringList joined;
    LogRow::Stream stream = LogRow::Stream::Out;
    const auto flush = [&] {
        if (!joined.isEmpty())
            append(joined.join(QLatin1Char('\n')),
                   inkFormat(stream == LogRow::Stream::Event ? &Tokens::muted : &Tokens::text));
        joined.clear();
    };
    for (const LogRow& line : lines) {
        if (line.stream != stream)
            flush();
        stream = line.stream;
        joined << line.text;
    }
    flush();
}

void ConsoleView::end(const CellEnd& end)
{
    if (!end.value.isEmpty())
        append(end.value, inkFormat(&Tokens::text));
    if (!end.error.isEmpty())
        append(end.error, inkFormat(&Tokens::failed));
    if (end.isRestarted)
        append(tr("The interpreter is a fresh one: earlier names are gone."), inkFormat(&Tokens::warn));
    if (end.seconds >= 1)
        append(tr("took %1").arg(formatDuration(end.seconds)), inkFormat(&Tokens::muted));
    setBusy(false);
}

void ConsoleView::setBusy(bool busy)
{
    m_stop->setVisible(busy);
    m_input->setReadOnly(busy);
}

} // namespace sg::ui
