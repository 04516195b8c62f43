#include "ui/bridge/history/overview_query.h"

#include "core/base/json.h"
#include "core/sessions/records/session_records.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/sessions/session_query.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

constexpr std::size_t kMostRuns = 2000; // the newest runs of a thread
constexpr std::size_t kMostSamples = 20'000;
constexpr std::size_t kLongestWord = 200;

void addRuns(workbench::Workbench& workbench, OverviewRow& row)
{
    const auto runs = workbench.history().runs(ThreadId(utf8(row.thread)));
    if (!runs)
        return; // databases of other programs have no run log
    const std::size_t count = std::min(kMostRuns, runs->size());
    for (std::size_t i = count; i > 0; --i) { // the runs come newest first
        const checkpoint::RunRecord& run = (*runs)[i - 1].run;
        row.runs.push_back({ text(run.id.value), milliseconds(run.startedAt),
                             run.finishedAt ? milliseconds(*run.finishedAt) : kUnknown, run.status,
                             static_cast<int>(run.supersteps) });
    }
}

void addSessions(const std::vector<SessionRow>& sessions, OverviewRow& row)
{
    for (auto session = sessions.rbegin(); session != sessions.rend(); ++session) {
        if (session->thread != row.thread)
            continue;
        const bool ended = session->state.hasEnded();
        row.sessions.push_back(
            { session->session, session->startedMs, ended ? session->lastUsedMs : kUnknown });
    }
}

} // namespace

Answer<std::vector<OverviewRow>> readOverview(workbench::Workbench& workbench)
{
    auto threads = readThreads(workbench);
    if (!threads.error.what.isEmpty())
        return { {}, threads.error };
    const std::vector<SessionRow> sessions = readSessions(workbench);
    Answer<std::vector<OverviewRow>> answer;
    for (const ThreadRow& thread : threads.value) {
        OverviewRow row;
        row.thread = thread.thread;
        row.status = thread.status;
        row.updatedMs = thread.updatedMs;
        row.checkpoints = thread.checkpoints;
        addRuns(workbench, row);
        addSessions(sessions, row);
        answer.value.push_back(std::move(row));
    }
    return answer;
}

double peakMemory(workbench::Workbench& workbench, const QString& thread,
                  const std::vector<const CheckpointRow*>& way)
{
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr || way.size() < 2)
        return kUnknown;
    struct Span {
        double fromMs;
        double toMs;
    };
    std::vector<Span> spans; // oldest first
    for (std::size_t i = way.size() - 1; i > 0; --i)
        if (way[i - 1]->source == checkpoint::Source::Loop)
            spans.push_back({ way[i]->timeMs, way[i - 1]->timeMs });
    double peak = kUnknown;
    for (const SessionRow& session : readSessions(workbench)) {
        if (session.thread != thread)
            continue;
        const auto samples = records->samples(SessionId(utf8(session.session)), kMostSamples);
        for (std::size_t i = 0; samples && i < samples->size(); ++i) {
            const SampleRow sample = sampleRow((*samples)[i]);
            const bool isOfIt = std::ranges::any_of(spans, [&](const Span& span) {
                return sample.timeMs >= span.fromMs && sample.timeMs <= span.toMs;
            });
            if (isOfIt)
                peak = std::isnan(peak) ? sample.memoryBytes : std::max(peak, sample.memoryBytes);
        }
    }
    return peak;
}

WatchRows watchRows(const std::vector<history::WatchPoint>& points)
{
    WatchRows rows;
    rows.points.reserve(points.size());
    for (const history::WatchPoint& point : points) {
        WatchPoint row;
        row.checkpoint = text(point.checkpoint.value);
        row.error = text(point.error).left(kLongestWord);
        const Value& value = point.value;
        if (value.isInt())
            row.number = static_cast<double>(value.asInt());
        else if (value.isDouble())
            row.number = value.asDouble();
        else if (value.isBool())
            row.number = value.asBool() ? 1 : 0;
        if (std::isnan(row.number) && row.error.isEmpty())
            row.text = value.isString() ? text(value.asString()).left(kLongestWord)
                                        : text(toJson(value)).left(kLongestWord);
        rows.points.push_back(std::move(row));
    }
    return rows;
}

} // namespace sg::ui
