#pragma once

#include "core/mcp/server_process.h"
#include "core/mcp/wire.h"

#include <functional>
#include <memory>
#include <string>

namespace sg::mcp {

// A server that is a program: one message a line on its standard streams. `onStray` gets, on another thread,
// lines that are no messages, and notices that belong to no request; it may be empty.
std::unique_ptr<Wire> makeStdioWire(std::unique_ptr<ServerProcess> process,
                                    std::function<void(const std::string& line)> onStrayLine = {},
                                    std::function<void(const RpcMessage&)> onStrayNotice = {});

} // namespace sg::mcp
