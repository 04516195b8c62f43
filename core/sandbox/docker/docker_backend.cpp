#include "core/sandbox/docker/docker_backend.h"

#include "core/base/msgpack.h"
#include "core/base/printable.h"
#include "core/base/stored_time.h"
#include "core/sandbox/docker/container_request.h"
#include "core/sandbox/docker/container_start.h"
#include "core/sandbox/docker/docker_sandbox.h"
#include "core/sandbox/own_user.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/spec_check.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kProofTimeout = 30s;

struct Engine {
    std::shared_ptr<EngineApi> api;
    double cpus = 0;
    bool isRootless = false;
};

class DockerBackend final : public SandboxBackend {
public:
    explicit DockerBackend(DockerOptions options)
        : m_options(std::move(options))
    {
    }

    Result<BackendInfo> probe() override;
    Result<std::unique_ptr<Sandbox>> start(const SandboxSpec& spec) override;
    Result<std::vector<FoundSandbox>> find() override;
    Result<std::unique_ptr<Sandbox>> attach(const FoundSandbox& found) override;
    Result<void> remove(const FoundSandbox& found) override;
    Result<std::string> pythonIdentity(const SandboxSpec& spec) override;

private:
    Result<Engine> engine(bool again = false);
    Result<Value> containers();
    void removeStale();
    Result<std::vector<Transport>> transports(const SandboxSpec& spec, const EngineEndpoint& endpoint) const;
    Result<ContainerRequest> request(const SandboxSpec& spec, const Engine& engine, OwnUser& own) const;
    Result<Value> inspect(const FoundSandbox& found);

    const DockerOptions m_options;
    std::atomic<bool> m_socketFails = false; // in this engine's containers: not tried again
    std::mutex m_mutex;
    Engine m_engine; // guarded by m_mutex
};

Error noEngine(const std::vector<std::string>& tried, bool permission)
{
    std::string message = "no Docker Engine answers (";
    for (const std::string& each : tried)
        message += (&each == &tried.front() ? "" : "; ") + each;
    const bool isOfAnother = !tried.empty() && tried.front().find("tcp://") != std::string::npos;
    if (isOfAnother)
        return { Errc::Unavailable,
                 message
                     + "). DOCKER_HOST, DOCKER_TLS_VERIFY and DOCKER_CERT_PATH say where it is and who "
                       "may use it; without them this machine's own engine is looked for." };
    message += permission
        ? "). Allow this user to use it: sudo usermod -aG docker $USER, then log in again."
        : "). Start it (sudo systemctl start docker, or systemctl --user start podman.socket) or install it: "
          "sudo apt install docker.io.";
    return { Errc::Unavailable, message };
}

bool holds(const Value& list, std::string_view text)
{
    const ValueList empty;
    const ValueList& items = list.isList() ? list.asList() : empty;
    return std::any_of(items.begin(), items.end(), [&](const Value& item) {
        return item.isString() && item.asString().find(text) != std::string::npos;
    });
}

// Podman has a key of its own for this.
bool isRootless(const Value& info)
{
    return holds(info["SecurityOptions"], "name=rootless") || info.boolOr("Rootless", false);
}

Result<Engine> DockerBackend::engine(bool again)
{
    const std::lock_guard lock(m_mutex);
    if (m_engine.api && !again)
        return m_engine;
    auto candidates = engineCandidates(m_options.host);
    if (!candidates)
        return std::move(candidates.error());
    std::vector<std::string> tried;
    bool permission = false;
    for (const EngineEndpoint& endpoint : *candidates) {
        auto api = EngineApi::connect(endpoint);
        if (!api) {
            permission = permission || api.error().code == Errc::PermissionDenied;
            tried.push_back(api.error().message);
            continue;
        }
        m_engine.api = std::move(*api);
        const auto info = m_engine.api->call("GET", "/info");
        m_engine.cpus = info ? static_cast<double>(info->body.intOr("NCPU", 0)) : 0;
        m_engine.isRootless = info && isRootless(info->body);
        return m_engine;
    }
    return noEngine(tried, permission);
}

bool readFully(ByteStream& stream, char* buffer, std::size_t size)
{
    for (std::size_t have = 0; have < size;) {
        const auto got = stream.read(buffer + have, size - have, kProofTimeout);
        if (!got || *got == 0)
            return false;
        have += *got;
    }
    return true;
}

