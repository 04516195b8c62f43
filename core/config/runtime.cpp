#include "core/config/runtime.h"

#include "core/base/child_process.h"
#include "core/base/user_folders.h"
#include "core/config/secrets.h"
#include "core/sandbox/backend_kinds.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    return value == nullptr ? std::string() : std::string(value);
}

// Returns the folder next to the executable's prefix.
fs::path shareFolder()
{
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return self.parent_path().parent_path() / "share" / "sandglass";
}

// Returns the environment without this process's secrets.
std::vector<std::string> inheritedEnvironment()
{
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (const std::string_view text = *entry; !isSecretVariable(text.substr(0, text.find('='))))
            environment.emplace_back(text);
    return environment;
}

Result<ProcessSpec> scriptSpec(const RuntimePaths& paths, const std::string& backend,
                               const std::string& image)
{
    ProcessSpec spec;
    spec.environment =
        inheritedEnvironment(); // our own script needs PATH, HOME and the user's proxy settings
    const sandbox::BackendKind* kind = sandbox::findBackendKind(backend);
    if (kind != nullptr && kind->runsOn == sandbox::RunsOn::Image) {
        spec.program = (paths.scripts / "build-image.sh").string();
        spec.arguments = { image };
    } else if (sandbox::runsOnEnvironment(backend)) {
        if (paths.python.empty())
            return Error{ Errc::InvalidArgument,
                          "there is no place for the sandbox's Python: neither HOME nor XDG_DATA_HOME is an "
                          "absolute path, and the account has no home folder. Set one of them, or "
                          "SANDGLASS_PYTHON." };
        spec.program = (paths.scripts / "make-venv.sh").string();
        spec.arguments = { paths.python.string() };
    } else {
        return Error{ Errc::InvalidArgument,
                      "unknown backend '" + backend + "': " + sandbox::backendNames([](const auto& each) {
                          return each.runsOn != sandbox::RunsOn::Service;
                      }) };
    }
    if (std::error_code failed; !fs::exists(spec.program, failed))
        return Error{ Errc::NotFound, spec.program + " is missing: the installation is not complete" };
    return spec;
}

constexpr std::string_view kErrorPrefix = "error: ";
constexpr int kNothingToUse = 6; // the scripts' exit code for a missing engine or Python

bool isErrorLine(const std::string& line)
{
    return line.starts_with(kErrorPrefix);
}

// `words` are the script's last words.
Error scriptError(const ProcessSpec& spec, int exitCode, std::string words)
{
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    if (isErrorLine(words))
        words.erase(0, kErrorPrefix.size());
    if (words.empty())
        words = spec.program + " failed with exit code " + std::to_string(exitCode);
    return { exitCode == kNothingToUse ? Errc::Unavailable : Errc::Io, std::move(words) };
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
    paths.templates = installed ? share / "templates" : source / "resources" / "templates";
    paths.guide = share / "guide"; // the build makes it there, too

    const std::string chosen = environmentValue("SANDGLASS_PYTHON");
    if (!chosen.empty())
        paths.python = chosen;
    else if (const fs::path data = userDataFolder(); !data.empty())
        paths.python = data / "sandglass" / "python";
    return paths;
}

fs::path layersFolder()
{
    const fs::path data = userDataFolder();
    return data.empty() ? data : data / "sandglass" / "layers";
}

std::string RuntimePackage::module() const
{
    if (name == "pillow")
        return "PIL";
    std::string text = name.starts_with("python-") ? name.substr(7) : name;
    std::ranges::replace(text, '-', '_');
    return text;
}

Result<std::vector<RuntimePackage>> runtimePackages(const RuntimePaths& paths)
{
    const fs::path list = paths.scripts / "requirements.txt";
    std::ifstream file(list);
    if (!file)
        return Error{ Errc::NotFound, list.string() + " is missing: the installation is not complete" };
    std::vector<RuntimePackage> packages;
    for (std::string line; std::getline(file, line);)
        if (const std::size_t at = line.find("=="); at != std::string::npos && !line.starts_with('#'))
            packages.push_back({ line.substr(0, at), line.substr(at + 2) });
    return packages;
}

std::vector<std::string> missingPackages(const RuntimePaths& paths)
{
    std::error_code failed;
    if (!paths.python.empty() && fs::exists(paths.python / "bin" / "python3", failed))
        return {};
    std::vector<std::string> modules;
    if (const auto packages = runtimePackages(paths))
        for (const RuntimePackage& each : *packages)
            modules.push_back(each.module());
    return modules;
}

Result<RuntimeState> checkRuntime(const RuntimePaths& paths, const std::string& backend,
                                  const std::string& image)
{
    auto spec = scriptSpec(paths, backend, image);
    if (!spec)
        return std::move(spec.error());
    spec->arguments.insert(spec->arguments.begin(), "--check");
    auto output = runProcess(*spec, {}, std::chrono::seconds(30));
    if (!output)
        return std::move(output.error()).during("check the sandbox runtime");
    if (output->exit.code == 0)
        return RuntimeState::Ready;
    if (output->err.find("missing or out of date") != std::string::npos)
        return RuntimeState::Missing;
    return scriptError(*spec, output->exit.code, output->err);
}

void BuildProgress::take(const std::string& line)
{
    constexpr std::string_view kFound = "Collecting ";
    if (line.starts_with("Installing collected packages")) {
        m_isInstalling = true;
        m_step = "installing";
    } else if (line.starts_with(kFound)) {
        m_found++;
        m_step = line.substr(kFound.size(), line.find(' ', kFound.size()) - kFound.size());
        if (const std::size_t at = m_step.find("=="); at != std::string::npos)
            m_step.replace(at, 2, " ");
    }
}

// Fetching is most of it; what is installed is compiled and tried out, which has no lines of its own.
int BuildProgress::percent() const
{
    constexpr std::size_t kFetching = 80;
    constexpr int kInstalling = 85;
    if (m_isInstalling)
        return kInstalling;
    return m_packages == 0 ? 0 : static_cast<int>(kFetching * std::min(m_found, m_packages) / m_packages);
}

Result<void> buildRuntime(const RuntimePaths& paths, const std::string& backend, const std::string& image,
                          const std::function<void(const std::string&)>& progress)
{
    auto spec = scriptSpec(paths, backend, image);
    if (!spec)
        return std::move(spec.error());
    // Both streams are one, so that lines keep their order.
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
            if (isErrorLine(last)) // it was not the last line
                progress(last);
            if (!isErrorLine(line)) // the caller shows a final one as the error
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
        return scriptError(*spec, exit->code, last);
    return {};
}

} // namespace sg::config
