#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/runner/runner_link.h"

#include <memory>
#include <string_view>
#include <utility>

namespace sg::sessions {

// What `load` reads, on its way to the interpreter: through a socket whose other end the interpreter has,
// where the runner can be handed that, else in pieces by way of the runner, which copies each byte four times
// more. Destroyed before finish(): the interpreter gives up what it has begun. One thread.
class LoadStream {
public:
    // Asks for the load. `patience`: how long the runner may take for an answer, or take no bytes.
    static Result<std::unique_ptr<LoadStream>> begin(RunnerLink& link, Millis patience);
    virtual ~LoadStream() = default;
    LoadStream(const LoadStream&) = delete;
    LoadStream& operator=(const LoadStream&) = delete;

    virtual Result<void> add(std::string_view bytes) = 0; // they are not needed once it returns
    virtual Result<void> finish() = 0;
    [[nodiscard]] virtual bool isDirect() const = 0;
    // Nobody reads it any more: the request's answer says why.
    [[nodiscard]] bool isAbandoned() const { return m_isAbandoned; }
    // What the request led to.
    Result<Frame> answer();

protected:
    LoadStream(RunnerLink& link, RunnerLink::Exchange exchange, Millis patience)
        : m_link(link)
        , m_exchange(std::move(exchange))
        , m_patience(patience)
    {
    }

    RunnerLink& m_link;
    RunnerLink::Exchange m_exchange;
    const Millis m_patience;
    bool m_isAbandoned = false;
};

} // namespace sg::sessions
