#include "core/checkpoint/sqlite/schema.h"

#include <string>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr const char* kLangGraphTables = R"(
CREATE TABLE IF NOT EXISTS checkpoints (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT,
    type TEXT,
    checkpoint BLOB,
    metadata BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE TABLE IF NOT EXISTS writes (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    task_path TEXT NOT NULL DEFAULT '',
    idx INTEGER NOT NULL,
    channel TEXT NOT NULL,
    type TEXT,
    value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);
)";

// Times are microseconds since 1970 in UTC.
constexpr const char* kOwnTables = R"(
CREATE TABLE IF NOT EXISTS sandglass_meta (
    key TEXT NOT NULL PRIMARY KEY,
    value
);
CREATE TABLE IF NOT EXISTS sandglass_runs (
    run_id TEXT NOT NULL PRIMARY KEY,
    thread_id TEXT NOT NULL,
    graph TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    status TEXT NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    supersteps INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS sandglass_runs_of_thread ON sandglass_runs (thread_id, started_at);
CREATE TABLE IF NOT EXISTS sandglass_tasks (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    node TEXT NOT NULL,
    step INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    seconds REAL NOT NULL,
    outcome TEXT NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, attempt)
);
CREATE TABLE IF NOT EXISTS sandglass_log (
    run_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    time INTEGER NOT NULL,
    task_id TEXT NOT NULL,
    node TEXT NOT NULL,
    step INTEGER NOT NULL,
    stream TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (run_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sandglass_snapshots (
    place INTEGER PRIMARY KEY,
    snapshot_id TEXT NOT NULL UNIQUE,
    thread_id TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS sandglass_session_snapshots (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    partial INTEGER NOT NULL,
    part TEXT NOT NULL,
    snapshot_id TEXT NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, partial, part)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sandglass_users_of_snapshot ON sandglass_session_snapshots (snapshot_id);
CREATE TABLE IF NOT EXISTS sandglass_snapshot_pieces (
    name TEXT NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
) WITHOUT ROWID;
)";

// Version 1 knew only the session that all nodes of a thread share.
constexpr const char* kTakeOldSnapshots = R"(
INSERT OR IGNORE INTO sandglass_session_snapshots
    SELECT thread_id, checkpoint_ns, checkpoint_id, partial, '', snapshot_id FROM sandglass_checkpoint_snapshots;
DROP TABLE sandglass_checkpoint_snapshots;
)";

Result<bool> hasRow(sqlite::Db& db, const std::string& query)
{
    auto statement = db.prepare(query);
    if (!statement)
        return std::move(statement.error());
    return statement->step();
}

Result<bool> hasTable(sqlite::Db& db, const std::string& name)
{
    return hasRow(db,
                  "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = '" + name + "'");
}

// Other programs, too, have a table called "checkpoints".
Result<void> checkForeign(sqlite::Db& db)
{
    const auto lacks =
        hasRow(db,
               "SELECT 1 FROM (SELECT count(*) AS found FROM pragma_table_info('checkpoints') WHERE name IN "
               "('thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id', 'type', "
               "'checkpoint', 'metadata')) WHERE found < 7");
    if (!lacks)
        return lacks.error();
    if (!*lacks)
        return {};
    return Error{
        Errc::InvalidArgument,
        db.path().string()
            + ": its table \"checkpoints\" is another program's, not LangGraph's: columns are missing. "
              "Name another file"
    };
}

Result<std::int64_t> storedVersion(sqlite::Db& db)
{
    auto statement = db.prepare("SELECT value FROM sandglass_meta WHERE key = 'version'");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->step();
    if (!row)
        return row.error();
    return *row ? statement->integer(0) : 0;
}

Error newerVersion(const sqlite::Db& db, std::int64_t version)
{
    return { Errc::Unsupported,
             db.path().string() + " was written by a newer Sandglass (its tables are version "
                 + std::to_string(version) + ", this program knows " + std::to_string(kSchemaVersion)
                 + "): it can be read here, not changed; update Sandglass to write to it" };
}

Result<void> makeTables(sqlite::Db& db, const SchemaState& state)
{
    auto transaction = db.begin();
    if (!transaction)
        return std::move(transaction.error());
    if (auto done = db.exec(kLangGraphTables); !done)
        return done;
    if (state.hasWrites && !state.hasTaskPath) {
        if (auto done = db.exec("ALTER TABLE writes ADD COLUMN task_path TEXT NOT NULL DEFAULT ''"); !done)
            return done;
    }
    if (auto done = db.exec(kOwnTables); !done)
        return done;
    if (state.hasOldSnapshots)
        if (auto done = db.exec(kTakeOldSnapshots); !done)
            return done;
    auto noted = db.exec("INSERT OR REPLACE INTO sandglass_meta (key, value) VALUES ('version', "
                         + std::to_string(kSchemaVersion) + ")");
    if (!noted)
        return noted;
    return transaction->commit();
}

} // namespace

Result<SchemaState> readSchema(sqlite::Db& db)
{
    SchemaState state;
    bool hasMeta = false;
    const std::pair<const char*, bool*> tables[] = { { "checkpoints", &state.hasCheckpoints },
                                                     { "writes", &state.hasWrites },
                                                     { "sandglass_runs", &state.hasRunLog },
                                                     { "sandglass_session_snapshots", &state.hasSnapshots },
                                                     { "sandglass_checkpoint_snapshots",
                                                       &state.hasOldSnapshots },
                                                     { "sandglass_meta", &hasMeta } };
    for (const auto& [name, flag] : tables) {
        const auto found = hasTable(db, name);
        if (!found)
            return found.error();
        *flag = *found;
    }
    if (state.hasCheckpoints)
        if (auto known = checkForeign(db); !known)
            return std::move(known.error());
    const auto column = hasRow(db, "SELECT 1 FROM pragma_table_info('writes') WHERE name = 'task_path'");
    if (!column)
        return column.error();
    state.hasTaskPath = *column;
    if (hasMeta) {
        const auto version = storedVersion(db);
        if (!version)
            return version.error();
        state.version = *version;
    }
    return state;
}

Result<void> prepareForWriting(sqlite::Db& db)
{
    auto state = readSchema(db);
    if (!state)
        return std::move(state.error());
    if (state->version > kSchemaVersion)
        return newerVersion(db, state->version);
    if (auto done = db.useWal(); !done)
        return done;
    const bool complete = state->hasCheckpoints && state->hasWrites && state->hasTaskPath && state->hasRunLog
        && state->hasSnapshots && state->version == kSchemaVersion;
    return complete ? Result<void>() : makeTables(db, *state);
}

} // namespace sg::checkpoint
