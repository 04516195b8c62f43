#include "core/exchange/graph_module.h"

#include "core/base/json.h"
#include "core/exchange/node_steps.h"
#include "core/exchange/python_module.h"
#include "core/exchange/python_state.h"
#include "core/exchange/python_words.h"

#include <algorithm>

namespace sg::exchange {
namespace {

// Definitions in a module must not have these names.
constexpr std::array<std::string_view, 40> kModuleNames{ "operator",
                                                         "builder",
                                                         "graph",
                                                         "compile_graph",
                                                         "run_jq",
                                                         "sliced",
                                                         "blocking",
                                                         "failure",
                                                         "handled_by",
                                                         "raises",
                                                         "dataset_path",
                                                         "last",
                                                         "largest",
                                                         "smallest",
                                                         "union",
                                                         "extend",
                                                         "add_messages",
                                                         "interrupt",
                                                         "state",
                                                         "result",
                                                         "error",
                                                         "START",
                                                         "END",
                                                         "StateGraph",
                                                         "Any",
                                                         "Annotated",
                                                         "TypedDict",
                                                         "Topic",
                                                         "AnyValue",
                                                         "EphemeralValue",
                                                         "UntrackedValue",
                                                         "DeltaChannel",
                                                         "RemainingSteps",
                                                         "IsLastStep",
                                                         "NodeError",
                                                         "RetryPolicy",
                                                         "CachePolicy",
                                                         "InMemoryCache",
                                                         "checkpointer",
                                                         "store" };

std::string number(double value)
{
    return value == static_cast<double>(static_cast<std::int64_t>(value))
        ? std::to_string(static_cast<std::int64_t>(value))
        : toJson(Value(value));
}

class GraphWriter {
public:
    GraphWriter(const graph::Graph& graph, const std::string& title, bool isRoot, ProjectParts& parts)
        : m_graph(graph)
        , m_title(title)
        , m_isRoot(isRoot)
        , m_parts(parts)
        , m_module(docstring(title))
        , m_state(graph, parts, m_module, m_names)
        , m_steps(graph, parts, m_module, m_names)
    {
        for (const std::string_view name : kModuleNames)
            m_names.take(std::string(name));
    }

    std::string write()
    {
        addSchemas();
        std::vector<std::string> nodes;
        for (const graph::Node& node : m_graph.nodes)
            nodes.push_back(nodeLine(node));
        std::vector<std::string> branches;
        for (const graph::Branch& branch : m_graph.branches)
            branches.push_back(branchLine(branch));
        m_module.addLine("builder = "
                         + pythonCall(m_module.from("langgraph.graph", "StateGraph"), m_schemas));
        m_module.addGap();
        for (const std::string& line : nodes)
            m_module.addLine(line);
        m_module.addGap();
        for (const graph::Edge& edge : m_graph.edges)
            m_module.addLine(edgeLine(edge));
        for (const std::string& line : branches)
            m_module.addLine(line);
        addCompiling();
        return m_module.text();
    }

private:
    void addSchemas()
    {
        m_stateName = m_state.addSchema("State", m_state.allKeys());
        m_schemas.push_back(m_stateName);
        if (m_graph.input)
            m_schemas.push_back("input_schema=" + m_state.addSchema("Input", stored(*m_graph.input)));
        if (m_graph.output)
            m_schemas.push_back("output_schema=" + m_state.addSchema("Output", stored(*m_graph.output)));
    }

    // Leaves out managed values, which LangGraph refuses in a schema.
    std::vector<std::string> stored(std::vector<std::string> keys) const
    {
        std::erase_if(keys, [this](const std::string& key) {
            const graph::Channel* channel = m_graph.findChannel(key);
            return channel != nullptr
                && (channel->type == graph::ChannelType::RemainingSteps
                    || channel->type == graph::ChannelType::IsLastStep);
        });
        return keys;
    }

    std::string place(const std::string& node)
    {
        if (node == graph::kStart)
            return m_module.from("langgraph.graph", "START");
        return node == graph::kEnd ? m_module.from("langgraph.graph", "END") : pythonText(node);
    }

