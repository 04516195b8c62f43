#include "core/rewind/kept_world.h"

#include "core/sessions/manager/session_manager.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sg::rewind {
namespace {

using checkpoint::CheckpointRef;
using sessions::FileMap;
using sessions::Snapshot;
using sessions::Variable;

struct Name {
    Variable shown;
    std::string identity{}; // equal if the content is the same; empty: unknown
    std::string missing{};
};
using Names = std::map<std::string, Name>;

// The first names in order, if there are very many.
struct Listed {
    Names names;
    std::int64_t total = 0;
    [[nodiscard]] bool isCut() const { return total > static_cast<std::int64_t>(names.size()); }
};

std::shared_ptr<sessions::RunnerLink> linkToSleeper(sessions::SessionManager& manager, const SnapshotId& id)
{
    for (const sessions::SessionInfo& info : manager.list())
        if (std::ranges::find(info.asleep, id) != info.asleep.end())
            if (const auto session = manager.find(info.thread, info.part))
                return session->link();
    return nullptr;
}

// `isAsleep`: the sleeping copy has all names, also those that could not be stored.
Names storedNames(const Snapshot& snapshot, bool isAsleep)
{
    Names names;
    for (KeptName& kept : Snapshots::namesOf(snapshot)) {
        if (kept.name.starts_with('_'))
            continue; // a session does not list such names, either
        Name name;
        name.shown = { kept.name, std::move(kept.type), std::move(kept.shape), {}, std::move(kept.preview) };
        if (kept.size >= 0)
            name.shown.bytes = kept.size;
        name.identity = std::move(kept.identity);
        if (!isAsleep)
            name.missing = std::move(kept.missing);
        names.emplace(kept.name, std::move(name));
    }
    return names;
}

Result<Listed> namesOf(const Snapshot& snapshot, const std::shared_ptr<sessions::RunnerLink>& sleeper)
{
    if (snapshot.names.isMap()) {
        Names names = storedNames(snapshot, sleeper != nullptr);
        const auto total = static_cast<std::int64_t>(names.size());
        return Listed{ std::move(names), total };
    }
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
        names.emplace(std::move(name), Name{ .shown = std::move(variable) });
    }
    return Listed{ std::move(names), listed->total };
}

bool isSame(const Name& a, const Name& b)
{
    if (!a.identity.empty() && !b.identity.empty())
        return a.identity == b.identity;
    return a.shown.type == b.shown.type && a.shown.shape == b.shown.shape && a.shown.bytes == b.shown.bytes
        && a.shown.preview == b.shown.preview;
}

// Compares the entries of both by name; `before` is null if the earlier state is unknown.
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

// The earlier state, as far as it is known; empty for a session that had not been used yet.
struct Before {
    std::optional<Listed> names;
    std::shared_ptr<const FileMap> files;
};

Before lookedBack(sessions::SessionManager& manager, Snapshots& snapshots,
                  const std::optional<CheckpointRef>& before, const sessions::SessionPart& part)
{
    Before found;
    if (!before)
        return { Listed(), std::make_shared<const FileMap>() };
    const auto snapshot = snapshots.at(*before, part.text());
    if (!snapshot) {
        // The checkpoint knows other sessions: this one had not begun.
        const auto marks = snapshots.marksAt(*before);
        const bool isNew =
            marks && !marks->empty() && std::ranges::find(*marks, part, &SnapshotMark::part) == marks->end();
        return isNew ? Before{ Listed(), std::make_shared<const FileMap>() } : found;
    }
    found.files = snapshot->files;
    if (auto names = namesOf(*snapshot, linkToSleeper(manager, snapshot->id)))
        found.names = std::move(*names);
    return found;
}

// A list that was cut says nothing about names after its last.
void compareNames(const Listed& now, std::optional<Listed> before, KeptWorld& world)
{
    if (before && now.isCut() && !now.names.empty())
        before->names.erase(before->names.upper_bound(now.names.rbegin()->first), before->names.end());
    world.names = now.total;
    world.variables = compared<KeptVariable>(
        now.names, before ? &before->names : nullptr,
        [](const std::string&, const Name& name, KeptChange change) {
            return KeptVariable{ name.shown, name.missing, change };
        },
        isSame);
    if (before && before->isCut() && !before->names.empty())
        for (KeptVariable& each : world.variables)
            if (each.shown.name > before->names.rbegin()->first)
                each.change = KeptChange::Unknown;
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

// Returns the session of that part, else the thread's own, else the first that was used.
const SnapshotMark& chosen(const std::vector<SnapshotMark>& marks, const std::optional<std::string>& part)
{
    const auto find = [&marks](const sessions::SessionPart& wanted) {
        return std::ranges::find(marks, wanted, &SnapshotMark::part);
    };
    if (const auto found = part ? find(sessions::SessionPart::parse(*part)) : marks.end();
        found != marks.end())
        return *found;
    const auto isUsed = [](const SnapshotMark& mark) { return mark.kind != SnapshotMark::Kind::Fresh; };
    const auto own = find({});
    if (own != marks.end() && isUsed(*own))
        return *own;
    const auto used = std::ranges::find_if(marks, isUsed);
    return used != marks.end() ? *used : own != marks.end() ? *own : marks.front();
}

} // namespace

Result<std::optional<KeptWorld>> keptWorld(sessions::SessionManager& sessions, Snapshots& snapshots,
                                           const CheckpointRef& at,
                                           const std::optional<CheckpointRef>& before,
                                           const std::optional<std::string>& part)
{
    const auto marks = snapshots.marksAt(at);
    if (!marks)
        return marks.error();
    if (marks->empty())
        return std::optional<KeptWorld>();
    const SnapshotMark& mark = chosen(*marks, part);
    const auto snapshot = snapshots.at(at, mark.part.text());
    if (!snapshot)
        return snapshot.error();
    KeptWorld world;
    world.mark = mark;
    for (const SnapshotMark& each : *marks)
        world.parts.push_back(each.part);
    const auto sleeper = linkToSleeper(sessions, snapshot->id);
    world.isAsleep = sleeper != nullptr;
    const Before old = lookedBack(sessions, snapshots, before, mark.part);
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

} // namespace sg::rewind
