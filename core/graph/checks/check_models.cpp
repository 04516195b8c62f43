#include "core/base/file.h"
#include "core/base/json.h"
#include "core/graph/agent_rules.h"
#include "core/graph/checks/checks.h"
#include "core/graph/included_graphs.h"
#include "core/graph/near_name.h"
#include "core/graph/python_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sg::graph {
namespace {

constexpr std::string_view kDefaultMessages = "messages";
constexpr std::size_t kLargestToolFile = 4U << 20; // bytes, of a Python file that is looked through
constexpr std::array<std::string_view, 4> kBudgetKeys{ "tokens", "cost", "calls", "seconds" };

// Returns what the node says, else what its graph does. The outer graph of a subgraph is not seen here.
const Value* chosen(const GraphScope& scope, const Node& node, std::string_view key)
{
    const Value* own = node.settings.find(key);
    return own != nullptr && !own->isNull() ? own : scope.graph.llm.find(key);
}

void checkAddress(const GraphScope& scope, const Value& address, const Place& place)
{
    if (!address.isString())
        return;
    const std::string& text = address.asString();
    if (!text.starts_with("http://") && !text.starts_with("https://"))
        scope.error(place, "bad-address",
                    "\"base_url\" begins with http:// or https://, as in http://127.0.0.1:11434/v1");
    else if (text.find('@') != std::string::npos)
        scope.error(place, "bad-address",
                    "a key does not belong into \"base_url\": name a secret in \"key\"");
}

void checkTools(const GraphScope& scope, const Value& tools, const Place& place)
{
    const auto isTool = [](const Value& tool) {
        return !tool.stringOr("name", "").empty()
            && (tool["parameters"].isNull() || tool["parameters"].isMap());
    };
    if (!tools.isNull() && (!tools.isList() || !std::ranges::all_of(tools.asList(), isTool)))
        scope.error(place, "bad-setting",
                    "\"tools\" is a list of {\"name\", \"description\", \"parameters\": a JSON Schema}");
}

void checkObject(const GraphScope& scope, const Value& value, const Place& place, const char* what)
{
    if (!value.isNull() && !value.isMap())
        scope.error(place, "bad-setting", std::string("it is an object: ") + what);
}

// Checks the settings about the model itself: its name and address, its schema and further fields.
void checkEndpoint(const GraphScope& scope, const Node& node, const Place& place)
{
    for (const auto& [key, what] :
         { std::pair{ "model", "the name of a chat model" }, std::pair{ "base_url", "where it is asked" } })
        if (!scope.isNested && chosen(scope, node, key) == nullptr)
            scope.error(place, "missing-setting",
                        "node '" + node.name.value + "' needs \"" + key + "\": " + what
                            + "; it may also stand in the graph's \"llm\"");
    if (const Value* address = node.settings.find("base_url"))
        checkAddress(scope, *address, Place(place, "base_url"));
    for (const auto& [key, what] :
         { std::pair{ "schema", "a JSON Schema" }, std::pair{ "options", "fields of the request" } })
        if (const Value* value = node.settings.find(key))
            checkObject(scope, *value, Place(place, key), what);
    if (const Value* schema = node.settings.find("schema"))
        warnOfUnchecked(scope, *schema, Place(place, "schema"));
}

bool hasMessages(const GraphScope& scope, const Node& node)
{
    const Value* own = node.settings.find("messages");
    if (own != nullptr && own->isNull()) // it said that it has none
        return false;
    return chosen(scope, node, "messages") != nullptr || scope.channels.contains(kDefaultMessages);
}

bool isSandboxTool(const std::string& name)
{
    constexpr std::array<std::string_view, 4> known{ "code_sandbox", "select_dataset", "list_datasets",
                                                     "export_datasets" };
    return std::ranges::find(known, name) != known.end();
}

constexpr const char* kToolForms =
    "an agent's tool is a Python file (\"nodes/tools.py\", \"nodes/tools.py:function\"), an MCP server "
    "(\"mcp:SERVER\", \"mcp:SERVER/TOOL\"), code_sandbox, select_dataset, list_datasets or export_datasets, "
    "another graph (\"other.graph.json\"), {\"tool\": one of these}, or {\"http\": {…}, \"name\": …, "
    "\"description\": …, \"parameters\": a JSON "
    "Schema}";

// A web service as a tool, whose settings are those of an http node.
void checkHttpTool(const GraphScope& scope, const Value& tool, const Place& place)
{
    for (const char* key : { "name", "description" })
        if (tool.stringOr(key, "").empty())
            scope.error(place, "missing-setting",
                        std::string("an HTTP tool needs a \"") + key
                            + "\": the model knows it by name and description");
    if (const Value* parameters = tool.find("parameters"))
        checkObject(scope, *parameters, Place(place, "parameters"), "a JSON Schema");
    if (const Value* parameters = tool.find("parameters"))
        warnOfUnchecked(scope, *parameters, Place(place, "parameters"));
    const Place at(place, "http");
    if (!tool["http"].isMap()) {
        scope.error(at, "bad-setting", "it is an object: settings of an http node");
        return;
    }
    Node service;
    service.name = NodeId(tool.stringOr("name", ""));
    service.kind = "http";
    service.settings = tool["http"].asMap();
    const NodeKind* kind = findNodeKind(service.kind);
    for (const auto& [key, value] : service.settings) {
        const std::string name = key.isString() ? key.asString() : std::string();
        if (const NodeSetting* setting = findSetting(kind, name); setting != nullptr && name != "channel")
            checkSetting(scope, *setting, value, Place(at, name));
        else if (!name.starts_with("x-"))
            scope.warning(Place(at, name), "unknown-key", "an HTTP tool has no setting \"" + name + "\"");
    }
    checkHttp(scope, service, at);
}

// Another graph as a tool: the file is there and can be included.
void checkGraphTool(const GraphScope& scope, const GraphTool& graph, const Value& tool, const Place& place)
{
    for (const char* key : { "in", "out" })
        if (const Value* program = tool.find(key))
            checkProgram(scope, *program, Place(place, key));
    if (isSandboxTool(graph.name))
        scope.error(place, "bad-setting",
                    "a graph cannot be a tool named '" + graph.name + "': that is a tool of the sandbox");
    if (!findFile(scope, graph.file, place, "graph file"))
        return;
    Graph alone;
    Node agent;
    agent.name = NodeId(graph.name);
    agent.kind = kAgentKind;
    agent.settings = { { "tools", Value::list({ graph.file }) } };
    alone.nodes.push_back(std::move(agent));
    if (const auto included = withIncludedGraphs(alone, scope.checking.host.folder); !included)
        scope.error(place, "bad-graph-file", included.error().message);
}

// Functions of a file: that there are some is read from its text, without running it.
void checkPythonTool(const GraphScope& scope, const std::string& named, const Place& place)
{
    const std::size_t colon = named.rfind(':');
    const std::string file = named.substr(0, colon);
    if (!file.ends_with(".py")) {
        scope.error(place, "bad-tool", kToolForms);
        return;
    }
    const auto path = findFile(scope, file, place, "tools' file");
    if (!path)
        return;
    const auto text = readFile(*path, kLargestToolFile);
    if (!text) // a file that is too large, or not readable here, is left to the run
        return;
    const std::string function = colon == std::string::npos ? std::string() : named.substr(colon + 1);
    const PythonNames names = pythonNames(*text);
    if (!function.empty() && !names.mayHave(function))
        scope.error(place, "unknown-function",
                    "'" + file + "' defines no function '" + function + "' for an agent"
                        + didYouMean(function, { names.defined.begin(), names.defined.end() })
                        + "; write it there, with a docstring for the model, or correct the name");
    else if (function.empty() && !names.isOpen && names.defined.empty() && names.mentioned.empty())
        scope.warning(place, "no-tool", "'" + file + "' defines no function: the agent gets no tool from it");
}

void checkAgentTool(const GraphScope& scope, const Value& tool, const Place& place)
{
    const std::string named = tool.isString() ? tool.asString() : tool.stringOr("tool", "");
    if (tool.isMap())
        checkToolKeys(scope, tool, place);
    if (isSandboxTool(named))
        return;
    const bool isOfServer = named.starts_with("mcp:");
    const std::string name = tool.stringOr("name", "");
    if ((isOfServer || tool.find("http") != nullptr) && isSandboxTool(name))
        scope.error(Place(place, "name"), "bad-setting",
                    "a tool from outside cannot be named '" + name + "': that is a tool of the sandbox");
    if (tool.find("http") != nullptr) {
        checkHttpTool(scope, tool, place);
        return;
    }
    if (const auto graph = graphToolOf(tool)) {
        checkGraphTool(scope, *graph, tool, place);
        return;
    }
    if (isOfServer) {
        checkServerName(scope, named.substr(4, named.find('/') - 4), place);
        if (named.find('/') == std::string::npos && !name.empty())
            scope.error(Place(place, "name"), "bad-setting",
                        "'" + named + "' stands for several tools: a name belongs to one, as '" + named
                            + "/TOOL'");
        return;
    }
    checkPythonTool(scope, named, place);
}

// The name by which the model knows the entry's one tool, where the file alone tells it.
std::optional<std::string> nameOfTool(const Value& entry)
{
    const std::string named = entry.isString() ? entry.asString() : entry.stringOr("tool", "");
    if (const auto graph = graphToolOf(entry))
        return graph->name;
    const bool isOne = entry.find("http") != nullptr || isSandboxTool(named)
        || (named.find(':') != std::string::npos && !named.starts_with("mcp:"));
    if (std::string own = entry.stringOr("name", ""); isOne && !own.empty())
        return own;
    return isSandboxTool(named) ? std::optional(named) : std::nullopt;
}

// The names of the agent's tools; nullopt where the file does not tell all of them.
std::optional<std::vector<std::string>> namesOfTools(const Node& node)
{
    std::vector<std::string> names;
    if (const Value* tools = node.settings.find("tools"); tools != nullptr && tools->isList())
        for (const Value& entry : tools->asList()) {
            auto name = nameOfTool(entry);
            if (!name)
                return std::nullopt;
            names.push_back(std::move(*name));
        }
    if (const Value* schema = node.settings.find("schema"); schema != nullptr && schema->isMap())
        names.push_back(schema->stringOr("title", "answer"));
    return names;
}

// Every tool that a review names is one of the agent's. Where the file does not tell all names, the agent
// looks once it knows them.
void checkReviewed(const GraphScope& scope, const Node& node, const ReviewRules& rules, const Place& place)
{
    const Place at(place, "tools");
    for (const auto& [tool, rule] : rules.byTool)
        if (!rule.when.empty())
            checkProgram(scope, Value(rule.when), Place(Place(at, tool), "when"));
    const auto names = namesOfTools(node);
    if (!names)
        return;
    for (const auto& [tool, rule] : rules.byTool)
        if (tool != kEveryOtherTool && std::ranges::find(*names, tool) == names->end())
            scope.error(Place(at, tool), "unknown-tool",
                        "the agent has no tool '" + tool + "' to review"
                            + didYouMean(tool, { names->begin(), names->end() }));
}

void checkPermitted(const GraphScope& scope, const Node& node, const Permissions& permissions,
                    const Place& place)
{
    const auto names = namesOfTools(node);
    if (!names || !permissions.tools)
        return;
    for (std::size_t i = 0; i < permissions.tools->size(); ++i)
        if (const std::string& tool = (*permissions.tools)[i];
            std::ranges::find(*names, tool) == names->end())
            scope.error(Place(Place(place, "tools"), i), "unknown-tool",
                        "the agent has no tool '" + tool + "' to permit"
                            + didYouMean(tool, { names->begin(), names->end() }));
}

template<typename Rules>
std::optional<Rules> checkRules(const GraphScope& scope, const Node& node, std::string_view key,
                                const Place& place)
{
    const Value* value = node.settings.find(key);
    if (value == nullptr)
        return std::nullopt;
    auto read = Rules::read(*value);
    if (read)
        return std::move(*read);
    scope.error(Place(place, key), "bad-setting", read.error().message);
    return std::nullopt;
}

} // namespace

