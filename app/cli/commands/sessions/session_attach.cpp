#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/line_buffer.h"
#include "app/cli/line_editor.h"
#include "app/cli/project_option.h"
#include "app/cli/python_input.h"
#include "app/cli/rich_result.h"
#include "app/cli/session_names.h"
#include "core/runs/cell_log.h"
#include "core/runs/runs.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sessions/cell_outcome.h"

#include <unistd.h>

#include <array>
#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    std::string save; // folder for rich results
    double seconds = 0;
};

// The context in which each cell of a conversation runs.
struct Talk {
    sessions::Session& session;
    runs::Runs& runs;
    ThreadId thread;
    sessions::CellLimits limits;
    std::string save;
    InterruptWatch& interrupt;
    const Output& out;
};

// False: a file that the cell left was not stored.
bool runCell(const Talk& talk, const std::string& code)
{
    std::array<LineBuffer, 2> lines;
    const std::array<LineBuffer::Show, 2> show{ [&talk](const std::string& line) { talk.out.text(line); },
                                                [&talk](const std::string& line) { talk.out.note(line); } };
    runs::CellLog log(talk.runs, talk.thread);
    sessions::CellHandlers handlers;
    handlers.output = [&](const sessions::CellOutput& output) {
        log.add(output);
        const std::size_t stream = output.stream == sessions::CellOutput::Stream::Stdout ? 0 : 1;
        lines.at(stream).add(output.bytes, show.at(stream));
        if (output.stream == sessions::CellOutput::Stream::Event)
            lines.at(stream).end(show.at(stream));
    };
    RichResults rich(talk.out, talk.save);
    handlers.display = [&](const Value& bundle) {
        for (const std::size_t stream : { 0U, 1U })
            lines.at(stream).end(show.at(stream));
        rich.show(bundle);
    };
    artifacts::ArtifactOrigin origin;
    origin.thread = talk.thread;
    const sessions::CellResult result =
        talk.session.runCell(code, talk.limits, origin, handlers, talk.interrupt.begin());
    log.end();
    for (const std::size_t stream : { 0U, 1U })
        lines.at(stream).end(show.at(stream));
    rich.show(result.value);
    static_cast<void>(rich.end());
    for (const artifacts::Artifact& artifact : result.artifacts)
        talk.out.note("artifact " + artifact.id.value + "  " + artifact.path);
    const sessions::CellOutcome outcome = sessions::outcomeOf(result);
    for (const std::string& note : outcome.notes)
        talk.out.note(note);
    if (outcome.error)
        talk.out.note(errorText(*outcome.error));
    return !result.storeFailure && !result.lostFile;
}

bool isFarewell(const std::string& code)
{
    return code == "exit" || code == "exit()" || code == "quit" || code == "quit()";
}

// Answers %help, %who and NAME?, which are for the prompt itself. False: the text is code.
bool answerPrompt(const Talk& talk, const std::string& text)
{
    if (text == "%help") {
        talk.out.text("Tab completes; NAME? describes a name; %who lists the session's variables; exit or "
                      "Ctrl+D leaves.\nA block ends with an empty line; what is pasted may hold empty lines "
                      "and ends with Enter.\nCtrl+C stops a cell; its names stay.");
        return true;
    }
    if (text == "%who") {
        showVariables(talk.session, talk.out);
        return true;
    }
    const bool asks = text.size() > 1 && text.find('\n') == std::string::npos
        && (text.back() == '?' || text.front() == '?');
    if (asks)
        showDescription(talk.session, text.back() == '?' ? text.substr(0, text.size() - 1) : text.substr(1),
                        talk.out);
    return asks;
}

std::string withoutBlankEnd(const std::string& code)
{
    const std::size_t end = code.find_last_not_of(" \t\r\n");
    return end == std::string::npos ? std::string() : code.substr(0, end + 1);
}

// Reads and runs cells until Ctrl+D. False: something that the last of them left was not stored.
bool converse(const Talk& talk, const std::filesystem::path& history)
{
    std::string code;
    bool isStored = true;
    LineEditor editor(history, [&](const std::string& line, std::size_t cursor) {
        return completionsOf(talk.session, code, line, cursor);
    });
    while (true) {
        const LineEditor::Line line = editor.read(code.empty() ? ">>> " : "... ");
        if (line.done == EditedLine::Done::Interrupted) {
            code.clear();
            continue;
        }
        const bool isLast = line.done == EditedLine::Done::Ended;
        if (!isLast)
            code += line.text + "\n";
        // At the end of a pipe no empty line follows a block; in a paste an empty line ends no block.
        if (line.isPasted || (!isLast && !isWholePython(code.substr(0, code.size() - 1))))
            continue;
        const std::string cell = withoutBlankEnd(code);
        code.clear();
        if (isFarewell(cell))
            return isStored;
        if (!cell.empty() && !answerPrompt(talk, cell))
            isStored = runCell(talk, cell);
        if (isLast)
            return isStored;
    }
}

int attach(const Arguments& arguments, const Output& out)
{
    if (out.json)
        return out.fail(Usage, "session attach talks to a person; for programs there is session exec --json");
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    InterruptWatch interrupt(InterruptWatch::Again::IsTheSame);
    const auto opened = sessionToTalkTo(arguments.place, *thread, out, interrupt.token());
    if (!opened)
        return out.fail(opened.error());
    const sessions::SessionInfo info = opened->session->info();
    const bool livesOn = sandbox::mayBeKept(info.backend);
    out.note(
        "session " + info.id.value + " of thread " + thread->value + ", " + info.backend + " ("
        + info.isolation + "). Ctrl+C stops a cell, Ctrl+D leaves"
        + (livesOn ? "; the session lives on until: sandglass session stop " + info.id.value : " and ends it")
        + (::isatty(STDIN_FILENO) != 0 ? ". More: %help" : ""));
    Talk talk{ *opened->session,
               opened->project->runs(),
               *thread,
               opened->settings.cell,
               arguments.save,
               interrupt,
               out };
    if (arguments.seconds > 0)
        talk.limits.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.seconds * 1000));
    return converse(talk, opened->project->project().data / "attach_history") ? Done : Failed;
}

} // namespace

void addSessionAttach(Verb verb, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb attaching = verb.add("attach", "talk to a thread's session, cell by cell");
    arguments->place.add(attaching, true);
    attaching.option("--thread", arguments->thread, "thread whose session it is").required();
    attaching
        .option("--timeout", arguments->seconds,
                "seconds until a cell is stopped (default: as the settings say)")
        .within(0.1, 86400.0);
    attaching.option("--save", arguments->save,
                     "folder for what the code shows in other forms than text: pictures, HTML, tables");
    attaching.onRun([arguments, &shell] { shell.exit = attach(*arguments, shell.out); });
}

} // namespace sg::cli
