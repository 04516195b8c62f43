#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/project_option.h"
#include "core/runs/project_runs.h"

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::string ns;
    std::int64_t limit = 100'000;
    bool runs = false;
};

std::string names(const std::vector<NodeId>& nodes)
{
    std::string text;
    for (const NodeId& node : nodes)
        text += (text.empty() ? "" : ", ") + runs::shownNode(node);
    return text.empty() ? "-" : text;
}

int runs(history::History& history, const ThreadId& thread, const Output& out)
{
    const auto rows = history.runs(thread);
    if (!rows)
        return out.fail(rows.error());
    if (out.json) {
        out.document(runsDocument(*rows));
        return Done;
    }
    for (const auto& [run, packages] : *rows) {
        out.text(run.id.value + "  " + isoTime(run.startedAt) + "  " + runStatusName(run.status)
                 + (run.error.empty() ? "" : "  " + run.error));
        for (const checkpoint::RunPackages& each : packages) {
            std::string pins;
            for (const std::string& pin : each.pins)
                pins += " " + pin;
            if (each.layer == checkpoint::kProjectModules)
                out.text("  modules:" + pins);
            else
                out.text("  layer " + each.layer + ":" + (pins.empty() ? " no packages of its own" : pins));
        }
    }
    return Done;
}

int history(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    auto database = arguments.place.openDatabase();
    if (!database)
        return out.fail(database.error());
    if (arguments.runs)
        return runs((*database)->history(), *thread, out);
    // One more tells whether there are more.
    auto rows = (*database)->history().checkpoints(*thread, arguments.ns, arguments.limit + 1);
    if (!rows)
        return out.fail(rows.error());
    if (static_cast<std::int64_t>(rows->size()) > arguments.limit) {
        rows->pop_back();
        out.note("There are more than these newest " + std::to_string(arguments.limit)
                 + "; --limit N shows more.");
    }
    if (rows->empty() && !arguments.ns.empty())
        if (const auto state = (*database)->history().state(*thread, arguments.ns); !state)
            return out.fail(state.error());
    if (rows->empty())
        return out.fail(Usage,
                        "thread '" + thread->value + "' has no checkpoints in " + (*database)->name()
                            + ". See them all with: sandglass threads");
    if (out.json) {
        out.document(historyDocument(*rows));
        return Done;
    }
    for (const history::CheckpointRow& row : *rows)
        out.text(row.problem.empty()
                     ? row.id.value + "  step " + std::to_string(row.step) + "  " + row.source.text()
                         + "  after " + names(row.after) + "  next " + names(row.next) + "  " + row.createdAt
                     : row.id.value + "  DAMAGED: " + row.problem);
    return Done;
}

} // namespace

void addHistory(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("history", "list a thread's checkpoints, newest first");
    verb.option("--thread", arguments->thread, "thread").required();
    verb.option("--ns", arguments->ns, "of a subgraph: its checkpoint namespace, such as NODE:TASK");
    verb.option("--limit", arguments->limit, "at most so many (default 100000)")
        .within(std::int64_t{ 1 }, std::int64_t{ 1'000'000'000 });
    verb.flag("--runs", arguments->runs, "its runs instead, with the Python packages that they had");
    arguments->place.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = history(*arguments, shell.out); });
}

} // namespace sg::cli
