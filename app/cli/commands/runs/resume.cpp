#include "app/cli/commands/commands.h"
#include "app/cli/run_choices.h"
#include "app/cli/run_console.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sg::cli {
namespace {

struct Arguments {
    RunOption place;
    std::optional<std::string> answer;
    RunChoices choices;
    bool rerun = false;
};

// Reads JSON, or takes plain text as it is, so that an answer of one word needs no quotes.
Result<Value> answerOf(const std::string& text)
{
    auto parsed = jsonArgument(text, "--answer");
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (parsed || first == std::string::npos
        || std::string_view("{[\"@").find(text[first]) != std::string::npos)
        return parsed;
    return Value(text);
}

// An error handler may ask too, in a task that neither LangGraph's state nor ours lists: there the node has
// failed, while its run waits all the same.
Result<bool> asksUnseen(history::History& history, const ThreadId& thread, const engine::StateSnapshot& state)
{
    if (std::ranges::all_of(state.tasks, [](const engine::StateTask& task) { return task.error.isNull(); }))
        return false;
    const auto runs = history.runs(thread);
    if (!runs)
        return runs.error();
    return !runs->empty() && runs->front().run.status == RunStatus::Interrupted;
}

// The first name that looks like a question's id and is none of these; empty: there is none.
std::string strangeId(const Value& answer, const std::vector<std::string>& ids)
{
    if (!answer.isMap())
        return {};
    for (const auto& [key, each] : answer.asMap())
        if (key.isString() && std::ranges::find(ids, key.asString()) == ids.end()
            && std::ranges::any_of(ids, [&](const std::string& id) {
                   return id.size() == key.asString().size()
                       && key.asString().find_first_not_of("0123456789abcdef") == std::string::npos;
               }))
            return key.asString();
    return {};
}

// A question must exist, and with several the answer must name the ones that it is for.
Result<void> checkAnswer(const Value& answer, const engine::StateSnapshot& state, const RunOption& place)
{
    if (state.interrupts.empty())
        return Error{ Errc::InvalidArgument,
                      "thread '" + place.thread + "' asks nothing, so --answer would answer nothing. "
                          + (state.tasks.empty() ? "It is at its end; begin anew with: sandglass run "
                                     + shellWord(place.graph) + " " + shellWord("--thread=" + place.thread)
                                                 : "Go on without it: " + resumeCommand(place)) };
    if (state.interrupts.size() == 1)
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
    const std::string strange = strangeId(answer, ids);
    return Error{
        Errc::InvalidArgument,
        std::to_string(ids.size()) + " questions wait for an answer, and "
            + (strange.empty() ? "--answer does not say which it is for"
                               : "none of them has the id " + strange + ": it may be answered already")
            + ". Answer one or all by id: " + resumeCommand(place) + " --answer " + shellWord(example + "}")
    };
}

// Handles a thread whose newest superstep failed after a node had written: prints what going on means and
// adds it to `warnings`, or makes a branch on which the failed nodes run again.
Result<void> mindFailedBranches(workbench::Workbench& project, const Arguments& arguments,
                                const runs::RunRequest& request, const engine::StateSnapshot& state,
                                const Output& out, ValueList& warnings)
{
    const auto failed = project.states().failedBranches(request.thread);
    if (!arguments.rerun && failed && !failed->empty())
        warnings.push_back(Value::map({ { "node", failed->front().value },
                                        { "step", state.metadata ? (*state.metadata)["step"] : Value() },
                                        { "text", noteFailedBranches(*failed, arguments.place, out) } }));
    if (!arguments.rerun)
        return {};
    if (!failed)
        return failed.error();
    const bool isUnfinished =
        std::ranges::any_of(state.tasks, [](const engine::StateTask& task) { return !task.error.isNull(); });
    if (failed->empty() && !isUnfinished)
        return Error{ Errc::InvalidArgument,
                      "nothing failed in the last step of thread '" + request.thread.value
                          + "', so there is nothing to run again. To run a node of an earlier step again: "
                            "sandglass fork "
                          + shellWord(arguments.place.graph) + " "
                          + shellWord("--thread=" + arguments.place.thread)
                          + " --checkpoint ID --rerun NODE (sandglass history shows the ids)" };
    if (failed->empty())
        return {}; // unfinished nodes run again anyway
    const auto made = project.states().forkToRerun({ request.thread, "", {} }, *failed, request.sandbox);
    return made ? Result<void>() : made.error();
}

int resume(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.place.thread);
    if (!thread)
        return out.fail(thread.error());
    runs::RunRequest request;
    request.thread = *thread;
    std::optional<Value> answer;
    if (arguments.answer) {
        auto parsed = answerOf(*arguments.answer);
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
    if (answer && arguments.choices.checkpoint.empty()) {
        const auto unseen = asksUnseen((*project)->history(), *thread, *state);
        if (!unseen)
            return out.fail(unseen.error());
        if (const auto fits = checkAnswer(*answer, *state, arguments.place); !*unseen && !fits)
            return out.fail(fits.error());
    }
    if (auto applied = arguments.choices.apply(**project, request); !applied)
        return out.fail(applied.error());
    if (const int broken = refuseBrokenGraph(**project, runs::Check::Files, out); broken != Done)
        return broken;
    ValueList warnings;
    if (arguments.choices.checkpoint.empty())
        if (auto minded = mindFailedBranches(**project, arguments, request, *state, out, warnings); !minded)
            return out.fail(minded.error());
    return runInConsole(**project, request, arguments.place, out, std::move(warnings));
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
        "answer to the pending interrupt: JSON, other text as it is, or @FILE; to several: "
        "{\"ID\": answer, …}");
    verb.option("--checkpoint", arguments->choices.checkpoint,
                "replay from this checkpoint, on a new branch (default: go on from the newest)");
    verb.flag(
            "--rerun", arguments->rerun,
            "run again what failed in the last step, also a node that had written when the branch behind it "
            "failed")
        .excludes("--answer")
        .excludes("--checkpoint");
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
