#include "core/nodes/session_failure.h"

#include "core/sandbox/backend_kinds.h"

#include <algorithm>
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

// Returns "matplotlib" for "No module named 'matplotlib.pyplot'" if it is one of `packages`.
std::string missingPackage(const std::string& message, const std::vector<std::string>& packages)
{
    const std::size_t begin = message.find('\'');
    if (begin == std::string::npos)
        return {};
    const std::string module = message.substr(begin + 1, message.find_first_of("'.", begin + 1) - begin - 1);
    return std::ranges::find(packages, module) != packages.end() ? module : std::string();
}

} // namespace

engine::Failure codeFailure(const engine::TaskInfo& task, const Error& error)
{
    const char* type = error.code == Errc::NotFound ? "FileNotFoundError"
        : error.code == Errc::PermissionDenied      ? "PermissionError"
                                                    : "OSError";
    return engine::failed(type, place(task) + ": " + error.message);
}

engine::Failure sessionFailure(const engine::TaskInfo& task, const Error& error)
{
    // The command line has an exit code of its own for a missing sandbox.
    const char* type = error.code == Errc::Unavailable || error.code == Errc::NotFound ? "SandboxUnavailable"
                                                                                       : "SessionError";
    return engine::failed(type, place(task) + ": " + error.message);
}

engine::Failure cellFailure(const engine::TaskInfo& task, const sessions::CellResult& result,
                            const CellScene& scene)
{
    const sessions::CellError error =
        result.error.value_or(sessions::CellError{ "RuntimeError", "it failed without a reason" });
    switch (result.status) {
    case sessions::CellStatus::TimedOut:
        return engine::failed(
            "TimeoutError",
            place(task) + " was stopped after " + seconds(scene.limits.deadline)
                + (scene.ownTimeout
                       ? std::string(", its limit (timeout_s). Raise \"timeout_s\" of the ")
                           + (scene.isTool ? "tool" : "node")
                       : ", the limit of every cell. Give the node a \"timeout_s\" of its own, raise "
                         "\"cell_s\" in the graph's \"sandbox\" \"limits\"")
                + ", or make its code faster."
                + (result.restarted ? " Its session was restarted: names are gone." : ""),
            error.traceback, true);
    case sessions::CellStatus::Stopped:
        return engine::failed("Stopped", place(task) + " was stopped.", error.traceback);
    case sessions::CellStatus::Died:
        if (error.type == "MemoryError")
            return engine::failed(
                "MemoryError",
                place(task) + " was stopped: " + error.message
                    + ". Raise \"memory_mb\" in the graph's \"sandbox\" \"limits\" and run again.",
                error.traceback, true);
        return engine::failed(
            error.type, place(task) + ": " + error.message + " (session " + scene.session.id.value + ")",
            error.traceback, true);
    case sessions::CellStatus::Ok:
    case sessions::CellStatus::Interrupt:
    case sessions::CellStatus::Error: break;
    }
    if (error.type == sessions::kNamesLost && result.restored) // another attempt would find no more
        return engine::failed(error.type, error.message);
    if (error.type == sessions::kConflict) // nor would it find less
        return engine::failed(error.type, place(task) + ": " + error.message);
    if (error.type == "ModuleNotFoundError" && sandbox::runsOnEnvironment(scene.session.backend))
        if (const std::string package = missingPackage(error.message, scene.missingPackages);
            !package.empty())
            return { "SandboxUnavailable",
                     place(task) + ": " + error.type + ": " + error.message + ". The sandbox runs on the "
                         + "system's Python alone, because its packages (" + package
                         + " and others) are not built yet. Build them once: sandglass image build",
                     error.traceback, false, error.repr };
    return { error.type, error.message, error.traceback, true, error.repr, error.raised };
}

} // namespace sg::nodes
