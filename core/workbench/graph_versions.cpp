#include "core/workbench/graph_versions.h"

#include "core/base/child_process.h"

#include <chrono>
#include <cstdlib>

namespace sg::workbench {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);
constexpr std::size_t kMostText = 32U << 20;

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace

Result<std::string> committedText(const std::filesystem::path& file, const std::string& revision)
{
    if (revision.empty() || revision.front() == '-' || revision.find(':') != std::string::npos)
        return Error{ Errc::InvalidArgument, "'" + revision + "' is no revision of git" };
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    ProcessSpec git;
    git.program = "git";
    // cat-file runs no filter, no hook and no pager; the rest would only slow it down.
    git.arguments = { "-C", folder.string(), "cat-file", "blob",
                      revision + ":./" + file.filename().string() };
    git.environment = { "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0" };
    for (const char* name :
         { "PATH", "HOME" }) // whom the repository belongs to is told by the user's settings
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

} // namespace sg::workbench
