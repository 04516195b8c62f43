#include "core/sandbox/bubblewrap/bubblewrap_arguments.h"

#include "core/sandbox/code_limits.h"
#include "core/sandbox/memory_tunables.h"
#include "core/sandbox/writable_places.h"

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

void append(Arguments& to, std::initializer_list<std::string> more)
{
    to.insert(to.end(), more);
}

void addNamespaces(Arguments& to)
{
    const std::string id = std::to_string(kInnerUid);
    append(to, { "--unshare-all", "--unshare-user", "--disable-userns", "--uid", id, "--gid", id });
    append(to, { "--hostname", "sandglass", "--die-with-parent", "--new-session", "--as-pid-1" });
    append(to, { "--cap-drop", "ALL", "--seccomp", std::to_string(descriptor::kSeccomp) });
    append(to, { "--json-status-fd", std::to_string(descriptor::kStatus) });
}

void addSystem(Arguments& to)
{
    append(to, { "--ro-bind", "/usr", "/usr" });
    for (const std::string name : { "bin", "sbin", "lib", "lib32", "lib64", "libx32" }) {
        std::error_code error;
        const fs::path path = '/' + name;
        if (fs::is_symlink(path, error))
            append(to, { "--symlink", fs::read_symlink(path, error).string(), path.string() });
        else if (fs::is_directory(path, error))
            append(to, { "--ro-bind", path.string(), path.string() });
    }
    for (const std::string path : { "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts",
                                    "/etc/mime.types", "/etc/ssl/certs" })
        append(to, { "--ro-bind-try", path, path });
    append(to, { "--ro-bind-data", std::to_string(descriptor::kPasswd), "/etc/passwd" });
    append(to, { "--ro-bind-data", std::to_string(descriptor::kGroup), "/etc/group" });
    // The C library reads from these files whether there are huge pages, see memory_tunables.h.
    for (const std::string name : { "enabled", "hpage_pmd_size" })
        append(to,
               { "--ro-bind-try", "/sys/kernel/mm/transparent_hugepage/" + name,
                 "/sys/kernel/mm/transparent_hugepage/" + name });
    // The kernel's settings belong to the host's root anyway; mounting them read-only costs nothing.
    append(to, { "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys" });
}

void addTmpfs(Arguments& to, const std::string& perms, std::int64_t size, const std::string& place)
{
    append(to, { "--perms", perms, "--size", std::to_string(size), "--tmpfs", place });
}

std::vector<WritablePlace> placesOf(const BubblewrapPlan& plan)
{
    return writablePlaces(plan.limits, !plan.sessionFolder.empty(), plan.dataTmpfs, plan.secrets);
}

void addStorage(Arguments& to, const BubblewrapPlan& plan)
{
    append(to, { "--dev", "/dev" });
    for (const WritablePlace& place : placesOf(plan))
        if (place.size > 0)
            addTmpfs(to, place.mode, place.size, place.path);
        else
            append(to, { "--bind", plan.sessionFolder.string(), place.path });
    append(to, { "--remount-ro", "/dev" }); // its tmpfs has no size limit, and the sandbox's user owns it
    if (!plan.python.empty())
        append(to, { "--ro-bind", plan.python.string(), "/opt/sandglass/python" });
    if (!plan.runnerFolder.empty())
        append(to, { "--ro-bind", plan.runnerFolder.string(), "/run/sandglass/runner" });
    for (const Mount& mount : plan.mounts)
        append(to, { mount.readOnly ? "--ro-bind" : "--bind", mount.host.string(), mount.inside });
    append(to, { "--remount-ro", "/", "--chdir", "/session" }); // last: no mount point can be made afterwards
}

void addEnvironment(Arguments& to, bool python)
{
    const std::string path =
        std::string(python ? "/opt/sandglass/python/bin:" : "") + "/usr/local/bin:/usr/bin:/bin";
    append(to,
           { "--clearenv", "--setenv", "PATH", path, "--setenv", "HOME", "/session", "--setenv", "USER",
             "sandglass", "--setenv", "LANG", "C.UTF-8", "--setenv", "TMPDIR", "/tmp", "--setenv",
             "GLIBC_TUNABLES", kMemoryTunables });
}

} // namespace

Arguments bubblewrapOptions(const BubblewrapPlan& plan)
{
    Arguments options;
    addNamespaces(options);
    addSystem(options);
    addStorage(options, plan);
    addEnvironment(options, !plan.python.empty());
    return options;
}

Arguments runnerCommand(const BubblewrapPlan& plan)
{
    Arguments command;
    if (plan.limitsByProcess) {
        // Set here, the limit counts processes in the sandbox's own user namespace. Set outside, it would
        // count all that this user runs there.
        const std::string pids = std::to_string(plan.limits.pids);
        append(command, { "/usr/bin/prlimit", "--nproc=" + pids + ':' + pids, "--" });
    }
    append(command,
           { plan.python.empty() ? "/usr/bin/python3" : "/opt/sandglass/python/bin/python3", "-I", "-X",
             "utf8", "/run/sandglass/runner/start.py", "--fd", std::to_string(descriptor::kRunner),
             "--limits", codeFilesOption(plan.limits, plan.sharesUser), "--outside",
             outsideOption(placesOf(plan)) });
    return command;
}

std::string joinArguments(const Arguments& arguments)
{
    std::string joined;
    for (const std::string& argument : arguments) {
        joined += argument;
        joined += '\0';
    }
    return joined;
}

} // namespace sg::sandbox
