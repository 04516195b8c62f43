#include "ui/bridge/live/live_events.h"

#include "core/base/printable.h"
#include "ui/bridge/log/log_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QDateTime>
#include <QMetaObject>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <variant>

namespace sg::ui {
namespace {

constexpr int kFlushIntervalMs = 50;
constexpr std::size_t kMostAudit = 1000; // audit rows in one flush; the audit log itself has them all

TaskRow taskRowOf(const engine::RunTask& task, TaskOutcome outcome)
{
    TaskRow row;
    row.task = text(task.task.value);
    row.node = text(task.node.value);
    row.step = static_cast<int>(task.step);
    row.attempts = task.attempts;
    row.checkpoint = text(task.checkpoint.value);
    row.outcome = outcome;
    row.startedMs = milliseconds(task.startedAt);
    return row;
}

LogRow::Stream streamOf(engine::LogLine::Stream stream)
{
    switch (stream) {
    case engine::LogLine::Stream::Stdout: return LogRow::Stream::Out;
    case engine::LogLine::Stream::Stderr: return LogRow::Stream::Err;
    case engine::LogLine::Stream::Event: return LogRow::Stream::Event;
    }
    return LogRow::Stream::Out;
}

} // namespace

struct LiveEvents::Queue {
    std::mutex mutex;
    LiveEvents* owner = nullptr; // guarded by mutex; null after stop()
    bool woken = false; // guarded by mutex
    std::vector<engine::RunEvent> runs; // guarded by mutex
    std::vector<sessions::SessionEvent> sessions; // guarded by mutex
    std::vector<audit::AuditEntry> audit; // guarded by mutex; entries that do not fit are only counted
    audit::AuditEntry lastLeft; // guarded by mutex; the last entry that did not fit
    int auditLeft = 0; // guarded by mutex

    void pushAudit(const audit::AuditEntry& entry)
    {
        {
            const std::lock_guard lock(mutex);
            if (audit.size() >= kMostAudit) {
                ++auditLeft;
                lastLeft = entry;
                return;
            }
        }
        push(audit, entry);
    }
    template<typename Event>
    void push(std::vector<Event>& list, const Event& event)
    {
        const std::lock_guard lock(mutex);
        list.push_back(event);
        if (woken || owner == nullptr)
            return;
        woken = true;
        LiveEvents* target = owner;
        QMetaObject::invokeMethod(
            target, [target] { target->m_timer.start(); }, Qt::QueuedConnection);
    }
};

// The events that one flush publishes, by thread or session.
struct LiveEvents::Batch {
    std::vector<std::pair<QString, QString>> started;
    std::map<QString, std::vector<TaskRow>> tasks;
    std::map<QString, std::vector<CheckpointRow>> checkpoints;
    std::map<QString, std::vector<LogRow>> log;
    std::map<QString, std::set<QString>> inner; // namespaces
    std::map<QString, QStringList> ended; // tasks
    std::map<QString, bool> artifacts;
    std::vector<std::tuple<QString, RunStatus, UserError>> finished;
    std::map<QString, std::vector<SampleRow>> samples;
    std::vector<std::pair<QString, SessionNoteRow>> notes; // by session
    bool sessionsChanged = false;
};

LiveEvents::LiveEvents()
{
    m_timer.setInterval(kFlushIntervalMs);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LiveEvents::catchUp);
    connect(&m_pieces, &LivePieces::came, this, &LiveEvents::piecesCame);
}

LiveEvents::~LiveEvents()
{
    stop();
}

void LiveEvents::follow(workbench::Workbench& workbench)
{
    stop();
    m_queue = std::make_shared<Queue>();
    m_queue->owner = this;
    m_runs = workbench.runs().events().subscribe(
        [queue = m_queue, pieces = m_pieces.listener()](const engine::RunEvent& event) {
            if (std::holds_alternative<engine::StreamChunk>(event.body))
                pieces(event);
            else
                queue->push(queue->runs, event);
        });
    m_sessions = workbench.sessions().events().subscribe(
        [queue = m_queue](const sessions::SessionEvent& event) { queue->push(queue->sessions, event); });
    if (auto* rows = workbench.audited())
        m_audit =
            rows->subscribe([queue = m_queue](const audit::AuditEntry& entry) { queue->pushAudit(entry); });
}

void LiveEvents::stop()
{
    m_runs = {};
    m_sessions = {};
    m_audit = {};
    m_timer.stop();
    m_pieces.stop();
    m_output = {};
    m_audited.clear();
    if (!m_queue)
        return;
    const std::lock_guard lock(m_queue->mutex);
    m_queue->owner = nullptr;
}

