#include "ui/search/search_panel.h"

#include "ui/bridge/clients.h"
#include "ui/search/query_edit.h"
#include "ui/search/search_model.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace sg::ui {
namespace {

query::Vocabulary wordsOf(const PanelParts& parts)
{
    query::Vocabulary words;
    for (const graph::Node& node : parts.clients.project.info().graph.nodes)
        words.nodes.push_back(node.name.value);
    for (const ThreadRow& row : parts.book.rows())
        words.threads.push_back(row.thread.toStdString());
    return words;
}

// Shows the place of what was found.
void goTo(const SearchHit& hit, Selection& selection, ShownHistory& history)
{
    if (hit.thread.isEmpty()) // SQL may say NULL
        return;
    selection.setThread(hit.thread);
    if (hit.checkpoint.isEmpty())
        return;
    if (history.count() > 0 && !history.isAwaiting())
        history.goTo(hit.checkpoint);
    else
        selection.setCheckpoint(hit.checkpoint);
    if (!hit.node.isEmpty() && !hit.node.contains(QLatin1String(", ")))
        selection.setNode(hit.node);
}

QStringList checkpointsOf(const std::vector<SearchHit>& marks, const QString& thread)
{
    QStringList checkpoints;
    for (const SearchHit& mark : marks)
        if (mark.thread == thread && !mark.checkpoint.isEmpty())
            checkpoints << mark.checkpoint;
    return checkpoints;
}

} // namespace

SearchPanel::SearchPanel(const PanelParts& parts, QWidget* parent)
    : SearchPanel(parent)
{
    Clients& clients = parts.clients;
    connect(this, &SearchPanel::searchRequested, &clients.search, &SearchClient::search);
    connect(this, &SearchPanel::sqlRequested, &clients.search, &SearchClient::runSql);
    connect(&clients.search, &SearchClient::searched, this, &SearchPanel::setFound);
    connect(&clients.search, &SearchClient::sqlAnswered, this, &SearchPanel::setAnswer);
    connect(&clients.project, &OpenProject::closing, this, &SearchPanel::clear);
    connect(&clients.runs, &RunsClient::runFinished, this, &SearchPanel::askAgain);
    connect(&clients.project, &OpenProject::databaseChanged, this, &SearchPanel::askAgain);
    connect(&parts.book, &ThreadBook::listed, this, [this, parts] { setVocabulary(wordsOf(parts)); });
    setVocabulary(wordsOf(parts));
    // The first question reads the whole history: while its words are being typed.
    connect(new Sight(*this), &Sight::came, this, [this, client = &clients.search] {
        if (!hasAsked())
            client->readAhead();
    });
    connect(this, &SearchPanel::hitChosen, this,
            [parts](const SearchHit& hit) { goTo(hit, parts.selection, parts.history); });
    followMarks(parts.selection);
}

