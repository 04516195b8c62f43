#include "core/sandbox/e2b/runner_start.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/sandbox/code_limits.h"
#include "core/sandbox/runner_bundle.h"
#include "core/sandbox/seccomp_filter.h"

#include <algorithm>
#include <cctype>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::sandbox::e2b {
namespace {

constexpr std::size_t kMostScript = 65536;
constexpr std::size_t kMostFiles = 24U << 20; // of the project's modules
constexpr const char* kModules = "/opt/sandglass/modules";

// The sandbox's user may write below /tmp alone. The session's folder is at the root, where code expects it:
// templates of E2B let their user become root for that, and one of this program has it.
constexpr const char* kPrepare =
    R"sh([ -w /session ] || mkdir -p /session 2>/dev/null || sudo -n sh -c 'mkdir -p /session && chown '"$(id -u)"' /session' 2>/dev/null
[ -w /session ] || { echo "its template has no folder /session that its user may write to, and no sudo to make one" >&2; exit 97; }
command -v python3 >/dev/null || { echo "its template has no python3 (3.9 or newer)" >&2; exit 97; }
exec python3 -I -X utf8 "$@")sh";
constexpr const char* kJoin = R"sh(exec python3 -I -X utf8 "$@")sh";

std::string placeOf(const std::string& session)
{
    return "/tmp/sandglass-" + session;
}

std::string socketOf(const std::string& session)
{
    return placeOf(session) + "/runner.sock";
}

// Files of a folder below its place inside, as boot.py writes them.
Result<void> addFolder(const fs::path& folder, const std::string& inside, std::size_t& total, ValueMap& files)
{
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().filename() == "__pycache__") {
            entry.disable_recursion_pending();
            continue;
        }
        if (entry->is_symlink(failed) || !entry->is_regular_file(failed))
            continue;
        auto text = readFile(entry->path(), kMostFiles);
        total += text ? text->size() : 0;
        if (!text || total > kMostFiles)
            return Error{ Errc::LimitExceeded,
                          folder.string() + " is larger than the " + std::to_string(kMostFiles >> 20)
                              + " MiB that are sent to a sandbox elsewhere" };
        files.set(inside + '/' + entry->path().lexically_relative(folder).string(), toBase64(*text));
    }
    return {};
}

Result<void> checkPossible(const SandboxSpec& spec)
{
    const auto missing = [](const std::string& what) {
        return Error{ Errc::Unsupported, "a sandbox elsewhere sees no folder of this machine: " + what };
    };
    if (!spec.sessionFolder.empty())
        return missing("storage BIND is not to be had there; use TMPFS, whose files come back by snapshots");
    if (!spec.image.empty() && spec.image != SandboxSpec().image)
        return Error{
            Errc::Unsupported,
            "\"image\" (" + spec.image.substr(0, 200)
                + ") is not to be had in a sandbox elsewhere: its connection names a template. Choose "
                  "one with: sandglass connection add NAME --template TEMPLATE"
        };
    if (spec.secrets)
        return missing("\"secrets\" are not sent to other machines");
    for (const Mount& mount : spec.mounts)
        if (!mount.canMiss)
            return missing(mount.inside.starts_with("/opt/sandglass")
                               ? "\"requirements\" are not installed there; use a template that has them"
                               : mount.inside
                                   + " is not to be had there; use dataset access API, \"egress\" "
                                     "without rules, and packages of the template");
    return {};
}

} // namespace

Result<RunnerStart> runnerStart(const SandboxSpec& spec)
{
    if (auto possible = checkPossible(spec); !possible)
        return std::move(possible.error());
    const std::string place = placeOf(spec.session.value);
    ValueMap files;
    std::size_t total = 0;
    for (const Mount& mount : spec.mounts)
        if (mount.inside.starts_with(kModules)) {
            const std::string below = mount.inside.substr(std::string_view(kModules).size());
            if (auto added = addFolder(mount.host, place + "/modules" + below, total, files); !added)
                return std::move(added.error());
        }
    auto boot = readFile(spec.runnerFolder / "boot.py", kMostScript);
    if (!boot && boot.error().code == Errc::NotFound)
        return Error{ Errc::Unsupported,
                      "what runs there (" + spec.runnerFolder.filename().string()
                          + ") cannot be sent to a sandbox elsewhere: MCP servers run on this machine" };
    if (!boot)
        return std::move(boot.error());
    auto bundle = runnerBundle(spec.runnerFolder, std::move(files));
    if (!bundle)
        return std::move(bundle.error());
    RunnerStart made;
    made.bundlePath = place + "/runner.bundle";
    made.bundle = std::move(*bundle);
    made.arguments = { "-c",       kPrepare,        "sh",      "-c",       *boot,
                       "--bundle", made.bundlePath, "--stdio", "--listen", socketOf(spec.session.value) };
    const auto add = [&](const char* name, const std::string& value) {
        made.arguments.emplace_back(name);
        made.arguments.emplace_back(value);
    };
    add("--moved", std::string(kModules) + '=' + place + "/modules");
    add("--limits",
        codeFilesOption(spec.limits, false) + ",core=0,fsize=" + std::to_string(spec.limits.tmpfsBytes));
    add("--filter", callFilterOption());
    add("--outside", "/dev/shm:/tmp");
    return made;
}

Result<ValueList> runnerAttach(const fs::path& runnerFolder, const std::string& session)
{
    auto script = readFile(runnerFolder / "attach.py", kMostScript);
    if (!script)
        return std::move(script.error());
    return ValueList{ "-c", kJoin, "sh", "-c", *script, socketOf(session) };
}

} // namespace sg::sandbox::e2b
