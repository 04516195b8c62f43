#include "app/cli/run_console.h"

#include "app/cli/documents.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/line_buffer.h"
#include "core/base/json.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/checkpoint/thread_lock.h"
#include "core/graph/input_fields.h"
#include "core/runs/inbox.h"
#include "core/runs/project_runs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace sg::cli {
namespace {

constexpr std::size_t kShownArtifacts = 10;

int stopPipe[2] = { -1, -1 }; // written by the signal handler, which may do nothing else

void onSignal(int)
{
    const int saved = errno;
    const char byte = 's';
    [[maybe_unused]] const ssize_t written = ::write(stopPipe[1], &byte, 1);
    errno = saved;
}

// While it lives, SIGINT, SIGTERM and SIGHUP stop the run; a second one of the first two ends the program as
// usual. It is made before the run is: a signal that comes while the first sandbox starts would end the
// program and leave the sandbox.
class StopOnSignal {
public:
    explicit StopOnSignal(const Output& out)
        : m_out(out)
    {
        if (::pipe2(stopPipe, O_CLOEXEC) != 0)
            return;
        m_isOpen = true;
        std::signal(SIGINT, onSignal);
        std::signal(SIGTERM, onSignal);
        if (!isHangUpIgnored())
            std::signal(SIGHUP, onSignal); // comes twice where a terminal is closed: from it and its shell
    }
    // Stops the run at a signal, also at one that has come already.
    void stops(runs::Runs& runs, RunId run)
    {
        if (!m_isOpen)
            return;
        m_thread = std::thread([this, &runs, run = std::move(run)] {
            char byte = 0;
            if (::read(stopPipe[0], &byte, 1) != 1 || byte != 's')
                return;
            m_out.note("stopping … (once more ends at once)");
            std::signal(SIGINT, SIG_DFL);
            std::signal(SIGTERM, SIG_DFL);
            runs.stop(run);
        });
    }
    ~StopOnSignal()
    {
        if (!m_isOpen)
            return;
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        if (!isHangUpIgnored())
            std::signal(SIGHUP, SIG_DFL);
        const char byte = 'e';
        [[maybe_unused]] const ssize_t written = ::write(stopPipe[1], &byte, 1);
        if (m_thread.joinable())
            m_thread.join();
        ::close(stopPipe[0]);
        ::close(stopPipe[1]);
    }
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

private:
    const Output& m_out;
    bool m_isOpen = false;
    std::thread m_thread;
};

std::string secondsText(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, seconds < 1 ? "%.0f ms" : "%.2f s",
                  seconds < 1 ? seconds * 1000 : seconds);
    return text;
}

// Prints events; called on the run's threads, one call at a time.
class Progress {
public:
    Progress(const Output& out, bool streams)
        : m_out(out)
        , m_streams(streams)
    {
    }

    void show(const engine::RunEvent& event)
    {
        const std::lock_guard lock(m_mutex);
        if (const auto* chunk = std::get_if<engine::StreamChunk>(&event.body)) {
            showChunk(*chunk);
        } else if (const auto* task = std::get_if<engine::TaskFinished>(&event.body)) {
            showRest(task->task, task->node);
            showTask(*task);
            if (task->ns.empty())
                m_lastStep = std::max(m_lastStep, task->step);
        } else if (const auto* line = std::get_if<engine::LogLine>(&event.body)) {
            if (line->isWarning)
                m_warnings.push_back(Value::map(
                    { { "node", line->node.value }, { "step", line->step }, { "text", line->bytes } }));
            showOutput(*line);
        } else if (const auto* restored = std::get_if<engine::SandboxRestored>(&event.body)) {
            ValueMap told{ { "node", restored->node.value }, { "step", restored->step } };
            if (restored->how.isMap())
                for (const auto& [key, value] : restored->how.asMap())
                    told.set(key, value);
            m_restored.emplace_back(std::move(told));
        } else if (const auto* retry = std::get_if<engine::TaskRetrying>(&event.body)) {
            m_out.note("  " + retry->node.value + ": " + retry->error + "; attempt "
                       + std::to_string(retry->nextAttempt) + " in " + secondsText(retry->delaySeconds));
        }
    }

