#pragma once

#include "core/base/clock.h"
#include "core/mcp/client.h"
#include "core/mcp/server_settings.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sg::mcp {

// A tool under the name by which a model is told of it.
struct OfferedTool {
    std::string name; // see offeredName()
    std::string server;
    Tool tool;
};

struct Offer {
    std::vector<OfferedTool> tools;
    std::vector<std::string> notes; // what is missing and why, for people; printable
};

// The servers of one graph: each is started when it is first needed, shared by whoever calls it, and ends
// when nobody has for a while, or with this. A server that died is started again once, after a moment; one
// that dies again and again is left alone for a while. Any thread.
class ToolServers {
public:
    static constexpr std::chrono::milliseconds kIdle{ 300'000 };

    // Starts a server, or connects to it; `legacy`: it is begun as servers of the handshake era are.
    using Open = std::function<Result<std::unique_ptr<Client>>(const ServerSettings& server, bool legacy,
                                                               const std::stop_token& stop)>;
    // `idle`: how long a server is kept that nobody calls.
    ToolServers(std::vector<ServerSettings> servers, Open open, const Clock& clock,
                std::chrono::milliseconds idle = kIdle);
    ~ToolServers();
    ToolServers(const ToolServers&) = delete;
    ToolServers& operator=(const ToolServers&) = delete;

    [[nodiscard]] const std::vector<ServerSettings>& servers() const { return m_servers; }
    Result<ServerInfo> info(const std::string& server, const std::stop_token& stop);
    // The tools of these servers, or of all; a server that cannot be had is a note. `taken`: names that mean
    // something else already.
    Offer offer(const std::vector<std::string>& servers, std::set<std::string> taken,
                const std::stop_token& stop);
    // The tools of one server, as it names them.
    Result<ToolList> list(const std::string& server, const std::stop_token& stop);
    // Whatever goes wrong but a stop is a result that says so: a model reads it, and can go on.
    Result<ToolResult> call(const std::string& server, const Tool& tool, const Value& arguments,
                            const CallOptions& options);

private:
    struct Place;
    class Turn;
    Result<std::shared_ptr<Client>> connect(Place& place, const std::stop_token& stop);
    Result<std::shared_ptr<Client>> connectInTurn(Place& place, const std::stop_token& stop);
    std::shared_ptr<Client> connected(Place& place);
    Result<std::unique_ptr<Client>> start(Place& place, bool& isLegacy, const std::stop_token& stop);
    Result<ToolList> listed(Place& place, const std::shared_ptr<Client>& client, const std::stop_token& stop);
    Place* find(const std::string& server);
    // `error`: of what the client was asked for; null: it was answered.
    void leave(Place& place, const std::shared_ptr<Client>& client, const Error* error);
    void endIdle(const std::stop_token& stop);

    const std::vector<ServerSettings> m_servers;
    const Open m_open;
    const Clock& m_clock;
    const std::chrono::milliseconds m_idle;
    std::map<std::string, std::unique_ptr<Place>, std::less<>> m_places; // constant after construction
    std::mutex m_sleepMutex;
    std::condition_variable_any m_wakes;
    std::jthread m_keeper; // ends servers that nobody calls; last, because it uses all of the above
};

} // namespace sg::mcp
