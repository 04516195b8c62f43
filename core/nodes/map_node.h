#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

namespace sg::nodes {

// The number of tasks of a node that may run at once, by the node's name; set while bodies are made. Any
// thread.
class NodeLimits {
public:
    void set(const std::string& node, std::size_t most);
    // Waits for a place. False: stopped.
    bool enter(const std::string& node, const std::stop_token& stop);
    void leave(const std::string& node);

private:
    struct Limit {
        std::size_t most = 0;
        std::size_t running = 0;
    };
    std::mutex m_mutex;
    std::condition_variable_any m_left;
    std::map<std::string, Limit> m_limits; // guarded by m_mutex
};

// A body whose tasks wait for a place where a map node limits how many run at once.
std::unique_ptr<engine::NodeBody> withLimits(std::unique_ptr<engine::NodeBody> body, std::string node,
                                             std::shared_ptr<NodeLimits> limits);

// Sends each item that the program gives to `node`, as a task of its own.
std::unique_ptr<engine::NodeBody> makeMapBody(std::shared_ptr<JqPrograms> programs, std::string items,
                                              std::string node);

} // namespace sg::nodes
