#include "ui/bridge/log/log_query.h"

#include "core/base/printable.h"
#include "ui/bridge/log/output_lines.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QDateTime>
#include <QHash>
#include <QObject>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sg::ui {
namespace {

constexpr std::int64_t kSessions = 1000;
constexpr std::size_t kMostSubject = 200; // characters of what something was done to
constexpr std::size_t kShownHash = 8;
constexpr int kShownRun = 8; // characters of a run's id

// Cuts rows to a limit and says so in the first row: "audit before 2026-11-22 14:03:11".
class LeftOut {
public:
    template<typename Rows>
    void cut(Rows& rows, std::int64_t most, const QString& what,
             double (*timeOf)(const typename Rows::value_type&), bool isNewestFirst = false)
    {
        if (static_cast<std::int64_t>(rows.size()) <= most)
            return;
        if (isNewestFirst)
            rows.resize(static_cast<std::size_t>(most));
        else
            rows.erase(rows.begin(), rows.end() - most);
        const double first = timeOf(isNewestFirst ? rows.back() : rows.front());
        m_words << QObject::tr("%1 before %2")
                       .arg(what,
                            QDateTime::fromMSecsSinceEpoch(std::llround(first))
                                .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
    }
    void tell(std::vector<LogRow>& rows) const
    {
        if (m_words.isEmpty() || rows.empty())
            return;
        rows.insert(rows.begin(),
                    { rows.front().timeMs, LogRow::kNoStep, QStringLiteral("engine"), LogRow::Stream::Event,
                      QObject::tr("Older lines are left out: %1.").arg(m_words.join(QStringLiteral(", "))),
                      LogRow::Source::Engine });
    }

private:
    QStringList m_words;
};

// The tasks of a thread's own graph, by id and by the name of their node.
using KnownTasks = QSet<QString>;

KnownTasks knownTasks(const std::vector<history::TaskRow>& tasks)
{
    KnownTasks known;
    for (const history::TaskRow& task : tasks)
        known << text(task.task.value) << text(task.node.value);
    return known;
}

LogRow rowOf(const checkpoint::LogRecord& record, const KnownTasks& known)
{
    LogRow row;
    row.timeMs = milliseconds(record.time);
    row.step = static_cast<int>(record.step);
    row.node = text(record.node.value);
    row.task = text(record.task.value);
    row.stream = record.stream == "stderr" ? LogRow::Stream::Err
        : record.stream == "event"         ? LogRow::Stream::Event
                                           : LogRow::Stream::Out;
    if (std::string_view(record.run.value).starts_with(checkpoint::kConsoleRun)) {
        row.source = LogRow::Source::Cell;
        row.step = LogRow::kNoStep;
    } else if (!known.isEmpty() && !known.contains(row.task) && !known.contains(row.node)) {
        row.step = LogRow::kNoStep; // that of a subgraph or an agent, which counts its own
    }
    return row;
}

void addOutput(const std::vector<checkpoint::LogRecord>& records, const KnownTasks& known, ThreadLog& log)
{
    OutputLines lines;
    for (const checkpoint::LogRecord& record : records)
        lines.add(rowOf(record, known), record.bytes, log.rows);
    log.open = lines.takeOpen();
}

double timeOfRow(const LogRow& row)
{
    return row.timeMs;
}

double timeOfNote(const sessions::SessionNote& note)
{
    return milliseconds(note.time);
}

double timeOfRecord(const checkpoint::LogRecord& record)
{
    return milliseconds(record.time);
}

double timeOfEntry(const audit::AuditEntry& entry)
{
    return milliseconds(entry.time);
}

// Rows of one time in the order in which a run makes them: its start, then each step's output, failures and
// checkpoint, then its end. Rows without a step come first among them.
int placeInRun(const LogRow& row)
{
    if (row.source != LogRow::Source::Engine)
        return 1;
    return row.step != LogRow::kNoStep ? 2 : row.isRunEnd ? 3 : 0;
}

bool isBefore(const LogRow& left, const LogRow& right)
{
    const auto key = [](const LogRow& row) {
        const int place = placeInRun(row);
        const int phase = place == 0 || place == 3 ? place : 1;
        return std::tuple(row.timeMs, phase, row.step, place);
    };
    return key(left) < key(right);
}

// A checkpoint names those nodes alone that its graph's edges led to: nodes that packets were sent to are
// known by their tasks.
void addReceivers(std::vector<CheckpointRow>& checkpoints, const std::vector<history::TaskRow>& tasks)
{
    QHash<QString, QStringList> finished; // by the checkpoint that they started from
    for (const history::TaskRow& task : tasks)
        if (task.outcome == TaskOutcome::Done || task.outcome == TaskOutcome::Cached)
            finished[text(task.checkpoint.value)] << text(task.node.value);
    for (CheckpointRow& row : checkpoints)
        if (row.after.isEmpty() && row.source == checkpoint::Source::Loop)
            row.after = finished.value(row.parent);
}

void addRuns(workbench::Workbench& workbench, const ThreadId& thread,
             const std::vector<history::TaskRow>& tasks, std::vector<LogRow>& rows, const LogLimits& limits,
             LeftOut& leftOut)
{
    if (const auto runs = workbench.history().runs(thread))
        for (const history::RunRow& each : *runs) {
            const QString id = text(each.run.id.value);
            rows.push_back(runBegan(milliseconds(each.run.startedAt), id));
            if (each.run.finishedAt)
                rows.push_back(runEnded(milliseconds(*each.run.finishedAt), id, each.run.status));
        }
    auto checkpoints = workbench.history().checkpoints(thread, "", limits.checkpoints + 1);
    if (!checkpoints)
        return;
    std::vector<CheckpointRow> readable;
    for (const history::CheckpointRow& each : *checkpoints)
        if (each.problem.empty())
            readable.push_back(checkpointRow(each));
    addReceivers(readable, tasks);
    std::vector<LogRow> notes;
    std::ranges::transform(readable, std::back_inserter(notes), checkpointNote);
    leftOut.cut(notes, limits.checkpoints, QObject::tr("checkpoints"), timeOfRow, true);
    std::ranges::move(notes, std::back_inserter(rows));
    for (const history::TaskRow& task : tasks)
        if (task.outcome == TaskOutcome::Failed && !task.startedAt.empty())
            std::ranges::move(failureNotes(taskRow(task)), std::back_inserter(rows));
}

void addSessions(workbench::Workbench& workbench, const ThreadId& thread, std::vector<LogRow>& rows,
                 const LogLimits& limits, LeftOut& leftOut)
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
        auto notes = records->notes(session.info.id, limits.notes + 1);
        if (!notes)
            continue;
        leftOut.cut(*notes, limits.notes, QObject::tr("events of %1").arg(text(session.info.id.value)),
                    timeOfNote, true);
        for (const sessions::SessionNote& note : *notes)
            rows.push_back({ milliseconds(note.time), LogRow::kNoStep, text(session.info.id.value),
                             LogRow::Stream::Event,
                             text(printableText(note.text.empty() ? note.event.text()
                                                                  : note.event.text() + ": " + note.text)),
                             LogRow::Source::Runner });
    }
}

