#include "ui/bridge/world/world_query.h"

#include "core/base/printable.h"
#include "core/rewind/kept_world.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QObject>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kMostPreview = 300;
constexpr std::int64_t kMostLooks = 2000; // checkpoints to look back

QString printed(const std::string& words)
{
    return text(printableText(words.substr(0, kMostPreview))).simplified();
}

WorldChange changeOf(rewind::KeptChange change)
{
    switch (change) {
    case rewind::KeptChange::Unknown: return WorldChange::Unknown;
    case rewind::KeptChange::Same: return WorldChange::Same;
    case rewind::KeptChange::Added: return WorldChange::Added;
    case rewind::KeptChange::Changed: return WorldChange::Changed;
    case rewind::KeptChange::Removed: return WorldChange::Removed;
    }
    return WorldChange::Unknown;
}

VariableRow rowOf(const rewind::KeptVariable& kept)
{
    VariableRow row;
    row.name = printed(kept.shown.name);
    row.type = printed(kept.shown.type);
    if (kept.shown.shape) {
        QStringList extents;
        for (const std::int64_t extent : *kept.shown.shape)
            extents << QString::number(extent);
        row.shape = extents.join(QStringLiteral(" × "));
    }
    row.bytes = kept.shown.bytes.value_or(-1);
    row.preview = printed(kept.shown.preview);
    row.missing = printed(kept.missing);
    row.change = changeOf(kept.change);
    return row;
}

WorldFileRow rowOf(const rewind::KeptPath& kept)
{
    WorldFileRow row;
    row.path = text(printableText(kept.path));
    row.type = static_cast<WorldFileRow::Type>(kept.entry.type);
    row.size = kept.entry.size;
    if (kept.entry.type == sessions::FileEntry::Type::Link)
        row.target = printed(kept.entry.content);
    row.change = changeOf(kept.change);
    return row;
}

SandboxMark markOf(const rewind::KeptWorld& world)
{
    CheckpointRow row; // only to get the timeline's words
    showMark(world.mark, world.isAsleep, row);
    return row.sandbox;
}

using KnownEntry = std::optional<sessions::FileEntry>; // nothing means that there is no file

// Looks for one session's file at checkpoints of its thread.
class FileLook {
public:
    FileLook(rewind::Snapshots& snapshots, sessions::SessionPart part, std::string path)
        : m_snapshots(snapshots)
        , m_part(std::move(part))
        , m_path(std::move(path))
    {
    }

    // Returns nothing if the checkpoint cannot tell.
    [[nodiscard]] std::optional<KnownEntry> at(const checkpoint::CheckpointRef& ref) const
    {
        const auto snapshot = m_snapshots.at(ref, m_part.text());
        if (!snapshot && wasNotUsed(ref))
            return KnownEntry();
        if (!snapshot || !snapshot->files)
            return std::nullopt;
        const auto found = snapshot->files->find(m_path);
        return found == snapshot->files->end() ? KnownEntry() : KnownEntry(found->second);
    }

private:
    // If other sessions have marks here and this one has none, it had not begun. Collected snapshots keep
    // their marks.
    [[nodiscard]] bool wasNotUsed(const checkpoint::CheckpointRef& ref) const
    {
        const auto marks = m_snapshots.marksAt(ref);
        return marks && !marks->empty()
            && std::ranges::find(*marks, m_part, &rewind::SnapshotMark::part) == marks->end();
    }

    rewind::Snapshots& m_snapshots;
    sessions::SessionPart m_part;
    std::string m_path;
};

// If the wanted session cannot be read, the user can choose another one.
void addSessions(workbench::Workbench& workbench, const checkpoint::CheckpointRef& at,
                 const WorldWanted& wanted, WorldView& view)
{
    const auto marks = workbench.snapshots()->marksAt(at);
    if (!marks)
        return;
    for (const rewind::SnapshotMark& mark : *marks)
        view.sessions << text(mark.part.text());
    const QString session = wanted.session.value_or(QString());
    view.session =
        view.sessions.contains(session) || view.sessions.isEmpty() ? session : view.sessions.front();
}

} // namespace

