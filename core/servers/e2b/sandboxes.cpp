#include "core/servers/e2b/sandboxes.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/random_bytes.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/writable_places.h"
#include "core/sessions/runner/runner_link.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <set>

namespace sg::servers::e2b {
namespace {

constexpr std::chrono::seconds kUsualTime{ 300 };
constexpr std::chrono::milliseconds kSweep{ 500 };
constexpr std::chrono::seconds kLookAgain{ 5 };
constexpr std::size_t kMostMetadata = 64U << 10;
constexpr std::size_t kMostGone = 2000;
constexpr int kFindingThreads = 8; // an engine takes a while for each
constexpr std::chrono::seconds kOrphanReserve{ 60 };
constexpr Millis kOrphanTime{ 3000 };
constexpr std::string_view kThread = "e2b-";
constexpr std::size_t kIdDigits = 20;

std::int64_t countOf(WallTime time)
{
    return time.time_since_epoch().count();
}

WallTime timeOf(const Value& record, const char* key)
{
    return WallTime(WallTime::duration(record.intOr(key, 0)));
}

// A time as the records of sessions keep it, to the millisecond: "2026-11-21T08:00:00.123".
std::string toMillis(const std::string& isoTime)
{
    constexpr std::size_t kSeconds = 19;
    return isoTime.size() > kSeconds && isoTime[kSeconds] == '.' ? isoTime.substr(0, kSeconds + 4)
                                                                 : isoTime.substr(0, kSeconds) + ".000";
}

bool isOurThread(const std::string& thread)
{
    return thread.size() == kThread.size() + kIdDigits && thread.starts_with(kThread)
        && thread.find_first_not_of("0123456789abcdef", kThread.size()) == std::string::npos;
}

// A container whose server never comes back ends by itself some time after it would have been ended. One that
// is paused in place of being ended waits for ever.
void tellOrphanTime(Sandbox& sandbox, WallTime now)
{
    const auto link = sandbox.session->link();
    std::int64_t seconds = 0;
    {
        const std::lock_guard lock(sandbox.mutex);
        if (!link || sandbox.isPaused || !sandbox.outlivesServer)
            return;
        if (!sandbox.pausesAtEnd)
            seconds = std::max<std::int64_t>(
                1, std::chrono::ceil<std::chrono::seconds>(sandbox.endAt - now + kOrphanReserve).count());
    }
    (void)link->ask({ { "op", "orphan" }, { "seconds", seconds } }, "orphan", kOrphanTime);
}

// True where the server that noted it lives, this one or another.
bool hasServer(const Value& record)
{
    const auto owner = sandbox::parseOwnerMark(record.stringOr("owner", ""));
    return owner && !sandbox::isGone(*owner);
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

Result<std::chrono::seconds> checkedTime(const Value& wish, std::chrono::seconds longest)
{
    if (wish.isNull())
        return std::min(kUsualTime, longest);
    const std::int64_t seconds = wish.isInt() ? wish.asInt() : -1;
    if (seconds < 0)
        return Error{ Errc::InvalidArgument, "A time is a number of seconds, and not negative" };
    if (seconds > longest.count())
        return Error{ Errc::InvalidArgument,
                      "A sandbox of this key may live for at most " + std::to_string(longest.count())
                          + " seconds; ask for less, or have the key's limit raised" };
    return std::chrono::seconds(seconds);
}

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

std::int64_t Sandbox::diskBytes() const
{
    const sessions::SessionInfo info = session->info();
    const bool isBound = info.storage == sessions::SessionStorage::Bind;
    const bool hasData = !isBound && info.datasets.kind() && sessions::stagesData(*info.datasets.kind());
    const std::int64_t bytes = sandbox::sizeOf(sandbox::writablePlaces(limits, isBound, hasData), "/session");
    return bytes > 0 ? bytes : limits.tmpfsBytes; // a folder of this machine may grow so far
}

void Sandbox::setEnd(WallTime end)
{
    endAt = std::min(end, runsSince + longest);
}

Value Sandbox::record()
{
    const std::lock_guard lock(mutex);
    return Value::map({ { "id", id },
                        { "client", client },
                        { "template", templateId },
                        { "metadata", metadata },
                        { "environment", environment },
                        { "token", token },
                        { "traffic_token", trafficToken },
                        { "started", countOf(startedAt) },
                        { "runs_since", countOf(runsSince) },
                        { "ends", countOf(endAt) },
                        { "longest", static_cast<std::int64_t>(longest.count()) },
                        { "pauses_at_end", pausesAtEnd },
                        { "paused", isPaused },
                        { "open_ports", hasOpenPorts },
                        { "outlives_server", outlivesServer },
                        { "session", session->info().id.value },
                        { "session_began", session->info().createdAt },
                        { "owner", sandbox::ownerMark(sandbox::ownProcess()) } });
}

SandboxPtr Sandbox::ofRecord(const Value& record)
{
    auto made = std::make_shared<Sandbox>();
    made->id = record.stringOr("id", "");
    made->client = record.stringOr("client", "");
    made->templateId = record.stringOr("template", "base");
    made->metadata = record["metadata"].isMap() ? record["metadata"] : Value(ValueMap{});
    made->environment = record["environment"].isMap() ? record["environment"] : Value(ValueMap{});
    made->token = record.stringOr("token", "");
    made->trafficToken = record.stringOr("traffic_token", "");
    made->startedAt = timeOf(record, "started");
    made->runsSince = timeOf(record, "runs_since");
    made->endAt = timeOf(record, "ends");
    made->longest = std::chrono::seconds(record.intOr("longest", 0));
    made->pausesAtEnd = record.boolOr("pauses_at_end", false);
    made->hasOpenPorts = record.boolOr("open_ports", false);
    made->isPaused = record.boolOr("paused", false);
    made->contexts = std::make_unique<Contexts>(made->environment);
    made->outlivesServer = true;
    return made;
}

// Its client says how long a sandbox lives: what commands do is no use of a cell.
Result<sessions::SessionSpec> Sandboxes::spec() const
{
    auto made = m_spec();
    if (!made)
        return made;
    made->lifetime = {};
    const auto backend = m_sessions.backendInfo(made->backend);
    made->keep = backend && sandbox::mayBeKept(backend->name) && !sandbox::diesWithProgram(backend->name);
    return made;
}

Sandboxes::Sandboxes(sessions::SessionManager& sessions, SpecOf spec, const Clock& clock,
                     const Options& options)
    : m_sessions(sessions)
    , m_spec(std::move(spec))
    , m_clock(clock)
    , m_records(options.records)
{
    findAgain();
    if (options.ready > 0)
        if (const auto pooled = this->spec())
            m_sessions.startAhead(*pooled, { options.ready, false });
    m_sweeper = std::jthread([this](const std::stop_token& stop) { sweep(stop); });
}

Sandboxes::~Sandboxes()
{
    m_sweeper.request_stop();
    m_sweeper.join();
    for (const SandboxPtr& each : all()) {
        each->contexts->end();
        if (each->outlivesServer && m_records.isKept())
            continue; // the manager lets go of its session
        each->session->noteTerminal(sessions::Session::Terminal::Closed);
        (void)m_sessions.stop(each->session->info().id); // its record tells the next server of it
    }
}

void Sandboxes::note(const SandboxPtr& sandbox)
{
    {
        const std::lock_guard lock(sandbox->mutex);
        if (sandbox->isOver)
            return;
    }
    if (auto saved = m_records.save(sandbox->id, sandbox->record()); !saved)
        logMessage(LogLevel::Warning, "a sandbox would not be found again: " + saved.error().message);
}

void Sandboxes::forget(const std::string& id, Gone gone)
{
    m_records.remove(id);
    const std::lock_guard lock(m_mutex);
    m_byId.erase(id);
    if (gone.why.empty())
        return;
    if (m_gone.size() >= kMostGone)
        m_gone.erase(m_gone.begin());
    m_gone[id] = std::move(gone);
}

std::string Sandboxes::whyGone(const std::string& client, const std::string& id)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_gone.find(id);
    return found == m_gone.end() || found->second.client != client ? std::string() : found->second.why;
}

Sandboxes::LeftSessions Sandboxes::leftSessions() const
{
    LeftSessions left;
    for (const sessions::SessionInfo& info : m_sessions.list())
        if (!info.state.hasEnded() && info.part.isThreads() && isOurThread(info.thread.value))
            left.emplace(info.thread.value, info);
    return left;
}

void Sandboxes::findAgain()
{
    const std::vector<Value> records = m_records.all();
    const LeftSessions left = leftSessions();
    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < std::min<int>(kFindingThreads, static_cast<int>(records.size())); ++i)
            threads.emplace_back([&] {
                for (std::size_t at = next++; at < records.size(); at = next++)
                    findAgain(records[at], left);
            });
    }
    std::set<std::string> known;
    for (const Value& record : records)
        known.insert(std::string(kThread) + record.stringOr("id", ""));
    for (const auto& [thread, info] : left) // whose server was killed before it told a client of it
        if (!known.contains(thread)
            && (info.state.is(sessions::SessionState::Kind::Kept)
                || info.state.is(sessions::SessionState::Kind::LeftBehind)))
            (void)m_sessions.stop(info.id);
    noteElsewhere(records);
}

