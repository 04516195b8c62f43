#include "app/cli/commands/commands.h"
#include "app/cli/run_choices.h"
#include "app/cli/run_console.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace sg::cli {
namespace {

struct Arguments {
    RunOption place;
    std::optional<std::string> answer;
    RunChoices choices;
};

// Of several questions an answer must name its own.
Result<void> checkAnswer(const Value& answer, const engine::StateSnapshot& state)
{
    if (state.interrupts.size() < 2)
        return {};
    std::vector<std::string> ids;
    for (const Value& interrupt : state.interrupts)
        ids.push_back(interrupt.stringOr("id", ""));
    const bool isById =
        answer.isMap() && answer.asMap().size() > 0
        && std::ranges::all_of(answer.asMap(), [&](const auto& entry) {
               return entry.first.isString() && std::ranges::find(ids, entry.first.asString()) != ids.end();
           });
    if (isById)
        return {};
    std::string example;
    for (const std::string& id : ids)
        example += (example.empty() ? "{\"" : ", \"") + id + "\": JSON";
    return Error{
        Errc::InvalidArgument,
        std::to_string(ids.size())
            + " questions wait for an answer, and --answer does not say which it is for. Answer one "
              "or all by id: --answer '"
            + example + "}'"
    };
}

int resume(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.place.thread);
    if (!thread)
        return out.fail(thread.error());
    workbench::RunRequest request;
    request.thread = *thread;
    std::optional<Value> answer;
    if (arguments.answer) {
        auto parsed = jsonArgument(*arguments.answer, "--answer");
        if (!parsed)
            return out.fail(Usage, parsed.error().message);
        if (parsed->isNull())
            return out.fail(Usage,
                            "--answer null answers nothing: null stands for no answer. Give a value, such as "
                            "false or \"\"; or leave --answer out to go on without one");
        answer = std::move(*parsed);
        request.input = engine::RunInput::resume(*answer);
    }
    if (auto there = arguments.place.checkDatabase(); !there)
        return out.fail(there.error());
    auto project = arguments.place.openWorkbench();
    if (!project)
        return out.fail(project.error());
    const auto state = (*project)->history().state(*thread);
    if (!state)
        return out.fail(state.error());
    if (answer && arguments.choices.checkpoint.empty())
        if (const auto fits = checkAnswer(*answer, *state); !fits)
            return out.fail(fits.error());
    if (auto applied = arguments.choices.apply(**project, request); !applied)
        return out.fail(applied.error());
    return runInConsole(**project, std::move(request), arguments.place, out);
}

} // namespace

void addResume(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb =
        app.add("resume", "go on from a thread's last checkpoint: after a crash, a failure, an interrupt");
    arguments->place.add(verb);
    verb.option(
        "--answer", [arguments](const std::string& text) { arguments->answer = text; },
        "answer to the pending interrupt: JSON or @FILE; to several: {\"ID\": answer, …}");
    verb.option("--checkpoint", arguments->choices.checkpoint,
                "replay from this checkpoint, on a new branch (default: go on from the newest)");
    arguments->choices.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = resume(*arguments, shell.out); });
}

void addReplay(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb =
        app.add("replay", "run again from a checkpoint, on a new branch, with the sandbox as it was there");
    arguments->place.add(verb);
    verb.option("--checkpoint", arguments->choices.checkpoint, "that the branch starts from").required();
    arguments->choices.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = resume(*arguments, shell.out); });
}

} // namespace sg::cli
