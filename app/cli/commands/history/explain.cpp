#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/stored_state.h"
#include "core/runs/project_runs.h"

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    StateOption state;
    std::int64_t limit = 1000;
};

// Versions look like "0000…02.0.979…": people compare the number before the point.
std::string versionText(const Value& version)
{
    if (version.isInt())
        return std::to_string(version.asInt());
    if (!version.isString())
        return "none";
    const std::string& text = version.asString();
    const std::size_t first = text.find_first_not_of('0');
    const std::size_t point = text.find('.');
    return first == std::string::npos || first >= point ? text : text.substr(first, point - first);
}

std::string reasonText(const history::TaskReason& task, const history::TriggerReason& trigger)
{
    std::string by;
    for (const NodeId& node : trigger.writtenBy)
        by += (by.empty() ? "" : ", ") + runs::shownNode(node);
    if (by.empty())
        by = trigger.source == checkpoint::Source::Input   ? "the input"
            : trigger.source == checkpoint::Source::Update ? "an update"
                                                           : "?";
    if (task.isSend)
        return "a Send by " + by;
    return runs::shownChannel(trigger.channel) + " is at version " + versionText(trigger.version) + ", "
        + (trigger.seen.isNull() ? std::string("it had seen none")
                                 : "it had seen " + versionText(trigger.seen))
        + "; written by " + by;
}

void print(const std::vector<history::SuperstepReasons>& supersteps, const Output& out)
{
    for (const history::SuperstepReasons& superstep : supersteps) {
        out.text("step " + std::to_string(superstep.step) + "  from checkpoint " + superstep.checkpoint.value
                 + " (" + superstep.source.text() + ")");
        if (superstep.tasks.empty())
            out.text("  nothing is left to run from here");
        for (const history::TaskReason& task : superstep.tasks) {
            out.text("  " + runs::shownNode(task.node) + "  " + taskOutcomeName(task.outcome));
            for (const history::TriggerReason& trigger : task.triggers)
                out.text("      because " + reasonText(task, trigger));
        }
    }
}

int explain(const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    if (!at)
        return out.fail(at.error());
    auto database = arguments.state.place.openDatabase();
    if (!database)
        return out.fail(database.error());
    // One more tells whether there are more.
    auto supersteps = (*database)->history().explain(at->thread, at->ns, at->checkpoint, arguments.limit + 1);
    if (!supersteps)
        return out.fail(supersteps.error());
    if (static_cast<std::int64_t>(supersteps->size()) > arguments.limit) {
        supersteps->erase(supersteps->begin());
        out.note("There are more than these newest " + std::to_string(arguments.limit)
                 + " supersteps; --limit N shows more.");
    }
    if (out.json)
        out.document(explanationDocument(*supersteps));
    else
        print(*supersteps, out);
    return Done;
}

} // namespace

void addExplain(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("explain", "say why each node ran: which channel, at which version");
    arguments->state.addThread(verb);
    arguments->state.addCheckpoint(verb, "only the superstep that starts there (default: the whole branch)");
    verb.option("--limit", arguments->limit, "at most the newest so many supersteps (default 1000)")
        .within(std::int64_t{ 1 }, std::int64_t{ 1'000'000'000 });
    verb.onRun([arguments, &shell] { shell.exit = explain(*arguments, shell.out); });
}

} // namespace sg::cli
