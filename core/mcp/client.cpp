#include "core/mcp/client.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/models/json_schema.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sg::mcp {
namespace {

using Kind = RpcMessage::Kind;

constexpr int kMostPages = 200;
constexpr int kMostRounds = 10; // of questions in one call
constexpr int kMostAsked = 100; // by requests of the server's own during one call
constexpr std::size_t kMostResources = 10'000;
constexpr std::size_t kMostNotes = 20;
constexpr std::size_t kMostListBytes = 32U << 20; // of all pages of a list

Value withMeta(const Value& params, ValueMap meta)
{
    Value made = params.isMap() ? params : Value(ValueMap{});
    if (const Value* given = made.find("_meta"); given != nullptr && given->isMap())
        for (const auto& [key, value] : given->asMap())
            meta.set(key, value);
    made.editMap().set("_meta", Value(std::move(meta)));
    return made;
}

Value clientInfo(const ClientOptions& options)
{
    return Value::map({ { "name", "sandglass" }, { "version", options.version } });
}

Value capabilities(bool asksPerson)
{
    ValueMap known;
    if (asksPerson)
        known.set("elicitation", Value::map({ { "form", Value(ValueMap{}) } }));
    return Value(std::move(known));
}

RpcMessage answerTo(const RpcMessage& request, const CallOptions& options)
{
    if (request.method == "ping")
        return rpcAnswer(request.id, Value(ValueMap{}));
    if (request.method == "roots/list")
        return rpcAnswer(request.id, Value::map({ { "roots", Value::list() } }));
    if (request.method == "elicitation/create") {
        if (!options.askPerson)
            return rpcAnswer(request.id, answerValue({ ToolAnswer::Action::Decline, {} }));
        return rpcAnswer(request.id, answerValue(options.askPerson(parseQuestion({}, request.content))));
    }
    return rpcFailure(request.id, rpc_code::kNoMethod, "this client does not answer " + request.method);
}

} // namespace

Client::Client(std::unique_ptr<Wire> wire, const ClientOptions& options)
    : m_wire(std::move(wire))
    , m_options(options)
{
}

Result<std::unique_ptr<Client>> Client::open(std::unique_ptr<Wire> wire, const ClientOptions& options,
                                             const std::stop_token& stop)
{
    std::unique_ptr<Client> client(new Client(std::move(wire), options));
    const auto isModern = options.legacy ? Result<bool>(false) : client->discover(options.probe, stop);
    if (!isModern)
        return isModern.error();
    auto shaken = *isModern ? Result<void>() : client->shakeHands(stop);
    // A modern server that was slow to start has had the first question by now, and takes no handshake.
    if (!shaken && shaken.error().code == Errc::Unsupported && !options.legacy)
        if (const auto late = client->discover(options.timeout, stop); late && *late)
            shaken = {};
    if (!shaken)
        return std::move(shaken.error());
    client->m_isOpen = true;
    return client;
}

// A server of the handshake era refuses the question, or says nothing at all.
Result<bool> Client::discover(std::chrono::milliseconds patience, const std::stop_token& stop)
{
    m_info.isModern = true;
    m_info.protocol = kModernVersion;
    m_wire->settle(std::string(kModernVersion));
    Ask ask{ .method = "server/discover", .timeout = patience, .stop = stop };
    const auto answer = request(std::move(ask), {});
    m_info.isModern = false;
    if (!answer
        && (answer.error().code == Errc::Cancelled || answer.error().code == Errc::Unavailable
            || answer.error().code == Errc::PermissionDenied))
        return answer.error();
    if (!answer || answer->kind == Kind::Failure)
        return false;
    const Value& versions = answer->content["supportedVersions"];
    if (!versions.isList()
        || std::ranges::find(versions.asList(), Value(kModernVersion)) == versions.asList().end())
        return false;
    m_info.isModern = true;
    takeInfo(answer->content, answer->content["_meta"][meta_key::kServer]);
    return true;
}

