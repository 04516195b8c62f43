#pragma once

#include "core/artifacts/blob_store.h"
#include "core/base/file.h"
#include "core/history/database.h"
#include "core/rewind/snapshots.h"
#include "tests/integration/rewind/rewind_project.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

// Checks that each checkpoint of the graph "own" has the snapshot of just its state: the state says what the
// session held when it was made.
namespace sg::test {

// Compares what a session holds with what it should.
enum class Match {
    Whole, // also generators, open files, the shared random numbers
    WrittenOut, // all but what can only be woken
    FilesOnly, // every name is gone
    Nothing, // neither names nor files
    Wrong, // something of another moment
};

inline const char* nameOf(Match match)
{
    static constexpr const char* kNames[] = { "exact", "restored", "files only", "nothing", "WRONG" };
    return kNames[static_cast<int>(match)];
}

inline Match match(const Value& wanted, const Value& found)
{
    const Value none = Value::map({ { "steps", 0 }, { "files", Value::map() } });
    if (found == (wanted.isMap() ? wanted : none))
        return wanted.isMap() ? Match::Whole : Match::Nothing;
    if (found == none)
        return Match::Nothing;
    if (!wanted.isMap() || !found.isMap() || found["files"] != wanted["files"])
        return Match::Wrong;
    if (found["steps"] == Value(0))
        return Match::FilesOnly;
    for (const char* name : { "steps", "rows", "chance" })
        if (found[name] != wanted[name])
            return Match::Wrong;
    const bool isRead = found["series"].isNull() && found["log"].isNull();
    return isRead ? Match::WrittenOut : Match::Wrong;
}

struct Verdicts {
    std::map<std::string, int> count; // by what was asked, and what was found
    std::vector<std::string> wrong;

    void add(const std::string& asked, Match found, const std::string& where, const Value& wanted,
             const Value& has)
    {
        ++count[asked + nameOf(found)];
        if (found == Match::Wrong)
            wrong.push_back(where + ": wanted " + toJson(wanted) + ", found " + toJson(has));
    }
    void addWrong(const std::string& what)
    {
        ++count["problem"];
        wrong.push_back(what);
    }
    [[nodiscard]] std::string text() const
    {
        std::string all;
        for (const auto& [name, times] : count)
            all += (all.empty() ? "" : ", ") + std::to_string(times) + " " + name;
        return all;
    }
};

// As the file alone has it, without a sandbox: the files of each snapshot with their contents.
inline void checkStored(const std::filesystem::path& folder, const ThreadId& thread, Verdicts& verdicts)
{
    auto database = history::Database::open(folder / ".sandglass/checkpoints.sqlite",
                                            history::Database::Access::ReadOnly);
    if (!database)
        return; // killed before it was there
    rewind::Snapshots snapshots(*(*database)->store().snapshotLog(), folder / ".sandglass/snapshots");
    auto blobs = artifacts::BlobStore::open(folder / ".sandglass/snapshots");
    const auto marks = snapshots.marks(thread);
    if (!marks || !blobs)
        return verdicts.addWrong("cannot be read: " + (marks ? blobs.error() : marks.error()).message);
    for (const rewind::CheckpointMark& each : *marks) {
        const auto state = (*database)->history().state(thread, "", each.checkpoint.id);
        if (each.mark.partial || each.mark.files < 0 || !state)
            continue; // without its checkpoint nobody will ask for it
        const auto snapshot = snapshots.at(each.checkpoint);
        if (!snapshot) {
            verdicts.addWrong(snapshot.error().message);
            continue;
        }
        ValueMap files;
        for (const auto& [path, entry] : *snapshot->files) {
            if (entry.type != sessions::FileEntry::Type::File)
                continue;
            Sha256 hash;
            const auto read = entry.size == 0
                ? Result<void>()
                : blobs->read(entry.content, [&](std::string_view bytes) -> Result<void> {
                      hash.update(bytes);
                      return {};
                  });
            files.set(path, read ? hash.finishHex() : read.error().message);
        }
        const Value world = state->values["world"];
        const Value wanted = world.isMap() ? world["files"] : Value::map();
        verdicts.add("stored files: ", wanted == Value(files) ? Match::Whole : Match::Wrong,
                     "stored files of " + each.checkpoint.id.value, wanted, files);
    }
}

// Brings the thread's session to each checkpoint, and asks it what it holds.
class Visit final : public sessions::SessionWorld {
public:
    Visit(workbench::Workbench& workbench, const ThreadId& thread, const std::filesystem::path& folder)
        : m_workbench(workbench)
        , m_thread(thread)
    {
        m_call.file = "nodes/own.py";
        m_call.source = *readFile(folder / "nodes/own.py", 1 << 20);
        m_call.function = "look";
        m_call.state = Value::map();
        m_call.config = Value::map();
        m_call.world = this;
        m_call.caller.task = TaskId("visit");
    }

