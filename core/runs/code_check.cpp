#include "core/runs/code_check.h"

#include "core/base/code_file.h"
#include "core/base/file.h"
#include "core/config/runtime.h"
#include "core/graph/node_kinds.h"
#include "core/graph/reading.h"
#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sessions/runner/syntax_check.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

namespace sg::runs {
namespace {

using graph::Problem;

constexpr std::chrono::seconds kTimeout{ 20 };
constexpr const char* kDefaultImage = "sandglass/python";

// A code file: where the graph first names it, and which functions of it are called.
struct Use {
    std::string pointer;
    std::string place; // of that graph
    std::vector<std::string> functions{};
    std::set<std::string> channels{}; // of all graphs that use it
    std::vector<std::string> updating{};
    std::vector<std::string> reading{};
};
using Uses = std::map<std::string, Use>;

// The purpose for which a function is called.
enum class Called { AsNode, WithMore, AsBranch }; // WithMore: what it gets is not the state alone

void addUse(Uses& uses, const graph::Graph& graph, const ValueMap& settings, const std::string& place,
            const std::string& pointer, Called called)
{
    const Value* file = settings.find("file");
    if (file == nullptr || !file->isString() || file->asString().empty() || settings.contains("jq"))
        return;
    Use& use = uses.try_emplace(file->asString(), Use{ pointer + "/file", place }).first->second;
    std::string function = graph::functionOf(settings);
    for (const graph::Channel& channel : graph.channels)
        use.channels.insert(channel.name);
    if (called != Called::AsBranch)
        use.updating.push_back(function);
    if (called != Called::WithMore)
        use.reading.push_back(function);
    if (std::ranges::find(use.functions, function) == use.functions.end())
        use.functions.push_back(std::move(function));
}

// A branch may send a node something else than the state: programs that say so, and code, which nobody reads.
bool maySend(const graph::Branch& branch)
{
    const Value* program = branch.settings.find("jq");
    return program == nullptr || !program->isString()
        || program->asString().find("__send__") != std::string::npos;
}

void collect(Uses& uses, const graph::Graph& graph, const std::string& place)
{
    const bool sends = std::ranges::any_of(graph.branches, maySend);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const graph::Node& node = graph.nodes[i];
        const std::string pointer = place + "/nodes/" + std::to_string(i);
        const bool isState = !sends && !node.input;
        if (graph::codeFileOf(node) != nullptr)
            addUse(uses, graph, node.settings, place, pointer, isState ? Called::AsNode : Called::WithMore);
        if (node.errorHandler.isMap())
            addUse(uses, graph, node.errorHandler.asMap(), place, pointer + "/error_handler",
                   Called::WithMore);
        if (node.subgraph)
            collect(uses, *node.subgraph, pointer + "/graph");
    }
    for (std::size_t i = 0; i < graph.branches.size(); ++i)
        addUse(uses, graph, graph.branches[i].settings, place, place + "/branches/" + std::to_string(i),
               Called::AsBranch);
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

// A session with another image may have a newer Python.
Problem::Severity severityFor(const graph::Graph& graph)
{
    const std::string& image = graph.sandbox.image;
    return image.empty() || image == kDefaultImage ? Problem::Severity::Error : Problem::Severity::Warning;
}

// The module's first name that an import line names at `at`; moves behind it.
std::string moduleAt(std::string_view line, std::size_t& at)
{
    at = std::min(line.find_first_not_of(" \t", at), line.size());
    const std::size_t begin = at;
    while (at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_'))
        ++at;
    return std::string(line.substr(begin, at - begin));
}

void collectImports(std::string_view source, std::set<std::string>& found)
{
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        std::string_view line = source.substr(begin, end - begin);
        begin = end + 1;
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        line = line.substr(0, line.find('#'));
        std::size_t at = 0;
        const std::string word = moduleAt(line, at);
        if (word == "from")
            found.insert(moduleAt(line, at));
        while (word == "import" && at < line.size()) {
            found.insert(moduleAt(line, at));
            at = std::min(line.find(',', at), line.size() - 1) + 1;
        }
    }
}

// Modules that nodes import from the project's own folders.
std::vector<std::filesystem::path> ownModules(const graph::Graph& graph,
                                              const projects::ProjectPaths& project)
{
    constexpr std::size_t kMostModules = 500;
    std::vector<std::filesystem::path> files;
    for (const std::string& name : graph.sandbox.python.value_or(std::vector<std::string>{ "lib" })) {
        std::error_code failed;
        for (std::filesystem::directory_iterator it(project.folder / name, failed), end;
             !failed && it != end && files.size() < kMostModules; it.increment(failed))
            if (it->path().extension() == ".py")
                files.push_back(it->path());
    }
    return files;
}

} // namespace

std::vector<std::string> importsOf(const graph::Graph& graph, const projects::ProjectPaths& project,
                                   const std::vector<std::string>& modules)
{
    constexpr std::size_t kLargestModule = 1U << 20;
    Uses uses;
    collect(uses, graph, {});
    if (uses.empty())
        return {};
    std::set<std::string> imported;
    for (const auto& [name, use] : uses)
        if (const auto path = RelativePath::parse(name))
            if (const auto source = readCodeFile(project.folder, *path))
                collectImports(*source, imported);
    for (const std::filesystem::path& file : ownModules(graph, project))
        if (const auto source = readFile(file, kLargestModule))
            collectImports(*source, imported);
    std::vector<std::string> found;
    std::ranges::copy_if(modules, std::back_inserter(found),
                         [&](const std::string& module) { return imported.contains(module); });
    return found;
}

CodeFaults findCodeFaults(const graph::Graph& graph, const projects::ProjectPaths& project)
{
    Uses uses;
    collect(uses, graph, {});
    CodeFaults faults;
    std::vector<sessions::CodeSource> sources;
    for (const auto& [name, use] : uses)
        if (const auto path = RelativePath::parse(name)) {
            auto source = readCodeFile(project.folder, *path);
            if (source)
                sources.push_back({ name,
                                    *std::move(source),
                                    use.functions,
                                    { use.channels.begin(), use.channels.end() },
                                    use.updating,
                                    use.reading });
            else if (source.error().code == Errc::Unsupported) // a missing one is told already
                faults.ofFiles[name].push_back({ source.error().message, false });
        }
    if (sources.empty())
        return faults;
    const auto found = askPython(sources);
    if (!found)
        faults.unchecked = found.error().message;
    for (std::size_t i = 0; found && i < found->size(); ++i)
        for (const sessions::CodeFault& fault : (*found)[i])
            faults.ofFiles[sources[i].file].push_back(
                { faultText(sources[i].file, fault), true, fault.channel });
    return faults;
}

void addCodeFaults(graph::GraphFile& file, const CodeFaults& faults)
{
    Uses uses;
    if (file.skipped.empty()) // otherwise the places of list elements are unknown
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
    for (const auto& [name, ofFile] : faults.ofFiles) {
        const auto use = uses.find(name);
        for (const CodeFaults::Fault& fault : use == uses.end() ? std::vector<CodeFaults::Fault>() : ofFile) {
            if (fault.channel.empty()) {
                add(fault.isOfPython ? severityFor(file.graph) : Problem::Severity::Error, "bad-python",
                    fault.text, use->second.pointer);
                continue;
            }
            add(Problem::Severity::Warning, "undeclared-channel", fault.text, use->second.pointer);
            // The channel is to be declared in that place, and a fix adds it there.
            file.problems.back().pointer = use->second.place + "/state/" + jsonPointerToken(fault.channel);
        }
    }
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
