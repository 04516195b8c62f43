#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::sandbox::egress {

// The host that a TLS client names in its first message.
struct TlsHello {
    enum class State { NeedsMore, Broken, Whole };
    State state = State::NeedsMore;
    bool hasName = false;
    std::string name; // in lower case
    bool isEncrypted = false; // there is an inner hello, for a host that only it knows
};

inline constexpr std::size_t kLongestHello = 65536;

// `bytes`: what has come so far. Broken: anything but one well-formed ClientHello at its start, and one that
// names two hosts. Pure.
TlsHello parseTlsHello(std::string_view bytes);

} // namespace sg::sandbox::egress
