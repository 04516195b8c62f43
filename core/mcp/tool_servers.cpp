#include "core/mcp/tool_servers.h"

#include "core/base/printable.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sg::mcp {
namespace {

constexpr int kMostDeaths = 3; // one after another
constexpr std::chrono::seconds kRest{ 30 }; // after so many
constexpr std::chrono::milliseconds kBackoff{ 500 };
constexpr std::chrono::seconds kFresh{ 60 }; // of a list of tools: not every server tells that it changed

std::string oneLine(std::string text)
{
    text = printableText(text);
    std::ranges::replace(text, '\n', ' ');
    return text;
}

} // namespace

struct ToolServers::Place {
    explicit Place(const ServerSettings& its)
        : settings(its)
    {
    }
    const ServerSettings& settings;
    std::mutex mutex; // never held while the server is waited for
    std::condition_variable_any freed;
    // Guarded by mutex:
    bool isBusy = false; // somebody starts it, or lists its tools
    std::shared_ptr<Client> client;
    std::optional<ToolList> tools;
    SteadyTime toolsAt{};
    int callers = 0;
    SteadyTime lastCall{};
    int deaths = 0;
    SteadyTime lastDeath{};
    Error lastError{ Errc::Unavailable, {} };
    bool isLegacy = false;
};

// One caller at a time starts a server or lists its tools; others wait for that as long as they like.
class ToolServers::Turn {
public:
    // False: stopped.
    bool take(Place& place, const std::stop_token& stop)
    {
        std::unique_lock lock(place.mutex);
        if (!place.freed.wait(lock, stop, [&place] { return !place.isBusy; }))
            return false;
        place.isBusy = true;
        m_place = &place;
        return true;
    }
    Turn() = default;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn()
    {
        if (m_place == nullptr)
            return;
        const std::lock_guard lock(m_place->mutex);
        m_place->isBusy = false;
        m_place->freed.notify_all();
    }

private:
    Place* m_place = nullptr;
};

ToolServers::ToolServers(std::vector<ServerSettings> servers, Open open, const Clock& clock,
                         std::chrono::milliseconds idle)
    : m_servers(std::move(servers))
    , m_open(std::move(open))
    , m_clock(clock)
    , m_idle(idle)
{
    for (const ServerSettings& server : m_servers)
        m_places.emplace(server.name, std::make_unique<Place>(server));
    m_keeper = std::jthread([this](const std::stop_token& stop) { endIdle(stop); });
}

ToolServers::~ToolServers() = default;

void ToolServers::endIdle(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_sleepMutex);
            m_wakes.wait_for(lock, stop, m_idle / 4, [] { return false; });
        }
        for (const auto& [name, place] : m_places) {
            const std::unique_lock lock(place->mutex, std::try_to_lock); // else it is in use
            if (!lock || !place->client || place->callers > 0 || m_clock.steady() - place->lastCall < m_idle)
                continue;
            place->client.reset();
            place->tools.reset();
        }
    }
}

ToolServers::Place* ToolServers::find(const std::string& server)
{
    const auto found = m_places.find(server);
    return found == m_places.end() ? nullptr : found->second.get();
}

// Some older servers end at a question that they do not know.
Result<std::unique_ptr<Client>> ToolServers::start(Place& place, bool& isLegacy, const std::stop_token& stop)
{
    auto client = m_open(place.settings, isLegacy, stop);
    if (client || isLegacy || client.error().code != Errc::Unavailable || !place.settings.url.empty())
        return client;
    auto again = m_open(place.settings, true, stop);
    if (!again)
        return client;
    isLegacy = true;
    return again;
}

// The client is in use from now on, until leave().
Result<std::shared_ptr<Client>> ToolServers::connect(Place& place, const std::stop_token& stop)
{
    if (auto client = connected(place))
        return client;
    Turn turn;
    if (!turn.take(place, stop))
        return Error{ Errc::Cancelled, "it was stopped" };
    if (auto client = connected(place)) // meanwhile
        return client;
    return connectInTurn(place, stop);
}

// Null: it has to be started.
std::shared_ptr<Client> ToolServers::connected(Place& place)
{
    const std::lock_guard lock(place.mutex);
    place.lastCall = m_clock.steady();
    if (place.client)
        ++place.callers;
    return place.client;
}

Result<std::shared_ptr<Client>> ToolServers::connectInTurn(Place& place, const std::stop_token& stop)
{
    int deaths = 0;
    bool isLegacy = false;
    {
        const std::lock_guard lock(place.mutex);
        if (place.deaths >= kMostDeaths) {
            if (m_clock.steady() - place.lastDeath < kRest)
                return Error{ Errc::Unavailable,
                              "it failed " + std::to_string(place.deaths) + " times and is left alone for "
                                  + std::to_string(kRest.count())
                                  + " s; at last: " + place.lastError.message };
            place.deaths = kMostDeaths - 1; // one more try
        }
        deaths = place.deaths;
        isLegacy = place.isLegacy;
    }
    if (deaths > 0)
        m_clock.sleep(kBackoff * deaths);
    auto client = start(place, isLegacy, stop);
    const std::lock_guard lock(place.mutex);
    place.isLegacy = isLegacy;
    if (!client) {
        if (client.error().code != Errc::Cancelled && client.error().code != Errc::PermissionDenied) {
            ++place.deaths;
            place.lastDeath = m_clock.steady();
            place.lastError = client.error();
        }
        return std::move(client.error());
    }
    place.client = std::move(*client);
    ++place.callers;
    return place.client;
}