// Sends a request before the greeting, which a runner refuses: so the refusal shows that it is there.
bool runnerAnswers(ByteStream& stream)
{
    const std::string request = encodeMsgpack(Value::map({ { "op", "ping" } }));
    if (!stream.write(std::string(3, '\0') + static_cast<char>(request.size()) + request))
        return false;
    unsigned char head[4];
    if (!readFully(stream, reinterpret_cast<char*>(head), sizeof head) || head[0] != 0 || head[1] != 0)
        return false;
    std::string answer(static_cast<std::size_t>(head[2]) << 8U | head[3], '\0');
    return readFully(stream, answer.data(), answer.size());
}

std::vector<Weakness> weaknessesOf(const Value& info, bool enforced, bool rootless)
{
    std::vector<Weakness> found;
    if (!enforced)
        found.push_back({ "Limits are weak: this engine cannot limit memory, processes or CPU.",
                          "Delegate control groups of version 2 to it: systemctl edit user@.service, "
                          "Delegate=cpu memory pids." });
    else if (!info.boolOr("SwapLimit", false))
        found.push_back({ "Swap is not limited: this kernel does not account for it.",
                          "Start the kernel with swapaccount=1, or turn swap off: sudo swapoff -a." });
    if (!rootless && !holds(info["SecurityOptions"], "name=userns"))
        found.push_back(
            { "The engine runs as root without user namespaces: who escapes a container is root on this "
              "machine.",
              "Use rootless Docker (dockerd-rootless-setuptool.sh install), or userns-remap in "
              "/etc/docker/daemon.json." });
    if (!holds(info["SecurityOptions"], "name=seccomp"))
        found.push_back(
            { "The engine filters no system calls (seccomp is off).",
              "Take \"seccomp-profile\": \"unconfined\" out of /etc/docker/daemon.json, and use a kernel "
              "with CONFIG_SECCOMP_FILTER; what sessions must not call is refused all the same." });
    return found;
}

// The word shown to people, strongest isolation first.
std::string isolationOf(const std::string& runtime, bool rootless)
{
    const auto is = [&](const char* name) { return runtime.find(name) != std::string::npos; };
    if (is("kata") || is("firecracker") || is("krun"))
        return "microVM";
    if (is("runsc"))
        return "gVisor";
    return rootless ? "rootless container" : "container";
}

Result<BackendInfo> DockerBackend::probe()
{
    auto found = engine(true);
    if (!found)
        return std::move(found.error());
    const auto answer = found->api->call("GET", "/info");
    if (!answer)
        return Error{ Errc::Unavailable, answer.error().message };
    const Value& info = answer->body;
    const bool rootless = isRootless(info);
    const std::string runtime =
        m_options.runtime.empty() ? info.stringOr("DefaultRuntime", "runc") : m_options.runtime;
    if (!m_options.runtime.empty() && !info["Runtimes"].find(runtime))
        return Error{ Errc::Unavailable,
                      "Docker Engine " + found->api->endpoint().text() + " has no runtime " + runtime
                          + "; install it (gVisor: sudo apt install runsc) and add it to "
                            "/etc/docker/daemon.json, or unset SANDBOX_RUNTIME" };
    BackendInfo result;
    result.name = "docker";
    result.version = found->api->version().name + ", " + printableText(runtime);
    result.isolation = isolationOf(runtime, rootless);
    if (const std::string& known = found->api->version().runtime; known.starts_with(runtime + ' '))
        result.runtime = known;
    // Without root nobody can use control groups of version 1, whatever an engine reports.
    const bool mayLimit = !rootless || !info.stringOr("CgroupVersion", "").ends_with('1');
    result.limitsEnforced = mayLimit && info.boolOr("MemoryLimit", false) && info.boolOr("PidsLimit", true);
    result.weaknesses = weaknessesOf(info, result.limitsEnforced, rootless);
    removeStale();
    return result;
}

Result<Value> DockerBackend::containers()
{
    auto found = engine();
    if (!found)
        return std::move(found.error());
    auto list = found->api->call(
        "GET", "/containers/json?all=1&" + engineFilters({ { "label", std::string(label::kOurs) + "=1" } }));
    if (!list)
        return std::move(list.error());
    return std::move(list->body);
}

