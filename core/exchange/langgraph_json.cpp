#include "core/exchange/langgraph_json.h"

#include "core/base/json.h"
#include "core/exchange/python_text.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <map>
#include <set>

namespace sg::exchange {
namespace {

constexpr JsonLimits kLimits{ 32U << 20, 64 };
constexpr std::size_t kMostParts = 100'000;

Error wrong(const std::string& what)
{
    return { Errc::InvalidArgument,
             "this is no graph of LangGraph's: " + what
                 + ". Write one with: json.dump(graph.get_graph().to_json(), file)" };
}

// Ids are text, but LangChain's own graphs have numbers, too.
std::string idOf(const Value& value)
{
    return value.isString() ? value.asString() : value.isInt() ? toJson(value) : std::string();
}

class JsonReader {
public:
    JsonReader(const Value& source, const std::string& name)
        : m_source(source)
    {
        m_skeleton.graph.name = name;
        m_names.emplace(graph::kStart, graph::kStart);
        m_names.emplace(graph::kEnd, graph::kEnd);
    }

    Result<Skeleton> read()
    {
        const Value& nodes = m_source["nodes"];
        const Value& edges = m_source["edges"];
        if (!nodes.isList() || !edges.isList())
            return wrong("it needs the lists \"nodes\" and \"edges\"");
        if (nodes.asList().size() > kMostParts || edges.asList().size() > kMostParts)
            return wrong("it has more than 100000 nodes or edges");
        for (const Value& node : nodes.asList())
            if (auto added = addNode(node); !added)
                return std::move(added.error());
        for (const Value& edge : edges.asList())
            if (auto added = addEdge(edge); !added)
                return std::move(added.error());
        for (auto& [from, targets] : m_branches)
            addBranch(from, std::move(targets));
        if (m_renamed)
            m_skeleton.notes.emplace_back("Names with ':' or '|' belong to subgraphs that were drawn in "
                                          "place (xray): their nodes stand side by "
                                          "side here, with '.' in their names.");
        m_skeleton.notes.emplace_back(
            "The JSON has no state: add the channels to \"state\". An edge that waits for several nodes "
            "looks like "
            "several edges there; so do a branch and the places that a Command names.");
        return std::move(m_skeleton);
    }

private:
    using Targets = std::vector<std::pair<std::string, NodeId>>;

    std::string freeName(std::string wanted)
    {
        for (char& c : wanted)
            if (c == ':' || c == '|') {
                c = '.';
                m_renamed = true;
            }
        if (graph::isReservedName(wanted)) {
            wanted = "node " + wanted;
            m_renamed = true;
        }
        std::string name = wanted;
        for (int number = 2; !m_taken.insert(name).second; ++number)
            name = wanted + " " + std::to_string(number);
        return name;
    }

    std::string addCode(const std::string& wanted, const std::string& text)
    {
        const std::string path = "nodes/" + m_modules.take(wanted) + ".py";
        m_skeleton.code.push_back({ path, text });
        return path;
    }

    Result<void> addNode(const Value& node)
    {
        const std::string id = idOf(node["id"]);
        if (id.empty())
            return wrong("a node has no \"id\"");
        if (id == graph::kStart || id == graph::kEnd)
            return {};
        if (m_names.contains(id))
            return wrong("two nodes have the id '" + id + "'");
        graph::Node made;
        made.name = NodeId(freeName(id));
        made.kind = graph::kPythonKind;
        m_names.emplace(id, made.name.value);
        const std::string quoted = pythonText("write what the node does: " + made.name.value);
        made.settings.set(
            "file",
            addCode(snakeName(made.name.value, "node"),
                    "\"\"\"A node of an imported graph: its code is still to be written.\"\"\"\n\n\n"
                    "def node(state, config):\n"
                    "    # `state` holds the channels; return an update, such as {\"messages\": "
                    "[\"hello\"]}.\n"
                    "    raise NotImplementedError("
                        + quoted + ")\n"));
        const Value& metadata = node["metadata"];
        made.defer = metadata.boolOr("defer", false);
        const std::string stops = metadata.stringOr("__interrupt", "");
        if (stops.find("before") != std::string::npos)
            m_skeleton.graph.interruptBefore.push_back(made.name.value);
        if (stops.find("after") != std::string::npos)
            m_skeleton.graph.interruptAfter.push_back(made.name.value);
        m_skeleton.graph.nodes.push_back(std::move(made));
        return {};
    }

    Result<void> addEdge(const Value& edge)
    {
        const auto from = m_names.find(idOf(edge["source"]));
        const auto to = m_names.find(idOf(edge["target"]));
        if (from == m_names.end() || to == m_names.end())
            return wrong("an edge leads from or to a node that is not there: " + toJson(edge).substr(0, 200));
        if (!edge.boolOr("conditional", false)) {
            m_skeleton.graph.edges.push_back({ { NodeId(from->second) }, NodeId(to->second), false });
            return {};
        }
        const Value& data = edge["data"];
        const std::string label = data.isString() ? data.asString()
            : data.isNull()                       ? to->second
                                                  : toJson(data);
        auto branch = std::ranges::find(m_branches, from->second, &std::pair<std::string, Targets>::first);
        if (branch == m_branches.end())
            branch = m_branches.insert(m_branches.end(), { from->second, {} });
        std::string unique = label;
        for (int number = 2;
             std::ranges::any_of(branch->second, [&](const auto& target) { return target.first == unique; });
             ++number)
            unique = label + " " + std::to_string(number);
        branch->second.emplace_back(unique, NodeId(to->second));
        return {};
    }

    void addBranch(const std::string& from, Targets targets)
    {
        const std::string start = from == graph::kStart ? "start" : from;
        std::string labels;
        for (const auto& [label, to] : targets)
            (labels += labels.empty() ? "" : ", ") += pythonText(label);
        std::ranges::replace_if(
            labels, [](char c) { return c == '\n' || c == '\r'; }, ' ');
        graph::Branch branch;
        branch.from = NodeId(from);
        branch.settings.set(
            "file",
            addCode("after_" + snakeName(start, "node"),
                    "\"\"\"A branch of an imported graph: its code is still to be written.\"\"\"\n\n\n"
                    "def route(state):\n"
                    "    # Return one of the labels, or a list of them: "
                        + labels
                        + "\n"
                          "    raise NotImplementedError("
                        + pythonText("choose where to go after " + start) + ")\n"));
        branch.settings.set("function", "route");
        branch.targets = std::move(targets);
        m_skeleton.graph.branches.push_back(std::move(branch));
    }

    const Value& m_source;
    Skeleton m_skeleton;
    std::map<std::string, std::string> m_names; // id → name here
    std::set<std::string> m_taken;
    PythonNames m_modules;
    std::vector<std::pair<std::string, Targets>> m_branches; // by start, in order
    bool m_renamed = false;
};

} // namespace

Result<Skeleton> skeletonOf(std::string_view json, const std::string& graphName)
{
    const auto source = parseJson(json, kLimits);
    if (!source)
        return wrong(source.error().message);
    return JsonReader(*source, graphName).read();
}

} // namespace sg::exchange
