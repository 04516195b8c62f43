#include "ui/artifacts/table_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

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
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1 %2").arg(m_columns.value(section), m_types.value(section)).trimmed();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    case TypeRole: return m_types.value(section);
    default: return {};
    }
}

TypedHeader::TypedHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(false);
    setHighlightSections(false);
    setFixedHeight(scaledLength(26));
}

QSize TypedHeader::sectionSizeFromContents(int section) const
{
    const QString name = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    const QString type = model()->headerData(section, orientation(), PreviewTableModel::TypeRole).toString();
    const double width = QFontMetricsF(uiFont(TextSize::Dense, QFont::DemiBold)).horizontalAdvance(name)
        + QFontMetricsF(uiFont(TextSize::Small)).horizontalAdvance(type) + 2 * kPadding + kGap + 2;
    return { static_cast<int>(std::ceil(width)), scaledLength(26) };
}

void TypedHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, color(&Tokens::window));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(&Tokens::border));
    painter->fillRect(rect.right(), rect.top() + 5, 1, rect.height() - 11, color(&Tokens::border));
    const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont small = uiFont(TextSize::Small);
    const QString type = model()->headerData(section, orientation(), PreviewTableModel::TypeRole).toString();
    QRectF room = QRectF(rect).adjusted(kPadding, 0, -kPadding - 1, -1);
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
{
    setObjectName(QStringLiteral("artifactTable"));
    setTabKeyNavigation(false); // Tab leads on to the next panel
    setAccessibleName(tr("Preview of the table"));
    setModel(m_model);
    setHorizontalHeader(new TypedHeader(this));
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
}

void TableView::setTable(const QStringList& columns, const QStringList& types,
                         const std::vector<QStringList>& rows, qint64 firstRow)
{
    const bool isOther = columns != m_model->columns();
    m_model->reset(columns, types, rows, firstRow);
    scrollToTop();
    if (!isOther)
        return;
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column,
                       std::clamp(columnWidth(column) + kPadding, scaledLength(56), scaledLength(kWidest)));
    horizontalScrollBar()->setValue(0);
}

void TableView::keyPressEvent(QKeyEvent* event)
{
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
