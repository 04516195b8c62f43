#include "ui/compare/comparison_tables.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kKindRole = Qt::UserRole + 1;
enum Kind { Same, Changed, OnlyA, OnlyB };

QString sign(int kind)
{
    switch (kind) {
    case Changed: return QStringLiteral("~");
    case OnlyA: return QString(QChar(0x2212));
    case OnlyB: return QStringLiteral("+");
    default: return {};
    }
}

QString spoken(int kind)
{
    switch (kind) {
    case Changed: return QObject::tr("changed");
    case OnlyA: return QObject::tr("only in A");
    case OnlyB: return QObject::tr("only in B");
    default: return QObject::tr("same");
    }
}

Token tintOf(int kind)
{
    switch (kind) {
    case Changed: return &Tokens::runningTint;
    case OnlyA: return &Tokens::failedTint;
    case OnlyB: return &Tokens::doneTint;
    default: return &Tokens::base;
    }
}

class TintedRows final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int kind = index.siblingAtColumn(0).data(kKindRole).toInt();
        if (!option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, color(tintOf(kind)));
        QStyledItemDelegate::paint(painter, option, index);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(24) };
    }
};

QStandardItemModel& begin(QTreeView& table, const QStringList& heads)
{
    auto* model = static_cast<QStandardItemModel*>(table.model());
    model->clear();
    model->setHorizontalHeaderLabels(heads);
    return *model;
}

void add(QStandardItemModel& model, int kind, const QStringList& cells, bool isMono)
{
    QList<QStandardItem*> row{ new QStandardItem(sign(kind)) };
    row.front()->setData(kind, kKindRole);
    row.front()->setData(cells.front() + QStringLiteral(", ") + spoken(kind), Qt::AccessibleTextRole);
    for (const QString& cell : cells) {
        row << new QStandardItem(cell);
        row.back()->setToolTip(cell);
        if (isMono && row.size() > 2)
            row.back()->setFont(monoFont());
    }
    model.appendRow(row);
}

// The columns of A, of B and of what follows share the table's width: none is cut off, however narrow the
// table is.
void layOut(QTreeView& table, int nameWidth)
{
    QHeaderView& head = *table.header();
    head.setStretchLastSection(false);
    head.setMinimumSectionSize(scaledLength(20));
    head.resizeSection(0, scaledLength(24));
    head.resizeSection(1, scaledLength(nameWidth));
    for (int column = 2; column < table.model()->columnCount(); ++column)
        head.setSectionResizeMode(column, QHeaderView::Stretch);
}

constexpr QLatin1String kFitName("changeFit");

// Hides the column of changes while the others do not leave it any room.
class ChangeFit final : public QObject {
public:
    explicit ChangeFit(QTreeView& table)
        : QObject(&table)
        , m_table(table)
    {
        table.viewport()->installEventFilter(this);
    }
    void fit()
    {
        if (m_table.model()->columnCount() <= kChange)
            return;
        int wanted = scaledLength(24) + scaledLength(kLeastName);
        for (int column = 2; column <= kChange; ++column)
            wanted += std::max(static_cast<const QAbstractItemView&>(m_table).sizeHintForColumn(column),
                               m_table.header()->sectionSizeHint(column));
        m_table.setColumnHidden(kChange, wanted > m_table.viewport()->width());
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            fit();
        return QObject::eventFilter(watched, event);
    }

private:
    static constexpr int kChange = 4;
    static constexpr int kLeastName = 84;
    QTreeView& m_table;
};

// Numbers have the width that they need, and the name the rest.
void layOutNumbers(QTreeView& table)
{
    QHeaderView& head = *table.header();
    head.setStretchLastSection(false);
    head.setMinimumSectionSize(scaledLength(20));
    head.resizeSection(0, scaledLength(24));
    head.setSectionResizeMode(1, QHeaderView::Stretch);
    for (int column = 2; column < table.model()->columnCount(); ++column)
        head.setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

QString number(double value, const QString& text)
{
    return std::isnan(value) ? QString(QChar(0x2013)) : text;
}

QString changeText(double a, double b, bool isTime)
{
    if (std::isnan(a) || std::isnan(b))
        return QChar(0x2013);
    const double change = b - a;
    if (change == 0)
        return QStringLiteral("0");
    const QString size = isTime ? formatDuration(std::abs(change)) : QString::number(std::abs(change));
    return (change > 0 ? QStringLiteral("+") : QString(QChar(0x2212))) + size;
}

} // namespace

QTreeView* comparisonTable(const QString& name, QWidget* parent)
{
    auto* table = new QTreeView(parent);
    table->setModel(new QStandardItemModel(table));
    table->setItemDelegate(new TintedRows(table));
    table->setAccessibleName(name);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setFont(uiFont(TextSize::Dense));
    return table;
}

