#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/engine/node_body.h"
#include "core/net/http_client.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
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
// Reads the settings of an http node. Errc::InvalidArgument names the wrong one.
Result<HttpChoice> readHttpChoice(const ValueMap& settings);

// Sends requests of one choice. Any thread, several at once.
class HttpAsker {
public:
    HttpAsker(std::shared_ptr<const NodeWorld> world, const std::shared_ptr<JqPrograms>& programs,
              HttpChoice choice);

    [[nodiscard]] const HttpChoice& choice() const { return m_choice; }
    // The answer's body (JSON, text or bytes), or all of it. The program is given `input`; without a program
    // `input` stands for what a program makes. `mayAsk` may object to the place ("api.test:443") that it
    // comes to; it may be empty. `id` tells the requests of one task apart.
    std::variant<Value, engine::Interrupted, engine::Failure>
    ask(const Value& input, engine::TaskContext& context,
        const std::function<Result<void>(const std::string& place)>& mayAsk = {}, const std::string& id = {});

private:
    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
    const HttpChoice m_choice;
    std::optional<std::size_t> m_program; // constant after construction
    net::HttpClient m_client;
};

std::unique_ptr<engine::NodeBody> makeHttpBody(std::shared_ptr<const NodeWorld> world,
                                               const std::shared_ptr<JqPrograms>& programs,
                                               HttpChoice choice);

} // namespace sg::nodes
