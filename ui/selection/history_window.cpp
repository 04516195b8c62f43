#include "ui/selection/history_window.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sg::ui {

namespace {

template<typename Fits>
int newestChild(const HistoryModel& model, int mark, Fits fits)
{
    const HistoryModel::Mark& at = model.mark(mark);
    int newest = model.markAt(at.lane, at.column + 1);
    if (newest != HistoryModel::kNone && !fits(newest))
        newest = HistoryModel::kNone;
    for (std::size_t lane = static_cast<std::size_t>(at.lane) + 1; lane < model.lanes().size(); ++lane)
        if (model.lanes()[lane].forkedFrom == mark && fits(model.lanes()[lane].marks.front()))
            newest = std::max(newest, model.lanes()[lane].marks.front());
    return newest;
}

} // namespace

int newestChild(const HistoryModel& model, int mark)
{
    return newestChild(model, mark, [](int) { return true; });
}

int madeFrom(const HistoryModel& model, int mark)
{
    const int made =
        newestChild(model, mark, [&](int child) { return model.source(child) == checkpoint::Source::Loop; });
    return made == HistoryModel::kNone ? mark : made;
}

HistoryRows historyAround(const HistoryModel& model, int mark, int before, int after)
{
    HistoryRows rows;
    rows.thread = model.thread();
    rows.total = static_cast<qint64>(model.marks().size());
    if (mark == HistoryModel::kNone)
        return rows;
    std::vector<int> marks;
    for (int at = mark; at != HistoryModel::kNone && static_cast<int>(marks.size()) <= before;
         at = model.mark(at).parent) {
        marks.push_back(at);
        if (model.source(at) == checkpoint::Source::Input)
            break;
    }
    std::ranges::reverse(marks);
    int left = after;
    for (int at = newestChild(model, mark); at != HistoryModel::kNone && left > 0;
         at = newestChild(model, at), --left)
        marks.push_back(at);
    if (marks.back() != model.head()) // it is the newest row, whatever branch is looked at
        marks.push_back(model.head());
    for (const int at : marks) {
        rows.checkpoints.push_back(model.row(at));
        for (TaskRow& task : model.tasksOf(at))
            rows.tasks.push_back(std::move(task));
    }
    return rows;
}

int markAtTime(const HistoryModel& model, double timeMs)
{
    // Ids rise with time, so marks are in order of it but for clocks that were set back.
    const auto& marks = model.marks();
    if (marks.empty())
        return HistoryModel::kNone;
    const auto behind = std::ranges::upper_bound(marks, timeMs, {}, &HistoryModel::Mark::timeMs);
    return behind == marks.begin() ? 0 : static_cast<int>(behind - marks.begin()) - 1;
}

int markOnWay(const HistoryModel& model, int lane, double timeMs)
{
    int last = HistoryModel::kNone; // nothing of the lane behind it is on the way
    while (!model.isEmpty()) {
        const auto& marks = model.lane(lane).marks;
        const auto end = last == HistoryModel::kNone ? marks.end() : std::ranges::upper_bound(marks, last);
        const auto behind = std::upper_bound(marks.begin(), end, timeMs, [&model](double ms, int mark) {
            return ms < model.mark(mark).timeMs;
        });
        if (behind != marks.begin())
            return *std::prev(behind);
        last = model.lane(lane).forkedFrom;
        if (last == HistoryModel::kNone)
            return marks.front();
        lane = model.mark(last).lane;
    }
    return HistoryModel::kNone;
}

double endOfWork(const HistoryModel& model, int mark, double nowMs)
{
    double end = kUnknown;
    model.eachTask(mark, [&](const HistoryModel::TaskSpan& task) {
        if (std::isnan(task.startedMs))
            return;
        const double ended = task.kind == StateKind::Running ? nowMs
            : std::isnan(task.seconds)                       ? task.startedMs
                                                             : task.startedMs + task.seconds * 1000;
        end = std::isnan(end) ? ended : std::max(end, ended);
    });
    return end;
}

double secondsInto(const HistoryModel& model, int mark, double timeMs)
{
    double from = kUnknown;
    model.eachTask(mark, [&from](const HistoryModel::TaskSpan& task) {
        if (!std::isnan(task.startedMs))
            from = std::isnan(from) ? task.startedMs : std::min(from, task.startedMs);
    });
    return (timeMs - (from <= timeMs ? from : model.mark(mark).timeMs)) / 1000;
}

QSet<QString> passedBefore(const HistoryModel& model, int mark, const QSet<QString>& checkpoints)
{
    QSet<QString> passed;
    if (mark == HistoryModel::kNone)
        return passed;
    const std::vector<int> path = model.pathTo(mark);
    for (const QString& id : checkpoints)
        if (const int at = model.find(id);
            at != HistoryModel::kNone && at != mark && model.isOnPath(at, path))
            passed.insert(id);
    return passed;
}

} // namespace sg::ui
