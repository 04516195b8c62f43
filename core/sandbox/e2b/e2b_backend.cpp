#include "core/sandbox/e2b/e2b_backend.h"

#include "core/base/log.h"
#include "core/sandbox/e2b/e2b_sandbox.h"
#include "core/sandbox/e2b/runner_start.h"
#include "core/sandbox/e2b/service.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/spec_check.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace sg::sandbox {
namespace {

using namespace e2b;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kFirstCalls = 8s; // for which a new sandbox may not be reached yet
constexpr auto kFirstPause = 100ms;

namespace label {
constexpr const char* kOurs = "sandglass";
constexpr const char* kSession = "sandglass-session";
constexpr const char* kThread = "sandglass-thread";
constexpr const char* kPart = "sandglass-part";
constexpr const char* kProject = "sandglass-project";
constexpr const char* kInstance = "sandglass-instance";
constexpr const char* kOwner = "sandglass-owner";
constexpr const char* kKept = "sandglass-kept";
} // namespace label

FoundSandbox foundOf(const Connection& connection, const Listed& listed)
{
    const auto text = [&](const char* key) { return listed.metadata.stringOr(key, ""); };
    const auto owner = parseOwnerMark(text(label::kOwner));
    FoundSandbox made;
    made.name = remoteName(connection.name, listed.id);
    made.session = SessionId(text(label::kSession));
    made.thread = ThreadId(text(label::kThread));
    made.part = text(label::kPart);
    made.project = text(label::kProject);
    made.owner = text(label::kInstance);
    made.ownerProcess = text(label::kOwner);
    made.ownerAlive = owner && !isGone(*owner);
    made.kept = text(label::kKept) == "1";
    made.paused = listed.isPaused;
    made.createdAt = listed.startedAt;
    made.connection = connection.name;
    made.endsAt = listed.endsAt;
    return made;
}

class E2bBackend final : public SandboxBackend {
public:
    explicit E2bBackend(E2bOptions options)
        : m_options(std::move(options))
        , m_shared(std::make_shared<Shared>(m_options.records))
    {
    }

    Result<BackendInfo> probe() override;
    Result<std::unique_ptr<Sandbox>> start(const SandboxSpec& spec) override;
    Result<std::vector<FoundSandbox>> find() override;
    Result<std::unique_ptr<Sandbox>> attach(const FoundSandbox& found) override;
    Result<void> remove(const FoundSandbox& found) override;
    Result<std::string> pythonIdentity(const SandboxSpec& spec) override;

private:
    Result<std::shared_ptr<Service>> service(const std::string& connection);
    Result<std::vector<Connection>> connections();
    [[nodiscard]] Value metadata(const SandboxSpec& spec) const;
    Result<std::unique_ptr<ProcessStream>> startRunner(const std::shared_ptr<Service>& service,
                                                       const Access& access, const RunnerStart& runner);
    void giveUp(Service& service, const std::string& session, const Error& why);
    void forgetEnded(const Connection& connection, const std::vector<Listed>& listed);

