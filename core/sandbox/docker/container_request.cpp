#include "core/sandbox/docker/container_request.h"

#include "core/sandbox/code_limits.h"
#include "core/sandbox/docker/socket_folder.h"
#include "core/sandbox/memory_tunables.h"
#include "core/sandbox/seccomp_filter.h"
#include "core/sandbox/writable_places.h"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>

namespace sg::sandbox {
namespace {

constexpr const char* kRunner = "/run/sandglass/runner";
constexpr const char* kSocketMount = "/run/sandglass/io";
constexpr std::size_t kMaxNamePart = 48;
constexpr std::int64_t kLeastFiles = 16384; // files of a tmpfs
constexpr std::int64_t kBytesPerFile = 4096;

std::string namePart(std::string text)
{
    for (char& letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= 128 || (!std::isalnum(byte) && letter != '_' && letter != '.'))
            letter = '-';
    }
    return text.substr(0, kMaxNamePart);
}

Value bindMount(const std::filesystem::path& source, const std::string& target, bool readOnly)
{
    std::error_code error;
    return Value::map({ { "Type", "bind" },
                        { "Source", std::filesystem::absolute(source, error).string() },
                        { "Target", target },
                        { "ReadOnly", readOnly },
                        { "BindOptions", Value::map({ { "Propagation", "rprivate" } }) } });
}

Value mounts(const ContainerRequest& request)
{
    if (request.transport == Transport::Bundle)
        return ValueList();
    ValueList list{ bindMount(request.spec.runnerFolder, kRunner, true) };
    if (request.transport == Transport::Socket)
        list.push_back(bindMount(SocketFolder::shared(request.socketFolder), kSocketMount, false));
    if (!request.spec.sessionFolder.empty())
        list.push_back(bindMount(request.spec.sessionFolder, "/session", false));
    for (const Mount& mount : request.spec.mounts)
        list.push_back(bindMount(mount.host, mount.inside, mount.readOnly));
    return list;
}

// exec lets compiled packages load that a session installs there; without it the engine adds noexec.
std::string tmpfsOptions(const ContainerRequest& request, std::int64_t size, const std::string& mode)
{
    std::string options = "rw,exec,nosuid,nodev,size=" + std::to_string(size);
    // Podman does not know uid=; "U" gives the mount to the container's user. "notmpcopyup" keeps mode and
    // files of the image's folder of that name out.
    if (request.podman)
        return options + ",mode=" + mode + ",U,notmpcopyup";
    // Empty files take memory that `size` does not count.
    const std::int64_t files = std::max(kLeastFiles, size / kBytesPerFile);
    return options + ",nr_inodes=" + std::to_string(files) + ",mode=" + mode
        + ",uid=" + std::to_string(request.uid) + ",gid=" + std::to_string(request.gid);
}

Value tmpfs(const ContainerRequest& request, const std::vector<WritablePlace>& places)
{
    ValueMap map;
    for (const WritablePlace& place : places)
        if (place.size > 0 && place.path != kSharedMemory) // mounted by the engine itself
            map.set(place.path, tmpfsOptions(request, place.size, place.mode));
    if (request.podman) // or Podman mounts a writable one there, without a size limit
        map.set("/var/tmp", "ro,noexec,nosuid,nodev,size=4096,notmpcopyup");
    return map;
}

// A rootless Podman ignores "Ulimits": the runner sets them itself before any code runs.
std::string runnerLimits(const ContainerRequest& request)
{
    const Limits& limits = request.spec.limits;
    std::string text = codeFilesOption(limits, request.sharesUser);
    if (request.keepsUser)
        text += ",nofile=" + std::to_string(runnersFiles(limits))
            + ",core=0,fsize=" + std::to_string(limits.tmpfsBytes)
            + ",sigpending=" + std::to_string(kSignalsInLine) + ",msgqueue=0";
    return text;
}

Value command(const ContainerRequest& request)
{
    ValueList list{ "-I", "-X", "utf8" };
    const auto add = [&](std::initializer_list<std::string> more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    switch (request.transport) {
    case Transport::Socket:
        add({ std::string(kRunner) + "/start.py", "--socket", std::string(kSocketMount) + "/runner.sock" });
        if (request.spec.orphanTimeout.count() > 0)
            add({ "--orphan", std::to_string(request.spec.orphanTimeout.count()) });
        break;
    case Transport::Attached: add({ std::string(kRunner) + "/start.py", "--stdio" }); break;
    case Transport::Bundle: add({ "-c", request.bundleStart, "--stdio" }); break;
    }
    // The engine's own filter stays; this one refuses more.
    add({ "--filter", callFilterOption(), "--limits", runnerLimits(request), "--outside",
          outsideOption(writablePlaces(request.spec)) });
    return list;
}

Value labels(const ContainerRequest& request)
{
    return Value::map({ { label::kOurs, "1" },
                        { label::kSession, request.spec.session.value },
                        { label::kThread, request.spec.thread.value },
                        { label::kPart, request.spec.part },
                        { label::kProject, request.spec.project },
                        { label::kInstance, request.instance },
                        { label::kOwner, request.owner },
                        { label::kKept, request.spec.keep ? "1" : "0" },
                        { label::kFolder, request.socketFolder } });
}

Value limit(const char* name, std::int64_t value)
{
    return Value::map({ { "Name", name }, { "Soft", value }, { "Hard", value } });
}

// A rootless Podman asks for more processes than it may have unless it is given a number. The kernel counts
// all processes of the user, so the number is far above what a session has.
constexpr rlim_t kUserProcesses = 32768;

Value userLimits(const ContainerRequest& request)
{
    const Limits& limits = request.spec.limits;
    Value list = Value::list({ limit("nofile", runnersFiles(limits)), limit("core", 0),
                               limit("fsize", limits.tmpfsBytes), limit("sigpending", kSignalsInLine),
                               limit("msgqueue", 0) });
    rlimit processes{ kUserProcesses, kUserProcesses };
    if (request.podman) {
        static_cast<void>(::getrlimit(RLIMIT_NPROC, &processes));
        list.editList().push_back(
            limit("nproc", static_cast<std::int64_t>(std::min(processes.rlim_max, kUserProcesses))));
    }
    return list;
}

Value hostConfig(const ContainerRequest& request)
{
    const Limits& limits = request.spec.limits;
    const std::vector<WritablePlace> places = writablePlaces(request.spec);
    const double cpus = request.cpus > 0 ? std::min(limits.cpus, request.cpus) : limits.cpus;
    const Value log = request.podman
        ? Value::map({ { "Type", "json-file" }, { "Config", Value::map({ { "max-size", "1m" } }) } })
        : Value::map(
            { { "Type", "local" },
              { "Config",
                Value::map({ { "max-size", "1m" }, { "max-file", "1" }, { "compress", "false" } }) } });
    Value config = Value::map({ { "NetworkMode", "none" },
                                { "ReadonlyRootfs", true },
                                { "CapDrop", Value::list({ "ALL" }) },
                                { "SecurityOpt", Value::list({ "no-new-privileges:true" }) },
                                { "PidsLimit", limits.pids },
                                { "Memory", limits.memoryBytes },
                                { "MemorySwap", limits.memoryBytes }, // sum of both: no swap
                                { "NanoCpus", static_cast<std::int64_t>(cpus * 1e9) },
                                { "OomScoreAdj", 500 },
                                { "Ulimits", userLimits(request) },
                                { "Tmpfs", tmpfs(request, places) },
                                { "Mounts", mounts(request) },
                                { "ShmSize", sizeOf(places, kSharedMemory) },
                                { "IpcMode", "private" },
                                { "CgroupnsMode", "private" },
                                { "LogConfig", log },
                                { "RestartPolicy", Value::map({ { "Name", "no" } }) },
                                { "AutoRemove", true } });
    if (!request.runtime.empty())
        config.editMap().set("Runtime", request.runtime);
    if (request.keepsUser) // Podman only, which accepts it only when not run as root
        config.editMap().set("UsernsMode", "keep-id");
    return config;
}

} // namespace

Value containerBody(const ContainerRequest& request)
{
    const bool attached = request.transport != Transport::Socket;
    return Value::map({ { "Image", request.spec.image },
                        { "User", std::to_string(request.uid) + ':' + std::to_string(request.gid) },
                        { "WorkingDir", "/session" },
                        { "Entrypoint", Value::list({ "python3" }) }, // replaces the image's own
                        { "Cmd", command(request) },
                        { "Env",
                          Value::list({ "HOME=/session", "USER=sandglass", "LANG=C.UTF-8", "TMPDIR=/tmp",
                                        std::string("GLIBC_TUNABLES=") + kMemoryTunables }) },
                        { "Labels", labels(request) },
                        { "Hostname", "sandglass" },
                        { "OpenStdin", attached },
                        { "StdinOnce", attached }, // the runner sees when we close our end
                        { "AttachStdin", attached },
                        { "AttachStdout", true },
                        { "AttachStderr", true },
                        { "Tty", false },
                        { "StopTimeout", 2 },
                        { "Healthcheck", Value::map({ { "Test", Value::list({ "NONE" }) } }) },
                        { "HostConfig", hostConfig(request) } });
}

std::string containerName(const SandboxSpec& spec)
{
    return "sandglass-" + namePart(spec.project).substr(0, 8) + '-' + namePart(spec.session.value);
}

} // namespace sg::sandbox
