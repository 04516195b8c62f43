#include "core/sandbox/docker/container_start.h"

#include "core/base/file.h"
#include "core/sandbox/runner_bundle.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kSocketPatience = 30s; // a busy machine takes long to start Python
constexpr auto kStartTimeout = 60s;
constexpr int kMaxNames = 20;
constexpr std::size_t kMaxBundleStart = 65536;

std::string howToGet(const std::string& image)
{
    if (image == "sandglass/python" || image == "sandglass/python:latest")
        return "build it with: sandglass image build --backend docker";
    return "fetch it with: docker pull " + image
        + ", or correct \"image\" in the graph's \"sandbox\" settings";
}

Result<std::string> createContainer(EngineApi& engine, const ContainerRequest& request, std::string& name)
{
    const std::string wanted = containerName(request.spec);
    const Value body = containerBody(request);
    for (int attempt = 1; attempt <= kMaxNames; ++attempt) {
        // A name in use is somebody else's: another name is taken, and that container is never removed.
        name = attempt == 1 ? wanted : wanted + '-' + std::to_string(attempt);
        auto created = engine.call("POST", "/containers/create?name=" + name, body);
        if (created)
            return created->body.stringOr("Id", "");
        if (created.error().code == Errc::NotFound)
            return missingImage(request.spec.image);
        if (created.error().code != Errc::Conflict)
            return std::move(created.error()).during("create a container");
    }
    return Error{ Errc::Conflict,
                  "create a container: the name " + wanted + " and all that follow it are in use" };
}

// The host's process id of the container's first process.
Result<pid_t> firstProcess(EngineApi& engine, const std::string& id)
{
    auto inspected = engine.call("GET", "/containers/" + id + "/json");
    if (!inspected)
        return std::move(inspected.error());
    return static_cast<pid_t>(inspected->body["State"].intOr("Pid", 0));
}

Fd openProcess(pid_t process)
{
    return Fd(process > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, process, 0)) : -1);
}

Result<Fd> connectRunner(const SocketFolder& folder, pid_t runner, DockerSandbox& sandbox)
{
    const auto deadline = std::chrono::steady_clock::now() + kSocketPatience;
    while (true) {
        auto socket = folder.connect(runner);
        if (socket || (socket.error().code != Errc::NotFound && socket.error().code != Errc::Unavailable))
            return socket;
        if (sandbox.state() != SandboxEnd::Running)
            return Error{ Errc::Unavailable, "it ended at once" };
        if (std::chrono::steady_clock::now() > deadline)
            return Error{ Errc::Unavailable, "it opened no socket in time" };
        std::this_thread::sleep_for(1ms);
    }
}

Error runnerError(const ContainerRequest& request, DockerSandbox& sandbox, const Error& error)
{
    if (sandbox.state() == SandboxEnd::OutOfMemory)
        return { Errc::LimitExceeded,
                 "the runner in " + sandbox.name() + " ran out of memory, the limit is "
                     + std::to_string(request.spec.limits.memoryBytes >> 20) + " MiB" };
    const std::string words = sandbox.lastWords();
    return { Errc::Unavailable,
             "the runner in " + sandbox.name() + " cannot be reached: " + error.message
                 + (words.empty() ? "" : ": " + words) };
}

Error startError(const ContainerRequest& request, Error error)
{
    if (error.message.find("python3") != std::string::npos
        && error.message.find("not found") != std::string::npos)
        return { Errc::NotFound,
                 "image " + request.spec.image
                     + " has no python3 (3.9 or newer), which every sandbox needs" };
    return std::move(error).during("start a container of " + request.spec.image);
}

// Gives the runner's files, which go into the container once it runs, and sets what takes them there.
Result<std::string> takeBundle(ContainerRequest& request)
{
    auto start = readFile(request.spec.runnerFolder / "boot.py", kMaxBundleStart);
    if (!start)
        return std::move(start.error());
    request.bundleStart = std::move(*start);
    return runnerBundle(request.spec.runnerFolder);
}

} // namespace

Error missingImage(const std::string& image)
{
    return { Errc::NotFound, "image " + image + " is not on this Docker Engine; " + howToGet(image) };
}

