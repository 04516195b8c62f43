#include "ui/bridge/log_query.h"

#include "core/base/printable.h"
#include "ui/bridge/ansi_text.h"
#include "ui/bridge/row_conversion.h"

#include <QObject>

#include <algorithm>
#include <map>

namespace sg::ui {
namespace {

constexpr std::size_t kLongestLine = 16 * 1024; // bytes; the rest of a line is left out

constexpr std::int64_t kLogRecords = 200'000; // of earlier runs, newest
constexpr std::int64_t kCheckpointNotes = 20'000;
constexpr std::int64_t kSessions = 1000;
constexpr std::int64_t kNotes = 200; // of one session
constexpr std::int64_t kAuditRows = 20'000;
constexpr std::size_t kMostSubject = 200; // characters of what something was done to
constexpr std::size_t kShownHash = 12;

struct OpenLine { // may stand in several records
    LogRow row;
    std::string bytes;
    AnsiText look;
    bool isOpen = false;
};

LogRow rowOf(const checkpoint::LogRecord& record)
{
    LogRow row;
    row.timeMs = milliseconds(record.time);
    row.step = static_cast<int>(record.step);
    row.node = text(record.node.value);
    row.task = text(record.task.value);
    row.stream = record.stream == "stderr" ? LogRow::Stream::Err
        : record.stream == "event"         ? LogRow::Stream::Event
                                           : LogRow::Stream::Out;
    return row;
}

void endLine(OpenLine& line, std::vector<LogRow>& rows)
{
    AnsiText::Line shown = line.look.take(line.bytes);
    line.row.text = std::move(shown.text);
    line.row.spans = std::move(shown.spans);
    rows.push_back(line.row);
    line.bytes.clear();
    line.isOpen = false;
}

void addOutput(const std::vector<checkpoint::LogRecord>& records, std::vector<LogRow>& rows)
{
    std::map<std::string, OpenLine> lines; // by task and stream
    for (const checkpoint::LogRecord& record : records) {
        OpenLine& line = lines[record.task.value + record.stream];
        std::string_view rest = record.bytes;
        while (!rest.empty()) {
            const std::size_t feed = rest.find('\n');
            if (!line.isOpen)
                line.row = rowOf(record);
            line.isOpen = true;
            const std::string_view piece = rest.substr(0, feed);
            line.bytes += piece.substr(0, kLongestLine - std::min(kLongestLine, line.bytes.size()));
            if (feed == std::string_view::npos)
                break;
            endLine(line, rows);
            rest.remove_prefix(feed + 1);
        }
    }
    for (auto& [key, line] : lines)
        if (line.isOpen)
            endLine(line, rows);
}

LogRow engineNote(double timeMs, const QString& words)
{
    return { timeMs, 0, QStringLiteral("engine"), LogRow::Stream::Event, words, LogRow::Source::Engine };
}

void addRuns(workbench::Workbench& workbench, const ThreadId& thread, std::vector<LogRow>& rows)
{
    if (const auto runs = workbench.history().runs(thread))
        for (const workbench::RunRow& each : *runs) {
            const QString id = text(each.run.id.value);
            rows.push_back(engineNote(milliseconds(each.run.startedAt), startedWords(id)));
            if (each.run.finishedAt)
                rows.push_back(engineNote(milliseconds(*each.run.finishedAt),
                                          endedWords(id, text(printableText(each.run.status)))));
        }
    if (const auto checkpoints = workbench.history().checkpoints(thread, "", kCheckpointNotes))
        for (const workbench::CheckpointRow& each : *checkpoints)
            if (each.problem.empty())
                rows.push_back(checkpointNote(checkpointRow(each)));
}

void addSessions(workbench::Workbench& workbench, const ThreadId& thread, std::vector<LogRow>& rows)
{
    sessions::SessionRecords* records = workbench.sessions().records();
    if (records == nullptr)
        return;
    const auto all = records->list(true, kSessions);
    if (!all)
        return;
    for (const sessions::SessionRecord& session : *all) {
        if (session.info.thread != thread)
            continue;
        const auto notes = records->notes(session.info.id, kNotes);
        if (!notes)
            continue;
        for (const sessions::SessionNote& note : *notes)
            rows.push_back(
                { milliseconds(note.time), 0, text(session.info.id.value), LogRow::Stream::Event,
                  text(printableText(note.text.empty() ? note.event : note.event + ": " + note.text)),
                  LogRow::Source::Runner });
    }
}

// "denied api.example:443, not on the list, for load", "artifact stored: plot.png", "cell error:
// 3f5a0c2b91de, KeyError"
std::string auditWords(const audit::AuditEntry& entry)
{
    const std::string subject = entry.kind == "cell" ? entry.subject.substr(0, kShownHash)
        : entry.kind == "artifact" ? entry.details.stringOr("path", entry.subject).substr(0, kMostSubject)
                                   : entry.subject.substr(0, kMostSubject);
    std::string words = entry.kind == "egress" ? entry.outcome + ' ' + subject
                                               : entry.kind + ' ' + entry.outcome + ": " + subject;
    for (const char* more : { "op", "reason", "error" })
        if (const std::string said = entry.details.stringOr(more, ""); !said.empty())
            words += ", " + said.substr(0, kMostSubject);
    return entry.agent.empty() ? words : words + ", for " + entry.agent;
}

} // namespace

QString startedWords(const QString& run)
{
    return QObject::tr("run %1 began").arg(run);
}

QString endedWords(const QString& run, const QString& status)
{
    return QObject::tr("run %1 ended: %2").arg(run, status);
}

LogRow checkpointNote(const CheckpointRow& row)
{
    const QString after = row.after.isEmpty() ? row.source : row.after.join(QStringLiteral(", "));
    const QString next = row.next.isEmpty()
        ? QObject::tr("nothing is next")
        : QObject::tr("next: %1").arg(row.next.join(QStringLiteral(", ")));
    return { row.timeMs,
             row.step,
             QStringLiteral("engine"),
             LogRow::Stream::Event,
             QObject::tr("checkpoint after %1; %2").arg(after, next),
             LogRow::Source::Engine };
}

std::optional<LogRow> auditRow(const audit::AuditEntry& entry)
{
    if (entry.kind == "session") // its notes tell that already
        return std::nullopt;
    const bool isEgress = entry.kind == "egress";
    LogRow row;
    row.timeMs = milliseconds(entry.time);
    row.node = isEgress ? QStringLiteral("network") : QStringLiteral("audit");
    row.stream = LogRow::Stream::Event;
    row.text = text(printableText(auditWords(entry)));
    row.source = isEgress ? LogRow::Source::Egress : LogRow::Source::Audit;
    return row;
}

ThreadLog readAudit(workbench::Workbench& workbench, const QString& thread, qint64 after)
{
    ThreadLog told;
    told.audited = after;
    const auto log = workbench::openAudit(workbench.project(), false);
    if (!log)
        return told;
    audit::AuditFilter filter;
    filter.after = after;
    filter.thread = ThreadId(utf8(thread));
    filter.limit = kAuditRows;
    filter.newest = true;
    const auto entries = (*log)->read(filter);
    if (!entries)
        return told;
    for (const audit::AuditEntry& entry : *entries) {
        told.audited = std::max<qint64>(told.audited, entry.sequence);
        if (auto row = auditRow(entry))
            told.rows.push_back(std::move(*row));
    }
    return told;
}

Answer<ThreadLog> readLog(workbench::Workbench& workbench, const QString& thread)
{
    const ThreadId id(utf8(thread));
    const auto records = workbench.history().log(id, kLogRecords);
    if (!records)
        return { {}, userError(records.error()) };
    Answer<ThreadLog> answer;
    answer.value = readAudit(workbench, thread, 0);
    addOutput(*records, answer.value.rows);
    addRuns(workbench, id, answer.value.rows);
    addSessions(workbench, id, answer.value.rows);
    std::ranges::stable_sort(answer.value.rows, {}, &LogRow::timeMs);
    return answer;
}

} // namespace sg::ui