    // Writes the compiled subgraph and returns the expression for it.
    std::string subgraphOf(const graph::Node& node)
    {
        if (!node.subgraph)
            return {};
        const std::string file = m_parts.modules.take(snakeName(node.name.value, "sub") + "_graph");
        const std::string title = node.subgraph->description.empty()
            ? "The subgraph `" + node.name.value + "`."
            : node.subgraph->description;
        std::string text = graphModule(*node.subgraph, title, false, m_parts);
        m_parts.files.push_back({ file + ".py", std::move(text) });
        return m_module.from("." + file, "graph", m_names.take(file));
    }

    // Combines input schema and memory slice; nullopt if neither narrows the state.
    std::optional<std::vector<std::string>> keysOf(const graph::Node& node) const
    {
        if (!m_steps.readsBySchema(node))
            return node.input;
        std::vector<std::string> keys;
        for (const std::string& key : *node.reads)
            if (!node.input || std::ranges::find(*node.input, key) != node.input->end())
                keys.push_back(key);
        return keys;
    }

    std::string nodeLine(const graph::Node& node)
    {
        const std::string subgraph = subgraphOf(node);
        std::string state = m_stateName;
        const auto keys = keysOf(node);
        if (keys)
            state = m_inputs[node.name.value] =
                m_state.addSchema(camelName(node.name.value, "node") + "Input", *keys);
        std::vector<std::string> arguments{ pythonText(node.name.value),
                                            m_steps.action(node, state, subgraph) };
        if (keys)
            arguments.push_back("input_schema=" + state);
        if (node.defer)
            arguments.emplace_back("defer=True");
        if (!node.retry.empty())
            arguments.push_back("retry_policy=" + retryPolicies(node));
        if (node.cache)
            arguments.push_back("cache_policy=" + m_module.from("langgraph.types", "CachePolicy") + "("
                                + (node.cache->ttl ? "ttl=" + number(*node.cache->ttl) : "") + ")");
        if (node.errorHandler.isMap())
            arguments.push_back("error_handler=" + m_steps.errorHandler(node, state));
        if (const Value* ends = node.settings.find("ends"); ends != nullptr && ends->isList()) {
            std::string places;
            for (const Value& end : ends->asList())
                places += place(end.isString() ? end.asString() : "") + ", ";
            if (!places.empty())
                arguments.push_back("destinations=("
                                    + places.substr(0, places.size() - (ends->asList().size() > 1 ? 2 : 1))
                                    + ")");
        }
        return pythonCall("builder.add_node", arguments);
    }

    std::string retryPolicies(const graph::Node& node)
    {
        std::string text;
        for (const graph::RetryPolicy& policy : node.retry)
            (text += text.empty() ? "" : ", ") += retryPolicy(policy);
        return node.retry.size() == 1 ? text : "[" + text + "]";
    }

    std::string retryPolicy(const graph::RetryPolicy& policy)
    {
        const graph::RetryPolicy usual;
        std::vector<std::string> arguments;
        const auto differing = [&arguments](const char* key, double value, double other) {
            if (value != other)
                arguments.push_back(std::string(key) + "=" + number(value));
        };
        differing("max_attempts", policy.maxAttempts, usual.maxAttempts);
        differing("initial_interval", policy.initialInterval, usual.initialInterval);
        differing("backoff_factor", policy.backoffFactor, usual.backoffFactor);
        differing("max_interval", policy.maxInterval, usual.maxInterval);
        if (!policy.jitter)
            arguments.emplace_back("jitter=False");
        if (!policy.retryOn.empty())
            arguments.push_back("retry_on=" + errorTypes(policy.retryOn));
        return pythonCall(m_module.from("langgraph.types", "RetryPolicy"), arguments);
    }