void ToolServers::leave(Place& place, const std::shared_ptr<Client>& client, const Error* error)
{
    const std::lock_guard lock(place.mutex);
    --place.callers;
    place.lastCall = m_clock.steady();
    if (error == nullptr || place.client != client)
        return;
    if (error->code == Errc::PermissionDenied) // its secret may have changed
        place.client.reset();
    if (error->code != Errc::Unavailable)
        return;
    place.client.reset();
    ++place.deaths;
    place.lastDeath = m_clock.steady();
    place.lastError = { Errc::Unavailable, "it ended during a call" };
}

Result<ServerInfo> ToolServers::info(const std::string& server, const std::stop_token& stop)
{
    Place* const place = find(server);
    if (place == nullptr)
        return Error{ Errc::NotFound, "the graph names no MCP server \"" + server + "\"" };
    auto client = connect(*place, stop);
    if (!client)
        return std::move(client.error());
    auto info = (*client)->info();
    leave(*place, *client, nullptr);
    return info;
}

Result<ToolList> ToolServers::list(const std::string& server, const std::stop_token& stop)
{
    Place* const place = find(server);
    if (place == nullptr)
        return Error{ Errc::NotFound, "the graph names no MCP server \"" + server + "\"" };
    auto client = connect(*place, stop);
    if (!client)
        return std::move(client.error());
    auto tools = listed(*place, *client, stop);
    leave(*place, *client, tools ? nullptr : &tools.error());
    return tools;
}

Result<ToolList> ToolServers::listed(Place& place, const std::shared_ptr<Client>& client,
                                     const std::stop_token& stop)
{
    Turn turn;
    if (!turn.take(place, stop))
        return Error{ Errc::Cancelled, "it was stopped" };
    {
        const std::lock_guard lock(place.mutex);
        const bool isFresh =
            place.tools && place.client == client && m_clock.steady() - place.toolsAt < kFresh;
        if (!client->takeToolsChanged() && isFresh)
            return *place.tools;
    }
    auto tools = client->listTools(stop);
    if (!tools)
        return tools;
    const std::vector<std::string>& chosen = place.settings.tools;
    if (!chosen.empty()) {
        std::erase_if(tools->tools,
                      [&](const Tool& tool) { return std::ranges::find(chosen, tool.name) == chosen.end(); });
        for (const std::string& name : chosen)
            if (std::ranges::find(tools->tools, name, &Tool::name) == tools->tools.end())
                tools->notes.push_back("the server has no tool \"" + name + "\"");
    }
    const std::lock_guard lock(place.mutex);
    place.deaths = 0;
    place.tools = *tools;
    place.toolsAt = m_clock.steady();
    return tools;
}

Offer ToolServers::offer(const std::vector<std::string>& servers, std::set<std::string> taken,
                         const std::stop_token& stop)
{
    Offer offer;
    const auto add = [&](const std::string& server) {
        auto tools = list(server, stop);
        if (!tools) {
            offer.notes.push_back(oneLine("MCP server " + server + ": " + tools.error().message));
            return;
        }
        for (const std::string& note : tools->notes)
            offer.notes.push_back(oneLine("MCP server " + server + ": " + note));
        for (Tool& tool : tools->tools) {
            std::string name = offeredName(server, tool.name, taken);
            taken.insert(name);
            offer.tools.push_back({ std::move(name), server, std::move(tool) });
        }
    };
    if (!servers.empty())
        std::ranges::for_each(servers, add);
    else
        for (const ServerSettings& server : m_servers)
            add(server.name);
    return offer;
}

Result<ToolResult> ToolServers::call(const std::string& server, const Tool& tool, const Value& arguments,
                                     const CallOptions& options)
{
    Place* const place = find(server);
    if (place == nullptr)
        return failedCall("The graph names no MCP server \"" + server + "\"");
    auto client = connect(*place, options.stop);
    if (!client && client.error().code == Errc::Cancelled)
        return std::move(client.error());
    if (!client)
        return failedCall("The MCP server " + server + " cannot be used: " + client.error().message);
    auto result = (*client)->callTool(tool, arguments, options);
    leave(*place, *client, result ? nullptr : &result.error());
    if (result || result.error().code == Errc::Cancelled)
        return result;
    return failedCall("The call of " + tool.name + " failed: " + result.error().message);
}

} // namespace sg::mcp
