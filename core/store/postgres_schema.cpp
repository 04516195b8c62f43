#include "core/store/postgres_schema.h"

#include <cstdint>
#include <iterator>

namespace sg::store {
namespace {

// LangGraph's migrations, by number in store_migrations. Its setup() goes on from the highest number it
// finds. It makes the first index "concurrently", which no transaction can hold; what comes of it is the
// same.
constexpr const char* kPgMigrations[] = {
    "CREATE TABLE IF NOT EXISTS store (prefix text NOT NULL, key text NOT NULL, value jsonb NOT NULL,"
    " created_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP,"
    " updated_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (prefix, key))",
    "CREATE INDEX IF NOT EXISTS store_prefix_idx ON store USING btree (prefix text_pattern_ops)",
    "ALTER TABLE store ADD COLUMN IF NOT EXISTS expires_at TIMESTAMP WITH TIME ZONE,"
    " ADD COLUMN IF NOT EXISTS ttl_minutes INT",
    "CREATE INDEX IF NOT EXISTS idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL",
};
constexpr auto kPgNewest = static_cast<std::int64_t>(std::size(kPgMigrations)) - 1;

// Many a program has a table called "store". An older LangGraph's lacks the last two columns.
constexpr const char* kPgColumns = R"(
SELECT count(*) FILTER (WHERE a.attname IS NULL OR format_type(a.atttypid, NULL) <> c.type)::int,
 count(*) FILTER (WHERE c.is_first AND (a.attname IS NULL OR format_type(a.atttypid, NULL) <> c.type))::int,
 (to_regclass('store') IS NOT NULL)::int, (to_regclass('store_migrations') IS NOT NULL)::int
FROM (VALUES ('prefix', 'text', true), ('key', 'text', true), ('value', 'jsonb', true),
 ('created_at', 'timestamp with time zone', true), ('updated_at', 'timestamp with time zone', true),
 ('expires_at', 'timestamp with time zone', false), ('ttl_minutes', 'integer', false))
 AS c("column", type, is_first)
LEFT JOIN pg_attribute a ON a.attrelid = to_regclass('store') AND a.attname = c."column"
 AND NOT a.attisdropped AND a.attnum > 0
)";
constexpr const char* kPgVersion = "SELECT coalesce(max(v), -1)::int FROM store_migrations";

struct Tables {
    bool isComplete = false;
    std::int64_t version = -1; // the newest migration; -1: none
};

Result<Tables> readTables(postgres::Connection& connection, const std::string& shown)
{
    auto columns = connection.query({ kPgColumns, {} });
    if (!columns)
        return std::move(columns.error());
    const bool exists = columns->number(0, 2) == 1;
    if (exists && columns->number(0, 1) > 0)
        return Error{ Errc::InvalidArgument,
                      shown
                          + ": its table \"store\" is another program's, not LangGraph's: columns are "
                            "missing or of another type. Name another database, or a schema of its own "
                            "(?options=-csearch_path%3DNAME)" };
    Tables tables;
    tables.isComplete = exists && columns->number(0, 0) == 0;
    if (columns->number(0, 3) == 1) {
        auto version = connection.query({ kPgVersion, {} });
        if (!version)
            return std::move(version.error());
        tables.version = version->number(0, 0);
    }
    return tables;
}

} // namespace

Result<bool> hasPostgresStore(postgres::Connection& connection, const std::string& shown)
{
    auto tables = readTables(connection, shown);
    if (!tables)
        return std::move(tables.error());
    return tables->isComplete;
}

Result<void> preparePostgresStore(postgres::Connection& connection, const std::string& shown)
{
    const auto tables = readTables(connection, shown);
    if (!tables)
        return tables.error();
    if (tables->version > kPgNewest)
        return Error{ Errc::Unsupported,
                      shown + ": a newer LangGraph made its long-term store (migration "
                          + std::to_string(tables->version) + ", this program knows "
                          + std::to_string(kPgNewest)
                          + "): it can be read here, not changed; update Sandglass to write to it" };
    if (tables->version == kPgNewest && tables->isComplete)
        return {};
    // The lock keeps two programs from making them at once. A migration that is done does no harm again.
    std::string sql = "BEGIN; SELECT pg_advisory_xact_lock(7305804402566946916);"
                      "CREATE TABLE IF NOT EXISTS store_migrations (v INTEGER PRIMARY KEY);";
    const std::int64_t first = tables->isComplete ? tables->version + 1 : 0;
    for (std::int64_t number = first; number <= kPgNewest; ++number)
        sql += std::string(kPgMigrations[number]) + ";INSERT INTO store_migrations (v) VALUES ("
            + std::to_string(number) + ") ON CONFLICT DO NOTHING;";
    sql += "COMMIT";
    auto made = connection.exec(sql);
    if (!made && connection.isInTransaction())
        static_cast<void>(connection.exec("ROLLBACK"));
    return made ? Result<void>()
                : Result<void>(std::move(made.error()).during("make the tables of LangGraph's store"));
}

} // namespace sg::store
