#include "core/runs/run_recorder.h"

#include "core/base/log.h"

#include <chrono>
#include <utility>

namespace sg::runs {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(300);
constexpr std::size_t kBatchLimit = 2000; // rows; then it is written at once

std::string streamName(engine::LogLine::Stream stream)
{
    switch (stream) {
    case engine::LogLine::Stream::Stdout: return "stdout";
    case engine::LogLine::Stream::Stderr: return "stderr";
    case engine::LogLine::Stream::Event: return "event";
    }
    return {};
}

std::string outcomeName(engine::TaskFinished::Outcome outcome)
{
    switch (outcome) {
    case engine::TaskFinished::Outcome::Done: return "done";
    case engine::TaskFinished::Outcome::Failed: return "failed";
    case engine::TaskFinished::Outcome::Interrupted: return "interrupted";
    case engine::TaskFinished::Outcome::Cached: return "cached";
    }
    return {};
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
    if (const auto* saved = std::get_if<engine::CheckpointSaved>(&event.body)) {
        if (saved->ns.empty())
            m_heads[event.run] = saved->checkpoint;
    } else if (const auto* started = std::get_if<engine::TaskStarted>(&event.body)) {
        checkpoint::TaskRecord task;
        task.checkpoint = { event.thread, started->ns,
                            started->checkpoint.empty() ? m_heads[event.run] : started->checkpoint };
        task.task = started->task;
        task.node = started->node;
        task.step = started->step;
        task.attempt = started->attempt;
        task.startedAt = event.time;
        m_open[started->task] = std::move(task);
    } else if (const auto* finished = std::get_if<engine::TaskFinished>(&event.body)) {
        auto open = m_open.extract(finished->task);
        checkpoint::TaskRecord task;
        if (!open.empty())
            task = std::move(open.mapped());
        task.task = finished->task;
        task.node = finished->node;
        task.step = finished->step;
        task.attempt = finished->attempts;
        task.seconds = finished->seconds;
        task.outcome = outcomeName(finished->outcome);
        task.error = finished->error;
        task.detail = finished->detail;
        if (!task.checkpoint.id.empty())
            m_batch.tasks.push_back(std::move(task));
    } else if (const auto* line = std::get_if<engine::LogLine>(&event.body)) {
        m_batch.log.push_back({ 0, event.run, event.time, line->task, line->node, line->step,
                                streamName(line->stream), line->bytes });
    } else if (std::holds_alternative<engine::RunFinished>(event.body)) {
        m_heads.erase(event.run);
        std::erase_if(m_open,
                      [&](const auto& open) { return open.second.checkpoint.thread == event.thread; });
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
