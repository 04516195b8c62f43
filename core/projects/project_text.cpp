#include "core/projects/project_text.h"

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/file_replacing.h"
#include "core/base/relative_path.h"
#include "core/base/utf8.h"
#include "core/graph/graph_file.h"
#include "core/graph/node_kinds.h"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>

namespace sg::projects {
namespace {

Result<void> checkText(const std::string& text)
{
    if (!isText(text))
        return Error{ Errc::InvalidArgument,
                      "it is no text in UTF-8; edit it with the program that made it" };
    return {};
}

namespace fs = std::filesystem;

// Makes code files only below the project's folder, links included, and keeps existing ones.
Result<void> makeCodeFile(const fs::path& folder, const std::string& name)
{
    const auto target = codePath(folder, name);
    std::error_code failed;
    if (!target || fs::exists(*target, failed))
        return {}; // validation reports a name that leads nowhere
    fs::create_directories(target->parent_path(), failed);
    auto written =
        replaceFile(*target, newCode(), kMostCode, [](const auto& there) -> Result<bool> { return !there; });
    if (!written)
        return std::move(written.error()).during("create the code file " + target->string());
    return {};
}

Result<void> makeCodeFiles(const ProjectPaths& project, const graph::Graph& graph)
{
    for (const graph::Node& node : graph.nodes) {
        if (const std::string* file = graph::codeFileOf(node))
            if (auto made = makeCodeFile(project.folder, *file); !made)
                return made;
        if (node.subgraph)
            if (auto made = makeCodeFiles(project, *node.subgraph); !made)
                return made;
    }
    return {};
}

constexpr auto kPatience = std::chrono::seconds(10);
constexpr std::size_t kMostText = 32U << 20;

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace

bool isText(const std::string& bytes)
{
    return isValidUtf8(bytes) && bytes.find('\0') == std::string::npos;
}

std::string_view newCode()
{
    return "def node(state, config):\n"
           "    # Returns what changes: {\"channel\": value}\n"
           "    return {}\n";
}

Result<fs::path> codePath(const fs::path& folder, const std::string& name)
{
    auto path = RelativePath::parse(name);
    if (!path)
        return std::move(path.error()).during("find the code file '" + name + "'");
    std::error_code failed;
    const fs::path root = fs::weakly_canonical(folder, failed);
    const fs::path target = fs::weakly_canonical(root / path->text(), failed);
    const fs::path inside = target.lexically_relative(root);
    if (failed || inside.empty() || *inside.begin() == "..")
        return Error{ Errc::InvalidArgument,
                      "the code file '" + name + "' stands outside of the project's folder" };
    return target;
}

Result<CodeText> readCode(const ProjectPaths& project, const std::string& name)
{
    auto path = codePath(project.folder, name);
    if (!path)
        return std::move(path.error());
    CodeText code;
    std::error_code failed;
    code.exists = fs::exists(*path, failed);
    if (code.exists) {
        auto text = readFile(*path, kMostCode);
        if (!text)
            return std::move(text.error()).during("read the code file " + path->string());
        if (auto checked = checkText(*text); !checked)
            return std::move(checked.error()).during("read the code file " + path->string());
        code.text = std::move(*text);
    }
    return code;
}

Result<void> saveCode(const ProjectPaths& project, const std::string& name, std::string_view text,
                      const std::optional<std::string>& expected)
{
    auto path = codePath(project.folder, name);
    if (!path)
        return std::move(path.error());
    const std::string doing = "save the code file " + path->string();
    std::error_code failed;
    fs::create_directories(path->parent_path(), failed);
    auto saved = replaceFile(*path, text, kMostCode, [&](const auto& there) -> Result<bool> {
        if (there != expected && (!there || *there != text))
            return Error{ Errc::Conflict,
                          path->string()
                              + " was changed by another program since it was read; nothing was written" };
        return true;
    });
    if (saved || saved.error().code == Errc::Conflict)
        return saved ? Result<void>() : std::move(saved.error());
    return std::move(saved.error()).during(doing);
}

Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected)
{
    // Checked twice: code files are made only for a graph that will be written, and not under the lock.
    const MayReplace mayReplace = [&](const std::optional<std::string>& there) -> Result<bool> {
        if (there && *there != expected && *there != text)
            return Error{ Errc::Conflict,
                          project.graph.string()
                              + " was changed by another program since it was read; nothing was written" };
        return true;
    };
    std::error_code failed;
    if (fs::exists(project.graph, failed)) {
        auto there = readFile(project.graph, kMostGraphText);
        if (!there)
            return std::move(there.error()).during("save " + project.graph.string());
        if (auto allowed = mayReplace(*there); !allowed)
            return std::move(allowed.error());
    }
    auto graph = graph::parseGraph(text);
    if (!graph)
        return std::move(graph.error()).during("save " + project.graph.string());
    if (auto made = makeCodeFiles(project, graph->graph); !made)
        return made;
    auto saved = replaceFile(project.graph, text, kMostGraphText, mayReplace);
    if (saved || saved.error().code == Errc::Conflict)
        return saved ? Result<void>() : std::move(saved.error());
    return std::move(saved.error()).during("save " + project.graph.string());
}

Result<std::string> committedText(const std::filesystem::path& file, const std::string& revision)
{
    if (revision.empty() || revision.front() == '-' || revision.find(':') != std::string::npos)
        return Error{ Errc::InvalidArgument, "'" + revision + "' is no revision of git" };
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    ProcessSpec git;
    git.program = "git";
    // cat-file runs no filter, hook or pager; the other options save time.
    git.arguments = { "-C", folder.string(), "cat-file", "blob",
                      revision + ":./" + file.filename().string() };
    git.environment = { "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0" };
    for (const char* name :
         { "PATH", "HOME" }) // git reads in the user's settings whose repositories to trust
        if (const char* value = std::getenv(name))
            git.environment.push_back(std::string(name) + "=" + value);
    auto output = runProcess(git, {}, kPatience, kMostText);
    if (!output)
        return std::move(output.error()).during("asking git for " + file.filename().string());
    if (output->exit.code != 0)
        return Error{ Errc::NotFound,
                      "git has no version '" + revision + "' of " + file.string() + ": "
                          + firstLine(output->err) };
    return std::move(output->out);
}

} // namespace sg::projects
