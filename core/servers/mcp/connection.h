#pragma once

#include "core/mcp/json_rpc.h"
#include "core/servers/mcp/offering.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::servers {

// A tool's result as a message: cut below kMostResult, with its structured part as far as that has room.
Value boundedResult(const mcp::ToolResult& result);

// Answers one client, in either era of the protocol; the first request decides which. Any thread: a call that
// takes its time does not keep others from being answered.
class McpConnection {
public:
    using Send = std::function<void(const mcp::RpcMessage&)>;

    // `thread`: for tools of this client that name none.
    McpConnection(Offering& offering, std::string version, std::string thread);

    // Answers a request by `send`, before it returns; what comes before the answer goes there too.
    void take(const mcp::RpcMessage& message, const Send& send, const std::stop_token& stop);
    // True for requests that may last: each is to be taken on a thread of its own.
    static bool mayLast(const mcp::RpcMessage& message);
    [[nodiscard]] std::string protocol(); // agreed by "initialize"; empty: not yet

private:
    enum class Era { Open, Handshake, Modern };
    struct Asked {
        std::optional<mcp::RpcMessage> answer;
    };

    mcp::RpcMessage answer(const mcp::RpcMessage& request, const Send& send, const std::stop_token& stop);
    mcp::RpcMessage initialize(const mcp::RpcMessage& request);
    std::optional<mcp::RpcMessage> refusal(const mcp::RpcMessage& request); // by its era
    mcp::RpcMessage discover(const mcp::RpcMessage& request);
    mcp::RpcMessage dispatch(const mcp::RpcMessage& request, bool isModern, const Send& send,
                             const std::stop_token& stop);
    mcp::RpcMessage call(const mcp::RpcMessage& request, bool isModern, const Send& send,
                         const std::stop_token& stop);
    mcp::RpcMessage listen(const mcp::RpcMessage& request, const Send& send, const std::stop_token& stop);
    mcp::RpcMessage listResources(const mcp::RpcMessage& request, bool isModern);
    mcp::RpcMessage readResource(const mcp::RpcMessage& request, bool isModern);
    mcp::ToolAnswer askPerson(const mcp::ToolQuestion& question, const Send& send,
                              const std::stop_token& stop);
    Value serverInfo() const;

    Offering& m_offering;
    const std::string m_version;
    const std::string m_thread;
    std::mutex m_mutex;
    std::condition_variable_any m_answered;
    // Guarded by m_mutex:
    Era m_era = Era::Open;
    std::string m_protocol;
    bool m_clientAsksPerson = false;
    std::map<std::string, std::stop_source> m_running; // requests by their ids as JSON
    std::map<std::string, Asked> m_asked; // our own requests
    std::int64_t m_nextId = 1;
};

} // namespace sg::servers
