#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::sandbox::egress {

// What a TLS client says first, as far as it names a host.
struct TlsHello {
    enum class State { NeedsMore, Broken, Whole };
    State state = State::NeedsMore;
    bool hasName = false;
    std::string name; // in lower case
    bool isEncrypted = false; // it says more within, to a host that nobody else can know
};

inline constexpr std::size_t kLongestHello = 65536;

// `bytes`: what has come so far. Anything but one well-formed ClientHello at its start is Broken; one that
// names two hosts, too. Pure.
TlsHello parseTlsHello(std::string_view bytes);

} // namespace sg::sandbox::egress
