#pragma once

#include "core/net/http_head.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::net {

enum class HostVerdict { Fine, ForeignHost, ForeignOrigin };

// Tells whether a browser was led here by a page that is none of ours: by a name of its own for this address
// (Host), or from its own pages (Origin, Sec-Fetch-Site). `port` is the server's; `hosts` are accepted
// besides this machine's loopback: "artifacts.example.com".
HostVerdict checkHost(const HttpHead& request, std::uint16_t port, const std::vector<std::string>& hosts);

} // namespace sg::net
