#include "core/nodes/agent_services.h"

#include "core/base/hmac.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/mcp/tool_servers.h"
#include "core/models/base_url.h"
#include "core/models/json_schema.h"
#include "core/nodes/tool_node.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::nodes {
namespace {

using agents::Tool;
using agents::ToolCall;
using agents::ToolOutcome;
using agents::ToolStatus;
using engine::Failure;
using engine::TaskContext;

constexpr std::size_t kMostPicture = 5U << 20; // base64 of one, as models take it
constexpr std::size_t kMostPictures = 20; // of one result

// The schema with what models demand of one.
Value objectSchema(Value schema)
{
    if (schema.find("type") == nullptr)
        schema.editMap().set("type", "object");
    if (!schema["properties"].isMap())
        schema.editMap().set("properties", Value(ValueMap()));
    return schema;
}

// "api.test:443"; empty: the address cannot be read.
std::string placeOf(const std::string& url)
{
    const auto base = models::parseBaseUrl(url.substr(0, url.find_first_of("?#")));
    return base ? base->place() : std::string();
}

class ServerToolSource final : public agents::ToolSource {
public:
    ServerToolSource(std::shared_ptr<const NodeWorld> world, std::shared_ptr<const AgentResults> results,
                     const ToolEntry& entry)
        : m_world(std::move(world))
        , m_results(std::move(results))
        , m_entry(entry)
        , m_from(std::get<ServerTools>(entry.from))
    {
    }

    [[nodiscard]] bool isNamedByOthers() const override { return m_entry.name.empty(); }

    agents::ListedTools list(TaskContext& task, const std::set<std::string>& taken) override
    {
        const std::string who = "MCP server " + m_from.server + ": ";
        if (!m_world->toolServers)
            return toolFailure("ValueError", who + "the graph names no servers in \"mcp\"");
        auto told = m_world->toolServers->list(m_from.server, task.stopToken());
        if (!told)
            return toolFailure(typeOf(told.error().code), who + told.error().message,
                               told.error().code == Errc::Unavailable || told.error().code == Errc::Timeout);
        for (const std::string& note : told->notes)
            task.log(TaskContext::Stream::Event, printableText(who + note));
        std::vector<Tool> tools;
        std::set<std::string> names = taken;
        const std::lock_guard lock(m_mutex);
        for (mcp::Tool& each : told->tools)
            if (m_from.tool.empty() || each.name == m_from.tool) {
                tools.push_back(toolOf(each, names));
                m_tools.insert_or_assign(tools.back().name, std::move(each));
                if (!m_from.tool.empty())
                    break; // a server that lists one name twice means the first
            }
        if (tools.empty() && !m_from.tool.empty())
            return toolFailure("ValueError", who + "it has no tool \"" + m_from.tool + "\"");
        return tools;
    }

    ToolOutcome call(const ToolCall& call, TaskContext& task) override
    {
        std::optional<mcp::Tool> tool;
        {
            const std::lock_guard lock(m_mutex);
            tool = m_tools.at(call.name);
        }
        auto outcome =
            callServer(*m_world, { m_from.server, *tool, call.args, m_entry.timeout, call.id }, task);
        if (std::holds_alternative<engine::Interrupted>(outcome))
            return engine::Interrupted{};
        if (auto* failure = std::get_if<Failure>(&outcome))
            return std::move(*failure);
        const auto& result = std::get<mcp::ToolResult>(outcome);
        return agents::ToolResult{ contentOf(result, call, task),
                                   result.isError ? ToolStatus::Error : ToolStatus::Success };
    }

private:
    static const char* typeOf(Errc code)
    {
        return code == Errc::PermissionDenied ? "PermissionError"
            : code == Errc::Timeout           ? "TimeoutError"
            : code == Errc::Cancelled         ? "CancelledError"
            : code == Errc::NotFound          ? "ValueError"
                                              : "ConnectionError";
    }

