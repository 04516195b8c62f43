#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sg::mcp {

inline constexpr std::size_t kMostTools = 500; // of one server; a model is sent all of them with each call
inline constexpr std::size_t kMostToolBytes = 256U << 10; // of one tool's schemas and texts
inline constexpr std::size_t kLongestName = 64; // of a tool, as models and other programs take it

// A tool as its server describes it. All texts are the server's: they are shown, and are never a permission.
struct Tool {
    std::string name; // the server's own
    std::string title{};
    std::string description{};
    Value inputSchema{}; // an object
    Value outputSchema{}; // an object, or null
    // The server's own hints, with the protocol's defaults.
    bool readOnly = false;
    bool destructive = true;
    bool idempotent = false;
    bool openWorld = true;

    // Changes with whatever a person would have to look at again: name, texts and schemas.
    [[nodiscard]] std::string fingerprint() const;
};

// Errc::InvalidArgument says what is wrong with it; LimitExceeded: it is too large.
Result<Tool> parseTool(const Value& tool);

// A question of a tool to a person.
struct ToolQuestion {
    std::string key; // in the answers; empty where the question came by itself
    std::string message;
    Value schema{}; // of the answer, a flat object; null: it is a link
    std::string url{}; // a page to be opened by the person, or empty
};

struct ToolAnswer {
    enum class Action { Accept, Decline, Cancel };
    Action action = Action::Cancel;
    Value content{}; // an object, of an accepted one
};

// The result of a call. An error of the tool is a result too, for the model to read.
struct ToolResult {
    bool isError = false;
    ValueList content; // blocks as the protocol has them
    Value structured{}; // null: none
    // The tool wants to know something first: it is called again with the answers, and with this state.
    std::vector<ToolQuestion> questions{};
    std::string state{};
    bool hasState = false;

    // The blocks as one text: pictures and sounds are named by their kind and size, links by their address.
    [[nodiscard]] std::string text() const;
};

ToolResult failedCall(std::string text);
// A "tools/call" answer. Errc::InvalidArgument: it is none.
Result<ToolResult> parseToolResult(const Value& result);
// {"action", "content"}
Value answerValue(const ToolAnswer& answer);
// The question in the parameters of an "elicitation/create".
ToolQuestion parseQuestion(std::string key, const Value& params);

// A name under which a model may be told of a server's tool: "<server>_<tool>", of letters, digits, "_" and
// "-", at most 64. A name that is taken already gets a number; it never hides another tool.
std::string offeredName(std::string_view server, std::string_view tool, const std::set<std::string>& taken);

} // namespace sg::mcp
