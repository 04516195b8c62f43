#include "ui/sessions/process_table.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/time_format.h"

#include <QHeaderView>
#include <QTableView>

namespace sg::ui {

namespace {

QString stateWord(const QString& letter)
{
    switch (letter.isEmpty() ? 0 : letter.front().unicode()) {
    case 'R': return ProcessModel::tr("running");
    case 'S': return ProcessModel::tr("sleeping");
    case 'D': return ProcessModel::tr("waiting for the disk");
    case 'T':
    case 't': return ProcessModel::tr("stopped");
    default: return letter;
    }
}

bool isNumber(int column)
{
    return column != ProcessModel::CommandColumn && column != ProcessModel::StateColumn;
}

} // namespace

int ProcessModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProcessModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProcessModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ProcessRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::FontRole && index.column() == CommandColumn)
        return monoFont();
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case PidColumn: return row.pid;
    case CommandColumn: return row.command;
    case StateColumn: return stateWord(row.state);
    case MemoryColumn: return formatMemory(row.memoryBytes);
    case CpuColumn: return formatDuration(row.cpuSeconds);
    case ThreadsColumn: return row.threads;
    default: return {};
    }
}

QVariant ProcessModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    const QString names[] = { tr("Process"), tr("Command"),  tr("State"),
                              tr("Memory"),  tr("CPU time"), tr("Threads") };
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

void ProcessModel::reset(std::vector<ProcessRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

ProcessTable::ProcessTable(QWidget* parent)
    : QStackedWidget(parent)
    , m_model(new ProcessModel(this))
    , m_view(new QTableView(this))
    , m_problem(new EmptyState(QLatin1String("chip"), tr("Asking the sandbox…"), this))
{
    m_view->setObjectName(QStringLiteral("processTable"));
    m_view->setAccessibleName(tr("Processes of the session"));
    m_view->setModel(m_model);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setFont(uiFont(TextSize::Dense));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(scaledLength(24));
    m_view->horizontalHeader()->setHighlightSections(false);
    const int widths[] = { 70, 300, 110, 90, 90, 70 };
    for (int column = 0; column < ProcessModel::ColumnCount; ++column)
        m_view->setColumnWidth(column, scaledLength(widths[column]));
    m_view->horizontalHeader()->setSectionResizeMode(ProcessModel::CommandColumn, QHeaderView::Stretch);
    addWidget(m_problem);
    addWidget(m_view);
}

void ProcessTable::show(const ProcessList& list)
{
    m_problem->setSentence(list.problem);
    m_model->reset(list.rows);
    setCurrentWidget(list.problem.isEmpty() ? static_cast<QWidget*>(m_view) : m_problem);
}

} // namespace sg::ui