// Takes up what belonged to a server that has ended since.
void Sandboxes::lookAgain()
{
    const std::vector<Value> records = m_records.all();
    std::optional<LeftSessions> left;
    for (const Value& record : records) {
        if (hasServer(record) || findAny(record.stringOr("id", "")))
            continue;
        if (!left)
            left = leftSessions();
        findAgain(record, *left);
    }
    noteElsewhere(records);
}

void Sandboxes::noteElsewhere(const std::vector<Value>& records)
{
    const std::string own = sandbox::ownerMark(sandbox::ownProcess());
    const auto now = static_cast<std::size_t>(std::ranges::count_if(
        records, [&](const Value& record) { return hasServer(record) && record["owner"] != Value(own); }));
    const std::size_t before = m_elsewhere.exchange(now);
    if (now > 0 && now != before)
        logMessage(LogLevel::Warning,
                   std::to_string(now) + (now == 1 ? " sandbox belongs" : " sandboxes belong")
                       + " to another server of this project; this one takes them up when that has ended");
}

void Sandboxes::findAgain(const Value& record, const LeftSessions& left)
{
    if (hasServer(record))
        return;
    const SandboxPtr sandbox = Sandbox::ofRecord(record);
    std::string why;
    if (!left.contains(std::string(kThread) + sandbox->id))
        why = record.boolOr("outlives_server", false) ? "it ended while no server had it"
                                                      : "it ended with the server that had it";
    else if (!sandbox->isPaused && !sandbox->pausesAtEnd && sandbox->endAt <= m_clock.now())
        why = "its time was over";
    else
        why = takeUp(sandbox, record);
    if (why.empty())
        return note(sandbox); // it is this server's now
    (void)m_sessions.stop(SessionId(record.stringOr("session", "")));
    forget(sandbox->id, { sandbox->client, why });
}

