#include "ui/usage/usage_panel.h"

#include "ui/usage/price_table.h"
#include "ui/usage/usage_feed.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>
#include <QUuid>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

namespace sg::ui {

namespace {

enum Column { NameColumn, CallsColumn, InputColumn, OutputColumn, CostColumn, TimeColumn, ColumnCount };

const QChar kUnknownSign(0x2013);
constexpr int kShownRun = 8; // characters of a run's id
constexpr std::size_t kMostRows = 200; // of each group, most tokens first

bool isSame(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool isSameRow(const UsageRow& a, const UsageRow& b)
{
    return std::tie(a.name, a.calls, a.input, a.output, a.unpriced)
        == std::tie(b.name, b.calls, b.input, b.output, b.unpriced)
        && isSame(a.cost, b.cost) && isSame(a.seconds, b.seconds);
}

bool isSameUsage(const UsageRows& a, const UsageRows& b)
{
    return std::tie(a.thread, a.checkpoint, a.currency, a.priceDate, a.error.what)
        == std::tie(b.thread, b.checkpoint, b.currency, b.priceDate, b.error.what)
        && isSameRow(a.sum, b.sum) && std::ranges::equal(a.nodes, b.nodes, isSameRow)
        && std::ranges::equal(a.runs, b.runs, isSameRow) && std::ranges::equal(a.models, b.models, isSameRow);
}

QString timeText(double seconds)
{
    return std::isnan(seconds) ? QString(kUnknownSign) : formatDuration(seconds);
}

} // namespace

QString costText(const UsageRow& row, const QString& currency)
{
    if (std::isnan(row.cost))
        return kUnknownSign;
    const QString cost =
        QStringLiteral("%1 %2").arg(currency, QString::number(row.cost, 'f', row.cost < 1 ? 4 : 2));
    return row.unpriced == 0 ? cost : UsagePanel::tr("%1 + %2").arg(cost, QString(kUnknownSign));
}

namespace {

// A run's id is long, and its beginning tells it from others.
QString shortName(const QString& name)
{
    return QUuid::fromString(name).isNull() ? name : name.left(kShownRun);
}

} // namespace

QString usageLine(const UsageRow& row, const QString& currency)
{
    if (row.calls == 0)
        return {};
    QStringList parts{
        UsagePanel::tr("%1 tokens in, %2 out").arg(formatCount(row.input), formatCount(row.output)),
        std::isnan(row.cost) ? UsagePanel::tr("no price") : costText(row, currency),
        std::isnan(row.seconds) ? QString() : timeText(row.seconds),
        row.calls == 1 ? UsagePanel::tr("1 call") : UsagePanel::tr("%1 calls").arg(formatCount(row.calls))
    };
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

UsagePanel::UsagePanel(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(QLatin1String("llm"), QString(), m_pages))
    , m_failed(new EmptyState(QLatin1String("error"), QString(), m_pages))
    , m_tree(new QTreeView(m_pages))
    , m_model(new QStandardItemModel(0, ColumnCount, this))
    , m_prices(new PriceTableView(m_pages))
{
    setAccessibleName(tr("Usage"));
    auto* bar = new Strip(32, &Tokens::subtle, this);
    m_line = new QLabel(bar);
    m_line->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_line->setTextFormat(Qt::PlainText);
    m_line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_showPrices = new QPushButton(tr("Prices"), bar);
    m_showPrices->setCheckable(true);
    m_showPrices->setProperty("sgFlat", true);
    makeDense(m_showPrices);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->addWidget(m_line, 1);
    row->addWidget(m_showPrices);
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Tokens, cost and time"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setFont(uiFont(TextSize::Dense));
    for (QWidget* page : { static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_tree),
                           static_cast<QWidget*>(m_prices), static_cast<QWidget*>(m_failed) })
        m_pages->addWidget(page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_pages, 1);
    connect(m_showPrices, &QPushButton::toggled, this, [this](bool isOn) {
        if (isOn) {
            m_prices->addModels(m_models);
            m_pages->setCurrentWidget(m_prices);
            Q_EMIT pricesWanted();
        } else {
            fill();
        }
    });
    connect(m_failed->setButton(tr("Try again")), &QPushButton::clicked, this, &UsagePanel::readAgain);
    connect(m_failed->setLink(tr("Show prices")), &QPushButton::clicked, m_showPrices, &QPushButton::toggle);
    connect(m_prices, &PriceTableView::changed, this, &UsagePanel::pricesChanged);
    fill();
}

UsagePanel::UsagePanel(const PanelParts& parts, QWidget* parent)
    : UsagePanel(parent)
{
    m_feed = new UsageFeed(parts, *this);
}

void UsagePanel::readFor(QWidget& other)
{
    Q_ASSERT(m_feed != nullptr);
    m_feed->readFor(other);
}

void UsagePanel::clear()
{
    setUsage({});
}

void UsagePanel::setUsage(const UsageRows& usage)
{
    if (isSameUsage(usage, m_usage))
        return;
    m_usage = usage;
    m_models.clear();
    for (const UsageRow& model : usage.models)
        m_models << model.name;
    m_line->setText(usageLine(usage.sum, usage.currency));
    m_isStale = true;
    if (isVisible())
        fill();
}

void UsagePanel::showEvent(QShowEvent* event)
{
    if (m_isStale)
        fill();
    QWidget::showEvent(event);
}

void UsagePanel::fill()
{
    if (m_showPrices->isChecked())
        return;
    m_isStale = false;
    const UsageRows& usage = m_usage;
    if (!usage.error.what.isEmpty()) {
        m_failed->setSentence(tr("What the models took could not be summed up: %1.").arg(usage.error.what));
        m_pages->setCurrentWidget(m_failed);
        return;
    }
    if (usage.sum.calls == 0) {
        m_empty->setSentence(
            tr("Tokens, cost and time appear here once a message of this thread carries a model's "
               "`usage_metadata`."));
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    const int scrolled = m_tree->verticalScrollBar()->value();
    m_model->clear();
    m_model->setHorizontalHeaderLabels(
        { tr("Name"), tr("Calls"), tr("Tokens in"), tr("Tokens out"),
          usage.priceDate.isEmpty() ? tr("Cost") : tr("Cost, prices of %1").arg(usage.priceDate),
          tr("Time") });
    addGroup(tr("By node"), usage.nodes);
    addGroup(tr("By model"), usage.models);
    addGroup(tr("By run"), usage.runs);
    m_tree->expandAll();
    m_tree->header()->resizeSection(NameColumn, scaledLength(220));
    m_tree->header()->resizeSection(CostColumn, scaledLength(190));
    m_pages->setCurrentWidget(m_tree);
    m_tree->verticalScrollBar()->setValue(scrolled);
}

void UsagePanel::addGroup(const QString& title, const std::vector<UsageRow>& rows)
{
    if (rows.empty())
        return;
    auto* group = new QStandardItem(title);
    m_model->appendRow(group);
    for (const UsageRow& each : std::span(rows).first(std::min(rows.size(), kMostRows))) {
        QList<QStandardItem*> items;
        for (const QString& text :
             { each.name.isEmpty() ? QString(kUnknownSign) : shortName(each.name), formatCount(each.calls),
               formatCount(each.input), formatCount(each.output), costText(each, m_usage.currency),
               timeText(each.seconds) })
            items << new QStandardItem(text);
        items.front()->setToolTip(each.name);
        if (each.unpriced > 0)
            items[CostColumn]->setToolTip(tr("%1 calls without a price").arg(formatCount(each.unpriced)));
        group->appendRow(items);
    }
    if (rows.size() > kMostRows)
        group->appendRow(new QStandardItem(
            tr("… and %1 more").arg(formatCount(static_cast<qint64>(rows.size() - kMostRows)))));
}

void UsagePanel::setPrices(const PriceTable& prices)
{
    m_prices->setPrices(prices);
    if (m_showPrices->isChecked() && prices.error.what.isEmpty())
        m_prices->addModels(m_models);
}

} // namespace sg::ui
