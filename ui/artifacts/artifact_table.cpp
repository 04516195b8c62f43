#include "ui/artifacts/artifact_table.h"

#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/time_format.h"

#include <QAction>
#include <QDateTime>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kLeastName = 160;
constexpr qsizetype kShortRun = 8;

bool isNumber(int column)
{
    return column == ArtifactModel::SizeColumn || column == ArtifactModel::StepColumn;
}

QString cell(const ArtifactRow& row, int column)
{
    switch (column) {
    case ArtifactModel::NameColumn: return row.name;
    case ArtifactModel::SizeColumn: return formatBytes(row.size);
    case ArtifactModel::TypeColumn: return artifactType(row);
    case ArtifactModel::NodeColumn: return row.node;
    case ArtifactModel::StepColumn: return QString::number(row.step);
    case ArtifactModel::ThreadColumn: return row.thread;
    case ArtifactModel::RunColumn: return row.run.left(kShortRun);
    case ArtifactModel::CreatedColumn: return formatDay(row.createdMs, QDateTime::currentDateTime());
    default: return {};
    }
}

} // namespace

ArtifactTableModel::ArtifactTableModel(ArtifactModel& artifacts, QObject* parent)
    : QAbstractTableModel(parent)
    , m_artifacts(artifacts)
{
    connect(&artifacts, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(&artifacts, &QAbstractItemModel::modelReset, this, [this] { endResetModel(); });
}

int ArtifactTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_artifacts.rowCount();
}

int ArtifactTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ArtifactModel::ColumnCount;
}

QVariant ArtifactTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ArtifactRow& row = m_artifacts.rows()[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return cell(row, column);
    case Qt::ToolTipRole:
        return column == ArtifactModel::RunColumn ? row.run
            : column == ArtifactModel::NameColumn ? row.path
                                                  : cell(row, column);
    case Qt::DecorationRole:
        return column == ArtifactModel::NameColumn ? QVariant(icon(artifactIcon(row))) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant ArtifactTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    const QString names[] = { tr("Name"), tr("Size"), tr("Type"),    tr("Made by"),
                              tr("Step"), tr("Run"),  tr("Created"), tr("Thread") };
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

Qt::ItemFlags ArtifactTableModel::flags(const QModelIndex& index) const
{
    return QAbstractTableModel::flags(index) | (index.isValid() ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

ArtifactTable::ArtifactTable(ArtifactModel& artifacts, ArtifactList& list, QWidget* parent)
    : QTableView(parent)
    , m_model(new ArtifactTableModel(artifacts, this))
    , m_list(list)
{
    setObjectName(QStringLiteral("artifactsTable"));
    setAccessibleName(tr("Artifacts as a table"));
    setModel(m_model);
    setFont(uiFont(TextSize::Dense));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaledLength(kRowHeight));
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    const int widths[] = { 220, 72, 64, 110, 48, 84, 120, 110 };
    for (int column = 0; column < ArtifactModel::ColumnCount; ++column)
        setColumnWidth(column, scaledLength(widths[column]));
    showThreads(false);
    createActions();
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ArtifactTable::giveSelection);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &ArtifactTable::giveSelection);
    connect(m_list.selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ArtifactTable::takeSelection);
}

void ArtifactTable::createActions()
{
    const auto add = [this](const QString& text, const char* key, auto orderOf) {
        auto* action = new QAction(text, this);
        action->setShortcut(QKeySequence(QLatin1String(key)));
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, [this, orderOf] { Q_EMIT orderRequested(orderOf()); });
        addAction(action);
    };
    const auto column = [this] { return m_column; };
    add(tr("Sort by this column, smallest first"), "Alt+Up", [column] {
        return TableOrder{ column(), false };
    });
    add(tr("Sort by this column, largest first"), "Alt+Down", [column] {
        return TableOrder{ column(), true };
    });
    add(tr("Newest first"), "Alt+0", [] { return TableOrder(); });
    setContextMenuPolicy(Qt::ActionsContextMenu);
    // Clicks go from smallest first to largest first to newest first.
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int clicked) {
        const bool isAgain = m_order.column == clicked;
        Q_EMIT orderRequested(isAgain && m_order.isDescending ? TableOrder()
                                                              : TableOrder{ clicked, isAgain });
    });
}

void ArtifactTable::showThreads(bool shown)
{
    setColumnHidden(ArtifactModel::ThreadColumn, !shown);
}

void ArtifactTable::showOrder(const TableOrder& order)
{
    m_order = order;
    horizontalHeader()->setSortIndicatorShown(order.column >= 0);
    if (order.column >= 0)
        horizontalHeader()->setSortIndicator(order.column,
                                             order.isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void ArtifactTable::takeSelection()
{
    if (std::exchange(m_isSyncing, true))
        return;
    QItemSelection wanted;
    for (const QItemSelectionRange& range : m_list.selectionModel()->selection())
        wanted.select(m_model->index(range.top(), 0),
                      m_model->index(range.bottom(), ArtifactModel::ColumnCount - 1));
    const int current = m_list.currentIndex().row();
    if (current >= 0)
        selectionModel()->setCurrentIndex(m_model->index(current, m_column), QItemSelectionModel::NoUpdate);
    selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    m_isSyncing = false;
}

void ArtifactTable::giveSelection()
{
    if (std::exchange(m_isSyncing, true))
        return;
    const QAbstractItemModel* rows = m_list.model();
    QItemSelection wanted;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        wanted.select(rows->index(range.top(), 0), rows->index(range.bottom(), 0));
    if (currentIndex().isValid()) {
        m_column = currentIndex().column();
        m_list.selectionModel()->setCurrentIndex(rows->index(currentIndex().row(), 0),
                                                 QItemSelectionModel::NoUpdate);
    }
    m_list.selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    m_isSyncing = false;
}

QAction* ArtifactTable::sortingBy(const QKeyEvent& event) const
{
    const QKeySequence pressed(event.keyCombination());
    const QList<QAction*> all = actions();
    const auto found = std::ranges::find_if(all, [&pressed](const QAction* action) {
        return action->shortcutContext() == Qt::WidgetShortcut && action->shortcut() == pressed;
    });
    return found == all.end() ? nullptr : *found;
}

// The window has shortcuts with the same keys for the canvas and the timeline.
bool ArtifactTable::event(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !sortingBy(*static_cast<QKeyEvent*>(event)))
        return QTableView::event(event);
    event->accept();
    return true;
}

void ArtifactTable::mousePressEvent(QMouseEvent* event)
{
    QTableView::mousePressEvent(event);
    if (event->button() == Qt::LeftButton && indexAt(event->pos()).isValid())
        m_list.notePressed();
}

void ArtifactTable::keyPressEvent(QKeyEvent* event)
{
    if (QAction* sorting = sortingBy(*event)) {
        sorting->trigger();
    } else if (event->matches(QKeySequence::Copy)) {
        m_list.copySelection();
    } else {
        QTableView::keyPressEvent(event);
        Q_EMIT m_list.chosenByUser();
    }
}

void ArtifactTable::startDrag(Qt::DropActions)
{
    m_list.dragSelection(*this);
}

// The name gets the remaining width, so that the first columns are visible.
void ArtifactTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    int others = 0;
    for (int column = 1; column < ArtifactModel::ColumnCount; ++column)
        if (!isColumnHidden(column))
            others += columnWidth(column);
    setColumnWidth(0, std::max(scaledLength(kLeastName), viewport()->width() - others));
}

} // namespace sg::ui