// Returns why it is lost; empty: it is here again.
std::string Sandboxes::takeUp(const SandboxPtr& sandbox, const Value& record)
{
    auto spec = this->spec();
    auto session = spec ? m_sessions.acquire(ThreadId(std::string(kThread) + sandbox->id), *spec)
                        : Result<std::shared_ptr<sessions::Session>>(spec.error());
    if (!session)
        return "it could not be taken up again: " + session.error().message;
    const sessions::SessionInfo info = (*session)->info();
    if (toMillis(info.createdAt) != toMillis(record.stringOr("session_began", "")))
        return "it did not answer any more, or the graph's settings had changed when the server began again";
    sandbox->session = std::move(*session);
    sandbox->limits = info.limits;
    sandbox->session->noteTerminal(sessions::Session::Terminal::Opened);
    const std::lock_guard lock(sandbox->mutex);
    if (sandbox->isPaused)
        if (auto paused = m_sessions.pause(info.id); !paused)
            sandbox->isPaused = false;
    const std::lock_guard all(m_mutex);
    m_byId.emplace(sandbox->id, sandbox);
    return {};
}

Result<void> Sandboxes::checkRoom(const std::string& client, const Quota& quota, std::int64_t memory)
{
    Quota& starting = m_starting.try_emplace(client, Quota{ 0, {}, 0 }).first->second;
    int has = starting.sandboxes;
    std::int64_t used = starting.memoryBytes;
    for (const auto& [id, each] : m_byId)
        if (each->client == client) {
            ++has;
            used += each->limits.memoryBytes;
        }
    if (has >= quota.sandboxes)
        return Error{ Errc::LimitExceeded,
                      "This key may have " + std::to_string(quota.sandboxes)
                          + " sandboxes at once; end one, or have the key's limit raised" };
    if (quota.memoryBytes > 0 && used + memory > quota.memoryBytes)
        return Error{ Errc::LimitExceeded,
                      "This key may use " + std::to_string(quota.memoryBytes >> 20)
                          + " MiB of memory; its sandboxes have " + std::to_string(used >> 20)
                          + " MiB, and another takes " + std::to_string(memory >> 20) + " MiB; end one" };
    ++starting.sandboxes;
    starting.memoryBytes += memory;
    return {};
}

