#include "core/checkpoint/postgres/pg_schema.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace sg::checkpoint {
namespace {

// LangGraph's migrations, by number. Its setup() goes on from the highest number it finds. It makes the
// indexes "concurrently", which no transaction can hold; what comes of it is the same.
constexpr const char* kMigrations[] = {
    "CREATE TABLE IF NOT EXISTS checkpoint_migrations (v INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '',"
    " checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint JSONB NOT NULL,"
    " metadata JSONB NOT NULL DEFAULT '{}', PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))",
    "CREATE TABLE IF NOT EXISTS checkpoint_blobs (thread_id TEXT NOT NULL,"
    " checkpoint_ns TEXT NOT NULL DEFAULT '', channel TEXT NOT NULL, version TEXT NOT NULL,"
    " type TEXT NOT NULL, blob BYTEA, PRIMARY KEY (thread_id, checkpoint_ns, channel, version))",
    "CREATE TABLE IF NOT EXISTS checkpoint_writes (thread_id TEXT NOT NULL,"
    " checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL,"
    " idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, blob BYTEA NOT NULL,"
    " PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))",
    "ALTER TABLE checkpoint_blobs ALTER COLUMN blob DROP NOT NULL",
    "SELECT 1",
    "CREATE INDEX IF NOT EXISTS checkpoints_thread_id_idx ON checkpoints (thread_id)",
    "CREATE INDEX IF NOT EXISTS checkpoint_blobs_thread_id_idx ON checkpoint_blobs (thread_id)",
    "CREATE INDEX IF NOT EXISTS checkpoint_writes_thread_id_idx ON checkpoint_writes (thread_id)",
    "ALTER TABLE checkpoint_writes ADD COLUMN IF NOT EXISTS task_path TEXT NOT NULL DEFAULT ''",
};
constexpr auto kNewest = static_cast<std::int64_t>(std::size(kMigrations)) - 1;

// Other programs, too, have a table called "checkpoints".
constexpr const char* kColumns = R"(
SELECT c.name, a.attname IS NULL AS missing, format_type(a.atttypid, NULL), c.type FROM (VALUES
 ('checkpoints', 'thread_id', 'text'), ('checkpoints', 'checkpoint_ns', 'text'),
 ('checkpoints', 'checkpoint_id', 'text'), ('checkpoints', 'parent_checkpoint_id', 'text'),
 ('checkpoints', 'checkpoint', 'jsonb'), ('checkpoints', 'metadata', 'jsonb'),
 ('checkpoint_blobs', 'thread_id', 'text'), ('checkpoint_blobs', 'checkpoint_ns', 'text'),
 ('checkpoint_blobs', 'channel', 'text'), ('checkpoint_blobs', 'version', 'text'),
 ('checkpoint_blobs', 'type', 'text'), ('checkpoint_blobs', 'blob', 'bytea'),
 ('checkpoint_writes', 'thread_id', 'text'), ('checkpoint_writes', 'checkpoint_ns', 'text'),
 ('checkpoint_writes', 'checkpoint_id', 'text'), ('checkpoint_writes', 'task_id', 'text'),
 ('checkpoint_writes', 'idx', 'integer'), ('checkpoint_writes', 'channel', 'text'),
 ('checkpoint_writes', 'type', 'text'), ('checkpoint_writes', 'blob', 'bytea'),
 ('checkpoint_writes', 'task_path', 'text')) AS c(name, "column", type)
LEFT JOIN pg_attribute a ON a.attrelid = to_regclass(c.name) AND a.attname = c."column"
 AND NOT a.attisdropped AND a.attnum > 0
WHERE to_regclass(c.name) IS NOT NULL AND (a.attname IS NULL OR format_type(a.atttypid, NULL) <> c.type)
 AND c."column" <> 'task_path'
)";
constexpr const char* kPresent =
    "SELECT (to_regclass('checkpoints') IS NOT NULL)::int + (to_regclass('checkpoint_blobs') IS NOT "
    "NULL)::int"
    " + (to_regclass('checkpoint_writes') IS NOT NULL)::int,"
    " (to_regclass('checkpoint_migrations') IS NOT NULL)::int,"
    " (SELECT count(*)::int FROM pg_attribute WHERE attrelid = to_regclass('checkpoint_writes')"
    "  AND attname = 'task_path' AND NOT attisdropped)";
constexpr const char* kVersion = "SELECT coalesce(max(v), -1)::int FROM checkpoint_migrations";

} // namespace

Result<PgSchema> readPgSchema(postgres::Connection& connection, const std::string& shown)
{
    auto present = connection.query({ kPresent, {} });
    if (!present)
        return std::move(present.error());
    const bool hasAll = present->number(0, 0) == 3 && present->number(0, 2) == 1;
    auto wrong = connection.query({ kColumns, {} });
    if (!wrong)
        return std::move(wrong.error());
    if (wrong->count() > 0)
        return Error{
            Errc::InvalidArgument,
            shown + ": its table \"" + std::string(wrong->text(0, 0))
                + "\" is another program's, not LangGraph's: columns are missing or of another "
                  "type. Name another database, or a schema of its own (?options=-csearch_path%3DNAME)"
        };
    PgSchema schema;
    schema.hasTables = hasAll;
    if (present->number(0, 1) == 1) {
        auto version = connection.query({ kVersion, {} });
        if (!version)
            return std::move(version.error());
        schema.version = version->number(0, 0);
    }
    return schema;
}

Result<void> preparePgForWriting(postgres::Connection& connection, const std::string& shown)
{
    auto schema = readPgSchema(connection, shown);
    if (!schema)
        return std::move(schema.error());
    if (schema->version > kNewest)
        return Error{ Errc::Unsupported,
                      shown + ": a newer LangGraph made its tables (migration "
                          + std::to_string(schema->version) + ", this program knows "
                          + std::to_string(kNewest)
                          + "): they can be read here, not changed; update Sandglass to write to them" };
    if (schema->version == kNewest && schema->hasTables)
        return {};
    // The lock keeps two programs from making them at once. A migration that is done does no harm again.
    std::string sql = "BEGIN; SELECT pg_advisory_xact_lock(7305804402566946914);";
    const std::int64_t first = schema->hasTables ? schema->version + 1 : 0;
    for (std::int64_t number = first; number <= kNewest; ++number)
        sql += std::string(kMigrations[number]) + ";";
    for (std::int64_t number = first; number <= kNewest; ++number)
        sql += "INSERT INTO checkpoint_migrations (v) VALUES (" + std::to_string(number)
            + ") ON CONFLICT DO NOTHING;";
    sql += "COMMIT";
    auto made = connection.exec(sql);
    if (!made && connection.isInTransaction())
        static_cast<void>(connection.exec("ROLLBACK"));
    return made ? Result<void>() : Result<void>(std::move(made.error()).during("make LangGraph's tables"));
}

} // namespace sg::checkpoint
