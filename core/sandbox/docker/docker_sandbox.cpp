#include "core/sandbox/docker/docker_sandbox.h"

#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/sandbox/docker/oom_kills.h"

#include <algorithm>
#include <thread>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kRemovalPatience = 20s;
constexpr auto kLastWords = 500ms;
const std::string kKilled = "137"; // 128 + SIGKILL

} // namespace

Result<void> removeContainer(EngineApi& engine, const std::string& id)
{
    const auto deadline = std::chrono::steady_clock::now() + kRemovalPatience;
    auto pause = 2ms;
    while (true) {
        auto removed = engine.call("DELETE", "/containers/" + id + "?force=1&v=1");
        if (!removed && removed.error().code == Errc::NotFound)
            return {};
        // Podman answers so where the container is just ending by itself, or is slow.
        const bool isPassing = !removed
            && (removed.error().code == Errc::Conflict
                || removed.error().message.find("could not be stopped") != std::string::npos);
        if (!removed && (!isPassing || std::chrono::steady_clock::now() > deadline))
            return std::move(removed.error()).during("remove container " + id.substr(0, 12));
        // Removed, or being removed by another request: it is gone once the engine does not find it.
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, 100ms);
        if (removed && !engine.call("GET", "/containers/" + id + "/json"))
            return {};
    }
}

Result<JsonLines> followContainer(const EngineApi& engine, const std::string& id)
{
    auto stream = engine.follow("/events?" + engineFilters({ { "container", id }, { "type", "container" } }));
    if (!stream)
        return std::move(stream.error());
    return JsonLines(std::move(*stream));
}

DockerSandbox::DockerSandbox(std::shared_ptr<EngineApi> engine, ContainerChannels channels, bool kept)
    : m_engine(std::move(engine))
    , m_kept(kept)
    , m_socketTransport(channels.folder.has_value())
    , m_channels(std::move(channels))
{
}

DockerSandbox::~DockerSandbox()
{
    if (!m_kept || m_end != SandboxEnd::Running) {
        end();
        return;
    }
    stream().close();
    if (m_channels.folder)
        m_channels.folder->release();
}

void DockerSandbox::useSocket(Fd socket, pid_t runner, Fd runnerEnd)
{
    m_channels.socket = std::make_unique<DescriptorStream>(std::move(socket));
    m_channels.runner = runner;
    m_channels.runnerEnd = std::move(runnerEnd);
}

Result<Fd> DockerSandbox::openSessionFolder()
{
    const std::lock_guard lock(m_mutex);
    if (!m_channels.runnerEnd.isOpen())
        return Error{ Errc::Unsupported, "the container's folder cannot be seen from here" };
    return openFolderOfProcess(m_channels.runner, m_channels.runnerEnd.get(), "session");
}

ByteStream& DockerSandbox::stream()
{
    if (m_channels.socket)
        return *m_channels.socket;
    return *m_channels.attached;
}

void DockerSandbox::takeEvents()
{
    if (!m_channels.events)
        return;
    for (const Value& event : m_channels.events->take()) {
        const std::string action = event.stringOr("Action", event.stringOr("status", ""));
        if (action == "oom")
            ++m_oomKills;
        if (action == "kill")
            m_killed = true;
        if (action == "pause" || action == "unpause") // whoever asked for it
            m_paused = action == "pause";
        if ((action != "die" && action != "died") || m_end != SandboxEnd::Running)
            continue;
        // The first process died of a SIGKILL that was not requested from the engine: the kernel's, at the
        // memory limit.
        const std::string code = event["Actor"]["Attributes"].stringOr("exitCode", "");
        const bool memory = !m_killed && (m_oomKills > 0 || code == kKilled);
        m_end = memory ? SandboxEnd::OutOfMemory : SandboxEnd::Exited;
    }
}

// The connection for events ended without reporting the container's end.
void DockerSandbox::checkEngine()
{
    const auto found = m_engine->call("GET", "/containers/" + m_channels.id + "/json", {}, 5s);
    if (!found) {
        m_end = found.error().code == Errc::NotFound ? SandboxEnd::Exited : SandboxEnd::Lost;
        return;
    }
    if (!found->body["State"].boolOr("Running", false)) {
        m_end =
            found->body["State"].boolOr("OOMKilled", false) ? SandboxEnd::OutOfMemory : SandboxEnd::Exited;
        return;
    }
    auto events = followContainer(*m_engine, m_channels.id);
    if (events)
        m_channels.events.emplace(std::move(*events));
}