Result<SandboxPtr> Sandboxes::create(const std::string& client, const Quota& quota, const Value& wish,
                                     const std::stop_token& stop)
{
    if (!isTextMap(wish["metadata"]) || !isTextMap(wish["envVars"]))
        return Error{ Errc::InvalidArgument, "metadata and envVars are objects of at most 64 KiB of texts" };
    const auto time = checkedTime(wish["timeout"], quota.longest);
    if (!time)
        return time.error();
    auto spec = this->spec();
    if (!spec)
        return std::move(spec.error());
    const std::int64_t memory = spec->limits.memoryBytes;
    {
        const std::lock_guard lock(m_mutex);
        if (auto room = checkRoom(client, quota, memory); !room)
            return std::move(room.error());
    }
    auto made = std::make_shared<Sandbox>();
    made->id = randomHex(kIdDigits / 2);
    made->client = client;
    made->templateId = wish.stringOr("templateID", "base");
    made->metadata = wish["metadata"].isNull() ? Value(ValueMap{}) : wish["metadata"];
    made->environment = wish["envVars"].isNull() ? Value(ValueMap{}) : wish["envVars"];
    made->token = randomHex(24);
    made->trafficToken = randomHex(24);
    made->contexts = std::make_unique<Contexts>(made->environment);
    made->pausesAtEnd = wish.boolOr("autoPause", false);
    made->outlivesServer = spec->keep;
    made->hasOpenPorts = wish["network"].boolOr("allowPublicTraffic", true);
    made->limits = spec->limits;
    made->longest = quota.longest;
    auto session = m_sessions.acquire(ThreadId(std::string(kThread) + made->id), *spec, stop);
    if (session) {
        made->session = std::move(*session);
        made->startedAt = m_clock.now();
        made->runsSince = made->startedAt;
        made->setEnd(made->startedAt + *time);
        made->session->noteTerminal(
            sessions::Session::Terminal::Opened); // while it lives, it makes no room for others
        note(made);
    }
    {
        const std::lock_guard lock(m_mutex);
        --m_starting[client].sandboxes;
        m_starting[client].memoryBytes -= memory;
        if (!session)
            return std::move(session.error());
        m_byId.emplace(made->id, made);
    }
    tellOrphanTime(*made, m_clock.now());
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

Result<void> Sandboxes::kill(const SandboxPtr& sandbox, const std::string& why)
{
    forget(sandbox->id, { sandbox->client, why });
    {
        const std::lock_guard lock(sandbox->mutex);
        if (std::exchange(sandbox->isOver, true))
            return {};
    }
    sandbox->contexts->end();
    sandbox->session->noteTerminal(sessions::Session::Terminal::Closed);
    return m_sessions.stop(sandbox->session->info().id);
}

Result<void> Sandboxes::pause(const SandboxPtr& sandbox)
{
    {
        const std::lock_guard lock(sandbox->mutex);
        if (sandbox->isPaused)
            return Error{ Errc::Conflict, "The sandbox is paused already" };
        if (auto paused = m_sessions.pause(sandbox->session->info().id); !paused)
            return paused;
        sandbox->isPaused = true;
    }
    note(sandbox);
    return {};
}

Result<bool> Sandboxes::resume(const SandboxPtr& sandbox, std::chrono::seconds time)
{
    const WallTime end = m_clock.now() + time;
    bool wasPaused = false;
    {
        const std::lock_guard lock(sandbox->mutex);
        wasPaused = sandbox->isPaused;
        if (wasPaused) {
            if (auto resumed = m_sessions.unpause(sandbox->session->info().id); !resumed)
                return std::move(resumed.error());
            sandbox->isPaused = false;
            sandbox->runsSince = m_clock.now();
        }
        sandbox->setEnd(wasPaused ? end : std::max(sandbox->endAt, end));
    }
    note(sandbox);
    tellOrphanTime(*sandbox, m_clock.now());
    return wasPaused;
}

void Sandboxes::setEnd(const SandboxPtr& sandbox, std::chrono::seconds fromNow, bool onlyLater)
{
    const WallTime end = m_clock.now() + fromNow;
    {
        const std::lock_guard lock(sandbox->mutex);
        sandbox->setEnd(onlyLater ? std::max(sandbox->endAt, end) : end);
    }
    note(sandbox);
    tellOrphanTime(*sandbox, m_clock.now());
}

void Sandboxes::sweep(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    auto looked = std::chrono::steady_clock::now();
    while (!ended.wait_for(lock, stop, kSweep, [&] { return stop.stop_requested(); })) {
        if (m_elsewhere > 0 && std::chrono::steady_clock::now() - looked >= kLookAgain) {
            lookAgain();
            looked = std::chrono::steady_clock::now();
        }
        const WallTime now = m_clock.now();
        for (const SandboxPtr& each : all()) {
            each->contexts->pump();
            bool isDue = false;
            {
                const std::lock_guard its(each->mutex);
                isDue = !each->isPaused && each->endAt <= now;
            }
            const sessions::SessionState state = each->session->info().state;
            if (state.hasEnded())
                (void)kill(each, "it ended by itself: " + std::string(state.why()));
            else if (isDue && !(each->pausesAtEnd && pause(each)))
                (void)kill(each, "its time was over");
        }
    }
}

} // namespace sg::servers::e2b
