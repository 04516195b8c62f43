#include "core/runs/run_recorder.h"

#include "core/base/log.h"

#include <chrono>
#include <utility>

namespace sg::runs {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(300);
constexpr std::size_t kBatchLimit = 2000; // rows; this many are written at once

std::string streamName(engine::LogLine::Stream stream)
{
    switch (stream) {
    case engine::LogLine::Stream::Stdout: return "stdout";
    case engine::LogLine::Stream::Stderr: return "stderr";
    case engine::LogLine::Stream::Event: return "event";
    }
    return {};
}

// The log has one outcome for a task that was stopped and one that asks: both go on when the run does.
TaskOutcome recordedOutcome(TaskOutcome outcome)
{
    return outcome == TaskOutcome::Stopped ? TaskOutcome::Interrupted : outcome;
}

} // namespace

RunRecorder::RunRecorder(checkpoint::RunLog& log)
    : m_log(log)
    , m_thread([this] { work(); })
{
}

RunRecorder::~RunRecorder()
{
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void RunRecorder::record(const engine::RunEvent& event)
{
    const std::lock_guard lock(m_mutex);
    const bool wasEmpty = m_batch.empty();
    if (const auto* finished = std::get_if<engine::TaskFinished>(&event.body)) {
        checkpoint::TaskRecord task;
        task.checkpoint = { event.thread, finished->ns, finished->checkpoint };
        task.task = finished->task;
        task.node = finished->node;
        task.step = finished->step;
        task.attempt = finished->attempts;
        task.startedAt = finished->startedAt;
        task.seconds = finished->seconds;
        task.outcome = recordedOutcome(finished->outcome);
        task.error = finished->error;
        task.detail = finished->detail;
        m_batch.tasks.push_back(std::move(task));
    } else if (const auto* line = std::get_if<engine::LogLine>(&event.body)) {
        m_batch.log.push_back({ 0, event.run, event.time, line->task, line->node, line->step,
                                streamName(line->stream), line->bytes });
    }
    if (wasEmpty != m_batch.empty() || m_batch.tasks.size() + m_batch.log.size() >= kBatchLimit)
        m_changed.notify_all();
}

void RunRecorder::flush()
{
    std::unique_lock lock(m_mutex);
    m_flush = true;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return !m_flush && !m_writing; });
}

void RunRecorder::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_closing || m_flush || !m_batch.empty(); });
        m_changed.wait_for(lock, kInterval, [this] {
            return m_closing || m_flush || m_batch.tasks.size() + m_batch.log.size() >= kBatchLimit;
        });
        const bool closing = m_closing;
        const Batch batch = std::exchange(m_batch, {});
        m_flush = false;
        if (!batch.empty()) {
            m_writing = true;
            lock.unlock();
            write(batch);
            lock.lock();
            m_writing = false;
        }
        m_changed.notify_all();
        if (closing && m_batch.empty())
            return;
    }
}

void RunRecorder::write(const Batch& batch)
{
    const auto report = [](const Result<void>& result) {
        if (!result)
            logMessage(LogLevel::Warning, "the run log lacks entries: " + result.error().message);
    };
    report(m_log.addTasks(batch.tasks));
    report(m_log.addLog(batch.log));
}

} // namespace sg::runs
