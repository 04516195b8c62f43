#include "app/cli/commands/commands.h"
#include "core/workbench/secret_variables.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace sg::cli {
namespace {

bool isSet(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    return value != nullptr && *value != '\0';
}

int open(const std::string& project, const Output& out)
{
    std::error_code failed;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const auto window = self.parent_path() / "sandglass-workbench";
    if (failed || !std::filesystem::exists(window, failed))
        return out.fail(Failed, "the window is not installed: " + window.string() + " is missing");
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        return out.fail(Failed,
                        "there is no display to open the window on: neither DISPLAY nor WAYLAND_DISPLAY is "
                        "set. Log in to a desktop, or work here with: sandglass run, state, history");
    const std::string program = window.string();
    const char* arguments[] = { program.c_str(), project.empty() ? nullptr : project.c_str(), nullptr };
    workbench::giveSecretVariablesBack(); // the window takes them as this program did
    ::execv(program.c_str(), const_cast<char* const*>(arguments));
    return out.fail(Failed, "start " + program + ": " + std::strerror(errno));
}

} // namespace

void addOpen(Verb app, Shell& shell)
{
    const auto project = std::make_shared<std::string>();
    Verb verb = app.add("open", "open the window");
    verb.option("PROJECT", *project, "project folder, graph file, or a checkpoint database from anywhere");
    verb.onRun([project, &shell] { shell.exit = open(*project, shell.out); });
}

} // namespace sg::cli
