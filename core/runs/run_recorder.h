#pragma once

#include "core/checkpoint/run_log.h"
#include "core/engine/run_event.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace sg::runs {

// Writes what runs do (times, output) into the run log, in batches on a thread of its own, so that no
// superstep waits for it. A crash loses at most its last half second, never a checkpoint. Any thread.
class RunRecorder {
public:
    explicit RunRecorder(checkpoint::RunLog& log);
    ~RunRecorder(); // writes what is left
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    void record(const engine::RunEvent& event);
    void flush(); // returns when everything recorded before is written, or has failed (and was logged)

private:
    struct Batch {
        std::vector<checkpoint::TaskRecord> tasks;
        std::vector<checkpoint::LogRecord> log;
        [[nodiscard]] bool empty() const { return tasks.empty() && log.empty(); }
    };
    void work();
    void write(const Batch& batch);

    checkpoint::RunLog& m_log;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    Batch m_batch;
    bool m_writing = false;
    bool m_flush = false;
    bool m_closing = false;
    std::thread m_thread;
};

} // namespace sg::runs
