#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/documents.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/line_buffer.h"
#include "app/cli/project_option.h"
#include "app/cli/rich_result.h"
#include "core/base/json.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/runs/cell_log.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sessions/cell_outcome.h"

#include <algorithm>
#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    std::string id;
    std::string code;
    std::string save; // folder for rich results
    double seconds = 0;
    bool all = false;
};

int list(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open(SessionPlace::For::Reading);
    if (!project)
        return out.fail(project.error());
    std::vector<sessions::SessionInfo> infos = (*project)->sessions().list();
    sessions::SessionRecords* records = (*project)->sessions().records();
    if (arguments.all && records != nullptr) {
        const auto known = records->list(true);
        if (!known)
            return out.fail(known.error());
        for (const sessions::SessionRecord& record : *known)
            if (std::ranges::none_of(infos, [&](const auto& info) { return info.id == record.info.id; }))
                infos.push_back(infoOf(record));
    }
    ValueList document;
    for (const sessions::SessionInfo& info : infos) {
        document.push_back(sessionDocument(info));
        out.text(info.id.value + "  " + info.backend + "  " + info.state.text() + "  " + info.thread.value
                 + (info.part.isThreads() ? "" : " (" + info.part.text() + ")") + "  " + info.sandboxName
                 + (info.expiresAt.empty() ? "" : "  until " + info.expiresAt.substr(0, 19)));
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("no sessions; "
                 + sandbox::backendNames([](const auto& kind) { return kind.diesWithProgram; })
                 + " sessions end with the program that started them");
    return Done;
}

int stop(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    if (auto stopped = (*project)->sessions().stop(SessionId(arguments.id)); !stopped)
        return out.fail(stopped.error());
    if (out.json)
        out.document(Value::map({ { "session_id", arguments.id }, { "stopped", true } }));
    out.text(arguments.id + ": stopped");
    return Done;
}

Value cellDocument(const sessions::CellResult& result, const sessions::SessionInfo& info,
                   const std::string& out, const std::string& err, ValueList saved)
{
    const sessions::CellOutcome outcome = sessions::outcomeOf(result);
    Value error;
    if (outcome.error)
        error = Value::map({ { "type", outcome.error->type },
                             { "message", outcome.error->message },
                             { "traceback", outcome.error->traceback } });
    ValueList artifacts;
    for (const artifacts::Artifact& artifact : result.artifacts)
        artifacts.push_back(Value::map({ { "id", artifact.id.value }, { "path", artifact.path } }));
    return Value::map({ { "session_id", info.id.value },
                        { "ok", outcome.ok },
                        { "value", checkpoint::plain(result.value)["text/plain"] },
                        { "result", result.value },
                        { "displays", result.displays },
                        { "saved", std::move(saved) },
                        { "stdout", out },
                        { "stderr", err },
                        { "error", std::move(error) },
                        { "restarted", result.restarted },
                        { "seconds", result.seconds },
                        { "artifacts", std::move(artifacts) },
                        { "warnings", ValueList(outcome.notes.begin(), outcome.notes.end()) } });
}

// Prints warnings and errors of the cell; returns the exit status.
int conclude(const sessions::CellResult& result, const std::string& backend,
             const workbench::Workbench& project, const Output& out)
{
    const sessions::CellOutcome outcome = sessions::outcomeOf(result);
    for (const std::string& note : outcome.notes)
        out.note(note);
    if (outcome.error && (!out.json || !result.error))
        out.note(errorText(*outcome.error));
    if (result.error && result.error->type == "ModuleNotFoundError" && sandbox::runsOnEnvironment(backend)
        && !config::missingPackages(project.runtime()).empty())
        out.note("The sandbox runs on the system's Python alone: its packages are not built yet. Build them "
                 "once: sandglass image build");
    if (result.status == sessions::CellStatus::Stopped)
        return Stopped;
    if (result.status != sessions::CellStatus::Ok)
        return RunFailed;
    return outcome.ok ? Done : Failed;
}

int exec(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    const InterruptWatch interrupt;
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    auto settings = (*project)->sessionSettings();
    if (!settings)
        return out.fail(settings.error());
    auto session = (*project)->sessions().acquire(*thread, settings->session, interrupt.token(),
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return out.fail(session.error());
    std::string printed[2];
    LineBuffer lines[2];
    const LineBuffer::Show show[2] = { [&out](const std::string& line) { out.text(line); },
                                       [&out](const std::string& line) { out.note(line); } };
    runs::CellLog log((*project)->runs(), *thread);
    sessions::CellHandlers handlers;
    handlers.output = [&](const sessions::CellOutput& output) {
        log.add(output);
        const int stream = output.stream == sessions::CellOutput::Stream::Stdout ? 0 : 1;
        if (output.stream == sessions::CellOutput::Stream::Event)
            out.note(output.bytes);
        else if (out.json)
            printed[stream] += output.bytes;
        else
            lines[stream].add(output.bytes, show[stream]);
    };
    RichResults rich(out, arguments.save);
    handlers.display = [&](const Value& bundle) {
        for (const int stream : { 0, 1 })
            lines[stream].end(show[stream]);
        rich.show(bundle);
    };
    sessions::CellLimits limits = settings->cell;
    if (arguments.seconds > 0)
        limits.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.seconds * 1000));
    artifacts::ArtifactOrigin origin;
    origin.thread = *thread;
    const sessions::CellResult result =
        (*session)->runCell(arguments.code, limits, origin, handlers, interrupt.token());
    log.end();
    for (const int stream : { 0, 1 })
        lines[stream].end(show[stream]);
    rich.show(result.value);
    ValueList saved = rich.end();
    if (out.json)
        out.document(cellDocument(result, (*session)->info(), printed[0], printed[1], std::move(saved)));
    return conclude(result, (*session)->info().backend, **project, out);
}

} // namespace

void addSession(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("session", "sandbox sessions");
    verb.needsVerb();
    Verb listing = verb.add("list", "list the project's sessions");
    Verb stopping = verb.add("stop", "end a session and all that runs in it");
    Verb executing = verb.add("exec", "run a cell in a thread's session");
    arguments->place.add(listing, false);
    arguments->place.add(stopping, false);
    arguments->place.add(executing, true);
    listing.flag("--all", arguments->all, "also those that have ended");
    stopping.option("SESSION", arguments->id, "id, as session list prints it").required();
    executing.option("--thread", arguments->thread, "thread whose session runs the code").required();
    executing.option("CODE", arguments->code, "Python code").required();
    executing
        .option("--timeout", arguments->seconds,
                "seconds until the code is stopped (default: as the settings say)")
        .within(0.1, 86400.0);
    executing.option("--save", arguments->save,
                     "folder for what the code shows in other forms than text: pictures, HTML, tables");
    listing.onRun([arguments, &shell] { shell.exit = list(*arguments, shell.out); });
    stopping.onRun([arguments, &shell] { shell.exit = stop(*arguments, shell.out); });
    executing.onRun([arguments, &shell] { shell.exit = exec(*arguments, shell.out); });
    addSessionCare(verb, shell);
    addSessionView(verb, shell);
    addSessionAttach(verb, shell);
    addSessionShell(verb, shell);
}

} // namespace sg::cli
