#pragma once

#include "core/base/value.h"
#include "core/sandbox/docker/engine_api.h"

#include <chrono>
#include <string>
#include <vector>

namespace sg::sandbox {

// JsonLines reads an endless answer of the engine without a thread of its own: callers take what has come.
class JsonLines {
public:
    explicit JsonLines(EngineStream stream);

    // The objects that have come; waits for the first one until `timeout`.
    std::vector<Value> take(std::chrono::milliseconds timeout = std::chrono::milliseconds(0));
    [[nodiscard]] bool ended() const { return m_ended; }

private:
    bool receive();

    Fd m_socket;
    std::string m_text;
    bool m_ended = false;
};

} // namespace sg::sandbox
