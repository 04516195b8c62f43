#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sg::mcp {

// The program of a server: the two ends of its standard streams. One thread reads while others write, one at
// a time. The destructor ends it with all that it started: its input is closed first, so that it can end by
// itself.
class ServerProcess {
public:
    virtual ~ServerProcess() = default;
    // Returns at least one byte; 0 at the end; Errc::Timeout.
    virtual Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) = 0;
    // All of it. Errc::Unavailable: it is gone, or takes nothing for half a minute.
    virtual Result<void> write(std::string_view bytes) = 0;
    virtual void close() = 0; // any thread: its input ends, and a read that waits returns
    // The end of what it said on its standard error, printable.
    [[nodiscard]] virtual std::string lastWords() = 0;
};

struct ServerCommand {
    std::vector<std::string> words; // the program and its arguments
    std::vector<std::string> environment{}; // "NAME=value"
    std::string folder{}; // to work in
};

// Starts it on this machine, as this user, with nothing of our environment but what finds programs and the
// user's home. Only for what this user has allowed.
Result<std::unique_ptr<ServerProcess>> startOutside(const ServerCommand& command);

// Starts it as the one program of a sandbox of that spec, whose runner is resources/mcp; `runner` is
// resources/sandbox, which has the parts that both share.
Result<std::unique_ptr<ServerProcess>> startInSandbox(sandbox::SandboxBackend& backend,
                                                      sandbox::SandboxSpec spec,
                                                      const std::filesystem::path& runner,
                                                      const ServerCommand& command);

} // namespace sg::mcp