    // Returns how sandboxes were brought back, and what was lost.
    ValueList takeRestored()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_restored, {});
    }

    // The newest step of the root graph in which a task finished.
    std::int64_t lastStep()
    {
        const std::lock_guard lock(m_mutex);
        return m_lastStep;
    }

    // Returns what nodes made and was dropped, or not stored.
    ValueList takeWarnings()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_warnings, {});
    }

private:
    void showChunk(const engine::StreamChunk& chunk)
    {
        if (m_out.json)
            m_out.line(Value::map(
                { { "type", chunk.mode }, { "ns", chunk.ns }, { "data", checkpoint::plain(chunk.data) } }));
        else if (m_streams)
            m_out.text(toJson(checkpoint::plain(chunk.data), JsonStyle::Spaced));
    }

    void showTask(const engine::TaskFinished& task)
    {
        if (m_out.json || m_streams)
            return;
        std::string text =
            padded("  " + std::to_string(task.step), 5) + " " + padded(runs::shownNode(task.node), 19) + " ";
        switch (task.outcome) {
        case engine::TaskFinished::Outcome::Done: text += "done "; break;
        case engine::TaskFinished::Outcome::Failed: text += "FAILED "; break;
        case engine::TaskFinished::Outcome::Interrupted:
        case engine::TaskFinished::Outcome::Stopped: text += "waiting "; break;
        case engine::TaskFinished::Outcome::Cached: text += "reused "; break;
        default: break; // a task that has finished is none of the others
        }
        text += secondsText(task.seconds);
        if (task.attempts > 1)
            text += ", " + std::to_string(task.attempts) + " attempts";
        m_out.text(text);
    }

    // Prints only whole lines, so that the output of parallel tasks does not mix.
    void showOutput(const engine::LogLine& line)
    {
        if (line.stream == engine::LogLine::Stream::Event) {
            showLine(line.node, line.bytes);
            return;
        }
        m_rest[{ line.task, line.stream }].add(line.bytes,
                                               [&](const std::string& text) { showLine(line.node, text); });
    }

    // Prints a task's last output that has no line end.
    void showRest(const TaskId& task, const NodeId& node)
    {
        for (const auto stream : { engine::LogLine::Stream::Stdout, engine::LogLine::Stream::Stderr })
            if (auto entry = m_rest.extract({ task, stream }))
                entry.mapped().end([&](const std::string& text) { showLine(node, text); });
    }

    void showLine(const NodeId& node, const std::string& text)
    {
        m_out.note("      " + runs::shownNode(node) + " | " + text);
    }

    const Output& m_out;
    const bool m_streams;
    std::mutex m_mutex;
    std::map<std::pair<TaskId, engine::LogLine::Stream>, LineBuffer> m_rest; // guarded by m_mutex
    ValueList m_restored; // guarded by m_mutex
    ValueList m_warnings; // guarded by m_mutex
    std::int64_t m_lastStep = 0; // guarded by m_mutex
};

ValueList artifactsOf(workbench::Workbench& project, const RunId& run)
{
    ValueList list;
    artifacts::ArtifactFilter filter;
    filter.run = run;
    if (auto found = project.artifacts().list(filter))
        for (auto it = found->rbegin(); it != found->rend(); ++it)
            list.push_back(artifactDocument(*it, project.artifacts().blobPath(*it)));
    return list;
}

constexpr const char* kStoreFailed = "CheckpointError";

// Errors of storage, for which no node is to blame.
bool isOfStorage(const std::string& errorType)
{
    return errorType == kStoreFailed || errorType == "ArtifactError";
}

int exitCodeOf(const engine::RunResult& result)
{
    switch (result.status) {
    case RunStatus::Done: return Done;
    case RunStatus::Interrupted: return Waiting;
    case RunStatus::Stopped: return Stopped;
    case RunStatus::Failed:
        if (result.errorType == "SandboxUnavailable")
            return NoSandbox;
        return isOfStorage(result.errorType) ? Failed : RunFailed;
    case RunStatus::RecursionLimit: return RunFailed;
    default: break; // a run that has ended is none of the others
    }
    return Failed;
}

// A value as --answer takes it: text as it is where it would not be read as JSON.
std::string answerWord(const Value& answer)
{
    const bool isPlain = answer.isString() && !answer.asString().empty() && !parseJson(answer.asString())
        && std::string_view("{[\"@ \t\r\n").find(answer.asString().front()) == std::string_view::npos;
    return isPlain ? answer.asString() : toJson(answer);
}

