#pragma once

#include "core/mcp/wire.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sg::mcp {

struct HttpPlace {
    std::string url; // of the endpoint; nothing else is asked, redirects are not followed
    std::vector<std::pair<std::string, std::string>> headers; // of every request
    std::filesystem::path authorities{}; // of TLS, see HttpRequest
};

// A server behind an address ("streamable HTTP"): a POST for each message, answered by JSON or a stream of
// events.
std::unique_ptr<Wire> makeHttpWire(HttpPlace place);

// A value as a header can hold it: plain ASCII as it is, else "=?base64?…?=".
std::string headerText(const std::string& text);

} // namespace sg::mcp
