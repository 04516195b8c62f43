#include "ui/sessions/console_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPlainTextDocumentLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

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
    m_output->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_output->setToolTip(tr("Double click or Enter: look at the moment of the line"));
    m_output->installEventFilter(this);
    m_output->viewport()->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_output, 1);
    createFoot();
    showCells();
    showPlace();
}

void ConsoleView::createFoot()
{
    auto* foot = new Strip(0, &Tokens::border, this, Strip::Line::Above);
    foot->setMinimumHeight(0);
    foot->setMaximumHeight(QWIDGETSIZE_MAX);
    m_input = new CodeInput(foot);
    m_sign = new QLabel(QStringLiteral(">>>"), foot);
    m_sign->setFont(monoFont(TextSize::Dense, QFont::DemiBold));
    m_words = new QLabel(foot);
    m_words->setObjectName(QStringLiteral("consolePlace"));
    m_words->setTextFormat(Qt::PlainText); // node names are part of it
    m_words->setFont(uiFont(TextSize::Small));
    m_words->setForegroundRole(QPalette::PlaceholderText);
    m_stop = new QPushButton(icon(QLatin1String("stop"), &Tokens::failed), tr("Stop cell"), foot);
    m_stop->setObjectName(QStringLiteral("consoleStop"));
    m_stop->setProperty("sgFlat", true);
    m_stop->hide();
    makeDense(m_stop);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 3, 8, 3);
    row->setSpacing(8);
    row->addWidget(m_sign, 0, Qt::AlignTop);
    row->addWidget(m_input, 1);
    row->addWidget(m_words);
    row->addWidget(m_stop);
    layout()->addWidget(foot);
    connect(m_input, &CodeInput::entered, this, &ConsoleView::run);
    connect(m_input, &CodeInput::completionWanted, this, [this](const QString& code, int cursor) {
        Q_EMIT completionWanted(m_place.thread, code, cursor);
    });
    m_stopAction = new QAction(m_stop->icon(), tr("Stop the cell of the c&onsole"), this);
    m_stopAction->setEnabled(false);
    connect(m_stopAction, &QAction::triggered, this, [this] { Q_EMIT stopRequested(m_place.thread); });
    connect(m_stop, &QPushButton::clicked, m_stopAction, &QAction::trigger);
}

ConsoleView::Cells& ConsoleView::cellsOf(const QString& thread)
{
    Cells& cells = m_cells[thread];
    if (cells.output == nullptr) {
        cells.output = new QTextDocument(this);
        cells.output->setDocumentLayout(new QPlainTextDocumentLayout(cells.output));
        cells.output->setMaximumBlockCount(kMostLines);
        cells.output->setDocumentMargin(8);
    }
    return cells;
}

void ConsoleView::setPlace(const ConsolePlace& place)
{
    if (place == m_place)
        return;
    const QString before = std::exchange(m_place, place).thread;
    if (place.thread != before) {
        cellsOf(before).typed = m_input->toPlainText();
        showCells();
    }
    showPlace();
}

void ConsoleView::clear()
{
    const std::map<QString, Cells> old = std::exchange(m_cells, {});
    m_place = {};
    showCells();
    showPlace();
    for (const auto& [thread, cells] : old)
        delete cells.output;
}

void ConsoleView::showCells()
{
    Cells& cells = cellsOf(m_place.thread);
    m_output->setExtraSelections({}); // they belong to the other document
    cells.output->setDefaultFont(m_output->font());
    m_output->setDocument(cells.output);
    m_output->setPlaceholderText(
        m_place.thread.isEmpty()
            ? tr("Cells run in the thread's live session: they see its names and change them.")
            : tr("Cells run in the live session of thread %1: they see its names and change them.")
                  .arg(m_place.thread));
    m_output->verticalScrollBar()->setValue(m_output->verticalScrollBar()->maximum());
    m_input->setHistory(cells.history);
    m_input->setPlainText(cells.typed);
    m_input->moveCursor(QTextCursor::End);
    showMoment();
}

void ConsoleView::showPlace()
{
    const bool mayRun = m_place.refusal.isEmpty();
    m_sign->setVisible(mayRun);
    m_input->setVisible(mayRun);
    m_words->setText(mayRun ? m_place.words : m_place.refusal);
    m_words->setWordWrap(!mayRun);
    const bool isBusy = cellsOf(m_place.thread).isBusy;
    m_stop->setVisible(isBusy);
    m_stopAction->setEnabled(isBusy);
    m_input->setReadOnly(isBusy);
}

void ConsoleView::run(const QString& code)
{
    Cells& cells = cellsOf(m_place.thread);
    cells.history.removeAll(code);
    cells.history << code;
    while (cells.history.size() > kMostHistory)
        cells.history.removeFirst();
    m_input->setHistory(cells.history);
    m_input->clear();
    const QStringList lines = code.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i)
        append(cells, (i == 0 ? QStringLiteral(">>> ") : QStringLiteral("... ")) + lines[i],
               inkFormat(&Tokens::muted));
    setBusy(cells, true);
    Q_EMIT cellEntered(m_place.thread, code);
}

void ConsoleView::append(Cells& cells, const QString& text, const QTextCharFormat& format)
{
    QScrollBar* bar = m_output->verticalScrollBar();
    const bool isShown = cells.output == m_output->document();
    const bool atEnd = bar->value() == bar->maximum();
    QTextCursor cursor(cells.output);
    cursor.movePosition(QTextCursor::End);
    if (!cells.output->isEmpty())
        cursor.insertBlock();
    const auto now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    if (cells.began <= 0)
        cells.began = now;
    cursor.insertText(text, format);
    // Starts at the end, because the document drops the first lines of a long text at once.
    QTextBlock line = cells.output->lastBlock();
    for (qsizetype lines = text.count(QLatin1Char('\n')) + 1; lines > 0 && line.isValid(); --lines) {
        line.setUserState(static_cast<int>(std::min(now - cells.began, 2e9)));
        line = line.previous();
    }
    if (!isShown)
        return;
    showMoment();
    if (atEnd)
        bar->setValue(bar->maximum());
}

double ConsoleView::timeOf(const QTextBlock& line)
{
    return line.isValid() && line.userState() >= 0 ? cellsOf(m_place.thread).began + line.userState()
                                                   : kUnknown;
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
    return isEnter; // a double click also selects the word
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

void ConsoleView::print(const QString& thread, const std::vector<LogRow>& lines)
{
    Cells& cells = cellsOf(thread);
    QStringList joined;
    LogRow::Stream stream = LogRow::Stream::Out;
    const auto flush = [&] {
        if (!joined.isEmpty())
            append(cells, joined.join(QLatin1Char('\n')),
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

void ConsoleView::end(const QString& thread, const CellEnd& end)
{
    Cells& cells = cellsOf(thread);
    if (!end.value.isEmpty())
        append(cells, end.value, inkFormat(&Tokens::text));
    if (!end.error.isEmpty())
        append(cells, end.error, inkFormat(&Tokens::failed));
    if (end.isRestarted)
        append(cells, tr("The interpreter is a fresh one: earlier names are gone."),
               inkFormat(&Tokens::warn));
    if (end.seconds >= 1)
        append(cells, tr("took %1").arg(formatDuration(end.seconds)), inkFormat(&Tokens::muted));
    setBusy(cells, false);
}

void ConsoleView::setBusy(Cells& cells, bool busy)
{
    cells.isBusy = busy;
    showPlace();
}

} // namespace sg::ui
