#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/descriptor_stream.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session.h"

#include <memory>
#include <stop_token>
#include <string>

namespace sg::sessions {

// A further interpreter in a session's sandbox, with names of its own. It shares the sandbox's files, limits
// and network, and ends with the sandbox and with this object. It has the rights of the session's code, which
// may end it at any time. Any thread; cells run one at a time, in the order of their callers.
class ExtraInterpreter {
public:
    // `environment`: variables besides those of the session. Errc::Unsupported: the sandbox's stream carries
    // no descriptors, or its runner is an older one.
    static Result<std::shared_ptr<ExtraInterpreter>> start(Session& session, const Value& environment);
    ~ExtraInterpreter();
    ExtraInterpreter(const ExtraInterpreter&) = delete;
    ExtraInterpreter& operator=(const ExtraInterpreter&) = delete;

    // Session::runIn() does the same with the session's care for secrets and the audit log.
    CellResult run(const std::string& code, const CellLimits& limits, const CellHandlers& handlers,
                   const std::stop_token& stop);
    // Drops what its threads print between cells, so that they need not wait for a reader.
    void pump() { m_link.pump(); }
    [[nodiscard]] bool isOver() const { return m_link.failure().has_value(); }

private:
    explicit ExtraInterpreter(Fd socket);
    Result<void> greet(const Value& settings, const Value& environment);

    sandbox::DescriptorStream m_stream;
    RunnerLink m_link;
};

} // namespace sg::sessions
