#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::net {

struct HttpHeadLimits {
    std::size_t bytes = 16384; // of the whole head
    std::size_t target = 4096;
    std::size_t headers = 64;
};

// The checked head of a request. Heads that two programs could read differently are refused: bare line feeds,
// folded lines, two lengths, a length together with an encoding, spaces before a colon.
struct HttpHead {
    std::string method;
    std::string target; // visible ASCII
    int minor = 1; // of HTTP/1.x
    std::vector<std::pair<std::string, std::string>> headers; // names in lower case, values trimmed
    std::optional<std::uint64_t> contentLength;
    bool isChunked = false;

    [[nodiscard]] const std::string* find(std::string_view name) const; // null if it is absent
    [[nodiscard]] bool keepsAlive() const;
};

struct HttpHeadResult {
    enum class State { NeedsMore, Whole, Refused };
    State state = State::NeedsMore;
    std::size_t size = 0; // Whole: how many bytes the head has
    int status = 0; // Refused: 400, 414, 431, 501 or 505
    const char* why = ""; // Refused: for people
};

// `text` is what has arrived so far. A pure function.
HttpHeadResult parseHttpHead(std::string_view text, HttpHead& head, const HttpHeadLimits& limits = {});

} // namespace sg::net
