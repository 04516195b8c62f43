#include "core/servers/e2b/sandboxes.h"

#include "core/base/hash.h"
#include "core/base/random_bytes.h"

#include <algorithm>
#include <condition_variable>

namespace sg::servers::e2b {
namespace {

constexpr std::chrono::seconds kUsualTime{ 300 };
constexpr std::chrono::milliseconds kSweep{ 500 };
constexpr std::size_t kMostMetadata = 64U << 10;

std::chrono::seconds timeOf(const Value& wish, const Quota& quota)
{
    const std::int64_t wished = wish.intOr("timeout", kUsualTime.count());
    return std::chrono::seconds(std::clamp<std::int64_t>(wished, 1, quota.longest.count()));
}

bool isTextMap(const Value& value)
{
    if (value.isNull())
        return true;
    if (!value.isMap())
        return false;
    std::size_t bytes = 0;
    for (const auto& [key, text] : value.asMap()) {
        if (!key.isString() || !text.isString())
            return false;
        bytes += key.asString().size() + text.asString().size();
    }
    return bytes <= kMostMetadata;
}

} // namespace

std::string randomHex(std::size_t bytes)
{
    std::string chance(bytes, '\0');
    fillRandomBytes(chance.data(), chance.size());
    return toHex(chance);
}

Result<std::shared_ptr<AgentLink>> Sandbox::reach()
{
    const std::lock_guard lock(mutex);
    if (isOver || isPaused)
        return Error{ Errc::Unavailable, "The sandbox was not found" };
    if (agent && !agent->isOver())
        return agent;
    auto opened = AgentLink::open(*session, environment);
    if (opened)
        agent = *opened;
    return opened;
}

void Sandbox::setEnd(WallTime end)
{
    endAt = std::min(end, runsSince + longest);
}

// Its client says how long a sandbox lives: what commands do is no use of a cell.
Result<sessions::SessionSpec> Sandboxes::spec() const
{
    auto made = m_spec();
    if (made)
        made->lifetime = {};
    return made;
}

Sandboxes::Sandboxes(sessions::SessionManager& sessions, SpecOf spec, const Clock& clock, int ready)
    : m_sessions(sessions)
    , m_spec(std::move(spec))
    , m_clock(clock)
    , m_sweeper([this](const std::stop_token& stop) { sweep(stop); })
{
    if (ready > 0)
        if (const auto pooled = this->spec())
            m_sessions.startAhead(*pooled, { ready, false });
}

Sandboxes::~Sandboxes()
{
    m_sweeper.request_stop();
    m_sweeper.join();
    for (const SandboxPtr& each : all())
        (void)kill(each);
}

Result<SandboxPtr> Sandboxes::create(const std::string& client, const Quota& quota, const Value& wish,
                                     const std::stop_token& stop)
{
    if (!isTextMap(wish["metadata"]) || !isTextMap(wish["envVars"]))
        return Error{ Errc::InvalidArgument, "metadata and envVars are objects of at most 64 KiB of texts" };
    {
        const std::lock_guard lock(m_mutex);
        const auto has =
            std::ranges::count_if(m_byId, [&](const auto& each) { return each.second->client == client; });
        if (has + m_starting[client] >= quota.sandboxes)
            return Error{ Errc::LimitExceeded,
                          "This key may have " + std::to_string(quota.sandboxes) + " sandboxes at once" };
        ++m_starting[client];
    }
    auto made = std::make_shared<Sandbox>();
    made->id = randomHex(10);
    made->client = client;
    made->templateId = wish.stringOr("templateID", "base");
    made->metadata = wish["metadata"].isNull() ? Value(ValueMap{}) : wish["metadata"];
    made->environment = wish["envVars"].isNull() ? Value(ValueMap{}) : wish["envVars"];
    made->token = randomHex(24);
    made->trafficToken = randomHex(24);
    made->contexts = std::make_unique<Contexts>(made->environment);
    made->pausesAtEnd = wish.boolOr("autoPause", false);
    auto spec = this->spec();
    auto session = spec ? m_sessions.acquire(ThreadId("e2b-" + made->id), *spec, stop)
                        : Result<std::shared_ptr<sessions::Session>>(spec.error());
    const std::lock_guard lock(m_mutex);
    --m_starting[client];
    if (!session)
        return std::move(session.error());
    made->session = std::move(*session);
    made->limits = spec->limits;
    made->longest = quota.longest;
    made->startedAt = m_clock.now();
    made->runsSince = made->startedAt;
    made->setEnd(made->startedAt + timeOf(wish, quota));
    made->session->noteTerminal("opened"); // while it lives, it makes no room for others
    m_byId.emplace(made->id, made);
    return made;
}

SandboxPtr Sandboxes::find(const std::string& client, const std::string& id)
{
    const SandboxPtr found = findAny(id);
    return found && found->client == client ? found : nullptr;
}

SandboxPtr Sandboxes::findAny(const std::string& id)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

std::vector<SandboxPtr> Sandboxes::all()
{
    std::vector<SandboxPtr> listed;
    const std::lock_guard lock(m_mutex);
    for (const auto& [id, each] : m_byId)
        listed.push_back(each);
    return listed;
}

std::vector<SandboxPtr> Sandboxes::ofClient(const std::string& client)
{
    std::vector<SandboxPtr> listed;
    for (SandboxPtr& each : all())
        if (each->client == client)
            listed.push_back(std::move(each));
    std::ranges::sort(listed, [](const SandboxPtr& a, const SandboxPtr& b) {
        return a->startedAt != b->startedAt ? a->startedAt > b->startedAt : a->id < b->id;
    });
    return listed;
}

Result<void> Sandboxes::kill(const SandboxPtr& sandbox)
{
    {
        const std::lock_guard lock(m_mutex);
        m_byId.erase(sandbox->id);
    }
    {
        const std::lock_guard lock(sandbox->mutex);
        if (std::exchange(sandbox->isOver, true))
            return {};
    }
    sandbox->contexts->end();
    sandbox->session->noteTerminal("closed");
    return m_sessions.stop(sandbox->session->info().id);
}

Result<void> Sandboxes::pause(const SandboxPtr& sandbox)
{
    const std::lock_guard lock(sandbox->mutex);
    if (sandbox->isPaused)
        return Error{ Errc::Conflict, "The sandbox is paused already" };
    if (auto paused = m_sessions.pause(sandbox->session->info().id); !paused)
        return paused;
    sandbox->isPaused = true;
    return {};
}

Result<bool> Sandboxes::resume(const SandboxPtr& sandbox, std::chrono::seconds time)
{
    const WallTime end = m_clock.now() + time;
    const std::lock_guard lock(sandbox->mutex);
    if (!sandbox->isPaused) {
        sandbox->setEnd(std::max(sandbox->endAt, end));
        return false;
    }
    if (auto resumed = m_sessions.unpause(sandbox->session->info().id); !resumed)
        return std::move(resumed.error());
    sandbox->isPaused = false;
    sandbox->runsSince = m_clock.now();
    sandbox->setEnd(end);
    return true;
}

void Sandboxes::setEnd(const SandboxPtr& sandbox, std::chrono::seconds fromNow, bool onlyLater)
{
    const WallTime end = m_clock.now() + fromNow;
    const std::lock_guard lock(sandbox->mutex);
    sandbox->setEnd(onlyLater ? std::max(sandbox->endAt, end) : end);
}

void Sandboxes::sweep(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, stop, kSweep, [&] { return stop.stop_requested(); })) {
        const WallTime now = m_clock.now();
        for (const SandboxPtr& each : all()) {
            each->contexts->pump();
            bool isDue = false;
            {
                const std::lock_guard its(each->mutex);
                isDue = !each->isPaused && each->endAt <= now;
            }
            if (each->session->info().state.hasEnded() || (isDue && !(each->pausesAtEnd && pause(each))))
                (void)kill(each);
        }
    }
}

} // namespace sg::servers::e2b