void fillNodes(QTreeView& table, const RunComparison& comparison)
{
    QStandardItemModel& model = begin(table, { {}, QObject::tr("Node"), QObject::tr("A"), QObject::tr("B") });
    model.horizontalHeaderItem(2)->setToolTip(QObject::tr("How often it ran in A"));
    model.horizontalHeaderItem(3)->setToolTip(QObject::tr("How often it ran in B"));
    for (const NodeComparison& node : comparison.nodes)
        add(model, static_cast<int>(node.kind),
            { node.node, QString::number(node.runsA), QString::number(node.runsB) }, false);
    layOutNumbers(table);
}

void fillChannels(QTreeView& table, const RunComparison& comparison)
{
    QStandardItemModel& model =
        begin(table, { {}, QObject::tr("Channel"), QObject::tr("A"), QObject::tr("B") });
    for (const ChannelComparison& channel : comparison.channels)
        add(model, static_cast<int>(channel.kind), { channel.channel + channel.place, channel.a, channel.b },
            true);
    layOut(table, 128);
}

namespace {

// Adds nothing if neither way has model calls; a cost without a price is "–".
void addUsage(QStandardItemModel& model, const RunComparison& comparison)
{
    const UsageRow& a = comparison.a.usage;
    const UsageRow& b = comparison.b.usage;
    if (a.calls == 0 && b.calls == 0)
        return;
    const auto count = [](qint64 tokens) { return QString::number(tokens); };
    const auto change = [](double from, double to, const auto& text) {
        if (std::isnan(from) || std::isnan(to))
            return QString(QChar(0x2013));
        return (to < from ? QString(QChar(0x2212)) : QStringLiteral("+")) + text(std::abs(to - from));
    };
    const auto tokens = [&](const QString& name, qint64 from, qint64 to) {
        add(model, Same,
            { name, count(from), count(to),
              change(static_cast<double>(from), static_cast<double>(to),
                     [](double by) { return QString::number(by, 'f', 0); }) },
            false);
    };
    tokens(QObject::tr("Model calls"), a.calls, b.calls);
    tokens(QObject::tr("Tokens in"), a.input, b.input);
    tokens(QObject::tr("Tokens out"), a.output, b.output);
    const auto cost = [&comparison](double amount) {
        return comparison.currency + QLatin1Char(' ') + QString::number(amount, 'f', 4);
    };
    const auto told = [&cost](const UsageRow& row) {
        const QString unknown = QChar(0x2013);
        if (std::isnan(row.cost))
            return unknown;
        return row.unpriced == 0 ? cost(row.cost) : cost(row.cost) + QStringLiteral(" + ") + unknown;
    };
    const bool isWhole = a.unpriced == 0 && b.unpriced == 0;
    add(model, Same,
        { QObject::tr("Cost"), told(a), told(b),
          isWhole ? change(a.cost, b.cost, cost) : QString(QChar(0x2013)) },
        false);
}

} // namespace

void fillFigures(QTreeView& table, const RunComparison& comparison)
{
    QStandardItemModel& model = begin(
        table, { {}, QObject::tr("Figure"), QObject::tr("A"), QObject::tr("B"), QObject::tr("Change") });
    const auto row = [&model](const QString& name, double a, double b, bool isTime) {
        const auto text = [isTime](double value) {
            return number(value, isTime ? formatDuration(value) : QString::number(value));
        };
        add(model, Same, { name, text(a), text(b), changeText(a, b, isTime) }, false);
    };
    const RunFigures& a = comparison.a;
    const RunFigures& b = comparison.b;
    row(QObject::tr("Duration"), a.seconds, b.seconds, true);
    row(QObject::tr("Time in tasks"), a.taskSeconds, b.taskSeconds, true);
    row(QObject::tr("Steps"), a.steps, b.steps, false);
    row(QObject::tr("Tasks"), a.tasks, b.tasks, false);
    row(QObject::tr("Retries"), a.retries, b.retries, false);
    row(QObject::tr("Failures"), a.failures, b.failures, false);
    row(QObject::tr("Artifacts"), a.artifacts, b.artifacts, false);
    addUsage(model, comparison);
    if (!std::isnan(a.peakMemory) || !std::isnan(b.peakMemory)) {
        const auto text = [](double bytes) { return number(bytes, formatMemory(bytes)); };
        const bool known = !std::isnan(a.peakMemory) && !std::isnan(b.peakMemory);
        const double change = b.peakMemory - a.peakMemory;
        add(model, Same,
            { QObject::tr("Peak memory"), text(a.peakMemory), text(b.peakMemory),
              !known ? QString(QChar(0x2013))
                     : (change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+"))
                      + formatMemory(std::abs(change)) },
            false);
    }
    layOutNumbers(table);
    auto* fit = static_cast<ChangeFit*>(table.findChild<QObject*>(kFitName, Qt::FindDirectChildrenOnly));
    if (fit == nullptr) {
        fit = new ChangeFit(table);
        fit->setObjectName(kFitName);
    }
    fit->fit();
}

} // namespace sg::ui
