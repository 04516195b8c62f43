#include "core/servers/mcp/connection.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <utility>

namespace sg::servers {
namespace {

using mcp::rpcAnswer;
using mcp::rpcFailure;
using mcp::RpcMessage;
using Kind = RpcMessage::Kind;

constexpr std::size_t kMostCutText = 100'000;
constexpr std::chrono::minutes kMostAsking{ 60 };

Value toolValue(const mcp::Tool& tool)
{
    ValueMap map{ { "name", tool.name },
                  { "title", tool.title },
                  { "description", tool.description },
                  { "inputSchema", tool.inputSchema } };
    if (!tool.outputSchema.isNull())
        map.set("outputSchema", tool.outputSchema);
    map.set("annotations",
            Value::map({ { "readOnlyHint", tool.readOnly },
                         { "destructiveHint", tool.destructive },
                         { "idempotentHint", tool.idempotent },
                         { "openWorldHint", tool.openWorld } }));
    return Value(std::move(map));
}

Value textBlock(std::string text)
{
    return Value::map({ { "type", "text" }, { "text", std::move(text) } });
}

Value contentOf(const mcp::ToolResult& result)
{
    ValueMap map{ { "content", result.content }, { "isError", result.isError } };
    if (!result.structured.isNull())
        map.set("structuredContent", result.structured);
    return Value(std::move(map));
}

// The value with long texts cut: its fields stay, as a client that knows the tool's schema expects them.
Value withShortTexts(const Value& value, std::size_t most)
{
    if (value.isString())
        return value.asString().size() <= most ? value : Value(cutText(value.asString(), most) + " … [cut]");
    Value made = value;
    if (value.isList())
        for (Value& item : made.editList())
            item = withShortTexts(item, most);
    if (value.isMap())
        for (const auto& [key, item] : value.asMap())
            made.editMap().set(key, withShortTexts(item, most));
    return made;
}

// The part of a structured result that has room in a message; null: its very number of fields is too great.
Value fitting(const Value& structured, std::size_t room)
{
    for (const std::size_t most : { kMostCutText, std::size_t{ 2'000 }, std::size_t{ 100 } })
        if (Value made = withShortTexts(structured, most); toJson(made).size() <= room)
            return made;
    return {};
}

Value questionsOf(const mcp::ToolResult& result)
{
    ValueMap requests;
    for (const mcp::ToolQuestion& question : result.questions)
        requests.set(question.key,
                     Value::map({ { "method", "elicitation/create" },
                                  { "params",
                                    Value::map({ { "mode", "form" },
                                                 { "message", question.message },
                                                 { "requestedSchema", question.schema } }) } }));
    return Value::map({ { "resultType", "input_required" },
                        { "inputRequests", Value(std::move(requests)) },
                        { "requestState", result.state } });
}

Value complete(Value result, bool isModern, bool isList = false)
{
    if (!isModern)
        return result;
    result.editMap().set("resultType", "complete");
    if (isList) {
        result.editMap().set("ttlMs", 0);
        result.editMap().set("cacheScope", "private");
    }
    return result;
}

mcp::ToolAnswer readAnswer(const Value& value)
{
    const std::string action = value.stringOr("action", "cancel");
    return { action == "accept"        ? mcp::ToolAnswer::Action::Accept
                 : action == "decline" ? mcp::ToolAnswer::Action::Decline
                                       : mcp::ToolAnswer::Action::Cancel,
             value["content"] };
}

} // namespace

// The tools keep their results small; a result that is not is cut here, and says what is missing.
Value boundedResult(const mcp::ToolResult& result)
{
    Value made = contentOf(result);
    if (toJson(made).size() <= kMostResult)
        return made;
    mcp::ToolResult cut;
    cut.isError = result.isError;
    std::string note = "[cut: the result had more than " + std::to_string(kMostResult) + " bytes";
    cut.structured = fitting(result.structured, kMostResult / 2);
    if (cut.structured.isNull() && !result.structured.isNull())
        note += "; its structured part is left out";
    std::size_t room = kMostResult / 4;
    std::size_t left = 0;
    for (const Value& block : result.content) {
        const bool isText = block.stringOr("type", "") == "text";
        const Value kept = isText ? withShortTexts(block, kMostCutText) : block;
        const std::size_t size = toJson(kept).size();
        if (size > room) {
            ++left;
            continue;
        }
        room -= size;
        cut.content.push_back(kept);
    }
    if (left > 0)
        note += "; " + std::to_string(left) + " parts of it are left out";
    cut.content.push_back(textBlock(note + "]"));
    return contentOf(cut);
}

McpConnection::McpConnection(Offering& offering, std::string version, std::string thread)
    : m_offering(offering)
    , m_version(std::move(version))
    , m_thread(std::move(thread))
{
}

bool McpConnection::mayLast(const RpcMessage& message)
{
    return message.kind == Kind::Request
        && (message.method == "tools/call" || message.method == "subscriptions/listen");
}

std::string McpConnection::protocol()
{
    const std::lock_guard lock(m_mutex);
    return m_protocol;
}

void McpConnection::take(const RpcMessage& message, const Send& send, const std::stop_token& stop)
{
    if (message.kind == Kind::Notification) {
        if (message.method != "notifications/cancelled")
            return;
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_running.find(toJson(message.content["requestId"])); found != m_running.end())
            found->second.request_stop();
        return;
    }
    if (message.kind != Kind::Request) {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_asked.find(toJson(message.id)); found != m_asked.end())
            found->second.answer = message;
        m_answered.notify_all();
        return;
    }
    const std::string id = toJson(message.id);
    std::stop_source cancel;
    {
        const std::lock_guard lock(m_mutex);
        m_running.insert_or_assign(id, cancel);
    }
    const std::stop_callback forward(stop, [cancel]() mutable { cancel.request_stop(); });
    const RpcMessage reply = answer(message, send, cancel.get_token());
    {
        const std::lock_guard lock(m_mutex);
        m_running.erase(id);
    }
    // A cancelled request gets no answer at all; where everything ends, it gets one.
    if (!cancel.stop_requested() || stop.stop_requested())
        send(reply);
}

RpcMessage McpConnection::answer(const RpcMessage& request, const Send& send, const std::stop_token& stop)
{
    if (request.method == "initialize")
        return initialize(request);
    if (auto refused = refusal(request))
        return std::move(*refused);
    const bool isModern = request.content["_meta"].find(mcp::meta_key::kVersion) != nullptr;
    return dispatch(request, isModern, send, stop);
}

// The first request that is accepted fixes the era.
std::optional<RpcMessage> McpConnection::refusal(const RpcMessage& request)
{
    const std::lock_guard lock(m_mutex);
    if (m_era == Era::Handshake) {
        if (request.method == "server/discover")
            return rpcFailure(request.id, mcp::rpc_code::kNoMethod, "Method not found", request.method);
        return std::nullopt;
    }
    const Value& meta = request.content["_meta"];
    if (!meta[mcp::meta_key::kVersion].isString() || !meta[mcp::meta_key::kCapabilities].isMap()) {
        if (m_era == Era::Open && request.method == "ping")
            return std::nullopt;
        return rpcFailure(request.id, mcp::rpc_code::kInvalidParams,
                          "params._meta must be an object carrying the required '"
                              + std::string(mcp::meta_key::kVersion) + "' and '"
                              + std::string(mcp::meta_key::kCapabilities)
                              + "' envelope keys, or the connection begin with initialize");
    }
    const std::string& version = meta[mcp::meta_key::kVersion].asString();
    if (version != mcp::kModernVersion)
        return rpcFailure(request.id, mcp::rpc_code::kVersion, "Unsupported protocol version",
                          Value::map({ { "supported", Value::list({ Value(mcp::kModernVersion) }) },
                                       { "requested", version } }));
    m_era = Era::Modern;
    return std::nullopt;
}

RpcMessage McpConnection::initialize(const RpcMessage& request)
{
    const std::lock_guard lock(m_mutex);
    if (m_era == Era::Modern)
        return rpcFailure(request.id, mcp::rpc_code::kVersion, "This connection speaks without a handshake",
                          Value::map({ { "supported", Value::list({ Value(mcp::kModernVersion) }) },
                                       { "requested", request.content["protocolVersion"] } }));
    const std::string wanted = request.content.stringOr("protocolVersion", "");
    m_protocol = mcp::isHandshakeVersion(wanted) ? wanted : std::string(mcp::kHandshakeVersion);
    m_era = Era::Handshake;
    m_clientAsksPerson = request.content["capabilities"].find("elicitation") != nullptr;
    return rpcAnswer(
        request.id,
        Value::map({ { "protocolVersion", m_protocol },
                     { "capabilities",
                       Value::map({ { "tools", Value::map({ { "listChanged", false } }) },
                                    { "resources",
                                      Value::map({ { "listChanged", false }, { "subscribe", false } }) } }) },
                     { "serverInfo", serverInfo() },
                     { "instructions", m_offering.instructions() } }));
}

Value McpConnection::serverInfo() const
{
    return Value::map({ { "name", "sandglass" }, { "title", "Sandglass" }, { "version", m_version } });
}

RpcMessage McpConnection::discover(const RpcMessage& request)
{
    Value result =
        Value::map({ { "supportedVersions", Value::list({ Value(mcp::kModernVersion) }) },
                     { "capabilities",
                       Value::map({ { "tools", Value::map({ { "listChanged", false } }) },
                                    { "resources",
                                      Value::map({ { "listChanged", false }, { "subscribe", false } }) } }) },
                     { "instructions", m_offering.instructions() },
                     { "_meta", Value(ValueMap{ { Value(mcp::meta_key::kServer), serverInfo() } }) } });
    return rpcAnswer(request.id, complete(std::move(result), true, true));
}

RpcMessage McpConnection::dispatch(const RpcMessage& request, bool isModern, const Send& send,
                                   const std::stop_token& stop)
{
    const std::string& method = request.method;
    if (method == "server/discover" && isModern)
        return discover(request);
    if (method == "ping" && !isModern)
        return rpcAnswer(request.id, Value(ValueMap{}));
    if (method == "tools/list") {
        ValueList tools;
        for (const mcp::Tool& tool : m_offering.tools())
            tools.push_back(toolValue(tool));
        return rpcAnswer(request.id, complete(Value::map({ { "tools", std::move(tools) } }), isModern, true));
    }
    if (method == "tools/call")
        return call(request, isModern, send, stop);
    if (method == "resources/list")
        return listResources(request, isModern);
    if (method == "resources/templates/list")
        return rpcAnswer(request.id,
                         complete(Value::map({ { "resourceTemplates", Value::list() } }), isModern, true));
    if (method == "resources/read")
        return readResource(request, isModern);
    if (method == "subscriptions/listen" && isModern)
        return listen(request, send, stop);
    return rpcFailure(request.id, mcp::rpc_code::kNoMethod, "Method not found", method);
}

RpcMessage McpConnection::call(const RpcMessage& request, bool isModern, const Send& send,
                               const std::stop_token& stop)
{
    const Value& params = request.content;
    if (!params["name"].isString() || !(params["arguments"].isNull() || params["arguments"].isMap()))
        return rpcFailure(request.id, mcp::rpc_code::kInvalidParams,
                          "tools/call needs \"name\", a text, and \"arguments\", an object");
    ToolScene scene;
    scene.thread = m_thread;
    scene.stop = stop;
    const Value token = params["_meta"]["progressToken"];
    double last = -1;
    scene.progress = [&send, &last, token](double done, double total, const std::string& message) {
        if (token.isNull() || done <= last) // it must grow
            return;
        last = done;
        ValueMap told{ { "progressToken", token }, { "progress", done } };
        if (total > 0)
            told.set("total", total);
        if (!message.empty())
            told.set("message", message);
        send(mcp::rpcNotice("notifications/progress", Value(std::move(told))));
    };
    if (isModern) {
        scene.asksByResult = params["_meta"][mcp::meta_key::kCapabilities].find("elicitation") != nullptr;
        scene.state = params.stringOr("requestState", "");
        if (params["inputResponses"].isMap())
            for (const auto& [key, value] : params["inputResponses"].asMap())
                if (key.isString())
                    scene.answers.insert_or_assign(key.asString(), readAnswer(value));
    } else {
        const std::lock_guard lock(m_mutex);
        if (m_clientAsksPerson)
            scene.askPerson = [this, &send, stop](const mcp::ToolQuestion& question) {
                return askPerson(question, send, stop);
            };
    }
    const Value arguments = params["arguments"].isNull() ? Value(ValueMap{}) : params["arguments"];
    const mcp::ToolResult result = m_offering.call(params["name"].asString(), arguments, scene);
    if (!result.questions.empty())
        return rpcAnswer(request.id, questionsOf(result));
    return rpcAnswer(request.id, complete(boundedResult(result), isModern));
}

mcp::ToolAnswer McpConnection::askPerson(const mcp::ToolQuestion& question, const Send& send,
                                         const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    const std::string id = "ask-" + std::to_string(m_nextId++);
    const std::string key = toJson(Value(id));
    m_asked[key] = {};
    lock.unlock();
    send(mcp::rpcRequest(id, "elicitation/create",
                         Value::map({ { "mode", "form" },
                                      { "message", question.message },
                                      { "requestedSchema", question.schema } })));
    lock.lock();
    m_answered.wait_for(lock, stop, kMostAsking, [&] { return m_asked[key].answer.has_value(); });
    const Asked asked = std::move(m_asked[key]);
    m_asked.erase(key);
    if (!asked.answer || asked.answer->kind != Kind::Answer)
        return {};
    return readAnswer(asked.answer->content);
}

// Nothing that is offered changes while the program runs: the stream only stays open.
RpcMessage McpConnection::listen(const RpcMessage& request, const Send& send, const std::stop_token& stop)
{
    send(mcp::rpcNotice(
        "notifications/subscriptions/acknowledged",
        Value::map({ { "_meta", Value(ValueMap{ { Value(mcp::meta_key::kSubscription), request.id } }) } })));
    std::unique_lock lock(m_mutex);
    m_answered.wait(lock, stop, [] { return false; });
    return rpcFailure(request.id, -32000, "Connection closed");
}

RpcMessage McpConnection::listResources(const RpcMessage& request, bool isModern)
{
    auto page = m_offering.resources(request.content.stringOr("cursor", ""));
    if (!page)
        return rpcFailure(request.id,
                          page.error().code == Errc::InvalidArgument ? mcp::rpc_code::kInvalidParams
                                                                     : mcp::rpc_code::kInternal,
                          page.error().message);
    ValueMap result{ { "resources", std::move(page->resources) } };
    if (!page->next.empty())
        result.set("nextCursor", page->next);
    return rpcAnswer(request.id, complete(Value(std::move(result)), isModern, true));
}

RpcMessage McpConnection::readResource(const RpcMessage& request, bool isModern)
{
    const std::string uri = request.content.stringOr("uri", "");
    auto content = m_offering.read(uri);
    if (!content)
        return rpcFailure(request.id,
                          content.error().code == Errc::NotFound ? mcp::rpc_code::kInvalidParams
                                                                 : mcp::rpc_code::kInternal,
                          content.error().message, Value::map({ { "uri", uri } }));
    return rpcAnswer(
        request.id,
        complete(Value::map({ { "contents", Value::list({ std::move(*content) }) } }), isModern, true));
}

} // namespace sg::servers
