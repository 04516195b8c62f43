#include "core/nodes/session_failure.h"

#include <array>
#include <cstdio>

namespace sg::nodes {
namespace {

std::string place(const engine::TaskInfo& task)
{
    return "Node " + task.node.value + " (step " + std::to_string(task.step) + ")";
}

std::string seconds(std::chrono::milliseconds duration)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%g s", static_cast<double>(duration.count()) / 1000);
    return text.data();
}

} // namespace

engine::Failure codeFailure(const engine::TaskInfo& task, const Error& error)
{
    const char* type = error.code == Errc::NotFound ? "FileNotFoundError"
        : error.code == Errc::PermissionDenied      ? "PermissionError"
                                                    : "OSError";
    return { type, place(task) + ": " + error.message, {}, false, {} };
}

engine::Failure sessionFailure(const engine::TaskInfo& task, const Error& error)
{
    // The command line ends with a code of its own where no sandbox is to be had.
    const char* type = error.code == Errc::Unavailable || error.code == Errc::NotFound ? "SandboxUnavailable"
                                                                                       : "SessionError";
    return { type, place(task) + ": " + error.message, {}, false, {} };
}

engine::Failure cellFailure(const engine::TaskInfo& task, const sessions::CellResult& result,
                            const sessions::CellLimits& limits, const sessions::SessionInfo& session)
{
    const sessions::CellError error =
        result.error.value_or(sessions::CellError{ "RuntimeError", "it failed without a reason", {}, {} });
    switch (result.status) {
    case sessions::CellStatus::TimedOut:
        return { "TimeoutError",
                 place(task) + " was stopped after " + seconds(limits.deadline)
                     + ", its limit (timeout_s). Raise \"timeout_s\" of the node, or make its code faster."
                     + (result.restarted ? " Its session was restarted: names are gone." : ""),
                 error.traceback,
                 true,
                 {} };
    case sessions::CellStatus::Stopped:
        return { "Stopped", place(task) + " was stopped.", error.traceback, false, {} };
    case sessions::CellStatus::Died:
        if (error.type == "MemoryError")
            return { "MemoryError",
                     place(task) + " was stopped: " + error.message
                         + ". Raise \"memory_mb\" in the graph's \"sandbox\" \"limits\" and run again.",
                     error.traceback,
                     true,
                     {} };
        return { error.type,
                 place(task) + ": " + error.message + " (session " + session.id.value + ")",
                 error.traceback,
                 true,
                 {} };
    case sessions::CellStatus::Ok:
    case sessions::CellStatus::Interrupt:
    case sessions::CellStatus::Error: break;
    }
    return { error.type, error.message, error.traceback, true, error.repr };
}

} // namespace sg::nodes