Result<void> Client::shakeHands(const std::stop_token& stop)
{
    m_wire->settle({});
    // Servers may ask a person only if the client can; each call decides, so that is always claimed here.
    Ask ask{ "initialize",
             Value::map({ { "protocolVersion", kHandshakeVersion },
                          { "capabilities", capabilities(true) },
                          { "clientInfo", clientInfo(m_options) } }),
             {},
             m_options.timeout,
             stop,
             {},
             {} };
    const auto answer = m_wire->ask(ask);
    if (!answer)
        return answer.error();
    if (answer->kind == Kind::Failure)
        return Error{ Errc::Unsupported, "the server refused to begin: " + answer->message };
    const std::string version = answer->content.stringOr("protocolVersion", "");
    if (!isHandshakeVersion(version))
        return Error{ Errc::Unsupported,
                      "the server speaks revision \"" + cutText(version, 40)
                          + "\" of the protocol, which is not known here" };
    if (!m_isOpen) {
        m_info.protocol = version;
        takeInfo(answer->content, answer->content["serverInfo"]);
    }
    m_wire->settle(version);
    return m_wire->tell(rpcNotice("notifications/initialized", {}));
}

void Client::takeInfo(const Value& result, const Value& server)
{
    m_info.name = server.stringOr("name", "");
    m_info.version = server.stringOr("version", "");
    m_info.instructions = result.stringOr("instructions", "");
    m_info.hasTools = result["capabilities"].find("tools") != nullptr;
    m_info.hasResources = result["capabilities"].find("resources") != nullptr;
}

Result<RpcMessage> Client::request(Ask ask, const CallOptions& options)
{
    if (m_info.isModern)
        ask.params = withMeta(ask.params,
                              { { Value(meta_key::kVersion), Value(kModernVersion) },
                                { Value(meta_key::kClient), clientInfo(m_options) },
                                { Value(meta_key::kCapabilities), capabilities(true) } });
    int asked = 0;
    ask.onRequest = [&options, &asked](const RpcMessage& request) {
        if (request.method != "ping" && ++asked > kMostAsked)
            return rpcFailure(request.id, rpc_code::kInternal,
                              "this call has asked " + std::to_string(kMostAsked) + " times already");
        return answerTo(request, options);
    };
    const auto onNotice = std::move(ask.onNotice);
    ask.onNotice = [this, &onNotice](const RpcMessage& notice) {
        noteNotice(notice);
        if (onNotice)
            onNotice(notice);
    };
    auto answer = m_wire->ask(ask);
    if (answer || answer.error().code != Errc::NotFound || m_info.isModern)
        return answer;
    const std::lock_guard lock(m_greeting); // the server has forgotten the session: begin anew, once
    if (auto shaken = shakeHands(ask.stop); !shaken)
        return std::move(shaken.error());
    return m_wire->ask(ask);
}

void Client::noteNotice(const RpcMessage& notice)
{
    if (notice.method == "notifications/tools/list_changed")
        m_toolsChanged = true;
}

// Gives each entry to `take` as its page comes, so that no more than a page of them is held.
Result<void> Client::listAll(const ListAsk& list, const std::stop_token& stop,
                             const std::function<void(const Value&)>& take, std::vector<std::string>& notes)
{
    std::string cursor;
    std::size_t count = 0;
    std::size_t bytes = 0;
    const auto cut = [&notes](const std::string& what) {
        notes.push_back("the server " + what + "; the rest is left out");
        return Result<void>();
    };
    for (int page = 0; page < kMostPages; ++page) {
        Value params(ValueMap{});
        if (page > 0)
            params.editMap().set("cursor", cursor);
        const auto answer = request({ .method = list.method,
                                      .params = std::move(params),
                                      .timeout = m_options.timeout,
                                      .stop = stop },
                                    {});
        if (!answer)
            return answer.error();
        if (answer->kind == Kind::Failure)
            return Error{ answer->code == rpc_code::kNoMethod ? Errc::Unsupported : Errc::Io,
                          "the server refused " + list.method + ": " + answer->message };
        const Value& items = answer->content[list.key];
        if (!items.isList())
            return Error{ Errc::InvalidArgument, "the server answered " + list.method + " without a list" };
        for (const Value& item : items.asList()) {
            if (count == list.most)
                return cut("lists more than " + std::to_string(list.most));
            bytes += toJson(item).size();
            if (bytes > kMostListBytes)
                return cut("lists more than " + std::to_string(kMostListBytes >> 20) + " MiB");
            ++count;
            take(item);
        }
        std::string next = answer->content.stringOr("nextCursor", "");
        if (next.empty())
            return {};
        if (next == cursor)
            break;
        cursor = std::move(next);
    }
    notes.emplace_back("the server's list has no end; it is cut after " + std::to_string(count) + " entries");
    return {};
}

