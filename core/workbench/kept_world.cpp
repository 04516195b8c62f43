#include "core/workbench/kept_world.h"

#include "core/sessions/session_manager.h"
#include "core/workbench/workbench.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sg::workbench {
namespace {

using checkpoint::CheckpointRef;
using sessions::FileMap;
using sessions::Snapshot;
using sessions::Variable;

struct Name {
    Variable shown;
    std::string identity; // equal where the content is the same; empty: unknown
    std::string missing;
};
using Names = std::map<std::string, Name>;

std::shared_ptr<sessions::RunnerLink> linkToSleeper(Workbench& workbench, const SnapshotId& id)
{
    for (const sessions::SessionInfo& info : workbench.sessions().list())
        if (std::ranges::find(info.asleep, id) != info.asleep.end())
            if (const auto session = workbench.sessions().find(info.thread, info.part))
                return session->link();
    return nullptr;
}

std::optional<std::vector<std::int64_t>> shapeOf(const Value& shown)
{
    if (!shown["shape"].isList())
        return std::nullopt;
    std::vector<std::int64_t> shape;
    for (const Value& extent : shown["shape"].asList())
        shape.push_back(extent.isInt() ? extent.asInt() : 0);
    return shape;
}

Names storedNames(const Snapshot& snapshot)
{
    Names names;
    for (KeptName& kept : Snapshots::namesOf(snapshot)) {
        if (kept.name.starts_with('_'))
            continue; // as a session lists them
        Name name;
        name.shown = { kept.name, std::move(kept.type), {}, {}, std::move(kept.preview) };
        if (kept.size >= 0)
            name.shown.bytes = kept.size;
        name.identity = std::move(kept.identity);
        name.missing = std::move(kept.missing);
        names.emplace(kept.name, std::move(name));
    }
    const Value& records = snapshot.names["records"];
    if (records.isList())
        for (const Value& record : records.asList())
            if (const auto known = names.find(record.stringOr("name", "")); known != names.end())
                known->second.shown.shape = shapeOf(record["shown"]);
    return names;
}

Result<Names> namesOf(const Snapshot& snapshot, const std::shared_ptr<sessions::RunnerLink>& sleeper)
{
    if (snapshot.names.isMap())
        return storedNames(snapshot);
    if (!sleeper)
        return Error{ Errc::NotFound,
                      snapshot.live
                          ? "its interpreter is gone (the session ended, or newer snapshots took its place) "
                            "before its names were written out"
                          : "its names were not kept: " + describe(snapshot.obstacles) };
    auto listed = sessions::listVariables(*sleeper, snapshot.id);
    if (!listed)
        return std::move(listed.error()).during("ask the sleeping interpreter");
    Names names;
    for (Variable& variable : listed->variables) {
        std::string name = variable.name;
        names.emplace(std::move(name), Name{ std::move(variable), {}, {} });
    }
    return names;
}

bool isSame(const Name& a, const Name& b)
{
    if (!a.identity.empty() && !b.identity.empty())
        return a.identity == b.identity;
    return a.shown.type == b.shown.type && a.shown.shape == b.shown.shape && a.shown.bytes == b.shown.bytes
        && a.shown.preview == b.shown.preview;
}

// Entries of both, by name; `before` null: what was there is not known.
template<typename Made, typename Map, typename Make, typename Same>
std::vector<Made> compared(const Map& now, const Map* before, const Make& make, const Same& same)
{
    std::vector<Made> all;
    for (const auto& [name, value] : now) {
        KeptChange change = KeptChange::Unknown;
        if (before != nullptr) {
            const auto old = before->find(name);
            change = old == before->end()  ? KeptChange::Added
                : same(value, old->second) ? KeptChange::Same
                                           : KeptChange::Changed;
        }
        all.push_back(make(name, value, change));
    }
    if (before != nullptr)
        for (const auto& [name, value] : *before)
            if (!now.contains(name))
                all.push_back(make(name, value, KeptChange::Removed));
    return all;
}

// What stood before, as far as it is known; nothing of a session that had not been used yet.
struct Before {
    std::optional<Names> names;
    std::shared_ptr<const FileMap> files;
};

Before lookedBack(Workbench& workbench, const std::optional<CheckpointRef>& before, const std::string& part)
{
    Before found;
    if (!before)
        return { Names(), std::make_shared<const FileMap>() };
    const auto snapshot = workbench.snapshots()->at(*before, part);
    if (!snapshot)
        return found;
    found.files = snapshot->files;
    if (auto names = namesOf(*snapshot, linkToSleeper(workbench, snapshot->id)))
        found.names = std::move(*names);
    return found;
}

void compareNames(const Names& now, const std::optional<Names>& before, KeptWorld& world)
{
    world.variables = compared<KeptVariable>(
        now, before ? &*before : nullptr,
        [](const std::string&, const Name& name, KeptChange change) {
            return KeptVariable{ name.shown, name.missing, change };
        },
        isSame);
    std::ranges::sort(world.variables, {}, [](const KeptVariable& each) { return each.shown.name; });
}

void compareFiles(const FileMap& now, const FileMap* before, KeptWorld& world)
{
    world.files = compared<KeptPath>(
        now, before,
        [](const std::string& path, const sessions::FileEntry& entry, KeptChange change) {
            return KeptPath{ path, entry, change };
        },
        [](const sessions::FileEntry& a, const sessions::FileEntry& b) {
            return a.type == sessions::FileEntry::Type::Folder ? b.type == a.type && a.mode == b.mode
                                                               : a == b;
        });
    std::ranges::sort(world.files, {}, &KeptPath::path);
}

} // namespace

Result<std::optional<KeptWorld>> keptWorld(Workbench& workbench, const CheckpointRef& at,
                                           const std::optional<CheckpointRef>& before,
                                           const std::optional<std::string>& part)
{
    Snapshots* const snapshots = workbench.snapshots();
    if (snapshots == nullptr)
        return std::optional<KeptWorld>();
    const auto marks = snapshots->marksAt(at);
    if (!marks)
        return marks.error();
    if (marks->empty())
        return std::optional<KeptWorld>();
    const auto mark = snapshots->mark(at, part);
    if (!mark)
        return mark.error();
    const auto snapshot = snapshots->at(at, mark->part);
    if (!snapshot)
        return snapshot.error();
    KeptWorld world;
    world.mark = *mark;
    for (const SnapshotMark& each : *marks)
        world.parts.push_back(each.part);
    const auto sleeper = linkToSleeper(workbench, snapshot->id);
    world.isAsleep = sleeper != nullptr;
    const Before old = lookedBack(workbench, before, mark->part);
    if (const auto names = namesOf(*snapshot, sleeper))
        compareNames(*names, old.names, world);
    else
        world.variablesProblem = names.error().message;
    if (snapshot->files)
        compareFiles(*snapshot->files, old.files.get(), world);
    else
        world.filesProblem =
            snapshot->filesProblem.empty() ? "its files were not kept" : snapshot->filesProblem;
    return std::optional(std::move(world));
}

} // namespace sg::workbench
