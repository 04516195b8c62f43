#include "app/cli/commands/commands.h"
#include "core/base/errno_error.h"
#include "core/config/secrets.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sg::cli {
namespace {

bool isSet(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    return value != nullptr && *value != '\0';
}

// Options that are passed to the window unchanged.
struct Passed {
    const char* name;
    const char* form; // form of its value; empty: a flag
    const char* help;
    bool needsNoDisplay = false;
};

constexpr Passed kPassed[] = {
    { "db", "FILE|ADDRESS",
      "checkpoint database in place of the project's, also postgresql://HOST/DATABASE" },
    { "new", "", "begin on the start page, not with what was open last" },
    { "theme", "NAME", "light, dark or system" },
    { "size", "WxH", "of the window" },
    { "layout", "NAME", "build, debug, session or review" },
    { "panel", "TITLE", "bring a panel to the front, such as Log" },
    { "thread", "NAME", "show that thread" },
    { "checkpoint", "STEP|ID", "show that step's number, or that checkpoint" },
    { "node", "NAME", "select that node" },
    { "macro", "FILE", "do the steps of a macro file", true },
    { "exit", "", "end when the macro is done" },
    { "screenshot", "FILE.png", "save a picture of the window, then end; needs no display", true },
    { "export", "FILE", "save the graph as .svg, .png, .dot or .mmd, then end; needs no display", true },
};

struct Arguments {
    std::string project;
    std::vector<std::string> words; // for the window
    bool needsDisplay = true;
};

int open(const Arguments& arguments, const Output& out)
{
    std::error_code failed;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const auto window = self.parent_path() / "sandglass-workbench";
    if (failed || !std::filesystem::exists(window, failed))
        return out.fail(Failed, "the window is not installed: " + window.string() + " is missing");
    if (arguments.needsDisplay && !isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        return out.fail(Failed,
                        "there is no display to open the window on: neither DISPLAY nor WAYLAND_DISPLAY is "
                        "set. Log in to a desktop, or work here with: sandglass run, state, history");
    const std::string program = window.string();
    std::vector<const char*> words{ program.c_str() };
    for (const std::string& word : arguments.words)
        words.push_back(word.c_str());
    if (!arguments.project.empty())
        words.insert(words.end(), { "--", arguments.project.c_str() }); // it may begin with a dash
    words.push_back(nullptr);
    config::giveSecretVariablesBack(); // the window reads them as this program did
    ::execv(program.c_str(), const_cast<char* const*>(words.data()));
    return out.fail(Failed, "start " + program + ": " + errnoText(errno));
}

} // namespace

void addOpen(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("open", "open the window");
    verb.option("PROJECT", arguments->project,
                "project folder, graph file, or a checkpoint database from anywhere: a file, or "
                "postgresql://HOST/DATABASE");
    for (const Passed& passed : kPassed) {
        const std::string name = std::string("--") + passed.name;
        if (*passed.form == '\0')
            verb.flag(
                name, [arguments, name] { arguments->words.push_back(name); }, passed.help);
        else
            verb.option(
                name,
                [arguments, name, &passed](const std::string& value) {
                    arguments->words.push_back(name + "=" + value);
                    arguments->needsDisplay = arguments->needsDisplay && !passed.needsNoDisplay;
                },
                std::string(passed.help) + " (" + passed.form + ")");
    }
    verb.onRun([arguments, &shell] { shell.exit = open(*arguments, shell.out); });
}

} // namespace sg::cli