// Prints what the run waits for, and the command that resumes it.
void printWaiting(const ValueList& interrupts, const engine::RunResult& result, const RunOption& place,
                  const Output& out)
{
    const bool many = interrupts.size() > 1;
    std::string example;
    for (const Value& interrupt : interrupts) {
        const std::string id = interrupt.stringOr("id", "");
        const std::optional<Value> known = runs::knownAnswer(interrupt["value"]);
        out.text(interrupt.stringOr("node", "") + " asks" + (many ? " (" + id + ")" : "") + ": "
                 + toJson(interrupt["value"], JsonStyle::Spaced));
        if (const std::string hint = runs::answerHint(interrupt["value"]); !hint.empty())
            out.text("it takes " + hint);
        if (many)
            example +=
                (example.empty() ? "{" : ", ") + toJson(Value(id)) + ": " + (known ? toJson(*known) : "JSON");
        else
            example = known ? answerWord(*known) : "JSON";
    }
    if (many)
        out.text("answer one or all by id: " + resumeCommand(place) + " --answer "
                 + shellWord(example + "}"));
    else if (!interrupts.empty())
        out.text("answer with: " + resumeCommand(place) + " --answer " + shellWord(example));
    else if (result.status == RunStatus::Interrupted)
        out.text("It paused where the graph says so (interrupt_before, interrupt_after). Go on with: "
                 + resumeCommand(place));
}

void printArtifacts(const ValueList& artifacts, const RunOption& place, const Output& out)
{
    if (!artifacts.empty())
        out.text("artifacts:");
    const std::size_t shown = std::min(artifacts.size(), kShownArtifacts);
    for (std::size_t i = 0; i < shown; ++i)
        out.text("  " + padded(artifacts[i].stringOr("path", ""), 28) + " "
                 + std::to_string(artifacts[i].intOr("size", 0)) + " bytes  "
                 + artifacts[i].stringOr("blob", ""));
    if (shown < artifacts.size())
        out.text(
            "  and " + std::to_string(artifacts.size() - shown) + " more of "
            + std::to_string(artifacts.size()) + "; see them all with: sandglass artifacts list "
            + shellWord("--thread=" + place.thread) + " --project " + shellWord(place.graph)
            + (place.database.empty() ? "" : " --db " + shellWord(checkpoint::shownAddress(place.database))));
}

// Returns what is not stored of a run whose store failed; empty: nothing is missing. `stored` is absent where
// the store is still away.
std::string unstoredText(const engine::RunResult& result, const std::optional<engine::StateSnapshot>& stored,
                         std::int64_t lastStep)
{
    if (result.errorType != kStoreFailed)
        return {};
    const std::int64_t from = stored && stored->metadata ? stored->metadata->intOr("step", -1) + 1 : lastStep;
    const std::string step = "step " + std::to_string(from)
        + (lastStep > from ? " to " + std::to_string(lastStep) : std::string());
    if (!stored)
        return "What was done last, up to " + step
            + ", may not be stored: resume does again what is missing.";
    std::string again;
    for (const engine::StateTask& task : stored->tasks)
        if (!task.result)
            again += (again.empty() ? "'" : ", '") + task.name.value + "'";
    return again.empty() ? std::string() : "Not stored is " + step + ": resume does " + again + " again.";
}

void printEnd(const Value& document, const engine::RunResult& result, const RunOption& place,
              const std::string& unstored, bool branchFailed, const Output& out)
{
    out.text(runStatusName(result.status) + " after " + counted(result.supersteps, "superstep"));
    if (!document["values"].isNull())
        out.text(toJson(document["values"], JsonStyle::Indented));
    printWaiting(document["interrupts"].asList(), result, place, out);
    printArtifacts(document["artifacts"].asList(), place, out);
    if (document["error"].isNull())
        return;
    const Value& error = document["error"];
    const std::string said = error.stringOr("type", "") + ": " + error.stringOr("message", "");
    std::string traceback = error.stringOr("traceback", "");
    while (traceback.ends_with('\n'))
        traceback.pop_back();
    if (traceback.ends_with("\n" + said)) // it is printed anyway
        traceback.resize(traceback.size() - said.size() - 1);
    if (!traceback.empty() && traceback != said)
        out.note(traceback);
    const std::string node = error.stringOr("node", "");
    const bool isNode = !node.empty() && node != graph::kStart; // the start node was not made by a person
    out.note("error: " + (isNode ? "node '" + node + "' failed: " : "the run failed: ") + said);
    if (const auto first = engine::earlierFailure(result))
        out.note("It failed first in node '" + runs::shownNode(first->node) + "', step "
                 + std::to_string(first->step) + ": "
                 + (first->errorType == "str" ? "" : first->errorType + ": ") + first->error);
    const std::string kept = unstored.empty() ? "What was done so far is stored." : unstored;
    if (result.head && !branchFailed)
        out.note(kept
                 + (result.status == RunStatus::RecursionLimit ? " Go on with: "
                                                               : " When the cause is repaired, go on with: ")
                 + resumeCommand(place));
}

