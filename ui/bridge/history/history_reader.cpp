#include "ui/bridge/history/history_reader.h"

#include "core/graph/graph.h"
#include "core/graph/graph_file.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>
#include <set>

namespace sg::ui {
namespace {

// Tasks that would run next at a breakpoint, or after somebody paused or stopped the run between two steps,
// have no record: they come from the thread's own state.
void addHeld(workbench::Workbench& workbench, TaskOutcome outcome, HistoryRows& history)
{
    const auto state = workbench.history().state(ThreadId(utf8(history.thread)));
    if (!state)
        return;
    const CheckpointRow& head = history.checkpoints.back();
    for (const engine::StateTask& task : state->tasks) {
        if (task.result || !task.interrupts.empty() || !task.error.isNull())
            continue;
        TaskRow row;
        row.checkpoint = head.id;
        row.task = text(task.id.value);
        row.node = text(task.name.value);
        row.step = head.step + 1;
        row.outcome = outcome;
        history.tasks.push_back(std::move(row));
    }
}

// The run log has one word for a task that was stopped and one that asks; the thread's own state says which
// it was.
void markEnd(workbench::Workbench& workbench, HistoryRows& history)
{
    if (history.checkpoints.empty())
        return;
    const CheckpointRow head = history.checkpoints.back();
    const auto isAtHead = [&head](const TaskRow& task) { return task.checkpoint == head.id; };
    const auto asks = [&](const TaskRow& task) {
        return isAtHead(task) && task.outcome == TaskOutcome::Interrupted;
    };
    const bool isHeld = std::ranges::none_of(history.tasks, isAtHead) && !head.next.isEmpty();
    if (!isHeld && std::ranges::none_of(history.tasks, asks))
        return;
    const auto threads = readThreads(workbench).value;
    const auto thread = std::ranges::find(threads, history.thread, &ThreadRow::thread);
    if (thread == threads.end())
        return;
    const bool isStopped = thread->status == RunStatus::Stopped;
    if (isHeld && (isStopped || thread->status == RunStatus::Interrupted))
        addHeld(workbench, isStopped ? TaskOutcome::Stopped : TaskOutcome::Paused, history);
    for (TaskRow& task : history.tasks)
        if (isStopped && asks(task))
            task.outcome = TaskOutcome::Stopped;
}

// A node that was drawn later was neither skipped nor queued by what ran before.
void addNodes(workbench::Workbench& workbench, HistoryRows& history)
{
    if (history.checkpoints.empty())
        return;
    const auto found = workbench.history().graphAt(ThreadId(utf8(history.thread)),
                                                   CheckpointId(utf8(history.checkpoints.back().id)));
    if (!found || !*found)
        return;
    const auto read = graph::parseGraph(**found);
    if (!read)
        return;
    for (const graph::Node& node : read->graph.nodes)
        history.nodes << text(node.name.value);
}

} // namespace

HistoryReader::HistoryReader(workbench::Workbench& workbench, QString thread, QString ns)
    : m_workbench(workbench)
    , m_thread(std::move(thread))
    , m_ns(std::move(ns))
{
}

bool HistoryReader::open(UserError& error)
{
    if (m_pages)
        return true;
    if (auto here = m_workbench.history().bringHere(ThreadId(utf8(m_thread))); !here) {
        error = userError(here.error());
        return false;
    }
    auto pages = history::HistoryPages::open(m_workbench.project().checkpoints);
    if (!pages) {
        error = userError(pages.error());
        return false;
    }
    m_pages.emplace(std::move(*pages));
    return true;
}

void HistoryReader::readMarks()
{
    rewind::Snapshots* snapshots = m_ns.isEmpty() ? m_workbench.snapshots() : nullptr;
    if (m_hasMarks || snapshots == nullptr)
        return;
    m_hasMarks = true;
    const auto marks = snapshots->marks(ThreadId(utf8(m_thread)));
    if (!marks || marks->empty())
        return; // no session was used, or the database is older than snapshots
    std::set<SnapshotId> asleep;
    for (const sessions::SessionInfo& session : m_workbench.sessions().list())
        asleep.insert(session.asleep.begin(), session.asleep.end());
    for (const rewind::CheckpointMark& each : *marks)
        if (each.checkpoint.ns.empty() && !each.mark.partial)
            m_marks.emplace(text(each.checkpoint.id.value),
                            std::pair(each.mark, asleep.contains(each.mark.snapshot)));
}

HistoryRows HistoryReader::rowsOf(const history::HistoryPage& page)
{
    readMarks();
    HistoryRows rows;
    rows.thread = m_thread;
    rows.ns = m_ns;
    rows.checkpoints.reserve(page.checkpoints.size());
    rows.tasks.reserve(page.tasks.size());
    for (const history::CheckpointRow& row : page.checkpoints) {
        rows.checkpoints.push_back(checkpointRow(row));
        const auto [from, to] = m_marks.equal_range(rows.checkpoints.back().id);
        for (auto mark = from; mark != to; ++mark)
            showMark(mark->second.first, mark->second.second, rows.checkpoints.back());
    }
    for (const history::TaskRow& row : page.tasks)
        if (row.node.value != graph::kStart) // the input's own task belongs to no node
            rows.tasks.push_back(taskRow(row));
    return rows;
}

Answer<HistoryRows> HistoryReader::newest(int limit)
{
    Answer<HistoryRows> answer;
    if (!open(answer.error))
        return answer;
    const ThreadId id(utf8(m_thread));
    auto page = m_pages->newest(id, utf8(m_ns), limit);
    if (!page)
        return { {}, userError(page.error()) };
    answer.value = rowsOf(*page);
    answer.value.total = static_cast<qint64>(answer.value.checkpoints.size());
    if (answer.value.total >= limit)
        if (auto count = m_pages->count(id, utf8(m_ns)))
            answer.value.total = *count;
    if (m_ns.isEmpty()) {
        markEnd(m_workbench, answer.value);
        addNodes(m_workbench, answer.value);
    }
    return answer;
}

Answer<HistoryReader::Page> HistoryReader::next(int limit)
{
    Answer<Page> answer;
    if (!open(answer.error))
        return answer;
    auto page = m_pages->page(ThreadId(utf8(m_thread)), utf8(m_ns), m_last, limit);
    if (!page)
        return { {}, userError(page.error()) };
    if (!page->checkpoints.empty())
        m_last = page->checkpoints.back().id;
    answer.value.isLast = page->isLast;
    answer.value.rows = rowsOf(*page);
    if (page->isLast && m_ns.isEmpty())
        markEnd(m_workbench, answer.value.rows);
    return answer;
}

Answer<QStringList> HistoryReader::namespaces(int limit)
{
    Answer<QStringList> answer;
    if (!open(answer.error))
        return answer;
    auto found = m_pages->namespaces(ThreadId(utf8(m_thread)), static_cast<std::size_t>(limit));
    if (!found)
        return { {}, userError(found.error()) };
    for (const std::string& ns : *found)
        answer.value << text(ns);
    return answer;
}

Answer<HistoryRows> readHistory(workbench::Workbench& workbench, const QString& thread, int limit)
{
    return HistoryReader(workbench, thread).newest(limit);
}

} // namespace sg::ui
