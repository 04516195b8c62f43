#include "core/upkeep/storage.h"

#include "app/cli/commands/commands.h"
#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/commands/storage/storage_move.h"
#include "app/cli/project_option.h"
#include "core/runs/project_runs.h"
#include "core/upkeep/pruning.h"

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    std::int64_t keep = 10;
    bool dryRun = false;
};

Value partsValue(const std::vector<upkeep::StoragePart>& parts)
{
    ValueList list;
    for (const upkeep::StoragePart& part : parts)
        list.push_back(
            Value::map({ { "name", part.name }, { "bytes", part.bytes }, { "count", part.count } }));
    return Value(std::move(list));
}

void showParts(const std::string& title, const std::vector<upkeep::StoragePart>& parts, const Output& out)
{
    if (parts.empty())
        return;
    out.text(title + ":");
    for (const upkeep::StoragePart& part : parts)
        out.text("  " + padded(runs::shownChannel(part.name), 31) + " "
                 + padded(std::to_string(part.bytes), 13) + " " + std::to_string(part.count));
}

int show(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open(SessionPlace::For::Reading);
    if (!project)
        return out.fail(project.error());
    const auto report = upkeep::storageOf((*project)->parts());
    if (!report)
        return out.fail(report.error());
    if (out.json)
        out.document(Value::map({ { "database_bytes", report->databaseBytes },
                                  { "artifact_bytes", report->artifactBytes },
                                  { "snapshot_bytes", report->snapshotBytes },
                                  { "session_bytes", report->sessionBytes },
                                  { "threads", partsValue(report->threads) },
                                  { "channels", partsValue(report->channels) },
                                  { "artifacts", partsValue(report->artifacts) },
                                  { "artifact_files", partsValue(report->files) },
                                  { "artifact_files_total", report->fileCount },
                                  { "snapshots", partsValue(report->snapshots) } }));
    for (const auto& [name, bytes] :
         { std::pair{ "database", report->databaseBytes }, std::pair{ "artifacts", report->artifactBytes },
           std::pair{ "snapshots", report->snapshotBytes },
           std::pair{ "session folders", report->sessionBytes } })
        out.text(padded(name, 34) + std::to_string(bytes) + " bytes");
    showParts("threads (bytes of values, checkpoints)", report->threads, out);
    showParts("channels (bytes written, writes)", report->channels, out);
    showParts("artifacts (bytes, files)", report->artifacts, out);
    showParts("largest artifacts (bytes, versions)", report->files, out);
    if (const auto shown = static_cast<std::int64_t>(report->files.size()); shown < report->fileCount)
        out.text("  (" + std::to_string(shown) + " of " + std::to_string(report->fileCount)
                 + "; all of them: sandglass artifacts list)");
    showParts("snapshots (bytes, contents)", report->snapshots, out);
    return Done;
}

Value pruneValue(const upkeep::PruneReport& report)
{
    ValueList forks;
    for (const upkeep::CutBranch& fork : report.forks)
        forks.push_back(Value::map({ { "thread_id", fork.thread.value },
                                     { "first", fork.first.value },
                                     { "first_step", fork.firstStep },
                                     { "head", fork.head.value },
                                     { "head_step", fork.headStep } }));
    return Value::map({ { "dry_run", report.isDryRun },
                        { "checkpoints", report.checkpoints },
                        { "nested_checkpoints", report.nested },
                        { "lost_parents", report.lostParents },
                        { "forks", Value(std::move(forks)) },
                        { "snapshot_contents", report.snapshotContents },
                        { "bytes_before", report.bytesBefore },
                        { "bytes_after", report.bytesAfter },
                        { "skipped", ValueList(report.skipped.begin(), report.skipped.end()) } });
}

int pruneThreads(const Arguments& arguments, const Output& out)
{
    upkeep::PruneChoice choice;
    choice.keep = arguments.keep;
    if (!arguments.thread.empty()) {
        const auto thread = threadArgument(arguments.thread);
        if (!thread)
            return out.fail(thread.error());
        choice.thread = *thread;
    }
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    const auto report = upkeep::prune((*project)->parts(), choice, arguments.dryRun);
    if (!report)
        return out.fail(report.error());
    if (out.json)
        out.document(pruneValue(*report));
    out.text(std::string(report->isDryRun ? "would remove " : "removed ")
             + counted(report->checkpoints, "checkpoint") + ", " + std::to_string(report->nested)
             + " of subgraphs and " + counted(report->snapshotContents, "content") + " of snapshots: "
             + std::to_string(report->bytesBefore) + " bytes become " + std::to_string(report->bytesAfter));
    if (report->lostParents > 0)
        out.text(counted(report->lostParents, "checkpoint") + " stay without what they began from");
    for (const upkeep::CutBranch& fork : report->forks)
        out.text("  " + fork.thread.value + ": the branch up to step " + std::to_string(fork.headStep) + " ("
                 + fork.head.value + ") begins at step " + std::to_string(fork.firstStep)
                 + ", apart from the others");
    for (const std::string& skipped : report->skipped)
        out.note("skipped " + skipped);
    return Done;
}

} // namespace

void addStorage(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("storage", "what a project takes on the disk, and pruning it");
    arguments->place.add(verb, false);
    arguments->place.addDatabase(verb);
    Verb pruning = verb.add("prune", "remove old checkpoints; heads of branches always stay");
    arguments->place.add(pruning, false);
    arguments->place.addDatabase(pruning);
    pruning.option("--thread", arguments->thread, "of this thread alone");
    pruning.option("--keep", arguments->keep, "newest checkpoints of each branch (default 10)")
        .check(atLeastOne());
    pruning.flag("--dry-run", arguments->dryRun, "say what would go, exactly, and change nothing");
    pruning.onRun([arguments, &shell] { shell.exit = pruneThreads(*arguments, shell.out); });
    addStorageMove(verb, shell);
    verb.onRun([verb, arguments, &shell] {
        if (!verb.hasVerb())
            shell.exit = show(*arguments, shell.out);
    });
}

} // namespace sg::cli
