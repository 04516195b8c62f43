#pragma once

#include "core/mcp/client.h"
#include "core/mcp/tools.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::servers {

inline constexpr std::size_t kMostResult = 900'000; // bytes of an answer: clients drop those above 1 MiB

// One call of a tool that is offered to other programs.
struct ToolScene {
    std::string thread; // for tools that keep something, where the call names none
    std::stop_token stop;
    std::function<void(double done, double total, const std::string& message)> progress; // never empty
    // Asks the client's person during the call. Empty: it cannot.
    mcp::AskPerson askPerson{};
    // The client takes questions as a result, and calls again with the answers and the state.
    bool asksByResult = false;
    std::map<std::string, mcp::ToolAnswer> answers{};
    std::string state{}; // as it was given, if it was; from outside, so it may be forged
};

struct ResourcePage {
    ValueList resources;
    std::string next; // cursor of the next page; empty: this was the last
};

// The tools and resources that a server of the Model Context Protocol offers. Any thread, several calls at
// once.
class Offering {
public:
    virtual ~Offering() = default;
    [[nodiscard]] virtual std::string instructions() const = 0;
    virtual std::vector<mcp::Tool> tools() = 0;
    // Errors are results, for a model to read.
    virtual mcp::ToolResult call(const std::string& tool, const Value& arguments, const ToolScene& scene) = 0;
    virtual Result<ResourcePage> resources(const std::string& cursor) = 0;
    // {"uri", "mimeType", "text" or "blob"}. Errc::NotFound.
    virtual Result<Value> read(const std::string& uri) = 0;
};

} // namespace sg::servers