// Removes what owners left that ended early. A running sandbox ends by itself.
void DockerBackend::removeStale()
{
    const auto running = engine();
    const auto list = containers();
    if (!running || !list || !list->isList())
        return;
    std::vector<std::string> folders;
    for (const Value& container : list->asList()) {
        const Value& labels = container["Labels"];
        const auto owner = parseOwnerMark(labels.stringOr(label::kOwner, ""));
        const std::string state = container.stringOr("State", "");
        const bool over = state == "created" || state == "exited" || state == "dead";
        if (over && owner && isGone(*owner))
            (void)removeContainer(*running->api, container.stringOr("Id", ""));
        else
            folders.push_back(labels.stringOr(label::kFolder, ""));
    }
    removeStaleSocketFolders(folders);
}

Result<ContainerRequest> DockerBackend::request(const SandboxSpec& spec, const Engine& engine,
                                                OwnUser& own) const
{
    ContainerRequest made;
    made.spec = spec;
    made.instance = m_options.instance;
    made.owner = ownerMark(ownProcess());
    made.runtime = m_options.runtime;
    made.cpus = engine.cpus;
    made.podman = engine.api->version().podman;
    made.keepsUser = made.podman && engine.isRootless;
    made.uid = ::geteuid();
    made.gid = ::getegid();
    if (made.uid == 0) {
        auto taken = OwnUser::take();
        if (!taken)
            return std::move(taken.error());
        own = std::move(*taken);
        made.uid = own.user().uid;
        made.gid = own.user().gid;
        made.sharesUser = own.isShared();
        if (auto given = giveFoldersTo(spec, own.user()); !given)
            return std::move(given.error());
    }
    return made;
}

bool isLoopback(const EngineEndpoint& endpoint)
{
    return endpoint.host == "localhost" || endpoint.host == "[::1]" || endpoint.host.rfind("127.", 0) == 0;
}

// The transports that may work for this spec, best first.
Result<std::vector<Transport>> DockerBackend::transports(const SandboxSpec& spec,
                                                         const EngineEndpoint& endpoint) const
{
    const bool needsFolders = !spec.sessionFolder.empty()
        || std::ranges::any_of(spec.mounts, [](const Mount& mount) { return !mount.canMiss; });
    const bool isLocal =
        !endpoint.isRemote() && (endpoint.host.empty() ? !endpoint.socket.empty() : isLoopback(endpoint));
    std::vector<Transport> order;
    const auto offer = [&](const char* name, Transport transport, bool possible) {
        const bool chosen = m_options.transport.empty() || m_options.transport == name;
        if (chosen && possible)
            order.push_back(transport);
    };
    offer("socket", Transport::Socket, isLocal && endpoint.host.empty() && !m_socketFails);
    offer("attached", Transport::Attached, isLocal);
    offer("bundle", Transport::Bundle, !needsFolders);
    if (order.empty())
        return Error{
            Errc::Unsupported,
            "Docker Engine " + endpoint.text()
                + " sees no folder of this machine: neither datasets, a session's folder nor a way "
                  "to the network can be bound; use the storage mode TMPFS without local datasets and "
                  "\"egress\""
        };
    return order;
}

Result<std::unique_ptr<Sandbox>> DockerBackend::start(const SandboxSpec& spec)
{
    if (auto checked = checkSpec(spec); !checked)
        return std::move(checked.error());
    auto found = engine();
    if (!found)
        return std::move(found.error());
    OwnUser own;
    auto wanted = request(spec, *found, own);
    if (!wanted)
        return std::move(wanted.error());
    const auto order = transports(spec, found->api->endpoint());
    if (!order)
        return order.error();
    std::optional<Error> first;
    for (const Transport transport : *order) {
        wanted->transport = transport;
        auto sandbox = startContainer(found->api, *wanted);
        if (sandbox && (!first || runnerAnswers((*sandbox)->stream()))) {
            m_socketFails = m_socketFails || (first && order->front() == Transport::Socket);
            (*sandbox)->keepUser(std::move(own));
            return std::unique_ptr<Sandbox>(std::move(*sandbox));
        }
        if (!first)
            first = sandbox.error();
        // The engine may not see this machine's folders: it runs in a virtual machine, elsewhere, or maps
        // users.
        if (first->code != Errc::Unavailable && first->code != Errc::InvalidArgument)
            break;
    }
    return *first;
}