void LiveEvents::catchUp()
{
    std::vector<engine::RunEvent> runs;
    std::vector<sessions::SessionEvent> sessions;
    std::vector<audit::AuditEntry> audit;
    audit::AuditEntry lastLeft;
    int auditLeft = 0;
    if (!m_queue)
        return;
    {
        const std::lock_guard lock(m_queue->mutex);
        runs.swap(m_queue->runs);
        sessions.swap(m_queue->sessions);
        audit.swap(m_queue->audit);
        lastLeft = std::exchange(m_queue->lastLeft, {});
        auditLeft = std::exchange(m_queue->auditLeft, 0);
        m_queue->woken = false;
    }
    Batch batch;
    for (const engine::RunEvent& event : runs)
        take(batch, event);
    for (const audit::AuditEntry& entry : audit)
        addAudit(batch, entry);
    if (auditLeft > 0)
        addAuditLeft(batch, lastLeft, auditLeft);
    for (auto& [thread, rows] : batch.log)
        std::ranges::stable_sort(rows, {}, &LogRow::timeMs);
    for (const sessions::SessionEvent& event : sessions)
        addSession(batch, event);
    publish(batch);
}

void LiveEvents::addSession(Batch& batch, const sessions::SessionEvent& event)
{
    const QString session = text(event.info.id.value);
    if (event.kind == sessions::SessionEvent::Kind::Sample) {
        batch.samples[session].push_back(sampleRow(event.sample));
        return;
    }
    batch.sessionsChanged = true;
    const auto now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    if (!session.isEmpty())
        batch.notes.emplace_back(session, SessionNoteRow{ now, event.kind, text(printableText(event.text)) });
    if (!event.text.empty())
        batch.log[text(event.info.thread.value)].push_back(
            { now, LogRow::kNoStep, session, LogRow::Stream::Event, text(printableText(event.text)),
              LogRow::Source::Runner });
}

void LiveEvents::take(Batch& batch, const engine::RunEvent& event)
{
    const QString thread = text(event.thread.value);
    if (std::holds_alternative<engine::RunStarted>(event.body)) {
        batch.started.emplace_back(thread, text(event.run.value));
        batch.log[thread].push_back(runBegan(milliseconds(event.time), text(event.run.value)));
    }
    if (const auto* started = std::get_if<engine::TaskStarted>(&event.body))
        startTask(batch, event, *started);
    else if (const auto* finished = std::get_if<engine::TaskFinished>(&event.body))
        endTask(batch, event, *finished);
    else if (const auto* line = std::get_if<engine::LogLine>(&event.body))
        addOutput(batch, event, *line);
    else if (const auto* saved = std::get_if<engine::CheckpointSaved>(&event.body))
        addCheckpoint(batch, event, *saved);
    else if (const auto* again = std::get_if<engine::TaskRetrying>(&event.body))
        batch.ended[thread] << text(again->task.value);
    else if (std::holds_alternative<engine::ArtifactStored>(event.body))
        batch.artifacts[thread] = true;
    else if (const auto* end = std::get_if<engine::RunFinished>(&event.body))
        endRun(batch, event, *end);
}

void LiveEvents::startTask(Batch& batch, const engine::RunEvent& event, const engine::TaskStarted& started)
{
    if (!started.ns.empty()) { // a subgraph's run has its own history
        batch.inner[text(event.thread.value)].insert(text(started.ns));
        m_innerTasks.insert(text(started.task.value));
        return;
    }
    batch.tasks[text(event.thread.value)].push_back(taskRowOf(started, TaskOutcome::Running));
}

void LiveEvents::endTask(Batch& batch, const engine::RunEvent& event, const engine::TaskFinished& finished)
{
    m_output.end(text(finished.task.value), batch.log[text(event.thread.value)]);
    batch.ended[text(event.thread.value)] << text(finished.task.value);
    if (!finished.ns.empty()) {
        batch.inner[text(event.thread.value)].insert(text(finished.ns));
        m_innerTasks.remove(text(finished.task.value));
        return;
    }
    TaskRow row = taskRowOf(finished, finished.outcome);
    row.seconds = finished.seconds;
    row.error = text(printableText(finished.error));
    row.detail = text(printableText(finished.detail));
    if (row.outcome == TaskOutcome::Failed)
        for (LogRow& note : failureNotes(row))
            batch.log[text(event.thread.value)].push_back(std::move(note));
    batch.tasks[text(event.thread.value)].push_back(std::move(row));
}

