#pragma once

#include "core/base/result.h"
#include "core/workers/role_queue.h"

#include <chrono>
#include <string>

namespace sg::workers {

// Takes tasks from a list as GenXAI's WorkerQueueEngine fills it, and adds them to the queues of their roles:
//
//   {"task_id": text, "payload": object, "metadata": {"handler_name": ROLE, …}}
//
// GenXAI itself loses a task whose worker ends, runs one twice that was added twice, and drops what it cannot
// read. Here a task is in the list, in the list NAME:sandglass or in its queue at any time, its id is its
// job's, and what has no role becomes a dead letter of the role "unclaimed". One thread.
class GenxaiBridge {
public:
    struct Options {
        std::string list = "genxai:queue";
        std::string ns = "default"; // of the queues
        int attempts = 4; // GenXAI's max_retries is 3
    };

    GenxaiBridge(Redis& from, Redis& to, Options options)
        : m_from(from)
        , m_to(to)
        , m_options(std::move(options))
    {
    }

    // Takes up what an earlier bridge had begun with. Call it first.
    Result<int> recover();
    // Waits for a task and adds it; false: none came.
    Result<bool> moveOne(std::chrono::seconds wait);

private:
    Result<void> add(const std::string& text);

    Redis& m_from;
    Redis& m_to;
    const Options m_options;
};

} // namespace sg::workers
