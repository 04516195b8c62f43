#pragma once

#include "core/base/value.h"
#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sg::nodes {

// One request over HTTP to a host that this user allowed. No redirect is followed.
struct HttpChoice {
    std::string method;
    std::string url; // may be empty where the program makes it
    std::string program; // jq: {"url", "method", "query", "headers", "body"}, each in place of the setting
    std::vector<std::pair<std::string, std::string>> headers;
    std::string secret; // its name; "{secret}" in a header stands for it; empty: none
    std::string channel; // takes the answer's body; empty: the body is the update
    bool takesAll = false; // the answer is {"status", "headers", "body"}, also where the status is an error
    std::size_t mostBytes = 0;
    std::chrono::milliseconds timeout{ 0 };
};
std::unique_ptr<engine::NodeBody> makeHttpBody(std::shared_ptr<const NodeWorld> world,
                                               std::shared_ptr<JqPrograms> programs, HttpChoice choice);

} // namespace sg::nodes