void addAudit(workbench::Workbench& workbench, const ThreadId& thread, ThreadLog& told,
              const LogLimits& limits, LeftOut& leftOut)
{
    const auto log = audit::openAudit(workbench.project().audit, workbench.project().folder, false);
    if (!log)
        return; // the project has no audit
    audit::AuditFilter filter;
    filter.thread = thread;
    filter.limit = limits.audit + 1;
    filter.newest = true;
    auto entries = (*log)->read(filter);
    if (!entries)
        return;
    leftOut.cut(*entries, limits.audit, QObject::tr("audit"), timeOfEntry);
    for (const audit::AuditEntry& entry : *entries) {
        told.audited = std::max<qint64>(told.audited, entry.sequence);
        if (auto row = auditRow(entry))
            told.rows.push_back(std::move(*row));
    }
}

// Examples: "denied api.example:443, not on the list, for load", "artifact stored: plot.png", "cell error:
// 3f5a0c2b91de, KeyError".
std::string auditWords(const audit::AuditEntry& entry)
{
    const std::string subject = entry.kind == audit::Kind::Cell ? entry.subject.substr(0, kShownHash)
        : entry.kind == audit::Kind::Artifact
        ? entry.details.stringOr("path", entry.subject).substr(0, kMostSubject)
        : entry.subject.substr(0, kMostSubject);
    std::string words = entry.kind == audit::Kind::Egress
        ? entry.outcome.text() + ' ' + subject
        : entry.kind.text() + ' ' + entry.outcome.text() + ": " + subject;
    for (const char* more : { "op", "reason", "error" })
        if (const std::string said = entry.details.stringOr(more, ""); !said.empty())
            words += ", " + said.substr(0, kMostSubject);
    if (const std::int64_t times = entry.details.intOr("times", 1); times > 1)
        words += ", " + std::to_string(times) + " times";
    return entry.agent.empty() ? words : words + ", for " + entry.agent;
}

// Example: "work × 5, check"; the engine's own steps are left out.
QString counted(const QStringList& nodes)
{
    QStringList words;
    QStringList told;
    for (const QString& node : nodes) {
        if (node.startsWith(QLatin1String("__")) || told.contains(node))
            continue;
        told << node;
        const auto times = nodes.count(node);
        words << (times > 1 ? QObject::tr("%1 × %2").arg(node).arg(times) : node);
    }
    return words.join(QStringLiteral(", "));
}