// A run that ended early has no output, so its stored state is shown; what could not be stored is missing.
// Returns that state.
std::optional<engine::StateSnapshot> takeStored(workbench::Workbench& project, const ThreadId& thread,
                                                engine::RunResult& result)
{
    if (result.status == RunStatus::Done || result.status == RunStatus::Interrupted)
        return std::nullopt;
    auto stored = project.states().state({ thread, "", {} });
    if (!stored || !stored->config.checkpoint)
        stored = project.history().state(thread);
    if (stored && result.head && stored->config.checkpoint != result.head)
        if (auto own = project.history().state(thread, "", result.head)) // the head of another branch
            stored = std::move(own);
    if (!stored && stored.error().code == Errc::NotFound)
        result.head.reset();
    if (!stored)
        return std::nullopt;
    result.head = stored->config.checkpoint;
    result.values = stored->values;
    return std::move(*stored);
}

// Waits while artifacts are being uploaded to the bucket that machines share, and says what is not there.
Value uploadsOf(workbench::Workbench& project, const Output& out)
{
    constexpr std::chrono::seconds kTellAgain{ 5 };
    const auto& shared = project.artifacts().contents().shared();
    if (shared == nullptr)
        return {};
    auto told = std::chrono::steady_clock::now();
    const auto left = shared->settle(
        [&](const artifacts::UploadState& state) {
            const auto now = std::chrono::steady_clock::now();
            if (state.count == 0 || now - told < kTellAgain)
                return;
            told = now;
            out.note("uploading artifacts to " + shared->place() + ": " + counted(state.count, "content")
                     + " of " + std::to_string(state.bytes) + " bytes to go");
        },
        {});
    const artifacts::UploadState state = left ? *left : artifacts::UploadState{ 0, 0, left.error().message };
    if (state.count > 0 || !state.fault.empty()) {
        out.note("warning: " + counted(state.count, "content") + " of " + std::to_string(state.bytes)
                 + " bytes " + (state.count == 1 ? "is" : "are") + " not in " + shared->place()
                 + " yet, and so on this machine alone: " + state.fault);
        out.note("The next run here goes on with that; or: sandglass artifacts push");
    }
    return Value::map({ { "place", shared->place() },
                        { "waiting", state.count },
                        { "bytes", static_cast<std::int64_t>(state.bytes) },
                        { "error", state.fault.empty() ? Value() : Value(state.fault) } });
}

} // namespace

std::string resumeCommand(const RunOption& place)
{
    return "sandglass resume " + shellWord(place.graph) + " " + shellWord("--thread=" + place.thread)
        + (place.database.empty() ? "" : " --db " + shellWord(checkpoint::shownAddress(place.database)))
        + place.session.words() + place.queue.words()
        + (place.blobs.blobs.empty() ? "" : " --blobs " + shellWord(place.blobs.blobs))
        + (place.tenant.empty() ? "" : " --tenant " + shellWord(place.tenant));
}

std::string noteFailedBranches(const std::vector<NodeId>& nodes, const RunOption& place, const Output& out)
{
    std::string names;
    for (const NodeId& node : nodes)
        names += (names.empty() ? "'" : ", '") + node.value + "'";
    std::string text = "the branch behind " + names
        + " failed when the node had written already. Going on takes what it wrote and follows no branch: "
          "nothing comes after it. To run it again instead: "
        + resumeCommand(place) + " --rerun";
    out.note("note: " + text);
    return text;
}

