#include "ui/bridge/sessions/session_query.h"

#include "core/base/printable.h"
#include "core/runs/cell_log.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_processes.h"
#include "ui/bridge/log/output_lines.h"
#include "ui/bridge/previews/table_sandbox.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QObject>

#include <algorithm>
#include <chrono>
#include <set>

namespace sg::ui {
namespace {

constexpr std::int64_t kMostEnded = 200;
constexpr std::size_t kMostSamples = 3600;
constexpr std::int64_t kMostNotes = 200;
constexpr std::size_t kMostValue = 20'000; // characters of a shown result

// The records of an ended session have its sandbox's name, its limits, and why it ended.
SessionRow endedRow(const sessions::SessionRecord& record)
{
    SessionRow row = sessionRow(record.info);
    row.startedMs = milliseconds(record.startedAt);
    row.lastUsedMs = milliseconds(record.lastUsed);
    row.cells = record.cells;
    row.expiresMs = kUnknown;
    if (record.endedAt)
        row.endedMs = milliseconds(*record.endedAt);
    return row;
}

// Writes a cell's output to the thread's log and passes it on as lines.
class CellLines {
public:
    CellLines(workbench::Workbench& workbench, const QString& thread,
              const std::function<void(std::vector<LogRow>)>& print)
        : m_log(workbench.runs(), ThreadId(utf8(thread)))
        , m_cell(text(m_log.cell().value))
        , m_print(print)
    {
    }
    void add(const sessions::CellOutput& output)
    {
        LogRow row;
        row.timeMs = milliseconds(m_log.add(output));
        row.node = QLatin1String(runs::CellLog::kNode);
        row.stream = rowStream(output.stream);
        row.source = LogRow::Source::Cell;
        row.task = m_cell;
        std::vector<LogRow> rows;
        m_lines.add(row, output.bytes, rows);
        if (!rows.empty())
            m_print(std::move(rows));
    }
    void end()
    {
        std::vector<LogRow> rows;
        m_lines.end(m_cell, rows);
        if (!rows.empty())
            m_print(std::move(rows));
        m_log.end(); // tells readers of the log that this process writes the cell's lines
    }

private:
    using Stream = sessions::CellOutput::Stream;
    static LogRow::Stream rowStream(Stream stream)
    {
        return stream == Stream::Stdout ? LogRow::Stream::Out
            : stream == Stream::Stderr  ? LogRow::Stream::Err
                                        : LogRow::Stream::Event;
    }

    runs::CellLog m_log;
    const QString m_cell;
    const std::function<void(std::vector<LogRow>)>& m_print;
    OutputLines m_lines;
};

CellEnd endOf(const sessions::CellResult& result)
{
    CellEnd end;
    end.isWell = result.status == sessions::CellStatus::Ok;
    end.seconds = result.seconds;
    end.artifacts = static_cast<int>(result.artifacts.size());
    end.isRestarted = result.restarted;
    if (result.value.isMap())
        end.value = text(printableText(result.value.stringOr("text/plain", "").substr(0, kMostValue)));
    if (result.error) {
        std::string said = result.error->traceback;
        while (said.ends_with('\n'))
            said.pop_back();
        if (said.find(result.error->message.substr(0, result.error->message.find('\n'))) == std::string::npos)
            said += (said.empty() ? "" : "\n") + result.error->type + ": " + result.error->message;
        end.error = text(printableText(said));
    }
    return end;
}

} // namespace

std::vector<SessionRow> readSessions(workbench::Workbench& workbench)
{
    std::vector<SessionRow> rows;
    std::set<QString> seen;
    for (const sessions::SessionInfo& info : workbench.sessions().list())
        if (info.thread.value != TableSandbox::kThread) {
            rows.push_back(sessionRow(info));
            seen.insert(rows.back().session);
        }
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr)
        return rows;
    const auto all = records->list(true, kMostEnded);
    if (!all)
        return rows;
    for (const sessions::SessionRecord& record : *all) {
        if (record.info.thread.value == TableSandbox::kThread || record.info.thread.empty())
            continue;
        const QString id = text(record.info.id.value);
        if (record.hasEnded() && !seen.contains(id))
            rows.push_back(endedRow(record));
        else if (const auto row = std::ranges::find(rows, id, &SessionRow::session); row != rows.end())
            if (const auto expiry = record.expiry())
                row->expiresMs = milliseconds(expiry->at);
    }
    return rows;
}

Answer<SessionPast> readSessionPast(workbench::Workbench& workbench, const QString& session)
{
    Answer<SessionPast> answer;
    answer.value.session = session;
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr)
        return answer;
    const SessionId id(utf8(session));
    const auto samples = records->samples(id, kMostSamples);
    if (!samples)
        return { answer.value, userError(samples.error()) };
    for (const sandbox::ResourceSample& sample : *samples)
        answer.value.samples.push_back(sampleRow(sample));
    const auto notes = records->notes(id, kMostNotes);
    if (!notes)
        return { answer.value, userError(notes.error()) };
    for (auto note = notes->rbegin(); note != notes->rend(); ++note)
        answer.value.notes.push_back(sessionNoteRow(*note));
    return answer;
}

