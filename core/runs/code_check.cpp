#include "core/runs/code_check.h"

#include "core/base/code_file.h"
#include "core/base/utf8.h"
#include "core/config/runtime.h"
#include "core/graph/node_kinds.h"
#include "core/graph/reading.h"
#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sessions/runner/syntax_check.h"

#include <algorithm>
#include <tuple>

namespace sg::runs {
namespace {

using graph::Problem;

constexpr std::chrono::seconds kTimeout{ 20 };
constexpr const char* kDefaultImage = "sandglass/python";

// A code file of the graph: where the graph names it first, and what it calls in it.
struct Use {
    std::string pointer;
    std::vector<std::string> functions;
};
using Uses = std::map<std::string, Use>;

void addUse(Uses& uses, const ValueMap& settings, const std::string& pointer)
{
    const Value* file = settings.find("file");
    if (file == nullptr || !file->isString() || file->asString().empty() || settings.contains("jq"))
        return;
    Use& use = uses.try_emplace(file->asString(), Use{ pointer + "/file", {} }).first->second;
    std::string function = graph::functionOf(settings);
    if (std::ranges::find(use.functions, function) == use.functions.end())
        use.functions.push_back(std::move(function));
}

void collect(Uses& uses, const graph::Graph& graph, const std::string& place)
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const graph::Node& node = graph.nodes[i];
        const std::string pointer = place + "/nodes/" + std::to_string(i);
        if (graph::codeFileOf(node) != nullptr)
            addUse(uses, node.settings, pointer);
        if (node.errorHandler.isMap())
            addUse(uses, node.errorHandler.asMap(), pointer + "/error_handler");
        if (node.subgraph)
            collect(uses, *node.subgraph, pointer + "/graph");
    }
    for (std::size_t i = 0; i < graph.branches.size(); ++i)
        addUse(uses, graph.branches[i].settings, place + "/branches/" + std::to_string(i));
}

std::string faultText(const std::string& file, const sessions::CodeFault& fault)
{
    std::string text = file;
    if (fault.line > 0)
        text += ":" + std::to_string(fault.line);
    if (fault.line > 0 && fault.column > 0)
        text += ":" + std::to_string(fault.column);
    text += ": " + fault.message;
    return fault.text.empty() ? text : text + ": " + fault.text;
}

Result<std::vector<std::vector<sessions::CodeFault>>>
askPython(const std::vector<sessions::CodeSource>& sources)
{
    const config::RuntimePaths runtime = config::locateRuntime();
    const auto backend = sandbox::makeBubblewrapBackend();
    if (auto probed = backend->probe(); !probed)
        return std::move(probed.error());
    sandbox::SandboxSpec spec;
    spec.session = SessionId("s-check");
    spec.project = "00000000";
    spec.runnerFolder = runtime.runner;
    std::error_code error;
    if (std::filesystem::is_directory(runtime.python, error))
        spec.python = runtime.python;
    return sessions::checkSyntax(*backend, spec, sources, kTimeout);
}

// A session of another image may know a newer Python.
Problem::Severity severityFor(const graph::Graph& graph)
{
    const std::string& image = graph.sandbox.image;
    return image.empty() || image == kDefaultImage ? Problem::Severity::Error : Problem::Severity::Warning;
}

} // namespace

CodeFaults findCodeFaults(const graph::Graph& graph, const projects::ProjectPaths& project)
{
    Uses uses;
    collect(uses, graph, {});
    CodeFaults faults;
    std::vector<sessions::CodeSource> sources;
    for (const auto& [name, use] : uses)
        if (const auto path = RelativePath::parse(name))
            if (auto source = readCodeFile(project.folder, *path)) // a missing one is told already
                sources.push_back({ name, *std::move(source), use.functions });
    std::erase_if(sources, [&](const sessions::CodeSource& each) {
        if (isValidUtf8(each.source))
            return false;
        faults.ofFiles[each.file].push_back({ each.file + ": it is not UTF-8 text; save it as that", false });
        return true;
    });
    if (sources.empty())
        return faults;
    const auto found = askPython(sources);
    if (!found)
        faults.unchecked = found.error().message;
    for (std::size_t i = 0; found && i < found->size(); ++i)
        for (const sessions::CodeFault& fault : (*found)[i])
            faults.ofFiles[sources[i].file].push_back({ faultText(sources[i].file, fault), true });
    return faults;
}

void addCodeFaults(graph::GraphFile& file, const CodeFaults& faults)
{
    Uses uses;
    if (file.skipped.empty()) // else the places of list elements are not known
        collect(uses, file.graph, {});
    if (uses.empty())
        return;
    const auto add = [&](Problem::Severity severity, const char* code, const std::string& text,
                         const std::string& pointer) {
        file.problems.push_back(
            { severity, code, text, pointer, graph::positionOf(file.positions, pointer) });
    };
    if (!faults.unchecked.empty())
        add(Problem::Severity::Hint, "python-unchecked",
            "the Python code was not checked, as that needs a bubblewrap sandbox: " + faults.unchecked,
            uses.begin()->second.pointer);
    for (const auto& [name, ofFile] : faults.ofFiles)
        if (const auto use = uses.find(name); use != uses.end())
            for (const CodeFaults::Fault& fault : ofFile)
                add(fault.isOfPython ? severityFor(file.graph) : Problem::Severity::Error, "bad-python",
                    fault.text, use->second.pointer);
    std::ranges::stable_sort(file.problems, {}, [](const Problem& problem) {
        return std::tuple(static_cast<int>(problem.severity), problem.position.line, problem.position.column);
    });
}

void checkCode(graph::GraphFile& file, const projects::ProjectPaths& project)
{
    if (file.skipped.empty())
        addCodeFaults(file, findCodeFaults(file.graph, project));
}

} // namespace sg::runs