void checkAgent(const GraphScope& scope, const Node& node, const Place& place)
{
    checkEndpoint(scope, node, place);
    if (const auto review = checkRules<ReviewRules>(scope, node, "review", place))
        checkReviewed(scope, node, *review, Place(place, "review"));
    if (const auto permissions = checkRules<Permissions>(scope, node, "permissions", place))
        checkPermitted(scope, node, *permissions, Place(place, "permissions"));
    checkRules<AgentBudget>(scope, node, "budget", place);
    if (const Value* tools = node.settings.find("tools"); tools != nullptr && !tools->isNull()) {
        const Place at(place, "tools");
        if (!tools->isList())
            scope.error(at, "bad-setting", "\"tools\" is a list of tools");
        else
            for (std::size_t i = 0; i < tools->asList().size(); ++i)
                checkAgentTool(scope, (*tools)[i], Place(at, i));
    }
    if (!hasMessages(scope, node) && node.settings.find("prompt") == nullptr)
        scope.error(place, "missing-setting",
                    "node '" + node.name.value
                        + "' has nothing to answer: the state has no channel 'messages', and the node names "
                          "none in \"messages\" and makes none in \"prompt\"");
    if (!hasMessages(scope, node) && node.settings.find("channel") == nullptr)
        scope.error(place, "missing-setting",
                    "the answer of node '" + node.name.value
                        + "' goes nowhere: name a channel in \"messages\" or \"channel\"");
}