void LiveEvents::addCheckpoint(Batch& batch, const engine::RunEvent& event,
                               const engine::CheckpointSaved& saved)
{
    if (!saved.ns.empty()) {
        batch.inner[text(event.thread.value)].insert(text(saved.ns));
        return;
    }
    CheckpointRow row;
    row.id = text(saved.checkpoint.value);
    row.parent = text(saved.parent.value);
    row.step = static_cast<int>(saved.step);
    row.source = saved.source;
    row.after = nodeNames(saved.after);
    row.next = nodeNames(saved.next);
    row.timeMs = milliseconds(event.time);
    batch.log[text(event.thread.value)].push_back(checkpointNote(row));
    batch.checkpoints[text(event.thread.value)].push_back(std::move(row));
}

void LiveEvents::endRun(Batch& batch, const engine::RunEvent& event, const engine::RunFinished& end)
{
    const QString thread = text(event.thread.value);
    const QString run = text(event.run.value);
    batch.log[thread].push_back(runEnded(milliseconds(event.time), run, end.status));
    UserError error;
    if (!end.error.empty()) {
        const std::string type = end.errorType.empty() ? std::string() : end.errorType + ": ";
        error = { text(printableText(type + end.error)), text(printableText(end.detail)),
                  text(end.failedNode.value), text(printableText(end.errorType)) };
        if (!error.node.isEmpty())
            error.what = tr("Node **%1** failed. %2").arg(error.node, error.what);
        if (const auto first = engine::earlierFailure(end))
            error.what += tr(" Node **%1** failed first: %2")
                              .arg(text(first->node.value),
                                   text(printableText(first->errorType + ": " + first->error)));
    }
    batch.finished.emplace_back(thread, end.status, error);
}

void LiveEvents::addOutput(Batch& batch, const engine::RunEvent& event, const engine::LogLine& line)
{
    const bool isInner = m_innerTasks.contains(text(line.task.value)); // its graph counts its own steps
    const LogRow row{ milliseconds(event.time),
                      isInner ? LogRow::kNoStep : static_cast<int>(line.step),
                      text(line.node.value),
                      streamOf(line.stream),
                      {},
                      LogRow::Source::Node,
                      text(line.task.value) };
    m_output.add(row, line.bytes, batch.log[text(event.thread.value)]);
}

bool LiveEvents::goesOn(const LogRow& begun) const
{
    return begun.source == LogRow::Source::Node && m_output.isOpen(begun);
}

void LiveEvents::wasRead(const QString& thread, qint64 audited)
{
    qint64& last = m_audited[thread];
    last = std::max(last, audited);
}

void LiveEvents::addAudit(Batch& batch, const audit::AuditEntry& entry)
{
    const QString thread = text(entry.thread.value);
    qint64& last = m_audited[thread];
    if (entry.sequence <= last)
        return;
    last = entry.sequence;
    if (auto row = auditRow(entry))
        batch.log[thread].push_back(std::move(*row));
}

void LiveEvents::addAuditLeft(Batch& batch, const audit::AuditEntry& last, int count)
{
    batch.log[text(last.thread.value)].push_back(
        { milliseconds(last.time), LogRow::kNoStep, QStringLiteral("audit"), LogRow::Stream::Event,
          tr("%n more row(s) of the audit: sandglass audit shows them", nullptr, count),
          LogRow::Source::Audit });
}

void LiveEvents::publish(const Batch& batch)
{
    for (const auto& [thread, run] : batch.started)
        Q_EMIT runStarted(thread, run);
    for (const auto& [thread, rows] : batch.checkpoints)
        Q_EMIT checkpointsAdded(thread, rows);
    for (const auto& [thread, rows] : batch.tasks)
        Q_EMIT tasksChanged(thread, rows);
    for (const auto& [thread, namespaces] : batch.inner)
        Q_EMIT innerChanged(thread, QStringList(namespaces.begin(), namespaces.end()));
    for (const auto& [thread, tasks] : batch.ended)
        Q_EMIT tasksEnded(thread, tasks);
    for (const auto& [thread, rows] : batch.log)
        Q_EMIT logAppended(thread, rows);
    for (const auto& [thread, added] : batch.artifacts)
        Q_EMIT artifactsAdded(thread);
    if (batch.sessionsChanged)
        Q_EMIT sessionsChanged();
    for (const auto& [session, samples] : batch.samples)
        Q_EMIT samplesAdded(session, samples);
    for (const auto& [session, note] : batch.notes)
        Q_EMIT sessionNoted(session, note);
    for (const auto& [thread, status, error] : batch.finished)
        Q_EMIT runFinished(thread, status, error);
}

} // namespace sg::ui
