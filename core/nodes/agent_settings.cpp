#include "core/nodes/agent_settings.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace sg::nodes {
namespace {

constexpr std::array<std::string_view, 4> kSandboxTools{ "code_sandbox", "select_dataset", "list_datasets",
                                                         "export_datasets" };
// The settings of an llm node that mean something else to an agent, or nothing.
constexpr std::array<std::string_view, 6> kNotOfTheModel{ "tools",   "schema", "tool_choice",
                                                          "channel", "prompt", "messages" };
constexpr std::size_t kMostEntries = 512;

Error badSetting(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

constexpr std::string_view kServerMark = "mcp:";

bool isSandboxToolName(std::string_view name)
{
    return std::ranges::find(kSandboxTools, name) != kSandboxTools.end();
}

Result<ToolEntry> serverTools(const std::string& text)
{
    const std::string named = text.substr(kServerMark.size());
    const std::size_t slash = named.find('/');
    ServerTools from{ named.substr(0, slash), slash == std::string::npos ? "" : named.substr(slash + 1) };
    if (from.server.empty() || (slash != std::string::npos && from.tool.empty()))
        return badSetting("\"" + text
                          + "\" of \"tools\" names no MCP server: write \"mcp:SERVER\" for all of its tools, "
                            "or \"mcp:SERVER/TOOL\"");
    return ToolEntry{ std::move(from) };
}

Result<ToolEntry> namedTool(const std::string& text)
{
    if (isSandboxToolName(text))
        return ToolEntry{ SandboxTool{ text } };
    if (text.starts_with(kServerMark))
        return serverTools(text);
    const std::size_t colon = text.rfind(':');
    const std::string file = text.substr(0, colon);
    if (!file.ends_with(".py"))
        return badSetting("\"" + text
                          + "\" of \"tools\" is no tool: name a Python file (\"nodes/tools.py\" or "
                            "\"nodes/tools.py:function\"), a graph file (\"other.graph.json\"), an MCP "
                            "server (\"mcp:SERVER\" or "
                            "\"mcp:SERVER/TOOL\"), or one of "
                            "code_sandbox, select_dataset, list_datasets, export_datasets");
    auto path = RelativePath::parse(file);
    if (!path)
        return path.error();
    return ToolEntry{ PythonTools{ std::move(*path),
                                   colon == std::string::npos ? "" : text.substr(colon + 1) } };
}

Result<ToolEntry> httpTool(const Value& value)
{
    const std::string name = value.stringOr("name", "");
    const auto bad = [&name](const std::string& what) {
        return badSetting("the HTTP tool \"" + name + "\" " + what);
    };
    if (!value["http"].isMap())
        return bad("has settings of an http node in \"http\"");
    if (name.empty() || value.stringOr("description", "").empty())
        return bad("needs a \"name\" and a \"description\": the model knows it by them");
    auto choice = readHttpChoice(value["http"].asMap());
    if (!choice)
        return bad("is wrong in \"http\": " + choice.error().message);
    Value parameters = value["parameters"];
    if (parameters.isNull())
        parameters = Value(ValueMap());
    if (!parameters.isMap() || parameters.stringOr("type", "object") != "object")
        return bad("has in \"parameters\" no JSON Schema of an object");
    return ToolEntry{ HttpTool{ std::move(*choice), std::move(parameters) } };
}

Result<void> readCommon(const Value& value, ToolEntry& entry)
{
    entry.name = value.stringOr("name", "");
    entry.description = value.stringOr("description", "");
    const auto* server = std::get_if<ServerTools>(&entry.from);
    if (server != nullptr && server->tool.empty() && !(entry.name + entry.description).empty())
        return badSetting("\"mcp:" + server->server
                          + "\" stands for several tools: a \"name\" or \"description\" belongs to one, as "
                            "\"mcp:"
                          + server->server + "/TOOL\"");
    if (!std::holds_alternative<PythonTools>(entry.from) && !std::holds_alternative<SandboxTool>(entry.from)
        && isSandboxToolName(entry.name))
        return badSetting("a tool from outside cannot be named \"" + entry.name
                          + "\": that is a tool of the sandbox");
    if (value["return_direct"].isBool())
        entry.returnsDirectly = value["return_direct"].asBool();
    if (const Value& seconds = value["timeout_s"]; !seconds.isNull()) {
        if (!seconds.isNumber() || seconds.asDouble() <= 0 || seconds.asDouble() > 30.0 * 24 * 3600)
            return badSetting("\"timeout_s\" of a tool is a number of seconds above 0");
        entry.timeout =
            std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds.asDouble() * 1000)));
    }
    return {};
}

