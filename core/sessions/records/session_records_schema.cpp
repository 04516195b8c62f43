#include "core/sessions/records/session_records_schema.h"

namespace sg::sessions {
namespace {

constexpr const char* kSchema = R"(
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, thread_id TEXT NOT NULL, part TEXT NOT NULL, backend TEXT NOT NULL, isolation TEXT NOT NULL,
    sandbox TEXT NOT NULL, state TEXT NOT NULL, storage TEXT NOT NULL, datasets TEXT NOT NULL, image TEXT NOT NULL,
    limits_enforced INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, tmpfs_bytes INTEGER NOT NULL, pids INTEGER NOT NULL,
    cpus REAL NOT NULL, open_files INTEGER NOT NULL, keep INTEGER NOT NULL, owner TEXT NOT NULL, idle_ms INTEGER NOT NULL,
    age_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL, extended_ms INTEGER,
    ended_ms INTEGER, cells INTEGER NOT NULL, layer TEXT NOT NULL DEFAULT '', packages TEXT NOT NULL DEFAULT '',
    network INTEGER, secrets TEXT, asked_memory INTEGER, asked_pids INTEGER, asked_cpus REAL, dataset_folder TEXT,
    modules TEXT, stands TEXT
) WITHOUT ROWID;
CREATE TABLE notes (
    session_id TEXT NOT NULL, time_ms INTEGER NOT NULL, event TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX notes_by_session ON notes(session_id);
CREATE TABLE samples (
    session_id TEXT NOT NULL, time_ms INTEGER NOT NULL, cpu_seconds REAL NOT NULL, cpu_percent REAL NOT NULL,
    memory_bytes INTEGER NOT NULL, memory_limit INTEGER NOT NULL, pids INTEGER NOT NULL, pids_limit INTEGER NOT NULL,
    oom_kills INTEGER NOT NULL, throttled_ms INTEGER NOT NULL, disk_bytes INTEGER NOT NULL, disk_limit INTEGER NOT NULL,
    PRIMARY KEY (session_id, time_ms)
) WITHOUT ROWID;
)";

// Columns that version 1 did not have.
constexpr const char* kFromVersion1 = R"(
ALTER TABLE sessions ADD COLUMN layer TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN packages TEXT NOT NULL DEFAULT '';
)";

// Columns that version 2 did not have. NULL: unknown for sessions that live already.
constexpr const char* kFromVersion2 = R"(
ALTER TABLE sessions ADD COLUMN network INTEGER;
ALTER TABLE sessions ADD COLUMN secrets TEXT;
)";

// Columns that version 3 did not have, NULL as above.
constexpr const char* kFromVersion3 = R"(
ALTER TABLE sessions ADD COLUMN asked_memory INTEGER;
ALTER TABLE sessions ADD COLUMN asked_pids INTEGER;
ALTER TABLE sessions ADD COLUMN asked_cpus REAL;
ALTER TABLE sessions ADD COLUMN dataset_folder TEXT;
)";

// Columns that version 4 did not have, NULL as above.
constexpr const char* kFromVersion4 = R"(
ALTER TABLE sessions ADD COLUMN modules TEXT;
)";

// Version 5 did not have how a kept session stands (stand_mark.h, as JSON); NULL as above.
constexpr const char* kFromVersion5 = R"(
ALTER TABLE sessions ADD COLUMN stands TEXT;
)";

} // namespace

std::string sessionRecordsChangesFrom(std::int64_t version)
{
    if (version == 0)
        return kSchema;
    return std::string(version < 2 ? kFromVersion1 : "") + (version < 3 ? kFromVersion2 : "")
        + (version < 4 ? kFromVersion3 : "") + (version < 5 ? kFromVersion4 : "") + kFromVersion5;
}

std::string sessionRecordsColumns(std::int64_t version)
{
    return std::string("SELECT id, thread_id, part, backend, isolation, sandbox, state, storage, datasets, "
                       "image, limits_enforced, memory_bytes, tmpfs_bytes, pids, cpus, open_files, keep, "
                       "owner, idle_ms, age_ms, started_ms, used_ms, extended_ms, cells, ")
        + (version < 2 ? "'', '', " : "layer, packages, ")
        + (version < 3 ? "NULL, NULL, " : "network, secrets, ") + "ended_ms, "
        + (version < 4 ? "NULL, NULL, NULL, NULL" : "asked_memory, asked_pids, asked_cpus, dataset_folder")
        + (version < 5 ? ", NULL" : ", modules") + " FROM sessions ";
}

} // namespace sg::sessions