    // Names Python's own errors by class and others, whose classes this module does not know, by text.
    std::string errorTypes(const std::vector<std::string>& types)
    {
        std::string text;
        const bool builtin = std::ranges::all_of(
            types, [](const std::string& type) { return isOneOf(type, kPythonBuiltins); });
        for (const std::string& type : types)
            (text += text.empty() ? "" : ", ") += builtin ? type : pythonText(type);
        if (!builtin)
            return m_parts.use(m_module, "failures", "raises") + "(" + text + ")";
        return types.size() == 1 ? text : "(" + text + ")";
    }

    std::string edgeLine(const graph::Edge& edge)
    {
        std::string from;
        for (const NodeId& start : edge.from)
            (from += from.empty() ? "" : ", ") += place(start.value);
        if (edge.waiting || edge.from.size() != 1)
            from = "[" + from + "]";
        return pythonCall("builder.add_edge", { from, place(edge.to.value) });
    }

    std::string branchLine(const graph::Branch& branch)
    {
        // LangGraph reads from this annotation what a branch may see: its node's input schema.
        const auto narrowed = m_inputs.find(branch.from.value);
        const std::string state = narrowed != m_inputs.end() ? narrowed->second : m_stateName;
        std::vector<std::string> arguments{ place(branch.from.value), m_steps.branch(branch, state) };
        if (branch.targets) {
            const bool plain = std::ranges::all_of(
                *branch.targets, [](const auto& target) { return target.first == target.second.value; });
            std::string targets;
            for (const auto& [label, to] : *branch.targets)
                ((targets += targets.empty() ? "" : ", ") += plain ? "" : place(label) + ": ") +=
                    place(to.value);
            arguments.push_back(plain ? "[" + targets + "]" : "{" + targets + "}");
        }
        return pythonCall("builder.add_conditional_edges", arguments);
    }

    void addCompiling()
    {
        std::vector<std::string> arguments;
        if (m_isRoot)
            arguments = { "checkpointer=checkpointer", "store=store" };
        else if (m_graph.checkpointer != graph::Checkpointer::Inherit)
            arguments.push_back(std::string("checkpointer=")
                                + (m_graph.checkpointer == graph::Checkpointer::Own ? "True" : "False"));
        const auto stops = [&](const char* key, const std::vector<std::string>& nodes) {
            if (nodes.empty())
                return;
            const bool all = std::ranges::find(nodes, "*") != nodes.end();
            const Value list{ ValueList(nodes.begin(), nodes.end()) };
            arguments.push_back(std::string(key) + "=" + (all ? "\"*\"" : pythonLiteral(list)));
        };
        stops("interrupt_before", m_graph.interruptBefore);
        stops("interrupt_after", m_graph.interruptAfter);
        if (m_graph.cache)
            arguments.push_back("cache=" + m_module.from("langgraph.cache.memory", "InMemoryCache") + "()");
        const std::string limit = m_graph.recursionLimit && m_isRoot
            ? ".with_config(recursion_limit=" + std::to_string(*m_graph.recursionLimit) + ")"
            : "";
        if (!m_isRoot) {
            m_module.addGap();
            m_module.addLine(pythonCall("graph = builder.compile", arguments));
            return;
        }
        m_module.addDefinition("def compile_graph(checkpointer=None, store=None):\n    "
                               + pythonCall("return builder.compile", arguments, 4) + limit + "\n");
        m_module.addLine("graph = compile_graph()");
    }

    const graph::Graph& m_graph;
    const std::string& m_title;
    const bool m_isRoot;
    ProjectParts& m_parts;
    PythonModule m_module;
    PythonNames m_names;
    PythonState m_state;
    NodeSteps m_steps;
    std::string m_stateName;
    std::map<std::string, std::string> m_inputs; // node → its input schema
    std::vector<std::string> m_schemas;
};

} // namespace

std::string docstring(const std::string& text)
{
    const bool plain = text.find_first_of("\"\\") == std::string::npos
        && std::ranges::none_of(text,
                                [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; });
    return plain ? "\"\"\"" + text + "\"\"\"" : pythonText(text);
}

std::string graphModule(const graph::Graph& graph, const std::string& title, bool isRoot, ProjectParts& parts)
{
    return GraphWriter(graph, title, isRoot, parts).write();
}

} // namespace sg::exchange