SandboxEnd DockerSandbox::state()
{
    const std::lock_guard lock(m_mutex);
    takeEvents();
    if (m_end == SandboxEnd::Running && m_channels.events && m_channels.events->ended())
        checkEngine();
    return m_end;
}

Result<ResourceSample> DockerSandbox::sample()
{
    {
        const std::lock_guard lock(m_mutex);
        takeEvents();
        if (m_end != SandboxEnd::Running)
            return Error{ Errc::NotFound, m_channels.name + " has ended" };
    }
    auto sample = [&] {
        const std::lock_guard lock(m_statsMutex);
        return m_stats.sample(*m_engine, m_channels.id);
    }();
    const std::lock_guard lock(m_mutex);
    takeEvents(); // events up to the time of the figures
    countOomKills();
    if (sample) {
        sample->oomKills = m_oomKills;
        if (sample->pidsLimit == 0)
            sample->pidsLimit = m_channels.pidsLimit;
    }
    return sample;
}

// Called with m_mutex held. Docker reports each kill as an event, Podman does not.
void DockerSandbox::countOomKills()
{
    if (m_engine->version().podman)
        m_oomKills = std::max(m_oomKills, oomKillsOf(m_channels.process, m_channels.id).value_or(0));
}

// Called with m_mutex held.
Result<void> DockerSandbox::changePause(bool paused)
{
    const std::string action = paused ? "pause" : "unpause";
    const auto done = m_engine->call("POST", "/containers/" + m_channels.id + '/' + action);
    if (done) {
        m_paused = paused;
        return {};
    }
    // The container may already be in that state: 409, and 500 from Podman.
    const auto found = m_engine->call("GET", "/containers/" + m_channels.id + "/json");
    if (found && found->body["State"].boolOr("Running", false)
        && found->body["State"].boolOr("Paused", false) == paused) {
        m_paused = paused;
        return {};
    }
    return Error(done.error()).during(action + ' ' + m_channels.name);
}

Result<void> DockerSandbox::pause()
{
    const std::lock_guard lock(m_mutex);
    return changePause(true);
}

Result<void> DockerSandbox::unpause()
{
    const std::lock_guard lock(m_mutex);
    return changePause(false);
}

bool DockerSandbox::isPaused()
{
    const std::lock_guard lock(m_mutex);
    takeEvents();
    return m_paused;
}

Result<void> DockerSandbox::setLimits(const Limits& limits)
{
    const std::lock_guard lock(m_mutex);
    auto updated = m_engine->call("POST", "/containers/" + m_channels.id + "/update",
                                  Value::map({ { "Memory", limits.memoryBytes },
                                               { "MemorySwap", limits.memoryBytes },
                                               { "NanoCpus", static_cast<std::int64_t>(limits.cpus * 1e9) },
                                               { "PidsLimit", limits.pids } }));
    if (!updated)
        return std::move(updated.error()).during("change the limits of " + m_channels.name);
    m_channels.pidsLimit = limits.pids;
    return {};
}

std::string DockerSandbox::lastWords()
{
    if (!m_channels.attached)
        return {};
    const std::lock_guard lock(m_mutex);
    // Its last output may arrive after the report of its end.
    if (m_socketTransport)
        m_channels.attached->receive(m_end == SandboxEnd::Running ? 0ms : kLastWords);
    std::string words = printableText(m_channels.attached->errors());
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    return words;
}

void DockerSandbox::end()
{
    stream().close();
    const std::lock_guard lock(m_mutex);
    takeEvents();
    if (m_end == SandboxEnd::Running)
        m_end = SandboxEnd::Stopped;
    if (m_removed)
        return;
    if (m_paused) // a paused container cannot be ended
        (void)changePause(false);
    auto removed = removeContainer(*m_engine, m_channels.id);
    if (!removed)
        logMessage(LogLevel::Warning, m_channels.name + ": " + removed.error().message);
    m_removed = static_cast<bool>(removed);
    m_channels.folder.reset();
}

} // namespace sg::sandbox