Result<ToolList> Client::listTools(const std::stop_token& stop)
{
    ToolList list;
    if (!m_info.hasTools)
        return list;
    m_toolsChanged = false;
    std::size_t refused = 0;
    const auto refuse = [&](const std::string& why) {
        if (++refused <= kMostNotes)
            list.notes.push_back(why);
    };
    std::set<std::string> known;
    const auto take = [&](const Value& item) {
        auto tool = parseTool(item);
        if (!tool)
            refuse(tool.error().message + "; it is left out");
        else if (!known.insert(tool->name).second)
            refuse("the tool \"" + tool->name + "\" is listed twice; the first one counts");
        else
            list.tools.push_back(std::move(*tool));
    };
    if (auto listed = listAll({ "tools/list", "tools", kMostTools }, stop, take, list.notes); !listed)
        return std::move(listed.error());
    if (refused > kMostNotes)
        list.notes.push_back("and " + std::to_string(refused - kMostNotes) + " more are left out");
    return list;
}

Result<ToolResult> Client::callOnce(const Tool& tool, const Value& arguments, const CallOptions& options)
{
    Value params = Value::map(
        { { "name", tool.name }, { "arguments", arguments.isNull() ? Value(ValueMap{}) : arguments } });
    if (!options.answers.empty() || options.hasState) {
        ValueMap answers;
        for (const auto& [key, answer] : options.answers)
            answers.set(key, answerValue(answer));
        params.editMap().set("inputResponses", Value(std::move(answers)));
        if (options.hasState)
            params.editMap().set("requestState", options.state);
    }
    if (!options.effect.empty())
        params.editMap().set("_meta", Value::map({ { meta_key::kEffect, options.effect } }));
    Ask ask{ .method = "tools/call",
             .params = std::move(params),
             .name = tool.name,
             .timeout = options.timeout,
             .stop = options.stop };
    if (options.onProgress) {
        ask.progress = true;
        ask.onNotice = [&options](const RpcMessage& notice) {
            if (notice.method != "notifications/progress")
                return;
            const auto number = [&](const char* key) {
                return notice.content[key].isNumber() ? notice.content[key].asDouble() : 0;
            };
            options.onProgress(
                { number("progress"), number("total"), notice.content.stringOr("message", "") });
        };
    }
    auto answer = request(std::move(ask), options);
    if (!answer)
        return std::move(answer.error());
    if (answer->kind == Kind::Failure)
        return failedCall(answer->message);
    auto result = parseToolResult(answer->content);
    if (!result || result->isError || !result->questions.empty() || tool.outputSchema.isNull())
        return result;
    if (const auto why = models::schemaMismatch(tool.outputSchema, result->structured))
        return failedCall("The tool's structured result does not match its own schema: " + *why);
    return result;
}

Result<ToolResult> Client::callTool(const Tool& tool, const Value& arguments, const CallOptions& options)
{
    if (const auto why =
            models::schemaMismatch(tool.inputSchema, arguments.isNull() ? Value(ValueMap{}) : arguments))
        return failedCall("The arguments do not match the schema of " + tool.name + ": " + *why);
    CallOptions round = options;
    for (int rounds = 0; rounds < kMostRounds; ++rounds) {
        auto result = callOnce(tool, arguments, round);
        if (!result || result->questions.empty() || !options.askPerson)
            return result;
        round.answers.clear();
        for (const ToolQuestion& question : result->questions)
            round.answers.insert_or_assign(question.key, options.askPerson(question));
        round.state = result->state;
        round.hasState = result->hasState;
    }
    return failedCall("The tool asked again and again; it was given up after " + std::to_string(kMostRounds)
                      + " rounds");
}

Result<ResourceList> Client::listResources(const std::stop_token& stop)
{
    ResourceList list;
    if (!m_info.hasResources)
        return list;
    const auto take = [&list](const Value& item) { list.resources.push_back(item); };
    if (auto listed = listAll({ "resources/list", "resources", kMostResources }, stop, take, list.notes);
        !listed)
        return std::move(listed.error());
    return list;
}

Result<ValueList> Client::readResource(const std::string& uri, const std::stop_token& stop)
{
    const auto answer = request({ .method = "resources/read",
                                  .params = Value::map({ { "uri", uri } }),
                                  .name = uri,
                                  .timeout = m_options.timeout,
                                  .stop = stop },
                                {});
    if (!answer)
        return answer.error();
    if (answer->kind == Kind::Failure)
        return Error{ Errc::NotFound, "the server has no resource " + uri + ": " + answer->message };
    const Value& contents = answer->content["contents"];
    return contents.isList() ? contents.asList() : ValueList();
}

} // namespace sg::mcp