SearchPanel::SearchPanel(QWidget* parent)
    : QWidget(parent)
    , m_bar(new Strip(32, &Tokens::subtle, this))
    , m_way(new SegmentedControl(tr("How to ask"), SegmentedControl::Mode::Single, m_bar))
    , m_line(new QueryEdit(tr("status:failed node:plan step:>100 \"timeout\""), m_bar))
    , m_count(new QLabel(m_bar))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(QLatin1String("search"), QString(), m_pages))
    , m_problem(new EmptyState(QLatin1String("error"), QString(), m_pages))
    , m_table(new QTableView(m_pages))
    , m_model(new SearchModel(this))
{
    setAccessibleName(tr("Search"));
    setFocusProxy(m_line);
    buildBar();
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("What was found"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(scaledLength(24));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setFont(uiFont(TextSize::Dense));
    for (QWidget* page :
         { static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_problem), static_cast<QWidget*>(m_table) })
        m_pages->addWidget(page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_pages, 1);
    for (EmptyState* state : { m_empty, m_problem })
        connect(state->setButton(tr("Clear")), &QPushButton::clicked, this, [this] {
            m_line->setFilter({});
            m_line->setFocus();
        });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { choose(index.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
    showEmpty();
}

void SearchPanel::buildBar()
{
    m_line->setObjectName(QStringLiteral("searchLine"));
    m_line->setAccessibleName(tr("Search runs, checkpoints, tasks and log lines"));
    m_line->installEventFilter(this);
    makeDense(m_way);
    m_way->addSegment(tr("Filter"));
    m_way->addSegment(tr("SQL"));
    m_way->segment(1)->setToolTip(
        tr("One SELECT over steps, tasks, runs, log and the file's own tables; Enter runs it"));
    m_way->setCurrentIndex(0);
    m_count->setFont(uiFont(TextSize::Dense));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(m_way);
    row->addWidget(m_line, 1);
    row->addWidget(m_count);
    connect(m_line, &FilterEdit::filterChanged, this, &SearchPanel::changed);
    connect(m_line, &QLineEdit::returnPressed, this, &SearchPanel::run);
    connect(m_way, &SegmentedControl::activated, this, [this] {
        m_line->setCompleting(!isSql());
        m_line->setPlaceholderText(
            isSql() ? tr("SELECT thread_id, checkpoint_id, node FROM tasks WHERE seconds > 2")
                    : tr("status:failed node:plan step:>100 \"timeout\""));
        m_line->setFilter({});
        showEmpty();
        m_line->setFocus();
    });
}

// The Down key moves from the line to its results.
bool SearchPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress && m_table->isVisible()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        m_table->setFocus();
        m_table->setCurrentIndex(m_model->index(0, 0));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

bool SearchPanel::isSql() const
{
    return m_way->currentIndex() == 1;
}

void SearchPanel::clear()
{
    m_line->setFilter({});
    m_asked.clear();
    showEmpty();
}

void SearchPanel::setVocabulary(query::Vocabulary vocabulary)
{
    m_line->setVocabulary(std::move(vocabulary));
}

void SearchPanel::ask(const QString& query)
{
    m_way->setCurrentIndex(0);
    m_line->setCompleting(true);
    m_line->setFilter(query);
}

void SearchPanel::followMarks(const Selection& selection)
{
    const auto tell = [this, shown = &selection] {
        Q_EMIT foundInThread(checkpointsOf(m_marks, shown->thread()));
    };
    connect(this, &SearchPanel::marksChanged, this, [this, tell](const std::vector<SearchHit>& marks) {
        m_marks = marks;
        tell();
    });
    connect(&selection, &Selection::threadChanged, this, tell);
}

void SearchPanel::askAgain()
{
    m_isStale = !isVisible();
    if (!m_isStale && !m_asked.isEmpty() && !isSql())
        Q_EMIT searchRequested(m_asked);
}

void SearchPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        askAgain();
}

// SQL is not sent while it is typed, because only its author knows when it is complete.
void SearchPanel::changed(const QString& text)
{
    if (text.isEmpty())
        showEmpty();
    if (isSql() && !text.isEmpty())
        return;
    m_asked = text;
    if (text.isEmpty())
        return;
    m_isStale = false;
    m_count->setText(tr("Searching…"));
    Q_EMIT searchRequested(text);
}

void SearchPanel::run()
{
    const QString text = m_line->text().trimmed();
    if (!isSql() || text.isEmpty())
        return;
    m_asked = text;
    m_count->setText(tr("Asking…"));
    Q_EMIT sqlRequested(text);
}

void SearchPanel::choose(int row)
{
    if (const SearchHit* hit = m_model->hit(row))
        Q_EMIT hitChosen(*hit);
}

void SearchPanel::showEmpty()
{
    if (!m_asked.isEmpty()) {
        m_asked.clear();
        Q_EMIT searchRequested({});
        Q_EMIT sqlRequested({});
    }
    m_isStale = false;
    m_model->clear();
    m_count->clear();
    m_empty->setIcon(QLatin1String("search"));
    m_empty->setSentence(
        isSql() ? tr("Ask the database in SQL: `steps`, `tasks`, `runs` and `log` are its tables. Nothing "
                     "can be changed. Enter runs the query.")
                : tr("Find runs, checkpoints, tasks and log lines of all threads, such as `status:failed "
                     "node:plan` or `is:log timeout`."));
    m_empty->setButton(tr("Clear"))->hide();
    m_pages->setCurrentWidget(m_empty);
    Q_EMIT marksChanged({});
}

void SearchPanel::showProblem(const UserError& error, int at)
{
    m_count->clear();
    m_model->clear();
    m_problem->setSentence(at < 0 ? tr("This cannot be answered: %1.").arg(error.what)
                                  : tr("At character %1: %2").arg(at + 1).arg(error.what));
    m_pages->setCurrentWidget(m_problem);
    Q_EMIT marksChanged({});
}

void SearchPanel::showTable(const QString& count)
{
    m_count->setText(count);
    m_pages->setCurrentWidget(m_table);
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_table->setColumnWidth(column,
                                qBound(scaledLength(96), m_table->columnWidth(column), scaledLength(420)));
}

void SearchPanel::setFound(const SearchRows& rows)
{
    if (rows.query != m_asked || isSql())
        return;
    if (!rows.error.what.isEmpty()) {
        showProblem(rows.error, rows.errorAt);
        return;
    }
    if (rows.hits.empty()) {
        m_model->clear();
        m_count->setText(tr("Nothing"));
        m_empty->setIcon(QLatin1String("filter"));
        m_empty->setSentence(tr("Nothing matches `%1`.").arg(rows.query));
        m_empty->setButton(tr("Clear"))->show();
        m_pages->setCurrentWidget(m_empty);
        Q_EMIT marksChanged({});
        return;
    }
    const auto shown = static_cast<qint64>(rows.hits.size());
    const QString count = rows.found > shown
        ? tr("%1 of %2, %3").arg(formatCount(shown), formatCount(rows.found), formatDuration(rows.seconds))
        : tr("%1 found, %2").arg(formatCount(rows.found), formatDuration(rows.seconds));
    if (m_pages->currentWidget() == m_table && rows.query == m_found) {
        m_count->setText(count);
        if (m_model->shows(rows.hits))
            return;
        refill(rows.hits);
    } else {
        m_found = rows.query;
        m_model->setHits(rows.hits);
        m_table->scrollToTop();
        showTable(count);
    }
    Q_EMIT marksChanged(rows.hits);
}

void SearchPanel::refill(const std::vector<SearchHit>& hits)
{
    const auto copyOf = [this](int row) {
        const SearchHit* hit = m_model->hit(row);
        return hit == nullptr ? std::nullopt : std::optional(*hit);
    };
    const QModelIndex current = m_table->currentIndex();
    const auto chosen = copyOf(current.row());
    const auto top = copyOf(m_table->rowAt(0));
    const int aside = m_table->horizontalScrollBar()->value();
    m_model->setHits(hits);
    if (const int row = chosen ? m_model->rowOf(*chosen) : -1; row >= 0)
        m_table->setCurrentIndex(m_model->index(row, current.column()));
    if (const int row = top ? m_model->rowOf(*top) : -1; row >= 0)
        m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtTop);
    m_table->horizontalScrollBar()->setValue(aside);
}

void SearchPanel::setAnswer(const SqlRows& rows)
{
    if (rows.sql != m_asked || !isSql())
        return;
    if (!rows.error.what.isEmpty()) {
        showProblem(rows.error, -1);
        return;
    }
    m_found.clear();
    m_model->setTable(rows);
    const QString count = formatCount(static_cast<qint64>(rows.rows.size()));
    showTable(rows.isCut ? tr("the first %1 rows, %2").arg(count, formatDuration(rows.seconds))
                         : tr("%1 rows, %2").arg(count, formatDuration(rows.seconds)));
    Q_EMIT marksChanged(rows.marks);
}

} // namespace sg::ui
