#include "ui/pools/pools_panel.h"

#include "ui/bridge/pools/pools_client.h"
#include "ui/pools/pool_charts.h"
#include "ui/pools/pool_delegate.h"
#include "ui/pools/pool_model.h"
#include "ui/pools/pool_steering.h"
#include "ui/pools/pools_sections.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::ui {
namespace {

constexpr int kMostRows = 6;
constexpr std::size_t kLooks = 20;
constexpr int kEachMs = 1000;
constexpr int kAfterErrorMs = 5000;

enum Page { UnnamedPage, EmptyPage, PoolsPage };

} // namespace

PoolsPanel::PoolsPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new PoolModel(m_history, this))
    , m_banner(new Banner(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(
          new EmptyState(QLatin1String("chip"),
                         tr("No role has had a job yet. A node with `role` is done by the workers of that "
                            "role: `sandglass worker --role NAME` starts one."),
                         m_pages))
{
    setAccessibleName(tr("Pools"));
    m_pages->addWidget(makeUnnamed());
    m_pages->addWidget(m_empty);
    m_pages->addWidget(makePools());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_banner);
    column->addWidget(m_pages, 1);
    m_banner->setClosable(true);
    setFocusProxy(m_table);
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &PoolsPanel::load);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &PoolsPanel::showChosen);
    connect(m_steering, &PoolSteering::changeRequested, this, &PoolsPanel::changeRequested);
    connect(m_sections, &PoolsSections::storyRequested, this, &PoolsPanel::storyRequested);
    connect(m_sections, &PoolsSections::requeueRequested, this,
            [this](const QString& role, const QStringList& jobs) {
                PoolChange change;
                change.role = role;
                change.requeued = jobs;
                Q_EMIT changeRequested(change);
            });
    connect(m_sections, &PoolsSections::discardRequested, this,
            [this](const QString& role, const QStringList& jobs) {
                PoolChange change;
                change.role = role;
                change.discarded = jobs;
                Q_EMIT changeRequested(change);
            });
    fitTable();
    showCounts({});
    showChosen();
    showQueueless({});
}

QWidget* PoolsPanel::makeBar()
{
    auto* bar = new Strip(34, &Tokens::subtle, this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(6);
    m_counts = new ElidedLabel({}, bar);
    row->addWidget(m_counts, 1);
    m_span = new SegmentedControl(tr("How much of the past is shown"), SegmentedControl::Mode::Single, bar);
    for (const auto& [words, seconds] :
         { std::pair(tr("1 min"), 60), std::pair(tr("5 min"), 300), std::pair(tr("1 h"), 3600) })
        m_span->addSegment(words, seconds);
    m_span->setCurrentIndex(1);
    row->addWidget(m_span);
    m_pauseAll = new QPushButton(icon(QLatin1String("pause")), tr("Pause all"), bar);
    makeDense(m_pauseAll);
    row->addWidget(m_pauseAll);
    connect(m_span, &SegmentedControl::activated, this,
            [this] { m_charts->setSpan(m_span->currentData().toDouble()); });
    connect(m_pauseAll, &QPushButton::clicked, this, &PoolsPanel::pauseAll);
    return bar;
}

// If the environment names no queue, the page offers to look at one.
QWidget* PoolsPanel::makeUnnamed()
{
    auto* page = new QWidget(m_pages);
    page->setObjectName(QStringLiteral("queueless"));
    page->setAutoFillBackground(true); // one ground with the words
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(8);
    m_queueless = new EmptyState(QLatin1String("chip"), {}, page);
    m_queueless->setMinimumHeight(scaledLength(130)); // with its icon
    m_address = new QLineEdit(page);
    m_address->setObjectName(QStringLiteral("queueAddress"));
    m_address->setPlaceholderText(QStringLiteral("redis://127.0.0.1:6379/0"));
    m_address->setAccessibleName(tr("Address of the queue"));
    m_address->setMaximumWidth(scaledLength(360));
    auto* look = new QPushButton(tr("Look at it"), page);
    look->setProperty("sgPrimary", true);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(m_address, 1);
    row->addWidget(look);
    row->addStretch();
    column->addStretch();
    column->addWidget(m_queueless);
    column->addLayout(row);
    column->addStretch();
    const auto ask = [this] {
        if (m_address->text().trimmed().isEmpty())
            return;
        Q_EMIT addressRequested(m_address->text().trimmed());
        load();
    };
    connect(look, &QPushButton::clicked, this, ask);
    connect(m_address, &QLineEdit::returnPressed, this, ask);
    return page;
}

QWidget* PoolsPanel::makePools()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_table = new QTableView(page);
    m_table->setModel(m_model);
    dressTable(*m_table, tr("Pools"));
    m_table->setItemDelegate(new PoolDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(PoolModel::WorkersColumn, QHeaderView::Stretch);
    constexpr std::array kWidths{ 100, 100, 130, 116, 80, 72, 52, 116, 104 };
    for (std::size_t i = 0; i < kWidths.size(); ++i)
        m_table->setColumnWidth(static_cast<int>(i), scaledLength(kWidths.at(i)));
    m_steering = new PoolSteering(page);
    m_charts = new PoolCharts(m_history, page);
    m_sections = new PoolsSections(page);
    m_sections->setMinimumHeight(scaledLength(200));
    column->addWidget(m_table);
    column->addWidget(m_steering);
    column->addWidget(m_charts, 1);
    column->addWidget(m_sections, 3);
    auto* scroll = new QScrollArea(m_pages); // a small window shows a part of it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    return scroll;
}

PoolsPanel::PoolsPanel(PoolsClient& client, QWidget* parent)
    : PoolsPanel(parent)
{
    connect(this, &PoolsPanel::loadRequested, &client, &PoolsClient::load);
    connect(this, &PoolsPanel::addressRequested, &client, &PoolsClient::setAddress);
    connect(this, &PoolsPanel::storyRequested, &client, &PoolsClient::loadStory);
    connect(this, &PoolsPanel::changeRequested, &client, &PoolsClient::change);
    connect(&client, &PoolsClient::loaded, this, &PoolsPanel::setLook);
    connect(&client, &PoolsClient::storyLoaded, this, &PoolsPanel::setStory);
    connect(&client, &PoolsClient::changed, this, &PoolsPanel::setChanged);
}

void PoolsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    load();
}

void PoolsPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_next.stop();
}

void PoolsPanel::load()
{
    m_next.stop();
    if (m_isAsking)
        return;
    m_isAsking = true;
    Q_EMIT loadRequested();
}

void PoolsPanel::setLook(const PoolsLook& look)
{
    m_isAsking = false;
    if (isVisible())
        m_next.start(look.error.what.isEmpty() ? kEachMs : kAfterErrorMs);
    if (look.error.what.isEmpty() && look.isConfigured)
        m_latencies.push_back(look.latencyMs);
    if (m_latencies.size() > kLooks)
        m_latencies.pop_front();
    showCounts(look);
    if (!look.error.what.isEmpty()) {
        m_banner->clearActions();
        m_banner->showMessage(Banner::Kind::Error, look.error.what);
        // A wrong address can be typed again; what was seen before stays otherwise.
        if (m_model->rowCount() == 0)
            showQueueless(look);
        return;
    }
    if (m_banner->kind() == Banner::Kind::Error)
        m_banner->hide();
    if (const QString queue = look.address + QLatin1Char(' ') + look.queue; queue != m_queue) {
        m_history.clear();
        m_latencies.clear();
        m_queue = queue;
    }
    m_history.add(look);
    m_model->setPools(look.pools);
    fitTable();
    m_sections->show(look);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
    if (look.isConfigured)
        showPage(look.pools.empty() ? EmptyPage : PoolsPage);
    else
        showQueueless(look);
    showChosen();
    if (isVisible() && m_sections->mayGoOn())
        Q_EMIT storyRequested(m_sections->role(), m_sections->job());
}

// No queue is named, or the one that is does not answer.
void PoolsPanel::showQueueless(const PoolsLook& look)
{
    m_queueless->setIcon(QLatin1String(look.error.what.isEmpty() ? "chip" : "error"));
    m_queueless->setSentence(
        look.error.what.isEmpty()
            ? tr("The pools of a queue appear here. `SANDGLASS_QUEUE=redis://HOST:PORT/0` in the "
                 "environment of this program names it for runs, too; an address typed here is looked at "
                 "by this window alone.")
            : look.address.isEmpty()
            ? tr("That is no address of a queue. One that this window looks at can be typed here.")
            : tr("`%1` cannot be looked at. It is asked again every %2 s; another queue can be looked at "
                 "here.")
                  .arg(look.address)
                  .arg(kAfterErrorMs / 1000));
    showPage(UnnamedPage);
}

// The buttons that steer pools are shown with pools.
void PoolsPanel::showPage(int page)
{
    m_pages->setCurrentIndex(page);
    m_span->setVisible(page == PoolsPage);
    m_pauseAll->setVisible(page == PoolsPage);
}

