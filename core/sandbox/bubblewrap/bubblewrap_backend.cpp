#include "core/sandbox/bubblewrap/bubblewrap_backend.h"

#include "core/sandbox/bubblewrap/bubblewrap_sandbox.h"
#include "core/sandbox/bubblewrap/installed_python.h"
#include "core/sandbox/bubblewrap/limited_start.h"
#include "core/sandbox/bubblewrap/user_counts.h"
#include "core/sandbox/code_limits.h"
#include "core/sandbox/spec_check.h"

#include <unistd.h>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kProbeTimeout = 10s;

// The virtual environment's interpreter must be a link to a Python that the sandbox has.
Result<void> checkPython(const fs::path& python)
{
    std::error_code error;
    const fs::path interpreter = python.empty() ? "/usr/bin/python3" : python / "bin/python3";
    const fs::path real = fs::canonical(interpreter, error);
    if (error)
        return Error{ Errc::NotFound,
                      interpreter.string() + ": no Python there; "
                          + (python.empty() ? "install it with: sudo apt install python3"
                                            : "prepare the environment with: sandglass image build") };
    const auto within = [&](const fs::path& folder) {
        return real.string().rfind(folder.string() + '/', 0) == 0;
    };
    if (!within("/usr") && !within(fs::canonical(python, error)))
        return Error{ Errc::Unsupported,
                      interpreter.string() + " leads to " + real.string()
                          + ", which a sandbox cannot see; make the environment with /usr/bin/python3" };
    return {};
}

class BubblewrapBackend final : public SandboxBackend {
public:
    explicit BubblewrapBackend(BubblewrapOptions options)
        : m_options(std::move(options))
        , m_launcher(std::make_shared<LauncherThread>())
        , m_limited(m_launcher)
    {
    }

    Result<BackendInfo> probe() override;
    Result<std::unique_ptr<Sandbox>> start(const SandboxSpec& spec) override;
    Result<std::vector<FoundSandbox>> find() override { return std::vector<FoundSandbox>(); }
    Result<std::unique_ptr<Sandbox>> attach(const FoundSandbox& found) override
    {
        return Error{ Errc::NotFound,
                      found.name + ": a bubblewrap sandbox ends with the process that started it" };
    }
    Result<void> remove(const FoundSandbox&) override { return {}; }
    Result<std::string> pythonIdentity(const SandboxSpec& spec) override
    {
        if (auto python = checkPython(spec.python); !python)
            return std::move(python.error());
        return installedPython(spec.python);
    }

private:
    struct Planned {
        BubblewrapStart start;
        OwnUser user;
    };
    Result<Planned> plan(const SandboxSpec& spec) const;
    Result<std::unique_ptr<BubblewrapSandbox>> run(Planned planned, const Limits& limits);

    const BubblewrapOptions m_options;
    const std::shared_ptr<LauncherThread> m_launcher;
    LimitedStart m_limited;
};

Result<BubblewrapBackend::Planned> BubblewrapBackend::plan(const SandboxSpec& spec) const
{
    Planned planned;
    BubblewrapStart& start = planned.start;
    start.program = m_options.program;
    if (::geteuid() == 0) {
        if (auto made = RootStage::makeMountPoint(); !made)
            return std::move(made.error());
        auto user = OwnUser::take();
        if (!user)
            return std::move(user.error());
        planned.user = std::move(*user);
        start.stage.emplace(planned.user.user());
        if (auto given = giveFoldersTo(spec, planned.user.user()); !given)
            return std::move(given.error());
    }
    const auto seen = [&](const fs::path& path) {
        std::error_code error;
        if (path.empty())
            return path;
        const fs::path full = fs::absolute(path, error);
        return start.stage ? start.stage->add(full) : full;
    };
    start.plan.python = seen(spec.python);
    start.plan.runnerFolder = seen(spec.runnerFolder);
    start.plan.sessionFolder = seen(spec.sessionFolder);
    start.plan.limits = spec.limits;
    start.plan.sharesUser = planned.user.isShared();
    start.plan.dataTmpfs = spec.dataTmpfs;
    start.plan.secrets = spec.secrets;
    for (const Mount& mount : spec.mounts)
        start.plan.mounts.push_back({ seen(mount.host), mount.inside, mount.readOnly });
    return planned;
}

Result<std::unique_ptr<Sandbox>> BubblewrapBackend::start(const SandboxSpec& spec)
{
    if (auto checked = checkSpec(spec); !checked)
        return std::move(checked.error());
    if (auto python = checkPython(spec.python); !python)
        return std::move(python.error());
    auto start = plan(spec);
    if (!start)
        return std::move(start.error()).during("prepare a sandbox");
    auto sandbox = run(std::move(*start), spec.limits);
    if (!sandbox)
        return std::move(sandbox.error());
    return std::unique_ptr<Sandbox>(std::move(*sandbox));
}

Result<std::unique_ptr<BubblewrapSandbox>> BubblewrapBackend::run(Planned planned, const Limits& limits)
{
    auto limited = m_limited.start(std::move(planned.start));
    if (!limited)
        return std::move(limited.error());
    if (planned.user.isShared())
        limitCountsOf(limited->process.inside);
    return std::make_unique<BubblewrapSandbox>(std::move(limited->process), std::move(limited->cgroup),
                                               m_launcher, limits, std::move(planned.user));
}

Result<BackendInfo> BubblewrapBackend::probe()
{
    ProcessSpec ask;
    ask.program = m_options.program;
    ask.arguments = { "--version" };
    auto version = runProcess(ask, {}, kProbeTimeout);
    if (!version)
        return Error{ Errc::Unavailable,
                      version.error().code == Errc::NotFound ? m_options.program
                              + " is not installed; install it with: sudo apt install bubblewrap"
                                                             : version.error().message };
    if (auto python = checkPython({}); !python)
        return Error{ Errc::Unavailable, python.error().message };
    auto start = plan({});
    if (!start)
        return std::move(start.error()).during("prepare a sandbox");
    start->start.command = { "/bin/sleep", "10" };
    auto sandbox = run(std::move(*start), {});
    if (!sandbox)
        return std::move(sandbox.error());
    const bool enforced = (*sandbox)->limitsEnforced();
    (*sandbox)->end();
    BackendInfo info;
    info.name = "bubblewrap";
    info.version = version->out.substr(0, version->out.find('\n'));
    info.isolation = "namespaces";
    info.limitsEnforced = enforced;
    if (!enforced)
        info.weaknesses.push_back(
            { "Limits are weak: memory is limited for each process instead of the whole "
              "session, and CPU not at all, because "
                  + m_limited.reason() + ".",
              "Have control groups of version 2 delegated to this user (systemctl edit "
              "user@.service, Delegate=cpu memory pids), or use a Docker Engine: there "
              "limits are full." });
    if (::geteuid() != 0)
        info.weaknesses.push_back(
            { "Sandboxes run as this user, so that code has at most " + std::to_string(kFilesOfSharedUser)
                  + " open files, and pipes of all of them get small where one has many.",
              "Start Sandglass as root: then each is a user of its own." });
    info.weaknesses.push_back(
        { "Sandboxes share the kernel and the programs under /usr with this machine.",
          "Keep the kernel up to date; for code that you do not trust at all use a Docker "
          "Engine with gVisor: sudo apt install runsc, SANDBOX_RUNTIME=runsc." });
    return info;
}

} // namespace

std::unique_ptr<SandboxBackend> makeBubblewrapBackend(BubblewrapOptions options)
{
    return std::make_unique<BubblewrapBackend>(std::move(options));
}

} // namespace sg::sandbox
