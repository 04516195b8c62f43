#include "core/config/self_check.h"

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/config/connections.h"
#include "core/config/secrets.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "core/settings/secret_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <tuple>

namespace sg::config {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using State = SelfCheck::State;

// These runc versions were the first to fix CVE-2024-21626, and CVE-2025-31133, -52565 and -52881.
constexpr std::tuple kLeakyBefore{ 1, 1, 12 };
constexpr std::tuple kRacyBefore{ 1, 2, 8 };

std::string firstLine(const fs::path& file)
{
    const auto text = readFile(file, 4096);
    return text ? text->substr(0, text->find('\n')) : std::string();
}

SelfCheck userNamespaces()
{
    if (firstLine("/proc/sys/kernel/unprivileged_userns_clone") == "0")
        return { "user namespaces", State::Weak, "the kernel gives them to root alone",
                 "sudo sysctl -w kernel.unprivileged_userns_clone=1" };
    if (firstLine("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
        return { "user namespaces", State::Weak, "AppArmor gives them to programs with a profile alone",
                 "install a profile for bwrap (apparmor-profiles), or sudo sysctl -w "
                 "kernel.apparmor_restrict_unprivileged_userns=0" };
    if (firstLine("/proc/sys/user/max_user_namespaces") == "0")
        return { "user namespaces", State::Weak, "the kernel gives out none",
                 "sudo sysctl -w user.max_user_namespaces=15000" };
    return { "user namespaces", State::Good, "may be made", {} };
}

SelfCheck controlGroups()
{
    std::error_code failed;
    if (!fs::exists("/sys/fs/cgroup/cgroup.controllers", failed))
        return { "control groups", ::geteuid() == 0 ? State::Good : State::Weak, "version 1",
                 ::geteuid() == 0 ? ""
                                  : "an ordinary user has limits of memory and CPU with version 2 alone "
                                    "(systemd.unified_cgroup_hierarchy=1), or by a container engine" };
    // Root needs those of the whole machine, others those that systemd delegates to the user's services.
    const std::string user = std::to_string(::geteuid());
    const fs::path delegated = "/sys/fs/cgroup/user.slice/user-" + user + ".slice/user@" + user + ".service";
    const bool isRoot = ::geteuid() == 0;
    if (!isRoot && !fs::exists(delegated / "cgroup.controllers", failed))
        return { "control groups", State::Weak, "version 2, and none is delegated to this user",
                 "log in by a session of systemd (loginctl enable-linger), or use a container engine" };
    const std::string controllers =
        firstLine((isRoot ? fs::path("/sys/fs/cgroup") : delegated) / "cgroup.controllers");
    if (controllers.find("memory") == std::string::npos || controllers.find("pids") == std::string::npos)
        return { "control groups", State::Weak,
                 "version 2 without memory or pids" + std::string(isRoot ? "" : " for this user") + " ("
                     + controllers + ")",
                 "have them delegated: systemctl edit user@.service, Delegate=cpu memory pids" };
    if (controllers.find("cpu") == std::string::npos)
        return { "control groups", State::Weak,
                 "version 2 without cpu (" + controllers + "): no limit of processors",
                 "have it delegated: systemctl edit user@.service, Delegate=cpu memory pids" };
    return { "control groups", State::Good, "version 2: " + controllers, {} };
}

std::optional<std::tuple<int, int, int>> versionIn(const std::string& text)
{
    std::tuple<int, int, int> version;
    const std::size_t start = text.find_first_of("0123456789");
    if (start == std::string::npos)
        return std::nullopt;
    const char* at = text.data() + start;
    const char* const end = text.data() + text.size();
    for (int* part : { &std::get<0>(version), &std::get<1>(version), &std::get<2>(version) }) {
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc())
            return std::nullopt;
        at = next < end && *next == '.' ? next + 1 : next;
    }
    return version;
}

// Reads "runc 1.1.12", "runc version 1.1.5+ds1".
SelfCheck runcOf(const std::string& name, const std::string& line)
{
    const auto version = versionIn(line);
    if (!version)
        return { name, State::Weak, "tells no version: " + line, "install runc 1.2.8 or newer" };
    if (*version < kLeakyBefore)
        return {
            name, State::Weak, line + ": before 1.1.12 a container could get out (CVE-2024-21626)",
            "install a newer one, or make sure that your distribution has mended it: apt changelog runc"
        };
    if (*version < kRacyBefore)
        return { name, State::Weak, line + ": before 1.2.8 an image could race its mounts (CVE-2025-31133)",
                 "install a newer one, and use images that you trust" };
    return { name, State::Good, line, {} };
}

SelfCheck runc()
{
    ProcessSpec ask;
    ask.program = "runc";
    ask.arguments = { "--version" };
    const auto told = runProcess(ask, {}, 5s);
    if (!told)
        return { "runc", State::Absent, "not on this machine", {} };
    return runcOf("runc", told->out.substr(0, told->out.find('\n')));
}

std::vector<SelfCheck> backendChecks(sessions::SessionManager& manager, const std::string& name)
{
    const auto info = manager.backendInfo(name);
    if (!info)
        return { { name, State::Absent, "cannot be used: " + info.error().message, {} } };
    std::vector<SelfCheck> found{ { name, info->limitsEnforced ? State::Good : State::Weak,
                                    info->version + ", isolation: " + info->isolation,
                                    info->limitsEnforced ? "" : "see the next line" } };
    for (const sandbox::Weakness& weakness : info->weaknesses)
        found.push_back({ name, State::Weak, weakness.text, weakness.mend });
    if (info->runtime.starts_with("runc"))
        found.push_back(runcOf("runc of " + name, info->runtime));
    return found;
}

// Starts a session whose only rule matches nothing, to try whether there is any other way out.
SelfCheck egressCheck(sessions::SessionManager& manager, const std::string& backend)
{
    const std::string name = "network, " + backend;
    sessions::SessionSpec spec;
    spec.backend = backend;
    spec.egress = { "sandglass-doctor.invalid" };
    spec.limits.memoryBytes = 256LL << 20;
    spec.limits.tmpfsBytes = 16LL << 20;
    const auto session = manager.acquire(ThreadId("sandglass doctor"), spec);
    if (!session)
        return { name, State::Broken, session.error().message,
                 "sessions without \"egress\" are not concerned: they have no network" };
    (*session)->end();
    return {
        name, State::Good, "an allowlist holds: other hosts are refused, and there is no way beside it", {}
    };
}

// Asks each service elsewhere; none is started a sandbox on, which would cost.
std::vector<SelfCheck> connectionChecks()
{
    std::vector<SelfCheck> found;
    const auto known = readConnections(connectionsFile());
    if (!known)
        return { { "connections", State::Broken, known.error().message, {} } };
    for (const sandbox::e2b::Connection& each : *known) {
        const std::string name = "connection " + each.name;
        const auto state = sandbox::tryConnection(each, connectionKey);
        if (!state) {
            found.push_back({ name, State::Broken, state.error().message,
                              "sessions of other connections and backends are not concerned" });
            continue;
        }
        found.push_back(
            { name,
              State::Good,
              each.api + " answers in " + std::to_string(state->latency.count() / 1000)
                  + " ms; sandboxes of ours that live there: " + std::to_string(state->sandboxes.size()),
              {} });
        if (each.api.starts_with("http://") && each.api.find("://127.") == std::string::npos
            && each.api.find("://localhost") == std::string::npos)
            found.push_back({ name, State::Weak,
                              each.api + " is not encrypted: its key can be read on the way", "use https" });
    }
    return found;
}

// The program needs one of the backends that a package brings; the smallest is told first.
std::string howToInstall()
{
    std::string packages;
    const auto kinds = sandbox::backendKinds();
    for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind)
        if (!kind->package.empty())
            packages += (packages.empty() ? "" : ", or ") + std::string(kind->package);
    return "sudo apt install " + packages;
}

SelfCheck secrets()
{
    const settings::SecretSource source = userSecrets();
    struct stat found { };
    if (source.folder().empty() || ::stat(source.folder().c_str(), &found) != 0)
        return { "secrets", State::Absent, "no folder " + source.folder().string(), {} };
    if ((found.st_mode & 022U) != 0)
        return { "secrets", State::Broken, source.folder().string() + " can be written to by others",
                 "chmod 700 " + source.folder().string() };
    for (const std::string& name : source.filed())
        if (const auto read = source.find(name); !read && read.error().code == Errc::PermissionDenied)
            return { "secrets", State::Broken, read.error().message, {} };
    return {
        "secrets", State::Good, std::to_string(source.filed().size()) + " in " + source.folder().string(), {}
    };
}

SelfCheck keyring()
{
    const auto answers = userKeyring().probe();
    if (!answers)
        return { "keyring", State::Absent, answers.error().message, {} };
    return { "keyring", State::Good, "answers; sandglass secret set NAME stores there", {} };
}

} // namespace

std::vector<SelfCheck> checkMachine(sessions::SessionManager& manager, bool starts)
{
    std::vector<SelfCheck> found{ userNamespaces(), controlGroups(), runc() };
    bool isUsable = false;
    for (const sandbox::BackendKind& kind : sandbox::backendKinds()) {
        const std::string backend(kind.name);
        std::vector<SelfCheck> checks = backendChecks(manager, backend);
        const bool works = checks.front().state != State::Absent;
        isUsable = isUsable || works;
        found.insert(found.end(), std::make_move_iterator(checks.begin()),
                     std::make_move_iterator(checks.end()));
        if (works && starts && kind.runsOn == sandbox::RunsOn::Service) {
            for (SelfCheck& each : connectionChecks())
                found.push_back(std::move(each));
        } else if (works && starts) {
            found.push_back(egressCheck(manager, backend));
        }
    }
    if (!isUsable)
        found.push_back({ "sandboxes", State::Broken,
                          "no backend can be used: nothing that runs code will start", howToInstall() });
    found.push_back(secrets());
    found.push_back(keyring());
    return found;
}

} // namespace sg::config
