#include "ui/artifacts/table_view.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kPadding = 8;
constexpr int kGap = 6;
constexpr int kWidest = 320;
constexpr int kHead = 26;
constexpr int kBars = 24; // additional height for the bars

} // namespace

void PreviewTableModel::reset(const QStringList& columns, const QStringList& types,
                              std::vector<QStringList> rows, qint64 firstRow)
{
    beginResetModel();
    m_columns = columns;
    m_types = types;
    m_rows = std::move(rows);
    m_firstRow = firstRow;
    endResetModel();
}

void PreviewTableModel::setFacts(const ColumnFacts& facts)
{
    if (facts.column < 0) {
        m_facts.clear();
        return;
    }
    m_facts[facts.column] = facts;
    Q_EMIT headerDataChanged(Qt::Horizontal, facts.column, facts.column);
}

bool PreviewTableModel::hasBars() const
{
    return std::ranges::any_of(m_facts, [](const auto& known) { return !known.second.bars.empty(); });
}

void PreviewTableModel::setOrder(const TableOrder& order)
{
    m_order = order;
    if (!m_columns.isEmpty())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, static_cast<int>(m_columns.size()) - 1);
}

// Example: "mass double; sorted, smallest first; 2700 to 6300; 2 empty"
QString PreviewTableModel::described(int column) const
{
    QStringList words{
        QStringLiteral("%1 %2").arg(m_columns.value(column), m_types.value(column)).trimmed()
    };
    if (column == m_order.column)
        words << (m_order.isDescending ? tr("sorted, largest first") : tr("sorted, smallest first"));
    const auto known = m_facts.find(column);
    if (known == m_facts.end())
        return words.join(QStringLiteral("; "));
    const ColumnFacts& facts = known->second;
    if (!facts.problem.isEmpty())
        words << tr("not counted: %1").arg(facts.problem);
    if (!facts.least.isEmpty())
        words << tr("%1 to %2").arg(facts.least, facts.most);
    if (facts.distinct >= 0)
        words << (facts.values.isEmpty() ? tr("%1 values").arg(facts.distinct)
                                         : facts.values.join(QStringLiteral(", ")));
    if (facts.empty > 0)
        words << tr("%1 empty").arg(formatCount(facts.empty));
    return words.join(QStringLiteral("; "));
}

int PreviewTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PreviewTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

bool PreviewTableModel::isNumber(int column) const
{
    static const QStringList starts{ QStringLiteral("int"),     QStringLiteral("uint"),
                                     QStringLiteral("float"),   QStringLiteral("double"),
                                     QStringLiteral("decimal"), QStringLiteral("number") };
    const QString type = m_types.value(column).toLower();
    return std::ranges::any_of(starts, [&type](const QString& start) { return type.startsWith(start); });
}

QVariant PreviewTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return m_rows[static_cast<std::size_t>(index.row())].value(index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: return isNumber(index.column()) ? QVariant(monoFont()) : QVariant();
    default: return {};
    }
}

QVariant PreviewTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return role == Qt::DisplayRole ? QVariant(m_firstRow + section + 1) : QVariant();
    switch (role) {
    case Qt::DisplayRole: return m_columns.value(section);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return described(section);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    case TypeRole: return m_types.value(section);
    case BarsRole: {
        const auto known = m_facts.find(section);
        return known == m_facts.end()
            ? QVariant()
            : QVariant::fromValue(QList<double>(known->second.bars.begin(), known->second.bars.end()));
    }
    default: return {};
    }
}

TypedHeader::TypedHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(scaledLength(kHead));
}

void TypedHeader::showBars(bool shown)
{
    m_hasBars = shown;
    setFixedHeight(scaledLength(shown ? kHead + kBars : kHead));
    viewport()->update();
}

void TypedHeader::setOrder(const TableOrder& order)
{
    m_order = order;
    viewport()->update();
}

void TypedHeader::paintBars(QPainter& painter, const QRectF& room, int section) const
{
    const auto bars =
        model()->headerData(section, orientation(), PreviewTableModel::BarsRole).value<QList<double>>();
    if (bars.isEmpty())
        return;
    const double most = *std::ranges::max_element(bars);
    const double each = std::min(room.width() / static_cast<double>(bars.size()), double(scaledLength(32)));
    for (qsizetype bar = 0; bar < bars.size() && most > 0; ++bar) {
        if (bars[bar] <= 0)
            continue;
        const double height = std::max(1.0, std::round(bars[bar] / most * room.height()));
        const double left = std::round(room.left() + each * static_cast<double>(bar));
        const double right = std::round(room.left() + each * static_cast<double>(bar + 1)) - 1;
        painter.fillRect(QRectF(left, room.bottom() - height, std::max(1.0, right - left), height),
                         color(&Tokens::strong));
    }
}

QSize TypedHeader::sectionSizeFromContents(int section) const
{
    const QString name = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    const QString type = model()->headerData(section, orientation(), PreviewTableModel::TypeRole).toString();
    const double width = QFontMetricsF(uiFont(TextSize::Dense, QFont::DemiBold)).horizontalAdvance(name)
        + QFontMetricsF(uiFont(TextSize::Small)).horizontalAdvance(type) + 2 * kPadding + kGap
        + scaledLength(12) + 2;
    return { static_cast<int>(std::ceil(width)), height() };
}

void TypedHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, color(&Tokens::window));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(&Tokens::border));
    painter->fillRect(rect.right(), rect.top() + 5, 1, rect.height() - 11, color(&Tokens::border));
    if (m_hasBars)
        paintBars(*painter,
                  QRectF(rect).adjusted(kPadding, scaledLength(kHead), -kPadding - 1, -scaledLength(5)),
                  section);
    const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont small = uiFont(TextSize::Small);
    const QString type = model()->headerData(section, orientation(), PreviewTableModel::TypeRole).toString();
    QRectF room(rect.left() + kPadding, rect.top(), rect.width() - 2 * kPadding - 1, scaledLength(kHead) - 1);
    if (m_order.column == section) {
        const double side = scaledLength(12);
        paintIcon(*painter, m_order.isDescending ? QLatin1String("down") : QLatin1String("up"),
                  QRectF(room.right() - side, room.center().y() - side / 2, side, side),
                  color(&Tokens::text));
        room.setRight(room.right() - side - 2);
    }
    const QString name = QFontMetricsF(bold).elidedText(
        model()->headerData(section, orientation(), Qt::DisplayRole).toString(), Qt::ElideRight,
        room.width());
    const double nameWidth = QFontMetricsF(bold).horizontalAdvance(name);
    const double typeWidth = QFontMetricsF(small).horizontalAdvance(type);
    const auto side =
        model()->headerData(section, orientation(), Qt::TextAlignmentRole).value<Qt::Alignment>();
    const bool fits = nameWidth + kGap + typeWidth <= room.width();
    if (side.testFlag(Qt::AlignRight))
        room.setLeft(room.right() - nameWidth - (fits ? kGap + typeWidth : 0));
    painter->setFont(bold);
    painter->setPen(color(&Tokens::text));
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
    if (fits) {
        painter->setFont(small);
        painter->setPen(color(&Tokens::muted));
        painter->drawText(room.adjusted(nameWidth + kGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, type);
    }
    painter->restore();
}

TableView::TableView(QWidget* parent)
    : QTableView(parent)
    , m_model(new PreviewTableModel(this))
    , m_head(new TypedHeader(this))
{
    setObjectName(QStringLiteral("artifactTable"));
    setTabKeyNavigation(false); // Tab must lead to the next panel
    setAccessibleName(tr("Preview of the table"));
    setModel(m_model);
    setHorizontalHeader(m_head);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(scaledLength(20));
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaledLength(24));
    setFont(uiFont(TextSize::Dense));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    createActions();
}

void TableView::createActions()
{
    const auto add = [this](const QString& text, const char* key, auto requested) {
        auto* action = new QAction(text, this);
        action->setShortcut(QKeySequence(QLatin1String(key)));
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, requested);
        addAction(action);
    };
    add(tr("Sort by this column, smallest first"), "Alt+Up",
        [this] { requestOrder(std::max(0, currentIndex().column()), false); });
    add(tr("Sort by this column, largest first"), "Alt+Down",
        [this] { requestOrder(std::max(0, currentIndex().column()), true); });
    add(tr("Order of the file"), "Alt+0", [this] { requestOrder(-1, false); });
    setContextMenuPolicy(Qt::ActionsContextMenu);
    // Clicks go from smallest first to largest first to the file's order.
    connect(m_head, &QHeaderView::sectionClicked, this, [this](int column) {
        const bool isAgain = m_order.column == column;
        requestOrder(isAgain && m_order.isDescending ? -1 : column, isAgain && !m_order.isDescending);
    });
}

void TableView::requestOrder(int column, bool isDescending)
{
    if (m_model->columnCount() > 0)
        Q_EMIT orderRequested({ column, column >= 0 && isDescending });
}

void TableView::setOrder(const TableOrder& order)
{
    m_order = order;
    m_model->setOrder(order);
    m_head->setOrder(order);
}

void TableView::setFacts(const ColumnFacts& facts)
{
    m_model->setFacts(facts);
    m_head->showBars(m_model->hasBars());
}

void TableView::setTable(const QStringList& columns, const QStringList& types,
                         const std::vector<QStringList>& rows, qint64 firstRow)
{
    const bool isOther = columns != m_model->columns();
    const int current = currentIndex().column();
    m_model->reset(columns, types, rows, firstRow);
    scrollToTop();
    if (!isOther) {
        keepColumn(current);
        return;
    }
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column,
                       std::clamp(columnWidth(column) + kPadding, scaledLength(56), scaledLength(kWidest)));
    horizontalScrollBar()->setValue(0);
}

// The sorting keys use the current cell, which a new page or order does not have.
void TableView::keepColumn(int column)
{
    const QModelIndex first = m_model->index(0, column);
    if (!first.isValid())
        return;
    const int shown = horizontalScrollBar()->value();
    setCurrentIndex(first);
    horizontalScrollBar()->setValue(shown);
}

QAction* TableView::sortingBy(const QKeyEvent& event) const
{
    const QKeySequence pressed(event.keyCombination());
    const QList<QAction*> all = actions();
    const auto found = std::ranges::find(all, pressed, &QAction::shortcut);
    return found == all.end() ? nullptr : *found;
}

// The window has shortcuts with the same keys for the canvas and the timeline.
bool TableView::event(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !sortingBy(*static_cast<QKeyEvent*>(event)))
        return QTableView::event(event);
    event->accept();
    return true;
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    if (QAction* sorting = sortingBy(*event)) {
        sorting->trigger();
        return;
    }
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    QModelIndexList cells = selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0)
            text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cells[i].data().toString();
    }
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

} // namespace sg::ui