Result<std::unique_ptr<DockerSandbox>> startContainer(const std::shared_ptr<EngineApi>& engine,
                                                      const ContainerRequest& wanted)
{
    ContainerRequest request = wanted;
    ContainerChannels channels;
    std::string bundle;
    if (request.transport == Transport::Bundle) {
        auto files = takeBundle(request);
        if (!files)
            return std::move(files.error());
        bundle = std::move(*files);
    }
    if (request.transport == Transport::Socket) {
        auto folder = SocketFolder::create(request.uid, request.gid);
        if (!folder)
            return std::move(folder.error());
        request.socketFolder = folder->path().string();
        channels.folder.emplace(std::move(*folder));
    }
    auto id = createContainer(*engine, request, channels.name);
    if (!id)
        return std::move(id.error());
    channels.id = *id;
    channels.pidsLimit = request.spec.limits.pids;
    const bool attachedTransport = request.transport != Transport::Socket;
    auto attached = engine->upgrade("/containers/" + *id + "/attach?stream=1&stdout=1&stderr=1"
                                    + (attachedTransport ? "&stdin=1" : ""));
    auto events = followContainer(*engine, *id);
    if (!attached || !events) {
        (void)removeContainer(*engine, *id);
        return std::move(attached ? events.error() : attached.error()).during("start a container");
    }
    channels.attached = std::make_unique<AttachedStream>(std::move(*attached));
    channels.events.emplace(std::move(*events));
    // From here on the sandbox removes the container.
    auto sandbox = std::make_unique<DockerSandbox>(engine, std::move(channels), request.spec.keep);
    auto started = engine->call("POST", "/containers/" + *id + "/start", {}, kStartTimeout);
    if (!started) {
        sandbox->end();
        return startError(request, std::move(started.error()));
    }
    if (attachedTransport) {
        if (auto sent = sandbox->stream().write(bundle); !sent)
            return runnerError(request, *sandbox, sent.error());
        return sandbox;
    }
    auto runner = firstProcess(*engine, *id);
    Fd runnerEnd = openProcess(runner ? *runner : 0); // first, so it is of the process we meet
    sandbox->useProcess(runner ? *runner : 0);
    auto socket = runner ? connectRunner(sandbox->folder(), *runner, *sandbox) : Result<Fd>(runner.error());
    if (!socket) {
        const Error error = runnerError(request, *sandbox, socket.error());
        sandbox->end();
        return error;
    }
    if (auto sealed = sandbox->folder().seal(); !sealed) {
        sandbox->end();
        return std::move(sealed.error()).during("start a container");
    }
    sandbox->useSocket(std::move(*socket), *runner, std::move(runnerEnd));
    return sandbox;
}

Result<std::unique_ptr<DockerSandbox>> adoptContainer(const std::shared_ptr<EngineApi>& engine,
                                                      const Value& inspected)
{
    ContainerChannels channels;
    channels.id = inspected.stringOr("Id", "");
    channels.name = inspected.stringOr("Name", "");
    channels.name.erase(0, channels.name.rfind('/') + 1);
    const Value& labels = inspected["Config"]["Labels"];
    auto folder = SocketFolder::adopt(labels.stringOr(label::kFolder, ""));
    if (!folder)
        return std::move(folder.error()).during(channels.name);
    channels.runner = static_cast<pid_t>(inspected["State"].intOr("Pid", 0));
    channels.runnerEnd = openProcess(channels.runner);
    auto socket = folder->connect(channels.runner);
    auto events = followContainer(*engine, channels.id);
    if (!socket || !events) {
        folder->release(); // the container goes on
        return std::move(socket ? events.error() : socket.error()).during(channels.name);
    }
    channels.folder.emplace(std::move(*folder));
    channels.events.emplace(std::move(*events));
    channels.socket = std::make_unique<DescriptorStream>(std::move(*socket));
    channels.pidsLimit = inspected["HostConfig"].intOr("PidsLimit", 0);
    channels.process = static_cast<pid_t>(inspected["State"].intOr("Pid", 0));
    if (::geteuid() == 0)
        channels.user =
            OwnUser::adopt(static_cast<uid_t>(std::atoll(inspected["Config"].stringOr("User", "").c_str())));
    auto sandbox = std::make_unique<DockerSandbox>(engine, std::move(channels),
                                                   labels.stringOr(label::kKept, "") == "1");
    if (inspected["State"].boolOr("Paused", false))
        sandbox->startsPaused();
    return sandbox;
}

} // namespace sg::sandbox