// The table is as high as its roles, of which a few are seen at once.
void PoolsPanel::fitTable()
{
    const int rows = std::clamp(m_model->rowCount(), 2, kMostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height()
                            + rows * m_table->verticalHeader()->defaultSectionSize() + 2);
}

void PoolsPanel::setStory(const JobStoryRow& story)
{
    m_sections->setStory(story);
}

void PoolsPanel::setChanged(const PoolChange& change, const UserError& error)
{
    m_banner->clearActions();
    if (!error.what.isEmpty())
        m_banner->showMessage(Banner::Kind::Warning,
                              tr("**%1** is as it was. %2").arg(change.role, error.what));
    else if (!change.requeued.isEmpty())
        m_banner->showMessage(
            Banner::Kind::Info,
            tr("%1 of **%2** will be tried again; a run that failed by it goes on with Resume.")
                .arg(change.requeued.size() == 1 ? tr("1 job") : tr("%1 jobs").arg(change.requeued.size()),
                     change.role));
    else if (!change.discarded.isEmpty())
        m_banner->showMessage(
            Banner::Kind::Info,
            change.discarded.size() == 1
                ? tr("1 dead letter of **%1** is discarded; a run that failed by it does its task anew with "
                     "Resume.")
                      .arg(change.role)
                : tr("%1 dead letters of **%2** are discarded; a run that failed by one does its task anew "
                     "with Resume.")
                      .arg(change.discarded.size())
                      .arg(change.role));
    load();
}

const PoolRow* PoolsPanel::chosen() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model->pools()[static_cast<std::size_t>(current.row())] : nullptr;
}

void PoolsPanel::showChosen()
{
    const PoolRow* pool = chosen();
    m_steering->show(pool);
    QStringList roles;
    for (const PoolRow& each : m_model->pools())
        roles << each.role;
    m_charts->show(roles, pool == nullptr ? QString() : pool->role);
    const bool isAllPaused = std::ranges::all_of(m_model->pools(), &PoolRow::isPaused);
    m_pauseAll->setEnabled(!m_model->pools().empty());
    m_pauseAll->setText(isAllPaused && !m_model->pools().empty() ? tr("Go on with all") : tr("Pause all"));
    m_pauseAll->setIcon(icon(QLatin1String(isAllPaused && !m_model->pools().empty() ? "play" : "pause")));
}

void PoolsPanel::showCounts(const PoolsLook& look)
{
    if (!look.isConfigured) {
        m_counts->setFullText(tr("No queue is named"));
        return;
    }
    qint64 waiting = 0;
    qint64 running = 0;
    std::size_t workers = 0;
    for (const PoolRow& pool : look.pools) {
        waiting += pool.ready;
        running += pool.running;
        workers += pool.workers.size();
    }
    QStringList words{ look.address.isEmpty() ? tr("The queue's address is no address") : look.address };
    if (!look.error.what.isEmpty()) {
        words << tr("does not answer");
    } else {
        // The least of the newest looks: single answers wait for this machine, and figures that jump are not
        // read.
        const double latency = m_latencies.empty() ? look.latencyMs : *std::ranges::min_element(m_latencies);
        words << (latency < 0.1 ? tr("below 0.1 ms") : tr("%1 ms").arg(latency, 0, 'f', 1))
              << look.persistence;
        if (!look.pools.empty())
            words << (look.pools.size() == 1 ? tr("1 role") : tr("%1 roles").arg(look.pools.size()))
                  << (workers == 1 ? tr("1 worker") : tr("%1 workers").arg(workers))
                  << tr("%1 wait, %2 in flight").arg(formatCount(waiting), formatCount(running));
        if (look.deadInAll > 0)
            words << (look.deadInAll == 1 ? tr("1 dead letter")
                                          : tr("%1 dead letters").arg(formatCount(look.deadInAll)));
    }
    words.removeAll(QString());
    m_counts->setFullText(words.join(QStringLiteral(" · ")));
}

void PoolsPanel::pauseAll()
{
    const bool isAllPaused = std::ranges::all_of(m_model->pools(), &PoolRow::isPaused);
    for (const PoolRow& pool : m_model->pools())
        if (pool.isPaused == isAllPaused) {
            PoolChange change;
            change.role = pool.role;
            change.paused = isAllPaused ? 0 : 1;
            Q_EMIT changeRequested(change);
        }
}

} // namespace sg::ui
