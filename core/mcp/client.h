#pragma once

#include "core/mcp/tools.h"
#include "core/mcp/wire.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::mcp {

struct ServerInfo {
    std::string name;
    std::string version;
    std::string protocol; // "2025-11-25"
    std::string instructions; // untrusted text
    bool isModern = false;
    bool hasTools = true; // it says that it has some
    bool hasResources = false;
};

struct ToolList {
    std::vector<Tool> tools;
    std::vector<std::string> notes; // what was left out, and why, for people
};

struct ResourceList {
    ValueList resources;
    std::vector<std::string> notes; // as above
};

struct Progress {
    double done = 0;
    double total = 0; // 0: unknown
    std::string message;
};

// Asks a person. Called on the calling thread, and may take as long as the call has.
using AskPerson = std::function<ToolAnswer(const ToolQuestion&)>;

struct CallOptions {
    std::chrono::milliseconds timeout{ 60'000 };
    std::stop_token stop{};
    std::function<void(const Progress&)> onProgress{};
    // Empty: a modern server's questions are the call's result, and an older server's are declined.
    AskPerson askPerson{};
    // Goes on with a call that asked: an answer for each question by its key, and the state that it gave.
    std::map<std::string, ToolAnswer> answers{};
    std::string state{};
    bool hasState = false;
    std::string effect{}; // what this call is, for servers that recognise a repeated one; may be empty
};

struct ClientOptions {
    std::string version = "0";
    std::chrono::milliseconds probe{ 5'000 }; // for a server that does not know the first question
    std::chrono::milliseconds timeout{ 30'000 }; // for the beginning, lists and resources
    bool legacy = false; // the server is known to be of the handshake era
};

// A client of one server, in whichever era the server speaks. Any thread, several calls at once.
class Client {
public:
    // Agrees with the server on what both speak. Errc::Unsupported: there is nothing in common.
    static Result<std::unique_ptr<Client>> open(std::unique_ptr<Wire> wire, const ClientOptions& options,
                                                const std::stop_token& stop);

    [[nodiscard]] const ServerInfo& info() const { return m_info; }
    // All pages, cut at kMostTools and 32 MiB. Tools that are no tools are left out, and named.
    Result<ToolList> listTools(const std::stop_token& stop);
    // Errors of the tool, of the arguments and of an unknown name are results. Errc::Timeout, Cancelled,
    // Unavailable.
    Result<ToolResult> callTool(const Tool& tool, const Value& arguments, const CallOptions& options);
    Result<ResourceList> listResources(const std::stop_token& stop);
    Result<ValueList> readResource(const std::string& uri, const std::stop_token& stop);
    // The server said that its tools changed; false until it says so again.
    bool takeToolsChanged() { return m_toolsChanged.exchange(false); }
    void noteNotice(const RpcMessage& notice); // one that belongs to no request

private:
    Client(std::unique_ptr<Wire> wire, const ClientOptions& options);
    // False: it is of the handshake era, or has said nothing in that time.
    Result<bool> discover(std::chrono::milliseconds patience, const std::stop_token& stop);
    Result<void> shakeHands(const std::stop_token& stop);
    Result<RpcMessage> request(Ask ask, const CallOptions& options);
    struct ListAsk {
        std::string method;
        const char* key;
        std::size_t most; // entries
    };
    Result<void> listAll(const ListAsk& list, const std::stop_token& stop,
                         const std::function<void(const Value&)>& take, std::vector<std::string>& notes);
    Result<ToolResult> callOnce(const Tool& tool, const Value& arguments, const CallOptions& options);
    void takeInfo(const Value& result, const Value& server);

    const std::unique_ptr<Wire> m_wire;
    const ClientOptions m_options;
    ServerInfo m_info; // constant once open, also where a lost session is begun anew: any thread reads it
    bool m_isOpen = false; // the same
    std::mutex m_greeting; // while a lost session is begun anew
    std::atomic<bool> m_toolsChanged = false;
};

} // namespace sg::mcp