    Tool toolOf(const mcp::Tool& told, std::set<std::string>& names) const
    {
        Tool tool{ m_entry.name.empty() ? mcp::offeredName(m_from.server, told.name, names) : m_entry.name,
                   m_entry.description.empty() ? printableText(told.description) : m_entry.description,
                   objectSchema(told.inputSchema) };
        names.insert(tool.name);
        tool.returnsDirectly = m_entry.returnsDirectly.value_or(false);
        const auto& servers = m_world->toolServers->servers();
        const auto server = std::ranges::find(servers, m_from.server, &mcp::ServerSettings::name);
        if (server != servers.end() && !server->url.empty())
            tool.reaches = placeOf(server->url);
        return tool;
    }

    // Text where there is nothing else, as most models take it; with pictures a list of blocks.
    Value contentOf(const mcp::ToolResult& result, const ToolCall& call, TaskContext& task) const
    {
        mcp::ToolResult text;
        text.structured = result.structured;
        ValueList pictures;
        for (const Value& block : result.content) {
            const Value& data = block["data"];
            const std::string mime = block.stringOr("mimeType", "");
            const bool isPicture = block.stringOr("type", "") == "image" && data.isString();
            if (isPicture && data.asString().size() <= kMostPicture && pictures.size() < kMostPictures)
                pictures.push_back(
                    Value::map({ { "type", "image" }, { "base64", data }, { "mime_type", mime } }));
            else if (const auto bytes = bytesOf(block))
                text.content.push_back(
                    Value::map({ { "type", "text" },
                                 { "text", mime + " " + m_results->kept(*bytes, ".bin", call, task) } }));
            else
                text.content.push_back(block);
        }
        std::string shown = pictures.empty() || !text.content.empty() ? text.text() : std::string();
        shown = m_results->shown(std::move(shown), call, task);
        if (pictures.empty())
            return shown;
        ValueList blocks;
        if (!shown.empty())
            blocks.push_back(Value::map({ { "type", "text" }, { "text", std::move(shown) } }));
        blocks.insert(blocks.end(), pictures.begin(), pictures.end());
        return Value(std::move(blocks));
    }

