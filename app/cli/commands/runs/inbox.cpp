#include "core/runs/inbox.h"

#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "app/cli/run_console.h"
#include "core/base/file.h"
#include "core/base/json.h"

#include <memory>
#include <string>
#include <vector>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::string answer;
    std::string id;
};

Value documentOf(const runs::WaitingQuestion& waiting)
{
    return Value::map({ { "thread_id", waiting.thread.value },
                        { "id", waiting.id },
                        { "node", waiting.node.value },
                        { "question", waiting.question },
                        { "since", waiting.since } });
}

int list(const Arguments& arguments, const Output& out)
{
    auto database = arguments.place.openDatabase();
    if (!database)
        return out.fail(database.error());
    const auto waiting = runs::waitingQuestions((*database)->history());
    if (!waiting)
        return out.fail(waiting.error());
    ValueList document;
    for (const runs::WaitingQuestion& each : *waiting) {
        document.push_back(documentOf(each));
        out.text(padded(each.thread.value, 24) + "  " + padded(each.node.value, 16) + "  "
                 + runs::questionText(each.question));
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("nothing waits for an answer");
    return Done;
}

Result<std::vector<runs::WaitingQuestion>> waitingOf(const Arguments& arguments)
{
    const auto thread = threadArgument(arguments.thread);
    if (!thread)
        return thread.error();
    auto database = arguments.place.openDatabase();
    if (!database)
        return std::move(database.error());
    return runs::waitingQuestions((*database)->history(), *thread);
}

int show(const Arguments& arguments, const Output& out)
{
    const auto waiting = waitingOf(arguments);
    if (!waiting)
        return out.fail(waiting.error());
    ValueList document;
    for (const runs::WaitingQuestion& each : *waiting) {
        document.push_back(documentOf(each));
        out.text(each.node.value + " asks: " + runs::questionText(each.question));
        if (each.question.isMap() || each.question.isList())
            out.text(toJson(each.question, JsonStyle::Indented));
        if (const std::string hint = runs::answerHint(each.question); !hint.empty())
            out.text("It takes " + hint);
        out.text("answer with: sandglass inbox answer " + shellWord(each.thread.value)
                 + (waiting->size() > 1 ? " --id " + each.id : "") + " --answer ANSWER"
                 + arguments.place.words());
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("thread '" + arguments.thread + "' asks nothing");
    return Done;
}

// "@FILE" is read; anything else is what the person typed.
Result<std::string> typedText(const std::string& text)
{
    if (!text.starts_with('@'))
        return text;
    return readFile(text.substr(1), 16U << 20);
}

int answer(const Arguments& arguments, const Output& out)
{
    const auto waiting = waitingOf(arguments);
    if (!waiting)
        return out.fail(waiting.error());
    const ThreadId thread(arguments.thread);
    const auto question = runs::chosenQuestion(*waiting, thread, arguments.id);
    if (!question)
        return out.fail(question.error());
    const auto typed = typedText(arguments.answer);
    if (!typed)
        return out.fail(typed.error());
    auto value = runs::typedAnswer(question->question, *typed);
    if (!value)
        return out.fail(Usage, value.error().message);
    auto project = arguments.place.openWorkbenchOf(thread);
    if (!project)
        return out.fail(project.error());
    runs::RunRequest request;
    request.thread = thread;
    request.input = engine::RunInput::resumeById({ { question->id, std::move(*value) } });
    RunOption place;
    place.graph = (*project)->project().graph.string();
    place.thread = arguments.thread;
    place.database = arguments.place.database;
    place.blobs = arguments.place.blobs;
    return runInConsole(**project, request, place, out);
}

} // namespace

void addInbox(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("inbox", "what waits for a person's answer");
    verb.needsVerb();
    const auto sub = [&](const char* name, const char* what, int (*act)(const Arguments&, const Output&)) {
        Verb made = verb.add(name, what);
        arguments->place.add(made);
        made.onRun([arguments, act, &shell] { shell.exit = act(*arguments, shell.out); });
        return made;
    };
    sub("list", "all questions that wait, those of the newest thread first", list);
    sub("show", "a thread's questions in full, and what they take", show)
        .option("THREAD", arguments->thread, "the thread that asks")
        .required();
    Verb answering = sub("answer", "answer a question; the run goes on", answer);
    answering.option("THREAD", arguments->thread, "the thread that asks").required();
    answering.option("--answer", arguments->answer, "the answer: JSON, other text as it is, or @FILE")
        .required();
    answering.option("--id", arguments->id, "which question, where the thread asks several");
    answering.option("--graph", arguments->place.graph,
                     "graph file (default: that of the thread's newest run)");
    arguments->place.blobs.add(answering);
}

} // namespace sg::cli
