#include "core/workbench/runtime.h"

#include "core/base/child_process.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::workbench {
namespace {

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    return value == nullptr ? std::string() : std::string(value);
}

// The checkout's own folders while it is built there; beside the executable's prefix when installed.
fs::path shareFolder()
{
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return self.parent_path().parent_path() / "share" / "sandglass";
}

std::vector<std::string> inheritedEnvironment()
{
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
        environment.emplace_back(*entry);
    return environment;
}

Result<ProcessSpec> scriptSpec(const RuntimePaths& paths, const std::string& backend,
                               const std::string& image)
{
    ProcessSpec spec;
    spec.environment =
        inheritedEnvironment(); // our own script: it needs PATH, HOME and the user's proxy settings
    if (backend == "docker") {
        spec.program = (paths.scripts / "build-image.sh").string();
        spec.arguments = { image };
    } else if (backend == "bubblewrap") {
        spec.program = (paths.scripts / "make-venv.sh").string();
        spec.arguments = { paths.python.string() };
    } else {
        return Error{ Errc::InvalidArgument, "unknown backend '" + backend + "': docker or bubblewrap" };
    }
    if (std::error_code failed; !fs::exists(spec.program, failed))
        return Error{ Errc::NotFound, spec.program + " is missing: the installation is not complete" };
    return spec;
}

} // namespace

RuntimePaths locateRuntime()
{
    RuntimePaths paths;
    std::error_code failed;
    const fs::path source = SG_SOURCE_FOLDER;
    const fs::path share = shareFolder();
    const bool installed = fs::exists(share / "sandbox", failed);
    paths.runner = installed ? share / "sandbox" : source / "resources" / "sandbox";
    paths.scripts = installed ? share / "runtime" : source / "packaging" / "runtime";
    paths.examples = installed ? share / "examples" : source / "resources" / "examples";

    const std::string chosen = environmentValue("SANDGLASS_PYTHON");
    const std::string data = environmentValue("XDG_DATA_HOME");
    const std::string home = environmentValue("HOME");
    if (!chosen.empty())
        paths.python = chosen;
    else
        paths.python =
            (data.empty() ? fs::path(home) / ".local" / "share" : fs::path(data)) / "sandglass" / "python";
    return paths;
}

Result<RuntimeState> checkRuntime(const RuntimePaths& paths, const std::string& backend,
                                  const std::string& image)
{
    auto spec = scriptSpec(paths, backend, image);
    if (!spec)
        return std::move(spec.error());
    spec->arguments.insert(spec->arguments.begin(), "--check");
    auto output = runProcess(std::move(*spec), {}, std::chrono::seconds(30));
    if (!output)
        return std::move(output.error()).during("check the sandbox runtime");
    if (output->exit.code == 0)
        return RuntimeState::Ready;
    if (output->err.find("missing or out of date") != std::string::npos)
        return RuntimeState::Missing;
    return Error{ Errc::Unavailable, output->err };
}

Result<void> buildRuntime(const RuntimePaths& paths, const std::string& backend, const std::string& image,
                          const std::function<void(const std::string&)>& progress)
{
    auto spec = scriptSpec(paths, backend, image);
    if (!spec)
        return std::move(spec.error());
    // One stream for both, so that what is shown keeps its order.
    spec->pipeStdout = true;
    spec->prepare = [] { return ::dup2(1, 2) < 0 ? 1 : 0; };
    auto child = ChildProcess::start(*spec);
    if (!child)
        return std::move(child.error());
    std::string line;
    std::string last;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(child->stdoutPipe().get(), buffer, sizeof buffer)) > 0;) {
        for (const char c : std::string_view(buffer, static_cast<std::size_t>(count))) {
            if (c != '\n') {
                line += c;
                continue;
            }
            progress(line);
            if (!line.empty())
                last = line;
            line.clear();
        }
    }
    auto exit = child->wait(std::chrono::minutes(1));
    if (!exit)
        return std::move(exit.error());
    if (exit->code != 0)
        return Error{ Errc::Unavailable, last.empty() ? spec->program + " failed" : last };
    return {};
}

} // namespace sg::workbench
