#include "app/cli/commands/commands.h"
#include "app/cli/run_console.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sg::cli {
namespace {

struct Arguments {
    RunOption place;
    std::optional<std::string> answer;
    std::string stream;
    std::string checkpoint;
    int recursionLimit = 0;
    std::string durability;
    std::string sandbox;
};

int resume(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.place.thread);
    if (!thread)
        return out.fail(thread.error());
    workbench::RunRequest request;
    request.thread = *thread;
    if (arguments.answer) {
        auto answer = jsonArgument(*arguments.answer, "--answer");
        if (!answer)
            return out.fail(Usage, answer.error().message);
        request.input = engine::RunInput::resume(std::move(*answer));
    }
    if (!arguments.stream.empty())
        request.streamModes = { arguments.stream };
    if (arguments.recursionLimit > 0)
        request.recursionLimit = arguments.recursionLimit;
    request.durability = durabilityNamed(arguments.durability);
    request.sandbox =
        workbench::sandboxChoiceNamed(arguments.sandbox).value_or(workbench::SandboxChoice::Restore);
    if (auto there = arguments.place.checkDatabase(); !there)
        return out.fail(there.error());
    auto project = arguments.place.openWorkbench();
    if (!project)
        return out.fail(project.error());
    if (auto known = (*project)->history().state(*thread); !known)
        return out.fail(known.error());
    if (auto known = addressCheckpoint(**project, arguments.checkpoint, request); !known)
        return out.fail(known.error());
    return runInConsole(**project, std::move(request), arguments.place, out);
}

void addRunChoices(CLI::App& verb, Arguments& arguments)
{
    verb.add_option("--stream", arguments.stream, "print chunks as the run goes")
        ->check(CLI::IsMember({ "updates", "values", "tasks", "checkpoints", "custom", "debug" }));
    verb.add_option("--recursion-limit", arguments.recursionLimit, "most supersteps of this run")
        ->check(atLeastOne());
    verb.add_option("--durability", arguments.durability,
                    "when checkpoints are on disk (default: as the graph says, else sync)")
        ->check(CLI::IsMember({ "sync", "async", "exit" }));
    addSandboxChoice(verb, arguments.sandbox);
}

} // namespace

void addResume(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand(
        "resume", "go on from a thread's last checkpoint: after a crash, a failure, an interrupt");
    arguments->place.add(*verb);
    verb->add_option_function<std::string>(
        "--answer", [arguments](const std::string& text) { arguments->answer = text; },
        "answer to the pending interrupt: JSON or @FILE; to several: {\"ID\": answer, …}");
    verb->add_option("--checkpoint", arguments->checkpoint,
                     "replay from this checkpoint, on a new branch (default: go on from the newest)");
    addRunChoices(*verb, *arguments);
    verb->callback([arguments, &shell] { shell.exit = resume(*arguments, shell.out); });
}

void addReplay(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand(
        "replay", "run again from a checkpoint, on a new branch, with the sandbox as it was there");
    arguments->place.add(*verb);
    verb->add_option("--checkpoint", arguments->checkpoint, "that the branch starts from")->required();
    addRunChoices(*verb, *arguments);
    verb->callback([arguments, &shell] { shell.exit = resume(*arguments, shell.out); });
}

} // namespace sg::cli