int runInConsole(workbench::Workbench& project, const runs::RunRequest& request, const RunOption& place,
                 const Output& out, ValueList warnings, const std::string& note)
{
    if (const int broken = refuseBrokenGraph(project, runs::Check::Files, out); broken != Done)
        return broken;
    const bool streams = !request.streamModes.empty();
    Progress progress(out, streams);
    if (const auto& shared = project.artifacts().contents().shared(); shared != nullptr)
        if (const auto checked = shared->check(); !checked)
            return out.fail(checked.error());
    const Subscription subscription = project.runs().events().subscribe(
        [&progress](const engine::RunEvent& event) { progress.show(event); });
    std::optional<StopOnSignal> stop(std::in_place, out);
    auto run = project.runs().start(request);
    if (!run) {
        stop.reset();
        // A jq program that does not compile is told with its place in the file.
        const int broken = refuseBrokenGraph(project, runs::Check::All, out);
        return broken != Done ? broken : out.fail(run.error());
    }
    if (!note.empty())
        out.note(note);
    stop->stops(project.runs(), *run);
    engine::RunResult result = project.runs().wait(*run);
    stop.reset();
    const auto stored = takeStored(project, request.thread, result);
    const auto failed = result.status == RunStatus::Failed ? project.states().failedBranches(request.thread)
                                                           : std::vector<NodeId>();
    const bool branchFailed = failed && !failed->empty();
    const auto packages = project.history().packagesOf(*run);
    Value document = runDocument(request.thread, result, artifactsOf(project, *run),
                                 packages ? *packages : std::vector<checkpoint::RunPackages>());
    document.editMap().set("restored", Value(progress.takeRestored()));
    for (Value& warning : progress.takeWarnings())
        warnings.push_back(std::move(warning));
    document.editMap().set("warnings", Value(std::move(warnings)));
    document.editMap().set("uploads", uploadsOf(project, out));
    if (!out.json)
        printEnd(document, result, place, unstoredText(result, stored, progress.lastStep()), branchFailed,
                 out);
    else if (streams)
        out.line(Value::map({ { "type", "result" }, { "data", document } }));
    else
        out.document(document);
    if (branchFailed)
        noteFailedBranches(*failed, place, out);
    return exitCodeOf(result);
}

std::string whatIsDropped(workbench::Workbench& project, const runs::RunRequest& request,
                          const RunOption& place)
{
    if (request.checkpoint || checkpoint::ThreadLock::isHeld(project.project().checkpoints, request.thread))
        return {}; // a run that will be refused drops nothing
    const auto state = project.history().state(request.thread);
    if (!state || state->next.empty())
        return {};
    std::string nodes;
    for (const NodeId& node : state->next)
        nodes += (nodes.empty() ? "" : ", ") + node.value;
    return "note: thread '" + request.thread.value + "' was not at its end (next: " + nodes
        + "). This run begins anew with its input; to go on instead: " + resumeCommand(place);
}

int refuseMissingInput(const workbench::Workbench& project, const RunOption& place, const Output& out)
{
    const auto file = project.loadGraph(runs::Check::Form);
    if (!file || !file->graph.inputExample.isMap() || !graph::lacksInput(file->graph, {}))
        return Done; // a broken file is refused as such
    std::string channels;
    for (const std::string& channel : *file->graph.input)
        channels += (channels.empty() ? "'" : ", '") + channel + "'";
    return out.fail(Usage,
                    "the graph wants an input (" + channels
                        + "). With its example: " + exampleCommand(file->graph, place.graph, place.thread));
}

std::string exampleCommand(const graph::Graph& graph, const std::string& place, const std::string& thread)
{
    std::string command = "sandglass run " + shellWord(place) + " " + shellWord("--thread=" + thread);
    if (graph.inputExample.isMap() && !graph.inputExample.asMap().empty())
        command += " --input " + shellWord(toJson(graph.inputExample, JsonStyle::Spaced));
    return command;
}

int refuseBrokenGraph(const workbench::Workbench& project, runs::Check check, const Output& out)
{
    const std::string name = project.project().graph.filename().string();
    auto file = project.loadGraph(check);
    if (!file)
        return out.fail(InvalidGraph, file.error().message);
    if (!file->hasErrors())
        return Done;
    for (const graph::Problem& problem : file->problems)
        out.note(graph::describe(problem, name));
    return out.fail(InvalidGraph,
                    name + " has errors, so nothing was done. See them all with: sandglass validate " + name,
                    problemsDocument(file->problems)["problems"]);
}

} // namespace sg::cli