    const E2bOptions m_options;
    const std::shared_ptr<Shared> m_shared;
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Service>> m_services; // by connection; guarded by m_mutex
};

Result<std::vector<Connection>> E2bBackend::connections()
{
    auto found = m_options.connections();
    if (found && found->empty())
        return Error{ Errc::Unavailable,
                      "no connection to a service is set up on this machine: sandglass connection add" };
    return found;
}

bool areAlike(const Connection& a, const Connection& b)
{
    return a.kind == b.kind && a.routing == b.routing && a.api == b.api && a.sandboxes == b.sandboxes
        && a.key == b.key && a.authorities == b.authorities && a.sandboxTemplate == b.sandboxTemplate
        && a.time == b.time;
}

// A graph may come from anybody: it names a connection of this user, or none.
Result<std::shared_ptr<Service>> E2bBackend::service(const std::string& name)
{
    auto known = connections();
    if (!known)
        return std::move(known.error());
    std::string names;
    const Connection* chosen = name.empty() && known->size() == 1 ? &known->front() : nullptr;
    for (const Connection& each : *known) {
        names += (names.empty() ? "" : ", ") + each.name;
        if (each.name == name)
            chosen = &each;
    }
    if (chosen == nullptr && name.empty())
        return Error{ Errc::InvalidArgument,
                      "there are several connections (" + names
                          + "): name one by \"connection\" in the graph's \"sandbox\", or by "
                            "SANDBOX_CONNECTION" };
    if (chosen == nullptr)
        return Error{ Errc::NotFound,
                      "connection \"" + name.substr(0, 80)
                          + "\" is not set up on this machine (there are: " + names
                          + "). A graph only names it; address and key are yours to give: sandglass "
                            "connection add" };
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<Service>& found = m_services[chosen->name];
    if (!found || !areAlike(found->connection(), *chosen))
        found = std::make_shared<Service>(*chosen, m_options.key);
    return found;
}

Result<BackendInfo> E2bBackend::probe()
{
    const auto known = connections();
    if (!known)
        return known.error();
    BackendInfo info;
    info.name = "e2b";
    info.isolation = "elsewhere";
    for (const Connection& each : *known)
        info.version += (info.version.empty() ? "" : ", ") + each.name + " (" + each.api + ')';
    info.limitsEnforced = false;
    info.weaknesses = {
        { "Limits of memory, processors and processes are those of the service's template: a graph's are not "
          "applied.",
          "Choose a template of the size that you want." },
        { "State, files and output are on the service's machines, where the people who run it can see them.",
          "Use a service that may see them." }
    };
    return info;
}

Value E2bBackend::metadata(const SandboxSpec& spec) const
{
    return Value::map({ { label::kOurs, "1" },
                        { label::kSession, spec.session.value },
                        { label::kThread, spec.thread.value },
                        { label::kPart, spec.part },
                        { label::kProject, spec.project },
                        { label::kInstance, m_options.instance },
                        { label::kOwner, ownerMark(ownProcess()) },
                        { label::kKept, spec.keep ? "1" : "0" } });
}

// A gateway may learn of a new sandbox a moment after the control plane has told of it.
Result<std::unique_ptr<ProcessStream>> E2bBackend::startRunner(const std::shared_ptr<Service>& service,
                                                               const Access& access,
                                                               const RunnerStart& runner)
{
    const auto deadline = steady_clock::now() + kFirstCalls;
    const auto isEarly = [&](const Error& error) {
        return steady_clock::now() < deadline
            && (error.code == Errc::Unavailable || error.code == Errc::NotFound
                || error.code == Errc::PermissionDenied);
    };
    while (true) {
        auto sent = service->upload(access, runner.bundlePath, runner.bundle);
        if (sent)
            break;
        if (!isEarly(sent.error()))
            return std::move(sent.error()).during("send the runner");
        std::this_thread::sleep_for(kFirstPause);
    }
    return ProcessStream::start(service, access, { "/bin/sh", runner.arguments });
}

// A request that failed may have made a sandbox all the same, of which only its metadata tells.
void E2bBackend::giveUp(Service& service, const std::string& session, const Error& why)
{
    const bool wasRefused = why.code != Errc::Timeout && why.code != Errc::Io && why.code != Errc::Corrupt
        && why.code != Errc::Unavailable;
    if (!wasRefused) {
        const auto made = service.list(label::kSession, session);
        bool areGone = static_cast<bool>(made);
        for (const Listed& each : made ? *made : std::vector<Listed>())
            areGone = service.kill(each.id) && areGone;
        if (!areGone)
            return; // its record stays, so that it is looked for
    }
    m_shared->records.remove(service.connection().name, session);
}

Result<std::unique_ptr<Sandbox>> E2bBackend::start(const SandboxSpec& spec)
{
    if (auto checked = checkSpec(spec); !checked)
        return std::move(checked.error());
    auto runner = runnerStart(spec);
    if (!runner)
        return std::move(runner.error());
    auto found = service(spec.connection);
    if (!found)
        return std::move(found.error());
    const std::shared_ptr<Service>& service = *found;
    const Connection& connection = service->connection();
    if (auto noted = m_shared->records.write(
            { connection.name, spec.session.value, spec.project, ownerMark(ownProcess()) });
        !noted)
        return std::move(noted.error());
    auto access = service->create(metadata(spec), connection.time);
    if (!access) {
        giveUp(*service, spec.session.value, access.error());
        Error error = Error(access.error()).during("connection \"" + connection.name + "\"");
        if (error.code == Errc::Unavailable)
            error.message += ". See what is wrong with: sandglass connection check " + connection.name;
        return error;
    }
    RemoteParts parts;
    parts.service = service;
    parts.access = *access;
    parts.session = spec.session.value;
    parts.lease = std::make_shared<Lease>(service, access->id, connection.time);
    parts.isKept = spec.keep;
    parts.keptFor = spec.orphanTimeout;
    auto stream = startRunner(service, *access, *runner);
    if (!stream) {
        if (service->kill(access->id))
            m_shared->records.remove(connection.name, spec.session.value);
        return std::move(stream.error())
            .during("start the runner in sandbox " + remoteName(connection.name, access->id));
    }
    parts.stream = std::move(*stream);
    return std::unique_ptr<Sandbox>(std::make_unique<E2bSandbox>(m_shared, std::move(parts)));
}

// Records of sandboxes that have ended, by their time or by somebody else.
void E2bBackend::forgetEnded(const Connection& connection, const std::vector<Listed>& listed)
{
    for (const RemoteRecord& record : m_shared->records.all()) {
        const auto owner = parseOwnerMark(record.owner);
        const bool isThere = std::ranges::any_of(listed, [&](const Listed& each) {
            return each.metadata.stringOr(label::kSession, "") == record.session;
        });
        if (record.connection == connection.name && !isThere && (!owner || isGone(*owner)))
            m_shared->records.remove(record.connection, record.session);
    }
}

// Asks only the services that a record names: a machine that never used one reaches none.
Result<std::vector<FoundSandbox>> E2bBackend::find()
{
    std::set<std::string> wanted;
    for (const RemoteRecord& record : m_shared->records.all())
        wanted.insert(record.connection);
    std::vector<FoundSandbox> found;
    if (wanted.empty())
        return found;
    auto known = connections();
    if (!known)
        return std::move(known.error());
    for (const Connection& connection : *known) {
        if (!wanted.contains(connection.name))
            continue;
        auto asked = service(connection.name);
        if (!asked)
            return std::move(asked.error());
        const auto listed = (*asked)->list(label::kOurs, "1");
        if (!listed)
            return listed.error();
        for (const Listed& each : *listed)
            found.push_back(foundOf(connection, each));
        forgetEnded(connection, *listed);
    }
    return found;
}

std::string idIn(const FoundSandbox& found)
{
    return found.name.substr(std::min(found.connection.size() + 1, found.name.size()));
}

Result<std::unique_ptr<Sandbox>> E2bBackend::attach(const FoundSandbox& found)
{
    auto reached = service(found.connection);
    if (!reached)
        return std::move(reached.error());
    const std::shared_ptr<Service>& service = *reached;
    const std::string id = idIn(found);
    const auto now = service->info(id);
    if (!now)
        return Error(now.error()).during(found.name);
    if (now->metadata.stringOr(label::kSession, "") != found.session.value)
        return Error{ Errc::NotFound, found.name + " is not session " + found.session.value };
    const std::chrono::seconds time = service->connection().time;
    auto access = service->connect(id, time);
    if (!access)
        return std::move(access.error()).during(found.name);
    if (access->token.empty()
        || (access->trafficToken.empty() && service->connection().kind == ServiceKind::Kruise))
        if (auto more = service->renewed(*access))
            access = std::move(*more);
    auto arguments = runnerAttach(m_options.runnerFolder, found.session.value);
    if (!arguments)
        return std::move(arguments.error());
    auto stream = ProcessStream::start(service, *access, { "/bin/sh", *arguments });
    if (!stream)
        return std::move(stream.error()).during(found.name);
    (void)m_shared->records.write(
        { found.connection, found.session.value, found.project, ownerMark(ownProcess()) });
    RemoteParts parts;
    parts.service = service;
    parts.access = *access;
    parts.session = found.session.value;
    parts.lease = std::make_shared<Lease>(service, id, time);
    parts.stream = std::move(*stream);
    parts.isKept = found.kept;
    return std::unique_ptr<Sandbox>(std::make_unique<E2bSandbox>(m_shared, std::move(parts)));
}

Result<void> E2bBackend::remove(const FoundSandbox& found)
{
    auto reached = service(found.connection);
    if (!reached)
        return std::move(reached.error());
    const auto now = (*reached)->info(idIn(found));
    if (now && now->metadata.stringOr(label::kSession, "") != found.session.value)
        return Error{ Errc::NotFound, found.name + " is not session " + found.session.value };
    if (!now && now.error().code != Errc::NotFound)
        return now.error();
    if (auto killed = (*reached)->kill(idIn(found)); !killed)
        return killed;
    m_shared->records.remove(found.connection, found.session.value);
    return {};
}

Result<std::string> E2bBackend::pythonIdentity(const SandboxSpec& spec)
{
    auto reached = service(spec.connection);
    if (!reached)
        return std::move(reached.error());
    return Error{ Errc::Unsupported,
                  "\"requirements\" are not installed in a sandbox elsewhere: use a template that has them, "
                  "in place of "
                      + (*reached)->connection().sandboxTemplate };
}

} // namespace

std::unique_ptr<SandboxBackend> makeE2bBackend(E2bOptions options)
{
    return std::make_unique<E2bBackend>(std::move(options));
}

Result<ConnectionState> tryConnection(const Connection& connection,
                                      const std::function<Result<std::string>(const std::string&)>& key)
{
    Service service(connection, key);
    const auto latency = service.check();
    if (!latency)
        return latency.error();
    const auto listed = service.list(label::kOurs, "1");
    if (!listed)
        return listed.error();
    ConnectionState state{ *latency, {} };
    for (const Listed& each : *listed)
        state.sandboxes.push_back(foundOf(connection, each));
    if (auto templates = service.templates())
        state.templates = std::move(*templates);
    return state;
}

Result<void> endSandbox(const Connection& connection,
                        const std::function<Result<std::string>(const std::string&)>& key,
                        const std::string& name)
{
    const std::string before = connection.name + '/';
    const auto isPartOfId = [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
    };
    if (!name.starts_with(before) || name.size() == before.size()
        || !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(before.size()), name.end(), isPartOfId))
        return Error{ Errc::InvalidArgument,
                      "sandbox " + name + " is none of connection " + connection.name };
    return Service(connection, key).kill(name.substr(before.size()));
}

} // namespace sg::sandbox
