#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace sg::net {

// Return connected stream sockets, close-on-exec. Errc::Unavailable: nobody listens; NotFound; Timeout.
Result<Fd> connectUnixSocket(const std::filesystem::path& path); // shorter than 108 bytes
Result<Fd> connectTcp(const std::string& host, const std::string& port, std::chrono::milliseconds timeout);

} // namespace sg::net
