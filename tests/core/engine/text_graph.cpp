#include "tests/core/engine/text_graph.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdlib>

namespace sg::test {
namespace {

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \n");
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(" \n") - first + 1));
}

std::vector<std::string> split(std::string_view text, std::string_view separator)
{
    std::vector<std::string> parts;
    while (true) {
        const auto at = text.find(separator);
        parts.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + separator.size());
    }
}

class FunctionBody final : public engine::NodeBody {
public:
    FunctionBody(NodeFunction function, bool blocking)
        : m_function(std::move(function))
        , m_blocking(blocking)
    {
    }
    [[nodiscard]] bool mayBlock() const override { return m_blocking; }
    engine::NodeOutcome run(engine::TaskContext& context) override { return m_function(context); }

private:
    NodeFunction m_function;
    bool m_blocking;
};

NodeId nodeNamed(graph::Graph& graph, const std::string& word)
{
    if (word == "start")
        return NodeId(graph::kStart);
    if (word == "end")
        return NodeId(graph::kEnd);
    const NodeId id(word);
    if (std::ranges::find(graph.nodes, id, &graph::Node::name) == graph.nodes.end()) {
        graph.nodes.emplace_back();
        graph.nodes.back().name = id;
        graph.nodes.back().kind = "function";
    }
    return id;
}

} // namespace

graph::Graph graphFromText(std::string_view text)
{
    graph::Graph graph;
    graph.name = "test";
    const auto channel = [&graph](const char* name, graph::ChannelType type, graph::Reducer reducer) {
        graph.channels.emplace_back();
        graph.channels.back().name = name;
        graph.channels.back().type = type;
        graph.channels.back().reducer = reducer;
    };
    channel("log", graph::ChannelType::Reduce, graph::Reducer::Append);
    channel("n", graph::ChannelType::Reduce, graph::Reducer::Add);
    channel("x", graph::ChannelType::LastValue, graph::Reducer::Last);
    for (const std::string& chain : split(text, ";")) {
        const auto words = split(chain, "->");
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            graph::Edge edge;
            edge.waiting = words[i].starts_with('[');
            for (const std::string& from :
                 split(edge.waiting ? words[i].substr(1, words[i].size() - 2) : words[i], ","))
                edge.from.push_back(nodeNamed(graph, from));
            edge.to = nodeNamed(graph, words[i + 1]);
            graph.edges.push_back(std::move(edge));
        }
    }
    return graph;
}

Result<std::unique_ptr<engine::NodeBody>> FunctionNodes::makeNode(const graph::Node& node)
{
    const std::string name = node.name.value;
    NodeFunction function = [name](engine::TaskContext&) {
        return returned(Value::map({ { "log", Value::list({ name }) } }));
    };
    if (m_functions.contains(name))
        function = m_functions.at(name);
    std::unique_ptr<engine::NodeBody> body = std::make_unique<FunctionBody>(std::move(function), blocking);
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> FunctionNodes::makeBranch(const graph::Branch& branch)
{
    std::unique_ptr<engine::NodeBody> body = std::make_unique<FunctionBody>(
        m_functions.at(
            Value(branch.settings).stringOr("function", Value(branch.settings).stringOr("jq", ""))),
        false);
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> FunctionNodes::makeErrorHandler(const graph::Node& node)
{
    std::unique_ptr<engine::NodeBody> body =
        std::make_unique<FunctionBody>(m_functions.at(node.errorHandler.stringOr("function", "")), blocking);
    return body;
}

engine::NodeOutcome returned(Value value)
{
    return engine::Returned{ std::move(value) };
}

engine::NodeOutcome failedWith(std::string type, std::string message)
{
    return engine::Failure{ std::move(type), std::move(message) };
}

Value json(std::string_view text)
{
    auto value = parseJson(text);
    if (!value)
        std::abort();
    return *std::move(value);
}

graph::Branch branchTo(std::string from, std::string function)
{
    graph::Branch branch;
    branch.from = NodeId(std::move(from));
    branch.settings.set("function", Value(std::move(function)));
    return branch;
}

} // namespace sg::test