Result<std::vector<FoundSandbox>> DockerBackend::find()
{
    const auto list = containers();
    if (!list)
        return list.error();
    std::vector<FoundSandbox> found;
    const ValueList none;
    for (const Value& container : list->isList() ? list->asList() : none) {
        const std::string state = container.stringOr("State", "");
        if (state != "running" && state != "paused")
            continue;
        const Value& labels = container["Labels"];
        const auto owner = parseOwnerMark(labels.stringOr(label::kOwner, ""));
        std::string name = container["Names"][std::size_t{ 0 }].isString()
            ? container["Names"][std::size_t{ 0 }].asString()
            : "";
        name.erase(0, name.rfind('/') + 1);
        FoundSandbox sandbox;
        sandbox.name = std::move(name);
        sandbox.session = SessionId(labels.stringOr(label::kSession, ""));
        sandbox.thread = ThreadId(labels.stringOr(label::kThread, ""));
        sandbox.part = labels.stringOr(label::kPart, "");
        sandbox.project = labels.stringOr(label::kProject, "");
        sandbox.owner = labels.stringOr(label::kInstance, "");
        sandbox.kept = labels.stringOr(label::kKept, "") == "1";
        sandbox.ownerProcess = labels.stringOr(label::kOwner, "");
        sandbox.ownerAlive = owner && !isGone(*owner);
        sandbox.paused = state == "paused";
        sandbox.createdAt = isoTime(storedTime(std::chrono::seconds(container.intOr("Created", 0))));
        found.push_back(std::move(sandbox));
    }
    return found;
}

Result<Value> DockerBackend::inspect(const FoundSandbox& found)
{
    auto running = engine();
    if (!running)
        return std::move(running.error());
    auto answer = running->api->call("GET", "/containers/" + net::percentEncoded(found.name) + "/json");
    if (!answer)
        return std::move(answer.error());
    const Value& labels = answer->body["Config"]["Labels"];
    if (labels.stringOr(label::kOurs, "") != "1"
        || labels.stringOr(label::kSession, "") != found.session.value)
        return Error{ Errc::NotFound, "container " + found.name + " is not session " + found.session.value };
    return std::move(answer->body);
}

Result<std::unique_ptr<Sandbox>> DockerBackend::attach(const FoundSandbox& found)
{
    auto container = inspect(found);
    if (!container)
        return std::move(container.error());
    auto running = engine();
    if (!running)
        return std::move(running.error());
    auto sandbox = adoptContainer(running->api, *container);
    if (!sandbox)
        return std::move(sandbox.error());
    return std::unique_ptr<Sandbox>(std::move(*sandbox));
}

Result<void> DockerBackend::remove(const FoundSandbox& found)
{
    auto container = inspect(found);
    if (!container)
        return container.error().code == Errc::NotFound ? Result<void>() : std::move(container.error());
    auto running = engine();
    if (!running)
        return std::move(running.error());
    auto folder = SocketFolder::adopt((*container)["Config"]["Labels"].stringOr(label::kFolder, ""));
    if ((*container)["State"].boolOr("Paused", false)) // a paused container cannot be ended
        (void)(*running).api->call("POST", "/containers/" + container->stringOr("Id", "") + "/unpause");
    return removeContainer(*running->api, container->stringOr("Id", ""));
}

// An image holds its Python and packages; its id changes with them.
Result<std::string> DockerBackend::pythonIdentity(const SandboxSpec& spec)
{
    auto running = engine();
    if (!running)
        return std::move(running.error());
    const auto image = running->api->call("GET", "/images/" + net::percentEncoded(spec.image) + "/json");
    if (!image)
        return image.error().code == Errc::NotFound ? missingImage(spec.image) : image.error();
    return "docker image " + image->body.stringOr("Id", "");
}

} // namespace

std::unique_ptr<SandboxBackend> makeDockerBackend(DockerOptions options)
{
    return std::make_unique<DockerBackend>(std::move(options));
}

} // namespace sg::sandbox
