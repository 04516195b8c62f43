#include "core/exchange/python_project.h"

#include "core/exchange/graph_module.h"
#include "core/exchange/project_frame.h"
#include "core/exchange/project_parts.h"
#include "core/exchange/python_module.h"
#include "core/exchange/python_sources.h"
#include "core/graph/node_kinds.h"
#include "core/graph/requirement.h"

#include <algorithm>
#include <array>
#include <set>

namespace sg::exchange {
namespace {

// A project must not have one of these names, because it would hide the package.
constexpr std::array<std::string_view, 7> kPackages{ "jq",        "langgraph", "langchain", "langchain_core",
                                                     "langsmith", "pydantic",  "tests" };

std::string packageName(const graph::Graph& graph, const std::string& name)
{
    std::string package = snakeName(graph.name.empty() ? name : graph.name, "graph");
    if (isTakenName(package) || std::ranges::find(kPackages, package) != kPackages.end())
        package += "_graph";
    return package;
}

std::string oneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

void listNames(std::string& text, const std::string& name)
{
    text += (text.empty() ? "`" : ", `") + name + "`";
}

bool isKnown(const std::string& key)
{
    return graph::isSettingOfAnyKind(key) || graph::findSetting(nullptr, key) != nullptr || key == "defer"
        || key == "graph";
}

// Notes settings of nodes that LangGraph does not have.
void noteNodes(const graph::Graph& graph, std::vector<std::string>& notes)
{
    std::string timeouts;
    std::string unknown;
    for (const graph::Node& node : graph.nodes) {
        if (node.settings.contains("timeout_s"))
            listNames(timeouts, node.name.value);
        for (const auto& [key, value] : node.settings)
            if (key.isString() && !isKnown(key.asString()))
                listNames(unknown, node.name.value + "." + key.asString());
        if (node.subgraph)
            noteNodes(*node.subgraph, notes);
    }
    if (!timeouts.empty())
        notes.push_back("`timeout_s` of " + timeouts
                        + " is not kept: LangGraph stops async nodes only (`add_node(timeout=…)`).");
    if (!unknown.empty())
        notes.push_back("Keys that Sandglass does not know are left out: " + unknown + ".");
}

// pip accepts hashes in requirements files only.
std::string withoutHashes(std::string requirement)
{
    if (const std::size_t at = requirement.find(" --hash"); at != std::string::npos)
        requirement.erase(at);
    return requirement;
}

Result<void> addNodeRequirements(const graph::Graph& graph, std::vector<std::string>& all)
{
    for (const graph::Node& node : graph.nodes) {
        const graph::NodeSetting* packages =
            graph::findSetting(graph::findNodeKind(node.kind), graph::SettingType::Packages);
        const Value* wanted = packages != nullptr ? node.settings.find(packages->key) : nullptr;
        if (wanted != nullptr) {
            auto lines = graph::parseRequirementList(*wanted);
            if (!lines)
                return std::move(lines.error())
                    .during("read the requirements of node '" + node.name.value + "'");
            all.insert(all.end(), lines->begin(), lines->end());
        }
        if (node.subgraph)
            if (auto inner = addNodeRequirements(*node.subgraph, all); !inner)
                return inner;
    }
    return {};
}

// Collects the requirements of the graph (lines or file) and of its nodes, which share an environment.
Result<std::vector<std::string>> requirementsOf(const graph::Graph& graph, const ReadCode& readCode,
                                                std::vector<std::string>& notes)
{
    const graph::Requirements& wanted = graph.sandbox.requirements;
    std::vector<std::string> all = wanted.lines;
    if (!wanted.file.empty()) {
        const std::string doing = "read the requirements file '" + wanted.file + "'";
        auto path = RelativePath::parse(wanted.file);
        if (!path)
            return std::move(path.error()).during(doing);
        auto text = readCode(*path);
        if (!text)
            return std::move(text.error()).during(doing);
        auto lines = graph::parseRequirementsFile(*text);
        if (!lines)
            return std::move(lines.error()).during(doing);
        all = std::move(*lines);
    }
    const std::size_t ofGraph = all.size();
    if (auto added = addNodeRequirements(graph, all); !added)
        return std::move(added.error());
    if (all.size() > ofGraph)
        notes.emplace_back("Requirements of single nodes hold for all of them: there is one environment.");
    for (std::string& line : all) {
        auto parsed = graph::parseRequirement(line);
        if (!parsed)
            return std::move(parsed.error());
        line = withoutHashes(std::move(*parsed));
    }
    return graph::sortedRequirements(std::move(all));
}

void noteSandbox(const CodeModules& code, ProjectParts& parts)
{
    if (code.all().empty())
        return;
    parts.notes.emplace_back(
        "Nodes run in this process, with its rights, not in a sandbox session: what a file keeps "
        "in global names is shared by all threads, and no other file sees it.");
    std::string paths;
    std::string drawing;
    for (const auto& [file, module] : code.all()) {
        if (module.source.find("import sandglass") != std::string::npos
            || module.source.find("from sandglass ") != std::string::npos)
            parts.refusals.push_back("the code file " + file
                                     + " imports `sandglass`, which is there in sandbox sessions alone");
        if (module.source.find("random.seed(") != std::string::npos)
            listNames(drawing, module.path);
        for (const char* path : { "/session/", "/data/", "/heavy_data/" })
            if (module.source.find(path) != std::string::npos)
                listNames(paths, module.path + " (" + path + ")");
    }
    if (!drawing.empty())
        parts.notes.push_back("LangGraph draws from Python's one random generator too, so the numbers after "
                              "`random.seed()` differ in "
                              + drawing + "; a `random.Random(seed)` of its own keeps them.");
    if (!paths.empty())
        parts.notes.push_back(
            "These files name folders of a session, which must be there or be changed: " + paths + ".");
}

void noteGraph(const graph::Graph& graph, ProjectParts& parts)
{
    noteNodes(graph, parts.notes);
    if (parts.usesJq)
        parts.notes.emplace_back("jq programs run in the jq of the package `jq` (1.8); Sandglass has 1.6.");
    if (!graph.store.tenant.empty())
        parts.notes.push_back("The store's tenant `" + graph.store.tenant
                              + "` is not kept: namespaces begin without that label.");
    if (!(graph.interruptIf == graph::BreakConditions()))
        parts.notes.emplace_back("Breakpoints with a condition pause always.");
    if (!graph.layout.empty())
        parts.notes.emplace_back(
            "Places on the canvas and the settings of sandboxes stay in the graph file.");
}

// Modules keep their paths, and their folders are on the search path, so that code names them as before.
void addModules(const std::vector<ExportedFile>& modules, std::vector<ExportedFile>& files,
                ProjectFrame& frame)
{
    const auto has = [&files](const std::string& path) {
        return std::ranges::find(files, path, &ExportedFile::path) != files.end();
    };
    std::set<std::string> packages;
    for (const ExportedFile& module : modules) {
        const std::size_t end = module.path.find('/');
        if (end == std::string::npos)
            continue;
        const std::string folder = module.path.substr(0, end);
        const std::string inside = module.path.substr(end + 1);
        const bool isImported =
            std::erase(frame.foreignImports, inside.substr(0, inside.find_first_of("/."))) > 0;
        const bool isNew = !has(module.path);
        if ((isImported || isNew)
            && std::ranges::find(frame.moduleFolders, folder) == frame.moduleFolders.end())
            frame.moduleFolders.push_back(folder);
        if (isNew)
            files.push_back(module);
        for (std::size_t at = end; at != std::string::npos; at = module.path.find('/', at + 1))
            packages.insert(module.path.substr(0, at) + "/__init__.py"); // only packages are installed
    }
    for (const std::string& package : packages)
        if (!has(package))
            files.push_back({ package, "" });
}

Error refused(const std::vector<std::string>& refusals)
{
    std::string text = "the graph cannot be exported to LangGraph: ";
    for (const std::string& refusal : refusals)
        text += (&refusal == refusals.data() ? "" : "; ") + refusal;
    return { Errc::InvalidArgument, text };
}

} // namespace

std::string ProjectParts::use(PythonModule& module, const std::string& source, const std::string& name)
{
    sources.insert(source);
    return module.from("." + source, name);
}

Result<PythonProject> pythonProject(const graph::Graph& graph, const std::string& name,
                                    const ReadCode& readCode, const std::vector<ExportedFile>& modules)
{
    auto code = CodeModules::collect(graph, readCode);
    if (!code)
        return std::move(code.error());
    ProjectParts parts;
    parts.code = *std::move(code);
    for (const char* own :
         { "graph", "blocking", "dataset_files", "failures", "jq_step", "reducers", "slices" })
        parts.modules.take(own);
    for (const std::string& folder : parts.code.folders())
        parts.modules.take(folder);
    noteSandbox(parts.code, parts);

    ProjectFrame frame;
    frame.package = packageName(graph, name);
    frame.description =
        oneLine(graph.description.empty() ? "The graph " + frame.package + "." : graph.description);
    auto requirements = requirementsOf(graph, readCode, parts.notes);
    if (!requirements)
        return std::move(requirements.error());
    frame.requirements = std::move(*requirements);
    const std::string graphText = graphModule(graph, frame.description, true, parts);
    noteGraph(graph, parts);
    if (!parts.refusals.empty())
        return refused(parts.refusals);
    frame.usesJq = parts.usesJq;
    frame.foreignImports = parts.code.foreignImports();
    std::vector<ExportedFile> codeFiles = parts.code.files();
    addModules(modules, codeFiles, frame);
    frame.notes = parts.notes;
    frame.store = graph.store;
    frame.durability = graph.durability;

    PythonProject project{ frame.package, {}, parts.notes };
    project.files = { { "pyproject.toml", pyprojectText(frame) }, { "README.md", readmeText(frame) } };
    const auto add = [&](const std::string& path, std::string content) {
        project.files.push_back({ frame.package + "/" + path, std::move(content) });
    };
    add("__init__.py", initText(frame));
    add("__main__.py", mainText(frame));
    add("graph.py", graphText);
    for (const std::string& source : parts.sources)
        add(source + ".py", std::string(pythonSource(source)));
    for (ExportedFile& file : parts.files)
        add(file.path, std::move(file.content));
    for (ExportedFile& file : codeFiles)
        add(file.path, std::move(file.content));
    return project;
}

} // namespace sg::exchange