Result<ToolEntry> graphTool(graph::GraphTool graph, const Value& value)
{
    const Value& parameters = value["parameters"];
    if (!parameters.isNull() && (!parameters.isMap() || parameters.stringOr("type", "object") != "object"))
        return badSetting("the graph tool \"" + graph.name
                          + "\" has in \"parameters\" no JSON Schema of an object");
    if (!parameters.isNull() && graph.in.empty())
        return badSetting(
            "the graph tool \"" + graph.name
            + "\" has \"parameters\", but no program in \"in\" that makes the graph's input of them");
    return ToolEntry{ GraphFileTool{ std::move(graph), parameters } };
}

Result<ToolEntry> readTool(const Value& value)
{
    auto graph = graph::graphToolOf(value);
    if (value.isString())
        return graph ? graphTool(std::move(*graph), Value()) : namedTool(value.asString());
    const std::string tool = value.stringOr("tool", "");
    const bool isHttp = value.isMap() && value.find("http") != nullptr;
    if (tool.empty() && !isHttp)
        return badSetting(
            "a tool is a name, {\"tool\": name, \"description\": …} or {\"http\": {…}, \"name\": "
            "…}; this is "
            + cutText(toJson(value), 200));
    auto entry = graph ? graphTool(std::move(*graph), value) : isHttp ? httpTool(value) : namedTool(tool);
    if (!entry)
        return entry;
    if (auto read = readCommon(value, *entry); !read)
        return std::move(read.error());
    return entry;
}

Result<void> readTools(const Value& value, std::vector<ToolEntry>& tools)
{
    if (value.isNull())
        return {};
    if (!value.isList())
        return badSetting("\"tools\" is a list");
    if (value.asList().size() > kMostEntries)
        return badSetting("\"tools\" has " + std::to_string(value.asList().size())
                          + " entries; an agent takes 512");
    for (const Value& each : value.asList()) {
        auto tool = readTool(each);
        if (!tool)
            return std::move(tool.error());
        tools.push_back(std::move(*tool));
    }
    return {};
}

class Reader {
public:
    explicit Reader(const ValueMap& settings)
        : m_settings(settings)
    {
    }
    [[nodiscard]] const Value& operator[](std::string_view key) const
    {
        static const Value kNone{};
        const Value* found = m_settings.find(key);
        return found == nullptr ? kNone : *found;
    }
    [[nodiscard]] std::string text(std::string_view key) const
    {
        const Value& value = (*this)[key];
        return value.isString() ? value.asString() : std::string();
    }

private:
    const ValueMap& m_settings;
};

} // namespace

std::set<std::string> sandboxToolNames()
{
    return { kSandboxTools.begin(), kSandboxTools.end() };
}

Result<AgentSettings> readAgentSettings(const ValueMap& settings)
{
    const Reader reader(settings);
    AgentSettings agent;
    for (const auto& [key, value] : settings)
        if (key.isString() && std::ranges::find(kNotOfTheModel, key.asString()) == kNotOfTheModel.end())
            agent.model.set(key, value);
    if (auto read = readTools(reader["tools"], agent.tools); !read)
        return std::move(read.error());
    if (settings.contains("messages")) {
        agent.messages =
            reader["messages"].isString() ? std::optional(reader.text("messages")) : std::nullopt;
        agent.namesMessages = agent.messages.has_value();
    }
    agent.channel = reader.text("channel");
    agent.prompt = reader.text("prompt");
    agent.name = reader.text("speaks_as");
    if (const Value& schema = reader["schema"]; !schema.isNull()) {
        if (!schema.isMap())
            return badSetting("\"schema\" is a JSON Schema");
        agent.output.schema = schema;
        agent.output.name = schema.stringOr("title", "answer");
        agent.output.way = reader.text("answers_by") == "response_format" ? agents::OutputWay::Provider
                                                                          : agents::OutputWay::Tool;
    }
    auto permissions = agents::Permissions::read(reader["permissions"]);
    if (!permissions)
        return std::move(permissions.error());
    agent.permissions = std::move(*permissions);
    auto review = agents::ReviewRules::read(reader["review"]);
    if (!review)
        return std::move(review.error());
    agent.review = std::move(*review);
    auto budget = graph::AgentBudget::read(reader["budget"]);
    if (!budget)
        return std::move(budget.error());
    agent.budget = *budget;
    agent.raisesToolErrors = reader.text("on_tool_error") == "raise";
    if (reader["result_limit"].isInt())
        agent.mostResult =
            static_cast<std::size_t>(std::max<std::int64_t>(reader["result_limit"].asInt(), 100));
    return agent;
}

} // namespace sg::nodes