    // The bytes of a block that no model reads as text.
    static std::optional<std::string> bytesOf(const Value& block)
    {
        const std::string type = block.stringOr("type", "");
        const Value& data = type == "resource" ? block["resource"]["blob"] : block["data"];
        if ((type != "image" && type != "audio" && type != "resource") || !data.isString())
            return std::nullopt;
        std::string text = data.asString();
        text.resize(text.find_last_not_of('=') + 1);
        std::ranges::replace(text, '+', '-');
        std::ranges::replace(text, '/', '_');
        std::string bytes;
        return fromBase64Url(text, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<const AgentResults> m_results;
    const ToolEntry m_entry;
    const ServerTools m_from;
    std::mutex m_mutex;
    std::map<std::string, mcp::Tool> m_tools; // by the name that the model knows; guarded by m_mutex
};

class HttpToolSource final : public agents::ToolSource {
public:
    HttpToolSource(std::shared_ptr<const NodeWorld> world, const std::shared_ptr<JqPrograms>& programs,
                   std::shared_ptr<const AgentResults> results, const ToolEntry& entry,
                   const agents::Permissions& permissions)
        : m_world(world)
        , m_results(std::move(results))
        , m_entry(entry)
        , m_permissions(permissions)
        , m_schema(objectSchema(std::get<HttpTool>(entry.from).parameters))
        , m_asker(std::move(world), programs, choiceOf(entry))
    {
    }

    agents::ListedTools list(TaskContext& /*task*/, const std::set<std::string>& /*taken*/) override
    {
        Tool tool{ m_entry.name, m_entry.description, m_schema };
        tool.returnsDirectly = m_entry.returnsDirectly.value_or(false);
        const std::string& url = m_asker.choice().url;
        if (url.empty()) // its program makes the address, which is looked at when it is known
            return std::vector{ std::move(tool) };
        const auto base = models::parseBaseUrl(url.substr(0, url.find_first_of("?#")));
        if (!base)
            return toolFailure("ValueError", "the HTTP tool " + m_entry.name + ": " + base.error().message);
        if (m_asker.choice().program.empty())
            tool.reaches = base->place();
        if (!m_world->mayReach)
            return toolFailure("PermissionError", "this run was started without a network for nodes");
        if (auto may = m_world->mayReach(*base); !may)
            return toolFailure("PermissionError",
                               "the HTTP tool " + m_entry.name + ": " + may.error().message);
        return std::vector{ std::move(tool) };
    }

    ToolOutcome call(const ToolCall& call, TaskContext& task) override
    {
        if (const auto why = models::schemaMismatch(m_schema, call.args))
            return agents::ToolResult{ "Error invoking tool '" + call.name + "': its arguments do not match: "
                                           + *why + "\n Please fix the error and try again.",
                                       ToolStatus::Error };
        std::optional<agents::ToolRefused> refused;
        auto answer = m_asker.ask(
            requestOf(call.args), task,
            [&](const std::string& place) -> Result<void> {
                auto why = agents::hostRefusal(m_permissions, task.info().node.value, place);
                if (!why)
                    return {};
                refused = { place, *why };
                return Error{ Errc::PermissionDenied, std::move(*why) };
            },
            call.id);
        if (refused)
            return *std::move(refused);
        if (std::holds_alternative<engine::Interrupted>(answer))
            return engine::Interrupted{};
        if (auto* failure = std::get_if<Failure>(&answer))
            return agents::ToolException{ std::move(*failure) };
        return agents::ToolResult{ contentOf(std::get<Value>(answer), call, task) };
    }

private:
    static HttpChoice choiceOf(const ToolEntry& entry)
    {
        HttpChoice choice = std::get<HttpTool>(entry.from).choice;
        if (entry.timeout)
            choice.timeout = *entry.timeout;
        return choice;
    }

    // The arguments for the program; without one they are the query, or the body of a method that has one.
    [[nodiscard]] Value requestOf(const Value& arguments) const
    {
        const HttpChoice& choice = m_asker.choice();
        if (!choice.program.empty())
            return arguments;
        const bool hasBody = choice.method == "POST" || choice.method == "PUT" || choice.method == "PATCH";
        return Value::map({ { hasBody ? "body" : "query", arguments } });
    }

    Value contentOf(const Value& answer, const ToolCall& call, TaskContext& task) const
    {
        if (answer.isBytes())
            return m_results->kept(answer.asBytes(), ".bin", call, task);
        Value told = answer;
        if (told["body"].isBytes())
            told.editMap().set("body", m_results->kept(told["body"].asBytes(), ".bin", call, task));
        return m_results->shown(told.isString() ? told.asString() : toJson(told), call, task);
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<const AgentResults> m_results;
    const ToolEntry m_entry;
    const agents::Permissions m_permissions;
    const Value m_schema;
    HttpAsker m_asker;
};

} // namespace

std::unique_ptr<agents::ToolSource> makeServerTools(std::shared_ptr<const NodeWorld> world,
                                                    std::shared_ptr<const AgentResults> results,
                                                    const ToolEntry& entry)
{
    return std::make_unique<ServerToolSource>(std::move(world), std::move(results), entry);
}

std::unique_ptr<agents::ToolSource> makeHttpTool(std::shared_ptr<const NodeWorld> world,
                                                 const std::shared_ptr<JqPrograms>& programs,
                                                 std::shared_ptr<const AgentResults> results,
                                                 const ToolEntry& entry,
                                                 const agents::Permissions& permissions)
{
    return std::make_unique<HttpToolSource>(std::move(world), programs, std::move(results), entry,
                                            permissions);
}

} // namespace sg::nodes