WorldView readWorld(workbench::Workbench& workbench, const WorldWanted& wanted)
{
    WorldView view;
    view.thread = wanted.thread;
    view.checkpoint = wanted.checkpoint;
    const ThreadId id(utf8(wanted.thread));
    std::optional<CheckpointId> at;
    if (!wanted.checkpoint.isEmpty())
        at = CheckpointId(utf8(wanted.checkpoint));
    const auto state = workbench.history().state(id, "", at);
    if (!state) {
        view.error = userError(state.error()).what;
        return view;
    }
    if (!state->config.checkpoint)
        return view;
    view.checkpoint = text(state->config.checkpoint->value);
    view.step = state->metadata ? static_cast<int>(state->metadata->intOr("step", 0)) : 0;
    std::optional<checkpoint::CheckpointRef> before;
    if (state->parent && state->parent->checkpoint)
        before = checkpoint::CheckpointRef{ id, "", *state->parent->checkpoint };
    if (!wanted.base.isEmpty() && wanted.base != view.checkpoint)
        if (const auto base = workbench.history().state(id, "", CheckpointId(utf8(wanted.base)));
            base && base->config.checkpoint) {
            before = checkpoint::CheckpointRef{ id, "", *base->config.checkpoint };
            view.base = base->metadata ? static_cast<int>(base->metadata->intOr("step", 0)) : 0;
        }
    std::optional<std::string> session;
    if (wanted.session)
        session = utf8(*wanted.session);
    rewind::Snapshots* const snapshots = workbench.snapshots();
    if (snapshots == nullptr)
        return view;
    auto world = rewind::keptWorld(workbench.sessions(), *snapshots, { id, "", *state->config.checkpoint },
                                   before, session);
    if (!world) {
        view.error = printed(world.error().message);
        addSessions(workbench, { id, "", *state->config.checkpoint }, wanted, view);
        return view;
    }
    if (!*world)
        return view;
    view.wasUsed = true;
    view.session = text((*world)->mark.part.text());
    for (const sessions::SessionPart& part : (*world)->parts)
        view.sessions << text(part.text());
    view.mark = markOf(**world);
    for (const rewind::KeptVariable& each : (*world)->variables)
        view.variables.push_back(rowOf(each));
    for (const rewind::KeptPath& each : (*world)->files)
        view.files.push_back(rowOf(each));
    view.names = (*world)->names;
    view.variablesProblem = printed((*world)->variablesProblem);
    view.filesProblem = printed((*world)->filesProblem);
    return view;
}

QString checkpointThatChanged(workbench::Workbench& workbench, const QString& thread,
                              const QString& checkpoint, const QString& path,
                              const std::optional<QString>& session)
{
    const ThreadId id(utf8(thread));
    const auto rows = workbench.history().checkpoints(id, "", kMostLooks);
    if (!rows || workbench.snapshots() == nullptr || rows->empty())
        return {};
    std::map<std::string, const history::CheckpointRow*> known;
    for (const history::CheckpointRow& row : *rows)
        known[row.id.value] = &row;
    auto now = known.find(checkpoint.isEmpty() ? rows->front().id.value : utf8(checkpoint));
    if (now == known.end())
        return {};
    std::optional<std::string> part;
    if (session)
        part = utf8(*session);
    const auto mark = workbench.snapshots()->mark({ id, "", now->second->id }, part);
    if (!mark)
        return {};
    const FileLook file(*workbench.snapshots(), mark->part, utf8(path));
    const auto entry = file.at({ id, "", now->second->id });
    bool isSure = entry.has_value(); // no unknown checkpoint lies between
    while (entry && now->second->parent) {
        const auto before = known.find(now->second->parent->value);
        if (before == known.end())
            return {}; // further back than the limit
        const auto older = file.at({ id, "", before->second->id });
        if (older && *older != *entry)
            return isSure ? text(now->first) : QString();
        isSure = older.has_value();
        now = before;
    }
    return isSure && *entry ? text(now->first) : QString();
}

} // namespace sg::ui
