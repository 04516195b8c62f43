#include "app/cli/commands/commands.h"
#include "app/cli/run_choices.h"
#include "app/cli/run_console.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace sg::cli {
namespace {

struct Arguments {
    RunOption place;
    std::optional<std::string> input;
    std::string record; // file; empty: nothing is recorded
    RunChoices choices;
};

int run(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.place.thread);
    if (!thread)
        return out.fail(thread.error());
    runs::RunRequest request;
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
    if (!arguments.record.empty()) // read where the project is opened
        // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet
        ::setenv("SANDGLASS_RECORD", arguments.record.c_str(), 1);
    auto project = arguments.place.openWorkbench();
    if (!project)
        return out.fail(project.error());
    if (!arguments.input)
        if (const int missing = refuseMissingInput(**project, arguments.place, out); missing != Done)
            return missing;
    if (auto applied = arguments.choices.apply(**project, request); !applied)
        return out.fail(applied.error());
    const std::string note = whatIsDropped(**project, request, arguments.place);
    return runInConsole(**project, request, arguments.place, out, {}, note);
}

void addVerb(Verb verb, const std::shared_ptr<Arguments>& arguments, Shell& shell)
{
    arguments->place.add(verb);
    verb.option( // '' is accepted here, to be reported as invalid JSON
        "--input", [arguments](const std::string& text) { arguments->input = text; },
        "the input: JSON, @FILE or @- (default {}, unless the graph has an input_example)");
    verb.option("--checkpoint", arguments->choices.checkpoint,
                "begin at this checkpoint of the thread, on a new branch (default: its newest)");
    arguments->choices.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = run(*arguments, shell.out); });
}

} // namespace

void addRun(Verb app, Shell& shell)
{
    addVerb(app.add("run", "run a graph on a thread, from a new input"), std::make_shared<Arguments>(),
            shell);
    const auto arguments = std::make_shared<Arguments>();
    arguments->record = "recording.json";
    Verb record = app.add("record", "run a graph, and record what its chat models are asked and say");
    record.option("--to", arguments->record,
                  "the recording (default recording.json); what it holds already is kept");
    addVerb(record, arguments, shell);
}

} // namespace sg::cli
