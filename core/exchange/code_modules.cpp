#include "core/exchange/code_modules.h"

#include "core/exchange/python_text.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace sg::exchange {
namespace {

// The package uses these names for its own modules.
constexpr std::array<std::string_view, 8> kOwn{ "blocking", "dataset_files", "failures", "graph",
                                                "jq_step",  "reducers",      "slices",   "__main__" };

std::vector<std::string> partsOf(const std::string& path)
{
    std::vector<std::string> parts;
    std::istringstream text(path);
    for (std::string part; std::getline(text, part, '/');)
        parts.push_back(part);
    return parts;
}

// Names such as "__init__" belong to Python.
std::string importable(const std::string& name, const char* fallback)
{
    if (isPythonName(name) && !name.starts_with("__"))
        return name;
    std::string other = snakeName(name, fallback);
    return isPythonName(other) ? other : other + "_";
}

std::string trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

// Returns "a" for "import a.b" and "from a import b" at the start of a line.
std::string importedBy(std::string_view line)
{
    for (const std::string_view word : { "import ", "from " })
        if (line.starts_with(word)) {
            line.remove_prefix(word.size());
            return std::string(line.substr(0, line.find_first_of(" .,;")));
        }
    return {};
}

} // namespace

Result<CodeModules> CodeModules::collect(const graph::Graph& graph, const ReadCode& readCode)
{
    CodeModules modules;
    if (auto added = modules.addGraph(graph, readCode); !added)
        return std::move(added.error());
    return modules;
}

Result<void> CodeModules::addGraph(const graph::Graph& graph, const ReadCode& readCode)
{
    for (const graph::Node& node : graph.nodes) {
        if (auto added = addSettings(node.settings, readCode); !added)
            return added;
        if (node.errorHandler.isMap())
            if (auto added = addSettings(node.errorHandler.asMap(), readCode); !added)
                return added;
        if (node.subgraph)
            if (auto added = addGraph(*node.subgraph, readCode); !added)
                return added;
    }
    for (const graph::Branch& branch : graph.branches)
        if (auto added = addSettings(branch.settings, readCode); !added)
            return added;
    return {};
}

Result<void> CodeModules::addSettings(const ValueMap& settings, const ReadCode& readCode)
{
    const Value* file = settings.find("file");
    if (file == nullptr || !file->isString() || m_modules.contains(file->asString()))
        return {};
    const auto path = RelativePath::parse(file->asString());
    if (!path)
        return path.error();
    auto source = readCode(*path);
    if (!source)
        return std::move(source.error());
    CodeModule& module = m_modules[file->asString()];
    module.source = *std::move(source);
    place(module, path->text());
    return {};
}

void CodeModules::place(CodeModule& module, const std::string& file)
{
    std::vector<std::string> parts = partsOf(file);
    std::string stem = std::move(parts.back());
    parts.pop_back();
    if (stem.ends_with(".py"))
        stem.resize(stem.size() - 3);
    for (std::string& part : parts)
        part = importable(part, "nodes");
    if (parts.empty() || std::ranges::find(kOwn, parts.front()) != kOwn.end())
        parts.insert(parts.begin(), "nodes");
    std::string folder;
    for (const std::string& part : parts) {
        folder += part + "/";
        module.package += "." + part;
    }
    const std::string wanted = importable(stem, "node");
    module.name = wanted;
    for (int number = 2; !m_paths.insert(folder + module.name).second; ++number)
        module.name = wanted + "_" + std::to_string(number);
    module.path = folder + module.name + ".py";
}

const CodeModule* CodeModules::find(const std::string& file) const
{
    const auto found = m_modules.find(file);
    return found == m_modules.end() ? nullptr : &found->second;
}

std::vector<std::string> CodeModules::folders() const
{
    std::set<std::string> names;
    for (const auto& [file, module] : m_modules)
        names.insert(module.path.substr(0, module.path.find('/')));
    return { names.begin(), names.end() };
}

std::vector<ExportedFile> CodeModules::files() const
{
    std::vector<ExportedFile> files;
    std::set<std::string> packages;
    for (const auto& [file, module] : m_modules) {
        files.push_back({ module.path, module.source });
        for (std::size_t end = module.path.find('/'); end != std::string::npos;
             end = module.path.find('/', end + 1))
            packages.insert(module.path.substr(0, end + 1) + "__init__.py");
    }
    for (const std::string& package : packages)
        if (!m_paths.contains(package.substr(0, package.size() - 3)))
            files.push_back({ package, "" });
    return files;
}

std::vector<std::string> CodeModules::foreignImports() const
{
    std::set<std::string> names;
    for (const auto& [file, module] : m_modules) {
        std::istringstream lines(module.source);
        for (std::string line; std::getline(lines, line);) {
            const std::string name = importedBy(line);
            if (isPythonName(name) && !isStandardModule(name) && name != "langgraph"
                && name != "langchain_core" && name != "typing_extensions" && name != "__future__")
                names.insert(name);
        }
    }
    return { names.begin(), names.end() };
}

FunctionShape shapeOf(const std::string& source, const std::string& function)
{
    FunctionShape shape;
    std::size_t at = std::string::npos;
    for (const char* word : { "def ", "async def " }) {
        const std::string wanted = word + function + "(";
        const std::size_t found = source.starts_with(wanted) ? 0 : source.find("\n" + wanted);
        if (found == std::string::npos)
            continue;
        shape.found = true;
        shape.isAsync = *word == 'a';
        at = source.find('(', found) + 1;
    }
    if (!shape.found)
        return shape;
    // Parameters are read up to the second comma that is outside brackets.
    std::vector<std::string> parameters(1);
    int depth = 0;
    for (; at < source.size() && (depth > 0 || source[at] != ')'); ++at) {
        const char c = source[at];
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth == 0)
            parameters.emplace_back();
        else
            parameters.back() += c == '\n' ? ' ' : c;
    }
    if (parameters.size() > 1 && parameters[1].find('=') == std::string::npos) {
        const std::string second = trimmed(parameters[1]);
        shape.second = trimmed(second.substr(0, second.find(':')));
    }
    return shape;
}

} // namespace sg::exchange