std::shared_ptr<sessions::Session> sessionOf(workbench::Workbench& workbench, const QString& session)
{
    for (const sessions::SessionInfo& info : workbench.sessions().list())
        if (text(info.id.value) == session)
            return workbench.sessions().find(info.thread, info.part);
    return nullptr;
}

namespace {

bool hasEnded(workbench::Workbench& workbench, const QString& session)
{
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr)
        return false;
    const auto all = records->list(true, kMostEnded);
    return all && std::ranges::any_of(*all, [id = utf8(session)](const sessions::SessionRecord& record) {
               return record.info.id.value == id && record.hasEnded();
           });
}

} // namespace

ProcessList readProcesses(workbench::Workbench& workbench, const QString& session)
{
    ProcessList list;
    list.session = session;
    const auto living = sessionOf(workbench, session);
    const auto link = living ? living->link() : nullptr;
    if (!link) {
        list.problem = living              ? QObject::tr("No sandbox is running; the next cell starts one.")
            : hasEnded(workbench, session) ? QObject::tr("This session has ended.")
                                           : QObject::tr("This session does not run in this window.");
        return list;
    }
    if (living->info().state.is(sessions::SessionState::Kind::Paused)) { // a paused session cannot answer
        list.problem = QObject::tr("The session is paused: its processes stand still.");
        return list;
    }
    const auto listed = sessions::listProcesses(*link);
    if (!listed) {
        list.problem = text(printableText(listed.error().message));
        return list;
    }
    list.total = listed->total;
    for (const sessions::SessionProcess& process : listed->processes)
        list.rows.push_back({ process.pid, process.parent, text(printableText(process.state)),
                              process.cpuSeconds, static_cast<double>(process.memoryBytes),
                              static_cast<int>(process.threads), text(printableText(process.command)) });
    return list;
}

CodeCompletion complete(workbench::Workbench& workbench, const QString& thread, const QString& code,
                        int cursor)
{
    CodeCompletion made;
    made.code = code;
    made.cursor = cursor;
    const auto living = workbench.sessions().find(ThreadId(utf8(thread)));
    const auto link = living ? living->link() : nullptr;
    if (!link || living->info().state.is(sessions::SessionState::Kind::Paused))
        return made;
    const std::string bytes = utf8(code);
    const auto completed =
        sessions::completeCode(*link, bytes, static_cast<std::size_t>(code.left(cursor).toUtf8().size()));
    if (!completed)
        return made;
    const auto letters = [&bytes](std::size_t place) {
        return static_cast<int>(text(bytes.substr(0, std::min(place, bytes.size()))).size());
    };
    made.start = letters(completed->start);
    made.end = letters(completed->end);
    for (const sessions::Completion& match : completed->matches)
        made.matches << text(printableText(match.text));
    return made;
}

CellEnd executeCell(workbench::Workbench& workbench, const QString& thread, const QString& code,
                    const std::function<void(std::vector<LogRow>)>& print, const std::stop_token& stop)
{
    CellEnd failed;
    auto settings = workbench.sessionSettings();
    if (!settings) {
        failed.error = text(printableText(settings.error().message));
        return failed;
    }
    CellLines lines(workbench, thread, print);
    const auto say = [&lines](const std::string& line) {
        lines.add({ sessions::CellOutput::Stream::Event, line + "\n" });
    };
    const ThreadId id(utf8(thread));
    auto session = workbench.sessions().acquire(id, settings->session, stop, say);
    if (!session) {
        failed.error = text(printableText(session.error().message));
        return failed;
    }
    sessions::CellHandlers handlers;
    handlers.output = [&lines](const sessions::CellOutput& output) { lines.add(output); };
    handlers.display = [&lines](const Value& bundle) {
        lines.add({ sessions::CellOutput::Stream::Event, bundle.stringOr("text/plain", "(shown)") + "\n" });
    };
    artifacts::ArtifactOrigin origin;
    origin.thread = id;
    const sessions::CellResult result =
        (*session)->runCell(utf8(code), settings->cell, origin, handlers, stop);
    for (const std::string& warning : result.warnings)
        say(warning);
    lines.end();
    return endOf(result);
}

UserError restart(workbench::Workbench& workbench, const QString& session)
{
    const auto living = sessionOf(workbench, session);
    if (!living)
        return { QObject::tr("Session %1 does not run in this window: only its own program can restart it.")
                     .arg(session),
                 {} };
    const sessions::SessionInfo info = living->info();
    const auto spec = workbench.sessionSpec(info.part);
    if (!spec)
        return userError(spec.error());
    if (const auto prepared = workbench.sessions().prepare(*spec); !prepared)
        return userError(Error(prepared.error()).during("session " + info.id.value + " was left as it is"));
    living->end();
    const auto started = workbench.sessions().acquire(info.thread, *spec);
    return started ? UserError() : userError(started.error());
}

} // namespace sg::ui