QString makerOf(const CheckpointRow& row)
{
    const QString after = counted(row.after);
    if (!after.isEmpty())
        return QObject::tr("checkpoint after %1").arg(after);
    if (row.source == checkpoint::Source::Input)
        return QObject::tr("checkpoint of the input");
    if (row.source == checkpoint::Source::Update)
        return QObject::tr("checkpoint: the state was updated");
    if (row.source == checkpoint::Source::Fork)
        return QObject::tr("checkpoint: forked");
    return row.after.isEmpty() ? QObject::tr("checkpoint") : QObject::tr("checkpoint at the start");
}

} // namespace

LogRow runBegan(double timeMs, const QString& run)
{
    LogRow row;
    row.timeMs = timeMs;
    row.node = QStringLiteral("engine");
    row.stream = LogRow::Stream::Event;
    row.text = QObject::tr("run %1 began").arg(run.left(kShownRun));
    row.source = LogRow::Source::Engine;
    return row;
}

LogRow runEnded(double timeMs, const QString& run, RunStatus status)
{
    LogRow row = runBegan(timeMs, run);
    row.text = status == RunStatus::Interrupted
        ? QObject::tr("run %1 paused").arg(run.left(kShownRun)) // it goes on when somebody answers or resumes
        : QObject::tr("run %1 ended: %2").arg(run.left(kShownRun), text(runStatusName(status)));
    row.isFailure = status == RunStatus::Failed || status == RunStatus::RecursionLimit;
    row.isRunEnd = true;
    return row;
}

std::vector<LogRow> failureNotes(const TaskRow& task)
{
    LogRow row;
    row.timeMs = std::isnan(task.seconds) ? task.startedMs : task.startedMs + task.seconds * 1000;
    row.step = task.step;
    row.node = task.node;
    row.stream = LogRow::Stream::Event;
    row.source = LogRow::Source::Engine;
    row.task = task.task;
    row.isFailure = true;
    std::vector<LogRow> rows;
    const auto add = [&](const QString& line) {
        rows.push_back(row);
        rows.back().text = line;
    };
    const QStringList said = task.error.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    add(QObject::tr("failed: %1").arg(said.value(0)));
    for (const QString& line : said.mid(1))
        add(line);
    for (const QString& line : task.detail.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        add(line);
    return rows;
}

LogRow checkpointNote(const CheckpointRow& row)
{
    const QString nodes = counted(row.next);
    const QString next = row.next.isEmpty() ? QObject::tr("; nothing is next")
        : nodes.isEmpty()                   ? QString() // the engine's own step
                                            : QObject::tr("; next: %1").arg(nodes);
    return { row.timeMs,
             row.step,
             QStringLiteral("engine"),
             LogRow::Stream::Event,
             makerOf(row) + next,
             LogRow::Source::Engine };
}

std::optional<LogRow> auditRow(const audit::AuditEntry& entry)
{
    if (entry.kind == audit::Kind::Session) // the session's notes have it
        return std::nullopt;
    if (entry.kind == audit::Kind::Cell && entry.outcome == audit::Outcome::Started) // its end says more
        return std::nullopt;
    const bool isEgress = entry.kind == audit::Kind::Egress;
    LogRow row;
    row.timeMs = milliseconds(entry.time);
    row.node = isEgress ? QStringLiteral("network") : QStringLiteral("audit");
    row.stream = LogRow::Stream::Event;
    row.text = text(printableText(auditWords(entry)));
    row.source = isEgress ? LogRow::Source::Egress : LogRow::Source::Audit;
    row.isFailure = entry.kind == audit::Kind::Cell && entry.outcome != audit::Outcome::Ok;
    return row;
}

void sortLog(std::vector<LogRow>& rows)
{
    std::ranges::stable_sort(rows, isBefore);
}

Answer<ThreadLog> readLog(workbench::Workbench& workbench, const QString& thread, const LogLimits& limits)
{
    const ThreadId id(utf8(thread));
    workbench.runs().flushLog();
    auto records = workbench.history().log(id, limits.output + 1);
    if (!records)
        return { {}, userError(records.error()) };
    Answer<ThreadLog> answer;
    LeftOut leftOut;
    leftOut.cut(*records, limits.output, QObject::tr("output"), timeOfRecord);
    const auto tasks = workbench.history().tasks(id, "", limits.checkpoints);
    const std::vector<history::TaskRow> known = tasks ? *tasks : std::vector<history::TaskRow>();
    addOutput(*records, knownTasks(known), answer.value);
    addRuns(workbench, id, known, answer.value.rows, limits, leftOut);
    addSessions(workbench, id, answer.value.rows, limits, leftOut);
    addAudit(workbench, id, answer.value, limits, leftOut);
    sortLog(answer.value.rows);
    leftOut.tell(answer.value.rows);
    return answer;
}

} // namespace sg::ui
