#include "app/cli/commands/commands.h"
#include "app/cli/commands/sessions/snapshots.h"
#include "app/cli/documents.h"
#include "app/cli/stored_state.h"
#include "core/base/json.h"
#include "core/base/json_patch.h"
#include "core/checkpoint/serde/plain_data.h"

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    StateOption state;
    std::string from;
    std::string to;
};

Result<Value> valuesAt(const StateOption& option, const std::string& checkpoint)
{
    auto at = option.address();
    if (!at)
        return std::move(at.error());
    at->checkpoint = CheckpointId(checkpoint);
    auto snapshot = readState(option.place, *at);
    if (!snapshot)
        return std::move(snapshot.error());
    return checkpoint::plain(snapshot->values);
}

std::string shortText(const Value& value)
{
    constexpr std::size_t kLongest = 200;
    std::string text = toJson(value, JsonStyle::Spaced);
    if (text.size() > kLongest)
        text = text.substr(0, kLongest) + "… (" + std::to_string(text.size()) + " bytes)";
    return text;
}

// Prints the sandboxes' differences for each session that both checkpoints know.
void printSandboxes(const Arguments& arguments, const Output& out)
{
    const auto at = arguments.state.address();
    const auto kept = at ? openKept(arguments.state.place) : Result<KeptSnapshots>(at.error());
    if (!kept)
        return;
    const checkpoint::CheckpointRef from{ at->thread, at->ns, CheckpointId(arguments.from) };
    const checkpoint::CheckpointRef to{ at->thread, at->ns, CheckpointId(arguments.to) };
    const auto marks = kept->snapshots->marksAt(from);
    if (!marks)
        return;
    for (const rewind::SnapshotMark& mark : *marks) {
        const auto found = kept->snapshots->diff(from, to, mark.part.text());
        if (!found)
            continue;
        out.text(mark.part.isThreads() ? "sandbox:" : "sandbox of " + mark.part.text() + ":");
        printSnapshotDiff(*found, out);
    }
}

int diff(const Arguments& arguments, const Output& out)
{
    auto from = valuesAt(arguments.state, arguments.from);
    if (!from)
        return out.fail(from.error());
    auto to = valuesAt(arguments.state, arguments.to);
    if (!to)
        return out.fail(to.error());
    const Value patch = jsonPatch(*from, *to);
    if (out.json) {
        out.document(patch);
        return Done;
    }
    for (const Value& step : patch.asList()) {
        const std::string operation = step.stringOr("op", "");
        const char* sign = operation == "add" ? "+ " : operation == "remove" ? "- " : "~ ";
        const Value* value = step.find("value");
        out.text(sign + step.stringOr("path", "") + (value != nullptr ? "  " + shortText(*value) : ""));
    }
    if (patch.asList().empty())
        out.text("the values are the same");
    printSandboxes(arguments, out);
    return Done;
}

} // namespace

void addDiff(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("diff", "print what changed between two checkpoints, as a JSON patch (RFC 6902)");
    verb.option("A", arguments->from, "checkpoint").required();
    verb.option("B", arguments->to, "checkpoint").required();
    arguments->state.addThread(verb);
    verb.option("--graph", arguments->state.place.graph, "graph file, for exact values");
    verb.onRun([arguments, &shell] { shell.exit = diff(*arguments, shell.out); });
}

} // namespace sg::cli
