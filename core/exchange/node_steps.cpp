#include "core/exchange/node_steps.h"

#include "core/graph/node_kinds.h"

#include <algorithm>

namespace sg::exchange {
namespace {

std::string nodeText(const graph::Node& node)
{
    return "node '" + node.name.value + "'";
}

std::string listText(const std::vector<std::string>& items)
{
    Value list{ ValueList(items.begin(), items.end()) };
    return pythonLiteral(list);
}

std::string indented(const std::string& text)
{
    return "    " + text;
}

graph::ExportAs exportOf(const graph::Node& node)
{
    const graph::NodeKind* kind = graph::findNodeKind(node.kind);
    return kind == nullptr ? graph::ExportAs::Refused : kind->exported;
}

} // namespace

NodeSteps::NodeSteps(const graph::Graph& graph, ProjectParts& parts, PythonModule& module, PythonNames& names)
    : m_graph(graph)
    , m_parts(parts)
    , m_module(module)
    , m_names(names)
{
}

bool NodeSteps::readsBySchema(const graph::Node& node) const
{
    return node.reads && std::ranges::none_of(m_graph.branches, [&node](const graph::Branch& branch) {
               return branch.from == node.name;
           });
}

std::string NodeSteps::define(const std::string& wantedName, const std::string& signature,
                              const std::string& body, const std::string& decorator)
{
    std::string name = m_names.take(wantedName);
    m_module.addDefinition((decorator.empty() ? "" : "@" + decorator + "\n") + "def " + name + signature
                           + ":\n" + body + "\n");
    return name;
}

std::string NodeSteps::runJq(const std::string& program, const std::string& value, int indent)
{
    m_parts.usesJq = true;
    return pythonCall(m_parts.use(m_module, "jq_step", "run_jq"), { pythonText(program), value }, indent);
}

// Returns "sliced(…)", or an empty text if the node needs none.
std::string NodeSteps::sliced(const graph::Node& node)
{
    std::vector<std::string> arguments{ pythonText(node.name.value) };
    if (node.reads && !readsBySchema(node))
        arguments.push_back("reads=" + listText(*node.reads));
    if (node.writes)
        arguments.push_back("writes=" + listText(*node.writes));
    return arguments.size() == 1 ? "" : pythonCall(m_parts.use(m_module, "slices", "sliced"), arguments);
}

std::string NodeSteps::imported(const ValueMap& settings, const std::string& what, bool isHandler)
{
    const Value* file = settings.find("file");
    const CodeModule* code =
        file != nullptr && file->isString() ? m_parts.code.find(file->asString()) : nullptr;
    if (code == nullptr) {
        refuse(what + " has no code that could be exported");
        return {};
    }
    const std::string function = graph::functionOf(settings);
    auto& name = m_imports[file->asString()];
    if (name.empty()) {
        name = m_names.take(code->name);
        m_module.from(code->package, code->name, name);
    }
    const std::string call = name + "." + function;
    const FunctionShape shape = shapeOf(code->source, function);
    constexpr std::array<std::string_view, 5> given{ "config", "writer", "store", "previous", "runtime" };
    if (!shape.second.empty() && !shape.second.starts_with('*') && !shape.second.starts_with('/')
        && !(isHandler && shape.second == "error") && std::ranges::find(given, shape.second) == given.end())
        refuse(what + ": the second parameter of " + function + "() in " + file->asString() + " is called '"
               + shape.second + "'; LangGraph gives "
               + (isHandler ? "the failure only to one written as 'error: NodeError'"
                            : "the config only to one called 'config'")
               + ": rename it");
    return shape.isAsync ? m_parts.use(m_module, "blocking", "blocking") + "(" + call + ")" : call;
}

std::string NodeSteps::subgraphBody(const graph::Node& node, const std::string& subgraph)
{
    const auto program = [&node](std::string_view key) {
        return graph::textOr(node.settings, *graph::findSetting(graph::findNodeKind(node.kind), key));
    };
    const auto line = [](int indent, const std::string& text) {
        return std::string(static_cast<std::size_t>(indent), ' ') + text + "\n";
    };
    std::string text;
    if (node.reads && !readsBySchema(node))
        text += line(4,
                     "state = " + m_parts.use(m_module, "slices", "shown") + "(state, "
                         + listText(*node.reads) + ")");
    const Value* calls = node.settings.find("calls");
    const std::string in = program("in");
    if (calls != nullptr && calls->isInt()) {
        // A comprehension would hide the subgraph: LangGraph searches the names of the function itself.
        text += line(4, "result = []") + line(4, "for _ in range(" + std::to_string(calls->asInt()) + "):")
            + line(8, "result.append(" + subgraph + ".invoke(" + runJq(in, "state", 8) + "))");
    } else {
        text += line(4, "result = " + subgraph + ".invoke(" + runJq(in, "state", 4) + ")");
    }
    const std::string update = runJq(program("out"), R"({"state": state, "result": result})", 4);
    const std::string result = node.writes ? m_parts.use(m_module, "slices", "allowed") + "("
            + pythonText(node.name.value) + ", " + update + ", " + listText(*node.writes) + ")"
                                           : update;
    return text + indented("return " + result);
}

std::string NodeSteps::datasetBody(const graph::Node& node)
{
    const Value* named = node.settings.find("dataset");
    const Value* from = node.settings.find("from");
    const Value* channel = node.settings.find("channel");
    if (channel == nullptr || !channel->isString() || (named == nullptr && from == nullptr)) {
        refuse(nodeText(node) + " lacks its dataset or channel");
        return {};
    }
    m_parts.notes.push_back(
        "Node `" + node.name.value
        + "` writes the dataset's path on this machine (folder `datasets`, or the variable "
          "DATASETS); in Sandglass it is the path inside of the session.");
    const std::string name = named != nullptr ? pythonLiteral(*named) : "state[" + pythonLiteral(*from) + "]";
    return indented("return {" + pythonText(channel->asString()) + ": "
                    + m_parts.use(m_module, "dataset_files", "dataset_path") + "(" + name + ")}");
}

std::string NodeSteps::questionBody(const graph::Node& node)
{
    const Value* program = node.settings.find("jq");
    const Value* question = node.settings.find("question");
    const Value* channel = node.settings.find("channel");
    const std::string asked = m_module.from("langgraph.types", "interrupt") + "("
        + (program != nullptr && program->isString()
               ? runJq(program->asString(), "state", 4)
               : pythonLiteral(question != nullptr ? *question : Value()))
        + ")";
    return channel != nullptr && channel->isString()
        ? indented("return {" + pythonText(channel->asString()) + ": " + asked + "}")
        : indented("return " + asked);
}

// Writes the body for kinds whose function is generated.
std::string NodeSteps::body(const graph::Node& node, const std::string& subgraph)
{
    switch (exportOf(node)) {
    case graph::ExportAs::Program:
        if (const Value* program = node.settings.find("jq"); program != nullptr && program->isString())
            return indented("return " + runJq(program->asString(), "state", 4));
        break;
    case graph::ExportAs::Interrupt: return questionBody(node);
    case graph::ExportAs::Subgraph: return subgraphBody(node, subgraph);
    case graph::ExportAs::DatasetPath: return datasetBody(node);
    case graph::ExportAs::Function:
    case graph::ExportAs::Refused: break;
    }
    refuse(nodeText(node) + ": there is nothing in a LangGraph project for nodes of kind \"" + node.kind
           + "\"");
    return {};
}

std::string NodeSteps::action(const graph::Node& node, const std::string& state, const std::string& subgraph)
{
    const bool isSubgraph = exportOf(node) == graph::ExportAs::Subgraph;
    const std::string slice = isSubgraph ? "" : sliced(node);
    if (exportOf(node) == graph::ExportAs::Function) {
        const std::string function = imported(node.settings, nodeText(node));
        return slice.empty() ? function : slice + "(" + function + ")";
    }
    const ValueMap& settings = node.settings;
    if (isSubgraph && !settings.contains("in") && !settings.contains("out") && !settings.contains("calls")) {
        if (node.writes || (node.reads && !readsBySchema(node)))
            m_parts.notes.push_back(
                "Node `" + node.name.value
                + "` is a subgraph: that it keeps to its `reads` and `writes` is not checked.");
        return subgraph;
    }
    return define(snakeName(node.name.value, "node"), "(state: " + state + ")", body(node, subgraph), slice);
}

std::string NodeSteps::errorHandler(const graph::Node& node, const std::string& state)
{
    const ValueMap& settings = node.errorHandler.asMap();
    const Value* program = settings.find("jq");
    if (program == nullptr || !program->isString())
        return imported(settings, "the error handler of " + nodeText(node), true);
    const std::string told = m_parts.use(m_module, "failures", "failure") + "(state, error)";
    return define("handle_" + snakeName(node.name.value, "node"),
                  "(state: " + state + ", error: " + m_module.from("langgraph.errors", "NodeError") + ")",
                  indented("return " + runJq(program->asString(), told, 4)));
}

std::string NodeSteps::branch(const graph::Branch& branch, const std::string& state)
{
    const std::string start = branch.from.value == graph::kStart ? "start" : branch.from.value;
    const Value* program = branch.settings.find("jq");
    if (program != nullptr && program->isString())
        return define("after_" + snakeName(start, "node"), "(state: " + state + ")",
                      indented("return " + runJq(program->asString(), "state", 4)));
    const std::string what = "the branch after '" + start + "'";
    const std::string function = graph::functionOf(branch.settings);
    if (!m_routes.emplace(start, function).second)
        refuse(what + ": two branches there have a function '" + function
               + "', and LangGraph tells branches by that name: rename one");
    return imported(branch.settings, what);
}

} // namespace sg::exchange