void checkModel(const GraphScope& scope, const Node& node, const Place& place)
{
    checkEndpoint(scope, node, place);
    checkTools(scope, node.settings.find("tools") != nullptr ? *node.settings.find("tools") : Value(),
               Place(place, "tools"));
    if (!hasMessages(scope, node) && chosen(scope, node, "prompt") == nullptr)
        scope.error(place, "missing-setting",
                    "node '" + node.name.value
                        + "' has nothing to send: the state has no channel 'messages', and the node names "
                          "none in \"messages\" and makes none in \"prompt\"");
    if (!hasMessages(scope, node) && chosen(scope, node, "channel") == nullptr)
        scope.error(place, "missing-setting",
                    "the answer of node '" + node.name.value
                        + "' goes nowhere: name a channel in \"messages\" or \"channel\"");
}

void checkModelDefaults(const GraphScope& scope)
{
    const Place place(scope.place, "llm");
    if (!scope.graph.llm.isMap())
        return;
    const NodeKind* kind = findNodeKind(kLlmKind);
    std::vector<std::string_view> known{ "budget", "replay" };
    for (const NodeSetting& setting : kind->settings)
        known.push_back(setting.key);
    for (const auto& [key, value] : scope.graph.llm.asMap()) {
        if (!key.isString() || key.asString().starts_with("x-"))
            continue;
        const std::string& name = key.asString();
        const NodeSetting* setting = findSetting(kind, name);
        if (setting != nullptr)
            checkSetting(scope, *setting, value, Place(place, name));
        else if (name == "replay" && value.isString())
            findFile(scope, value.asString(), Place(place, name), "recording");
        else if (name != "budget")
            scope.warning(Place(place, name), "unknown-key",
                          "llm nodes have no setting \"" + name + "\"" + didYouMean(name, known));
    }
    if (const Value* address = scope.graph.llm.find("base_url"))
        checkAddress(scope, *address, Place(place, "base_url"));
    const Value* budget = scope.graph.llm.find("budget");
    if (budget == nullptr || budget->isNull())
        return;
    const Place at(place, "budget");
    if (!budget->isMap()) {
        scope.error(at, "bad-setting",
                    "\"budget\" is an object of \"tokens\", \"cost\", \"calls\" and \"seconds\"");
        return;
    }
    const std::vector<std::string_view> limits(kBudgetKeys.begin(), kBudgetKeys.end());
    for (const auto& [key, value] : budget->asMap()) {
        const std::string name = key.isString() ? key.asString() : std::string();
        if (std::ranges::find(kBudgetKeys, name) == kBudgetKeys.end())
            scope.warning(Place(at, name), "unknown-key",
                          "a budget has no \"" + name + "\"" + didYouMean(name, limits));
        else if (!value.isNumber()
                 || !(value.asDouble() >= 0 && value.asDouble() <= static_cast<double>(kMostBudget)))
            scope.error(Place(at, name), "bad-number",
                        "\"" + name + "\" is a number from 0 to " + toJson(Value(kMostBudget)));
    }
}

} // namespace sg::graph
