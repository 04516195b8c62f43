#include "ui/sessions/process_table.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/time_format.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

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

auto factsOf(const ProcessRow& row)
{
    return std::tie(row.pid, row.parent, row.state, row.cpuSeconds, row.memoryBytes, row.threads,
                    row.command);
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

void ProcessModel::removeGone(const std::vector<ProcessRow>& rows)
{
    for (std::size_t at = m_rows.size(); at-- > 0;) {
        if (std::ranges::find(rows, m_rows[at].pid, &ProcessRow::pid) != rows.end())
            continue;
        beginRemoveRows({}, static_cast<int>(at), static_cast<int>(at));
        m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(at));
        endRemoveRows();
    }
}

// Moves or inserts `row` at index `at`; all rows before it must be in place.
void ProcessModel::place(std::size_t at, const ProcessRow& row)
{
    const auto to = m_rows.begin() + static_cast<std::ptrdiff_t>(at);
    const auto from = std::ranges::find(to, m_rows.end(), row.pid, &ProcessRow::pid);
    const int target = static_cast<int>(at);
    if (from == m_rows.end()) {
        beginInsertRows({}, target, target);
        m_rows.insert(to, row);
        endInsertRows();
        return;
    }
    if (from != to) {
        const int source = static_cast<int>(from - m_rows.begin());
        beginMoveRows({}, source, source, {}, target);
        std::rotate(to, from, from + 1);
        endMoveRows();
    }
    if (factsOf(m_rows[at]) == factsOf(row))
        return;
    m_rows[at] = row;
    Q_EMIT dataChanged(index(target, 0), index(target, ColumnCount - 1));
}

void ProcessModel::update(const std::vector<ProcessRow>& rows)
{
    removeGone(rows);
    for (std::size_t at = 0; at < rows.size(); ++at)
        place(at, rows[at]);
    if (m_rows.size() > rows.size()) { // a sandbox may list a process twice
        beginRemoveRows({}, static_cast<int>(rows.size()), rowCount() - 1);
        m_rows.resize(rows.size());
        endRemoveRows();
    }
}

ProcessTable::ProcessTable(QWidget* parent)
    : QStackedWidget(parent)
    , m_model(new ProcessModel(this))
    , m_page(new QWidget(this))
    , m_view(new QTableView(m_page))
    , m_note(new QLabel(m_page))
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
    m_note->setObjectName(QStringLiteral("processNote"));
    m_note->setFont(uiFont(TextSize::Small));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setContentsMargins(12, 3, 12, 3);
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(m_note);
    addWidget(m_problem);
    addWidget(m_page);
}

void ProcessTable::show(const ProcessList& list)
{
    m_problem->setSentence(list.problem);
    m_model->update(list.rows);
    const auto shown = static_cast<qint64>(list.rows.size());
    m_note->setVisible(list.total > shown);
    m_note->setText(
        tr("The largest %1 of %2 processes.").arg(QLocale().toString(shown), QLocale().toString(list.total)));
    setCurrentWidget(list.problem.isEmpty() ? m_page : m_problem);
}

void ProcessTable::wait()
{
    ProcessList none;
    none.problem = tr("Asking the sandbox…");
    show(none);
}

} // namespace sg::ui
