#pragma once

#include "core/net/http_exchange.h"
#include "core/servers/e2b/agent_link.h"

namespace sg::servers::e2b {

// GET /files?path=…: the content of a file, in bounded memory.
void sendFile(net::HttpExchange& exchange, AgentLink& agent);
// POST /files: one file as it is (application/octet-stream), or files by multipart/form-data.
void takeFiles(net::HttpExchange& exchange, AgentLink& agent);
// A change in a watched folder, as the client has it.
Value changeOf(const Value& said);

} // namespace sg::servers::e2b
