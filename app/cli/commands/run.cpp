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
    std::optional<std::string> input;
    std::string stream;
    std::string checkpoint;
    int recursionLimit = 0;
    std::string durability;
    std::string sandbox;
};

int run(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.place.thread);
    if (!thread)
        return out.fail(thread.error());
    workbench::RunRequest request;
    request.thread = std::move(*thread);
    request.input = engine::RunInput::input(Value::map());
    if (arguments.input) {
        auto input = jsonArgument(*arguments.input, "--input");
        if (!input)
            return out.fail(Usage, input.error().message);
        if (!input->isMap())
            return out.fail(
                Usage,
                R"(--input must be a JSON object that gives channels their values, such as {"value": 1})");
        request.input = engine::RunInput::input(std::move(*input));
    }
    if (!arguments.stream.empty())
        request.streamModes = { arguments.stream };
    if (arguments.recursionLimit > 0)
        request.recursionLimit = arguments.recursionLimit;
    request.durability = durabilityNamed(arguments.durability);
    request.sandbox =
        workbench::sandboxChoiceNamed(arguments.sandbox).value_or(workbench::SandboxChoice::Restore);
    auto project = arguments.place.openWorkbench();
    if (!project)
        return out.fail(project.error());
    if (auto known = addressCheckpoint(**project, arguments.checkpoint, request); !known)
        return out.fail(known.error());
    noteWhatIsDropped(**project, request, arguments.place, out);
    return runInConsole(**project, std::move(request), arguments.place, out);
}

} // namespace

void addRun(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("run", "run a graph on a thread, from a new input");
    arguments->place.add(*verb);
    verb->add_option_function<std::string>( // '' is an input, and none that is JSON
        "--input", [arguments](const std::string& text) { arguments->input = text; },
        "the input: JSON, @FILE or @- (default {})");
    verb->add_option("--checkpoint", arguments->checkpoint,
                     "begin at this checkpoint of the thread, on a new branch (default: its newest)");
    verb->add_option("--stream", arguments->stream, "print chunks as the run goes")
        ->check(CLI::IsMember({ "updates", "values", "tasks", "checkpoints", "custom", "debug" }));
    verb->add_option("--recursion-limit", arguments->recursionLimit, "most supersteps of this run")
        ->check(atLeastOne());
    verb->add_option("--durability", arguments->durability,
                     "when checkpoints are on disk (default: as the graph says, else sync)")
        ->check(CLI::IsMember({ "sync", "async", "exit" }));
    addSandboxChoice(*verb, arguments->sandbox);
    verb->callback([arguments, &shell] { shell.exit = run(*arguments, shell.out); });
}

} // namespace sg::cli
