#include "app/cli/commands/commands.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

namespace sg::cli {
namespace {

int open(const std::string& project, const Output& out)
{
    std::error_code failed;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const auto window = self.parent_path() / "sandglass-workbench";
    if (failed || !std::filesystem::exists(window, failed))
        return out.fail(Failed, "the window is not installed: " + window.string() + " is missing");
    const std::string program = window.string();
    const char* arguments[] = { program.c_str(), project.empty() ? nullptr : project.c_str(), nullptr };
    ::execv(program.c_str(), const_cast<char* const*>(arguments));
    return out.fail(Failed, "start " + program + ": " + std::strerror(errno));
}

} // namespace

void addOpen(CLI::App& app, Shell& shell)
{
    const auto project = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("open", "open the window");
    verb->add_option("PROJECT", *project, "project folder or graph file");
    verb->callback([project, &shell] { shell.exit = open(*project, shell.out); });
}

} // namespace sg::cli
