#include "ui/selection/history_model.h"

#include "ui/selection/checkpoint_words.h"

#include <QObject>

#include <algorithm>

namespace sg::ui {

namespace {

bool isTroubled(StateKind kind)
{
    return kind == StateKind::Failed || kind == StateKind::Waiting;
}

} // namespace

void HistoryModel::clear(const QString& thread)
{
    *this = {};
    m_thread = thread;
}

void HistoryModel::reset(const HistoryRows& rows)
{
    clear(rows.thread);
    reserve(static_cast<qint64>(rows.checkpoints.size()));
    add(rows.checkpoints);
    changeTasks(rows.tasks);
}

void HistoryModel::reserve(qint64 checkpoints)
{
    const auto count = static_cast<std::size_t>(std::max<qint64>(0, checkpoints));
    m_marks.reserve(count);
    m_ids.reserve(count);
}

void HistoryModel::add(const std::vector<CheckpointRow>& rows)
{
    for (const CheckpointRow& row : rows)
        insert(row);
}

int HistoryModel::wordsOf(const CheckpointRow& row)
{
    const QChar item(0x1F);
    const QChar part(0x1E);
    const QString key =
        QString::fromStdString(row.source.text()) + part + row.after.join(item) + part + row.next.join(item);
    const auto known = m_knownWords.constFind(key);
    if (known != m_knownWords.constEnd())
        return *known;
    const int number = static_cast<int>(m_words.size());
    m_words.push_back({ row.source, row.after, row.next });
    m_knownWords.insert(key, number);
    return number;
}

void HistoryModel::setRow(Mark& mark, const CheckpointRow& row)
{
    mark.timeMs = row.timeMs;
    mark.step = row.step;
    mark.m_words = wordsOf(row);
    mark.m_sandbox = row.sandbox;
    mark.m_note = m_texts.add(row.sandboxNote);
    mark.rewind = rewindOf(row.sandbox);
    m_hasRewind = m_hasRewind || mark.rewind != Rewind::None;
}

void HistoryModel::insert(const CheckpointRow& row)
{
    if (const int known = find(row.id); known != kNone) {
        setRow(m_marks[static_cast<std::size_t>(known)], row);
        return;
    }
    Mark made;
    setRow(made, row);
    made.parent = row.parent.isEmpty() ? kNone : find(row.parent);
    const int index = m_ids.add(row.id);
    if (made.parent != kNone) {
        made.column = mark(made.parent).column + 1;
        made.lane = mark(made.parent).lane;
    }
    if (made.parent == kNone || lastOf(made.lane) != made.parent) {
        // A copy that a person made stands behind what it copies, two steps behind its parent.
        int from = made.parent;
        if (made.parent != kNone && row.source == checkpoint::Source::Fork) {
            made.column = mark(made.parent).column + std::clamp(row.step - mark(made.parent).step, 1, 2);
            from = copiedBy(made);
        }
        made.lane = static_cast<int>(m_lanes.size());
        m_lanes.push_back({ from, made.column, {} });
    }
    m_lanes[static_cast<std::size_t>(made.lane)].marks.push_back(index);
    while (made.column >= columnCount())
        m_columnSteps.push_back(row.step - (made.column - columnCount()));
    m_marks.push_back(made);
    if (m_early.isEmpty())
        return;
    for (const TaskRow& task : m_early.take(row.id)) {
        m_running -= stateOf(task.outcome) == StateKind::Running ? 1 : 0; // counted when it came
        changeTaskOf(index, task);
    }
}

// A copy has the parent of what it copies, and the step behind that. Of several with that step it is the
// newest one that leads on to the same nodes.
int HistoryModel::copiedBy(const Mark& copy) const
{
    int found = kNone;
    const auto consider = [&](int index) {
        if (index == kNone || mark(index).parent != copy.parent || mark(index).step != copy.step - 1)
            return;
        const auto next = [this](const Mark& of) -> const QStringList& {
            return m_words[static_cast<std::size_t>(of.m_words)].next;
        };
        if (found == kNone || next(mark(index)) == next(copy))
            found = index;
    };
    const Mark& parent = mark(copy.parent);
    consider(markAt(parent.lane, parent.column + 1));
    for (const Lane& lane : m_lanes)
        consider(lane.marks.front());
    return found == kNone ? copy.parent : found;
}

void HistoryModel::noteTrouble(int index)
{
    bool isTrouble = false;
    eachTask(index, [&isTrouble](const TaskSpan& task) { isTrouble = isTrouble || isTroubled(task.kind); });
    if (isTrouble)
        m_troubles.insert({ mark(index).lane, index });
    else if (!m_troubles.empty())
        m_troubles.erase({ mark(index).lane, index });
}

bool HistoryModel::hasTroubles(int lane, int firstMark, int lastMark) const
{
    const auto found = m_troubles.lower_bound({ lane, firstMark });
    return found != m_troubles.end() && *found <= LaneMark(lane, lastMark);
}

void HistoryModel::changeTasks(const std::vector<TaskRow>& rows)
{
    for (const TaskRow& row : rows)
        changeTask(row);
}

void HistoryModel::changeTask(const TaskRow& row)
{
    const int mark = find(row.checkpoint);
    if (mark != kNone) {
        changeTaskOf(mark, row);
        return;
    }
    if (row.checkpoint.isEmpty())
        return; // it began nowhere: no checkpoint will come for it
    const auto runs = [](const TaskRow& task) { return stateOf(task.outcome) == StateKind::Running; };
    std::vector<TaskRow>& tasks = m_early[row.checkpoint];
    const auto known = std::ranges::find(tasks, row.task, &TaskRow::task);
    m_running += runs(row) ? 1 : 0;
    if (known == tasks.end()) {
        tasks.push_back(row);
    } else {
        m_running -= runs(*known) ? 1 : 0;
        *known = row;
    }
}

void HistoryModel::changeTaskOf(int markIndex, const TaskRow& row)
{
    int number = m_taskIds.find(row.task);
    if (number != kNone && packed(number).mark != markIndex)
        number = kNone; // another checkpoint's, in a file that gives an id twice: the first keeps it
    const bool isNew = number == kNone;
    if (isNew) {
        const bool isNamed = m_taskIds.find(row.task) == kNone;
        number = static_cast<int>(m_tasks.size());
        m_taskIds.add(isNamed ? row.task : row.task + QLatin1Char('@') + QString::number(number));
        m_tasks.emplace_back();
        Mark& mark = m_marks[static_cast<std::size_t>(markIndex)];
        if (mark.m_lastTask == kNone)
            mark.m_firstTask = number;
        else
            m_tasks[static_cast<std::size_t>(mark.m_lastTask)].next = number;
        mark.m_lastTask = number;
    }
    Task& task = m_tasks[static_cast<std::size_t>(number)];
    m_running -= task.kind == StateKind::Running ? 1 : 0;
    task.mark = markIndex;
    task.startedMs = row.startedMs;
    task.seconds = row.seconds;
    task.triedMs = row.triedMs;
    task.wasAsked = row.wasAsked;
    task.node = m_texts.add(row.node);
    task.outcome = row.outcome;
    task.error = m_texts.add(row.error);
    task.detail = m_texts.add(row.detail);
    task.step = row.step;
    task.attempts = static_cast<std::uint16_t>(std::clamp(row.attempts, 0, 0xFFFF));
    const StateKind before = task.kind;
    task.kind = stateOf(row.outcome);
    m_running += task.kind == StateKind::Running ? 1 : 0;
    if (isTroubled(task.kind))
        m_troubles.insert({ mark(markIndex).lane, markIndex });
    else if (isTroubled(before))
        noteTrouble(markIndex);
}

CheckpointRow HistoryModel::row(int index) const
{
    const Mark& from = mark(index);
    const Words& words = m_words[static_cast<std::size_t>(from.m_words)];
    CheckpointRow row;
    row.id = id(index);
    row.parent = from.parent == kNone ? QString() : id(from.parent);
    row.step = from.step;
    row.source = words.source;
    row.after = words.after;
    row.next = words.next;
    row.timeMs = from.timeMs;
    row.sandbox = from.m_sandbox;
    row.sandboxNote = m_texts.at(from.m_note);
    return row;
}

TaskRow HistoryModel::taskRow(int number) const
{
    const Task& from = packed(number);
    TaskRow row;
    row.checkpoint = id(from.mark);
    row.task = m_taskIds.at(number);
    row.node = m_texts.at(from.node);
    row.step = from.step;
    row.outcome = from.outcome;
    row.startedMs = from.startedMs;
    row.seconds = from.seconds;
    row.attempts = from.attempts;
    row.error = m_texts.at(from.error);
    row.detail = m_texts.at(from.detail);
    row.triedMs = from.triedMs;
    row.wasAsked = from.wasAsked;
    return row;
}

int HistoryModel::markAt(int laneIndex, int column) const
{
    if (laneIndex < 0 || laneIndex >= static_cast<int>(m_lanes.size()))
        return kNone;
    const Lane& found = lane(laneIndex);
    const int offset = column - found.firstColumn;
    return offset >= 0 && offset < static_cast<int>(found.marks.size())
        ? found.marks[static_cast<std::size_t>(offset)]
        : kNone;
}

int HistoryModel::lastOf(int laneIndex) const
{
    const Lane& found = lane(laneIndex);
    return found.marks.empty() ? kNone : found.marks.back();
}

// A copy hangs on the parent of what it copies, and has the step behind that.
int HistoryModel::forkedStep(int laneIndex) const
{
    const Lane& found = lane(laneIndex);
    const bool isCopy = !found.marks.empty() && source(found.marks.front()) == checkpoint::Source::Fork;
    return isCopy ? mark(found.marks.front()).step - 1 : mark(found.forkedFrom).step;
}

std::vector<TaskRow> HistoryModel::tasksOf(int index, std::size_t most) const
{
    std::vector<TaskRow> tasks;
    for (int task = mark(index).m_firstTask; task != kNone && tasks.size() < most; task = packed(task).next)
        tasks.push_back(taskRow(task));
    return tasks;
}

std::size_t HistoryModel::taskCount(int index) const
{
    std::size_t count = 0;
    eachTask(index, [&count](const TaskSpan&) { ++count; });
    return count;
}

int HistoryModel::startOfTask(const QString& task) const
{
    const int number = m_taskIds.find(task);
    return number == kNone ? kNone : packed(number).mark;
}

HistoryModel::LaneState HistoryModel::laneState(int laneIndex) const
{
    const int last = lastOf(laneIndex);
    if (last == kNone)
        return {};
    const auto has = [this, last](StateKind kind) {
        bool found = false;
        eachTask(last, [&found, kind](const TaskSpan& task) { found = found || task.kind == kind; });
        return found;
    };
    const QString step = stepText(mark(last).step + 1);
    if (has(StateKind::Running))
        return { StateKind::Running, QObject::tr("Running step %1").arg(step) };
    if (has(StateKind::Failed))
        return { StateKind::Failed, QObject::tr("Failed at step %1").arg(step) };
    if (has(StateKind::Waiting))
        return { StateKind::Waiting, QObject::tr("Waiting at step %1").arg(step) };
    if (has(StateKind::Paused))
        return { StateKind::Paused,
                 QObject::tr("Paused before %1")
                     .arg(nodeList(m_words[static_cast<std::size_t>(mark(last).m_words)].next)) };
    if (has(StateKind::Stopped))
        return { StateKind::Stopped, QObject::tr("Stopped at step %1").arg(step) };
    const QStringList& next = m_words[static_cast<std::size_t>(mark(last).m_words)].next;
    if (next.isEmpty())
        return { StateKind::Done, QObject::tr("Done, %1").arg(stepName(mark(last).step)) };
    return { StateKind::Queued, QObject::tr("Next: %1").arg(nodeList(next)) };
}

std::vector<int> HistoryModel::pathTo(int index) const
{
    std::vector<int> path(m_lanes.size(), kNone);
    while (index != kNone) {
        const Mark& at = mark(index);
        path[static_cast<std::size_t>(at.lane)] = at.column;
        index = lane(at.lane).forkedFrom;
    }
    return path;
}

const QStringList& HistoryModel::after(int index) const
{
    return m_words[static_cast<std::size_t>(mark(index).m_words)].after;
}

const Word<checkpoint::Source>& HistoryModel::source(int index) const
{
    return m_words[static_cast<std::size_t>(mark(index).m_words)].source;
}

bool HistoryModel::isOnPath(int index, const std::vector<int>& path) const
{
    const Mark& at = mark(index);
    return at.column <= path[static_cast<std::size_t>(at.lane)];
}

} // namespace sg::ui