    void all(Verdicts& verdicts)
    {
        const auto rows = m_workbench.history().checkpoints(m_thread);
        if (!rows)
            return verdicts.addWrong(rows.error().message);
        for (const history::CheckpointRow& row : *rows)
            one(row.id, verdicts);
    }

    sessions::Stand stand(const sessions::CallSite& /*caller*/) override
    {
        return { sessions::Stand::Kind::Snapshot, m_snapshot };
    }
    void began(const sessions::CallSite&, std::shared_ptr<const sessions::Snapshot>) override { }
    void moved(const sessions::CallSite&, std::shared_ptr<const sessions::Snapshot>, bool) override { }

private:
    void one(const CheckpointId& id, Verdicts& verdicts)
    {
        const auto state = m_workbench.history().state(m_thread, "", id);
        if (!state)
            return verdicts.addWrong(state.error().message);
        const Value world = state->values["world"];
        // A step notes what it met of the session; the checkpoint that it made is to hold just that.
        if (const Value met = state->values["met"]; met.isMap())
            verdicts.add(met["wanted"].isMap() ? "met by a step: " : "met by a first step: ",
                         match(met["wanted"], met["found"]), "met before " + id.value, met["wanted"],
                         met["found"]);
        const auto mark = m_workbench.snapshots()->mark({ m_thread, "", id });
        if (!mark || mark->snapshot.empty()) {
            ++verdicts
                  .count[world.isMap() ? "checkpoint: without a snapshot" : "before any step: not used yet"];
            return;
        }
        auto snapshot = m_workbench.snapshots()->at({ m_thread, "", id });
        auto settings = m_workbench.sessionSettings();
        auto session = m_workbench.sessions().acquire(m_thread, settings->session);
        if (!snapshot || !session)
            return verdicts.addWrong((snapshot ? session.error() : snapshot.error()).message);
        m_snapshot = std::make_shared<const sessions::Snapshot>(std::move(*snapshot));
        const sessions::CellResult told = (*session)->call(m_call, {}, {}, {}, {});
        if (told.status != sessions::CellStatus::Ok)
            return verdicts.addWrong(id.value + ": " + (told.error ? told.error->message : "no answer"));
        Value has = told.value["world"];
        const sessions::Restored restored = told.restored.value_or(sessions::Restored());
        const std::string said = sessions::describe(restored);
        std::string asked = world.isMap() ? "checkpoint: " : "before any step: ";
        // The sandbox died before its files were looked at: the snapshot has none, and says so.
        if (!restored.filesRestored && !m_snapshot->files && !m_snapshot->filesProblem.empty()
            && has.isMap()) {
            ValueMap names = has.asMap();
            names.set("files", world.isMap() ? world["files"] : Value::map());
            has = Value(std::move(names));
            asked += "files not kept, ";
        }
        Match found = match(world, has);
        if (world.isMap() && !isAsSaid(found, restored.kind, said))
            found = Match::Wrong;
        verdicts.add(asked, found, "checkpoint " + id.value + " (" + said + ")", world, has);
    }

    static bool isAsSaid(Match found, sessions::Restored::Kind kind, const std::string& said)
    {
        using Kind = sessions::Restored::Kind;
        switch (found) {
        case Match::Whole: return kind == Kind::Exact || kind == Kind::AsItWas;
        case Match::WrittenOut:
            return kind == Kind::Stored && said.find("series") != said.npos && said.find("log") != said.npos;
        case Match::FilesOnly: return kind == Kind::FilesOnly;
        default: return false; // it has a snapshot
        }
    }

    workbench::Workbench& m_workbench;
    const ThreadId m_thread;
    sessions::FunctionCall m_call;
    std::shared_ptr<const sessions::Snapshot> m_snapshot;
};

} // namespace sg::test
