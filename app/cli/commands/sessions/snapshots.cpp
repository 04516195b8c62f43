#include "app/cli/commands/sessions/snapshots.h"

#include "app/cli/commands/commands.h"
#include "app/cli/stored_state.h"
#include "core/base/printable.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/thread_lock.h"
#include "core/config/session_settings.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::cli {
namespace {

using rewind::KeptName;
using rewind::SnapshotMark;

struct Arguments {
    StateOption state;
    std::string from;
    std::string to;
    std::string folder;
    std::optional<std::string> session;
};

// The project's data folder holds the contents for all databases that its runs used.
fs::path dataOf(const PlaceOption& place, const history::Database& database)
{
    std::error_code failed;
    const fs::path folder = fs::absolute(database.file(), failed).lexically_normal().parent_path();
    if (folder.filename() == ".sandglass")
        return folder;
    const auto located = place.locate();
    return located ? located->data : folder;
}

fs::path contentsIn(const fs::path& data)
{
    return data / "snapshots";
}

// Completes the error's advice with the command line's option.
Error named(Error error)
{
    if (error.code == Errc::InvalidArgument && error.message.ends_with("Choose one of them"))
        error.message += " with --session";
    return error;
}

Value markDocument(const SnapshotMark& mark)
{
    return Value::map({ { "kind", std::string(rewind::markName(mark.kind)) },
                        { "snapshot_id", mark.snapshot.value },
                        { "session", mark.part.text() },
                        { "missing_names", mark.missing },
                        { "files", mark.files < 0 ? Value() : Value(mark.files) },
                        { "file_bytes", mark.fileBytes },
                        { "name_bytes", mark.nameBytes },
                        { "note", mark.note } });
}

std::string markText(const SnapshotMark& mark)
{
    std::string text(rewind::markName(mark.kind));
    if (mark.missing > 0)
        text += ", without " + std::to_string(mark.missing) + (mark.missing == 1 ? " name" : " names");
    if (mark.nameBytes > 0)
        text += ", names of " + std::to_string(mark.nameBytes) + " bytes";
    if (mark.files >= 0)
        text += ", " + counted(mark.files, "path") + " of " + std::to_string(mark.fileBytes) + " bytes";
    if (!mark.part.isThreads())
        text = mark.part.text() + ": " + text;
    return text + (mark.note.empty() ? "" : "  (" + mark.note + ")");
}

int list(const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    auto kept = at ? openKept(arguments.state.place) : Result<KeptSnapshots>(at.error());
    if (!kept)
        return out.fail(kept.error());
    const auto marks = kept->snapshots->marks(at->thread);
    if (!marks)
        return out.fail(marks.error());
    if (marks->empty())
        if (const auto known = kept->database->history().state(at->thread); !known)
            return out.fail(known.error());
    ValueList document;
    for (const rewind::CheckpointMark& each : *marks) {
        if (!at->ns.empty() && each.checkpoint.ns != at->ns)
            continue;
        Value entry = markDocument(each.mark);
        entry.editMap().set("checkpoint_id", each.checkpoint.id.value);
        entry.editMap().set("checkpoint_ns", each.checkpoint.ns);
        entry.editMap().set("partial", each.mark.partial);
        document.push_back(std::move(entry));
        out.text(each.checkpoint.id.value + "  "
                 + (each.checkpoint.ns.empty() ? "" : "in " + each.checkpoint.ns + "  ")
                 + (each.mark.partial ? "after finished tasks  " : "") + markText(each.mark));
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("no snapshots; they are taken when a node that runs Python has ended");
    return Done;
}

Value nameDocument(const KeptName& name)
{
    return Value::map({ { "name", name.name },
                        { "type", name.type },
                        { "size", name.size < 0 ? Value() : Value(name.size) },
                        { "preview", name.preview },
                        { "missing", name.missing.empty() ? Value() : Value(name.missing) } });
}

std::string nameText(const KeptName& name)
{
    return name.name + "  " + name.type + (name.size < 0 ? "" : "  " + std::to_string(name.size) + " bytes")
        + "  " + printableText(name.missing.empty() ? name.preview : "not kept: " + name.missing);
}

int show(const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    auto kept = at ? openKept(arguments.state.place) : Result<KeptSnapshots>(at.error());
    if (!kept)
        return out.fail(kept.error());
    const checkpoint::CheckpointRef ref{ at->thread, at->ns, CheckpointId(arguments.from) };
    const auto mark = kept->snapshots->mark(ref, arguments.session);
    const auto snapshot = kept->snapshots->at(ref, arguments.session);
    if (!mark || !snapshot)
        return out.fail(named(mark ? snapshot.error() : mark.error()));
    Value document = markDocument(*mark);
    out.text(markText(*mark));
    if (!snapshot->names.isMap())
        out.note("its variables are not written out: they are in its session only, if it lives");
    if (!snapshot->files)
        out.note("its files were not kept");
    ValueList names;
    for (const KeptName& name : rewind::Snapshots::namesOf(*snapshot)) {
        names.push_back(nameDocument(name));
        out.text("  " + nameText(name));
    }
    ValueList files;
    if (snapshot->files)
        for (const auto& [path, entry] : *snapshot->files) {
            files.push_back(Value::map({ { "path", printableText(path) }, { "size", entry.size } }));
            out.text("  " + printableText(path) + "  " + std::to_string(entry.size) + " bytes");
        }
    document.editMap().set("variables", snapshot->names.isMap() ? Value(std::move(names)) : Value());
    document.editMap().set("paths", snapshot->files ? Value(std::move(files)) : Value());
    if (out.json)
        out.document(document);
    return Done;
}

int diff(const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    auto kept = at ? openKept(arguments.state.place) : Result<KeptSnapshots>(at.error());
    if (!kept)
        return out.fail(kept.error());
    auto found = kept->snapshots->diff({ at->thread, at->ns, CheckpointId(arguments.from) },
                                       { at->thread, at->ns, CheckpointId(arguments.to) }, arguments.session);
    if (!found)
        return out.fail(named(found.error()));
    if (out.json)
        out.document(snapshotDiffDocument(*found));
    printSnapshotDiff(*found, out);
    return Done;
}

int restore(const Arguments& arguments, const Output& out)
{
    auto at = arguments.state.address();
    auto kept = at ? openKept(arguments.state.place) : Result<KeptSnapshots>(at.error());
    if (!kept)
        return out.fail(kept.error());
    const auto written = kept->snapshots->exportFiles({ at->thread, at->ns, CheckpointId(arguments.from) },
                                                      arguments.folder, arguments.session);
    if (!written)
        return out.fail(named(written.error()));
    if (out.json)
        out.document(Value::map({ { "folder", arguments.folder }, { "files", *written } }));
    out.text(counted(*written, "file") + " in " + arguments.folder);
    return Done;
}

// Another program's database has none, and is not written to, whatever lies in its folder.
Result<bool> keepsAny(const PlaceOption& place, history::Database& database)
{
    const auto all = database.store().snapshotLog()->all();
    if (!all)
        return all.error();
    std::error_code failed;
    const fs::path data = dataOf(place, database);
    const bool isOwn = fs::equivalent(database.file(), data / "checkpoints.sqlite", failed);
    return !all->empty() || (isOwn && fs::exists(contentsIn(data), failed));
}

int collect(const Arguments& arguments, const Output& out)
{
    auto kept = openKept(arguments.state.place);
    const auto keeps = kept ? keepsAny(arguments.state.place, *kept->database) : Result<bool>(kept.error());
    if (keeps && *keeps)
        kept = openKept(arguments.state.place, history::Database::Access::ReadWrite);
    if (!keeps || !kept)
        return out.fail(keeps ? kept.error() : keeps.error());
    const auto located = arguments.state.place.locate();
    const bool isAlone = !located && !arguments.state.place.database.empty(); // a database without a project
    const auto limits = located ? config::snapshotLimits(*located)
        : isAlone               ? Result<sessions::SnapshotLimits>(sessions::SnapshotLimits())
                                : Result<sessions::SnapshotLimits>(located.error());
    if (!limits)
        return out.fail(limits.error());
    const auto isInUse = [file = kept->database->file()](const ThreadId& thread) {
        return checkpoint::ThreadLock::isHeld(file, thread);
    };
    const auto done = *keeps ? kept->snapshots->collect(limits->projectBytes, isInUse)
                             : Result<rewind::Collected>(rewind::Collected());
    if (!done)
        return out.fail(done.error());
    if (out.json)
        out.document(Value::map(
            { { "snapshots", done->snapshots }, { "contents", done->contents }, { "bytes", done->bytes } }));
    out.text(std::to_string(done->snapshots) + " snapshots, " + std::to_string(done->contents) + " contents, "
             + std::to_string(done->bytes) + " bytes removed");
    return Done;
}

} // namespace

Result<KeptSnapshots> openKept(const PlaceOption& place, history::Database::Access access)
{
    auto database = place.openDatabase(); // opened for reading first, so that no database is created
    if (database && access == history::Database::Access::ReadWrite)
        database = checkpoint::isPostgresAddress(place.database)
            ? history::Database::openShared(place.database, access)
            : history::Database::open((*database)->file(), access);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    if (log == nullptr)
        return Error{ Errc::NotFound, "this database keeps no snapshots" };
    KeptSnapshots kept;
    const fs::path data = dataOf(place, **database);
    kept.snapshots = std::make_unique<rewind::Snapshots>(*log, contentsIn(data));
    kept.snapshots->lookUpSessions(data / "sessions.sqlite");
    kept.database = std::move(*database);
    return kept;
}

Value snapshotDiffDocument(const rewind::SnapshotDiff& diff)
{
    ValueList names;
    for (const auto& each : diff.names)
        names.push_back(Value::map({ { "name", each.name },
                                     { "before", each.before ? nameDocument(*each.before) : Value() },
                                     { "after", each.after ? nameDocument(*each.after) : Value() } }));
    ValueList files;
    const auto size = [](const auto& entry) { return entry ? Value(entry->size) : Value(); };
    for (const auto& each : diff.files)
        files.push_back(Value::map({ { "path", printableText(each.name) },
                                     { "size_before", size(each.before) },
                                     { "size_after", size(each.after) } }));
    return Value::map({ { "variables", diff.namesKnown ? Value(std::move(names)) : Value() },
                        { "files", diff.filesKnown ? Value(std::move(files)) : Value() } });
}

void printSnapshotDiff(const rewind::SnapshotDiff& diff, const Output& out)
{
    if (!diff.namesKnown)
        out.note("the variables of one of them are not written out: they are in its session only");
    for (const auto& each : diff.names) {
        if (each.before && each.after)
            out.text("~ " + nameText(*each.before) + "  ->  " + nameText(*each.after));
        else
            out.text(each.after ? "+ " + nameText(*each.after) : "- " + nameText(*each.before));
    }
    if (!diff.filesKnown)
        out.note("the files of one of them were not kept");
    for (const auto& each : diff.files) {
        const std::string path = printableText(each.name);
        if (each.before && each.after)
            out.text("~ " + path + "  " + std::to_string(each.before->size) + " -> "
                     + std::to_string(each.after->size) + " bytes");
        else
            out.text((each.after ? "+ " : "- ") + path + "  "
                     + std::to_string((each.after ? each.after : each.before)->size) + " bytes");
    }
    if (diff.namesKnown && diff.filesKnown && diff.names.empty() && diff.files.empty())
        out.text("the sandboxes are the same");
}

void addSnapshots(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("snapshots", "what is kept of sandboxes at checkpoints");
    verb.needsVerb();
    Verb listing = verb.add("list", "of each checkpoint of a thread");
    Verb showing = verb.add("show", "variables and files at a checkpoint");
    Verb comparing = verb.add("diff", "variables and files that differ between two checkpoints");
    Verb restoring = verb.add("restore", "write the files of a checkpoint into a new folder");
    Verb collecting = verb.add(
        "gc", "remove what belongs to no checkpoint any more, and the oldest over the project's cap");
    for (Verb each : { listing, showing, comparing, restoring })
        arguments->state.addThread(each);
    arguments->state.place.add(collecting);
    for (Verb each : { showing, comparing, restoring })
        each.option("--session", arguments->session,
                    "whose session: \"node NAME\", \"run\" (default: the thread's own, or the only one)");
    for (Verb each : { showing, restoring })
        each.option("CHECKPOINT", arguments->from, "checkpoint").required();
    comparing.option("A", arguments->from, "checkpoint").required();
    comparing.option("B", arguments->to, "checkpoint").required();
    restoring.option("-o,--output,--to", arguments->folder, "folder that does not exist yet").required();
    listing.onRun([arguments, &shell] { shell.exit = list(*arguments, shell.out); });
    showing.onRun([arguments, &shell] { shell.exit = show(*arguments, shell.out); });
    comparing.onRun([arguments, &shell] { shell.exit = diff(*arguments, shell.out); });
    restoring.onRun([arguments, &shell] { shell.exit = restore(*arguments, shell.out); });
    collecting.onRun([arguments, &shell] { shell.exit = collect(*arguments, shell.out); });
}

} // namespace sg::cli
