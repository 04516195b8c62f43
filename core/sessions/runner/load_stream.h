#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/runner/runner_link.h"

#include <memory>
#include <string_view>
#include <utility>

namespace sg::sessions {

// LoadStream carries a `load` request's data to the interpreter: through a socket whose other end the
// interpreter gets, where descriptors can be passed, else in pieces through the runner, which copies each
// byte four times more. Destroyed before finish(), it makes the interpreter give up what it began. One
// thread.
class LoadStream {
public:
    // `patience`: how long the runner may take to answer, or to read on.
    static Result<std::unique_ptr<LoadStream>> begin(RunnerLink& link, Millis patience);
    virtual ~LoadStream() = default;
    LoadStream(const LoadStream&) = delete;
    LoadStream& operator=(const LoadStream&) = delete;

    virtual Result<void> add(std::string_view bytes) = 0; // keeps no reference to `bytes`
    virtual Result<void> finish() = 0;
    [[nodiscard]] virtual bool isDirect() const = 0;
    // Nobody reads any more; answer() says why.
    [[nodiscard]] bool isAbandoned() const { return m_isAbandoned; }
    // The answer to the request.
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
