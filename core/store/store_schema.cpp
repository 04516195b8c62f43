#include "core/store/store_schema.h"

#include <array>

namespace sg::store {
namespace {

// These are numbered as langgraph-checkpoint-sqlite 3.1 numbers them in store_migrations.
constexpr std::array<const char*, 5> kMigrations{
    "CREATE TABLE IF NOT EXISTS store ("
    " prefix text NOT NULL,"
    " key text NOT NULL,"
    " value text NOT NULL,"
    " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
    " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
    " PRIMARY KEY (prefix, key))",
    "CREATE INDEX IF NOT EXISTS store_prefix_idx ON store (prefix)",
    "ALTER TABLE store ADD COLUMN expires_at TIMESTAMP",
    "ALTER TABLE store ADD COLUMN ttl_minutes REAL",
    "CREATE INDEX IF NOT EXISTS idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL",
};

Result<std::int64_t> newestMigration(sqlite::Db& db)
{
    auto row = db.prepare("SELECT max(v) FROM store_migrations");
    if (!row)
        return std::move(row.error());
    auto ready = row->step();
    if (!ready)
        return std::move(ready.error());
    return row->isNull(0) ? std::int64_t(-1) : row->integer(0);
}

} // namespace

Result<bool> hasStoreTables(sqlite::Db& db)
{
    auto row = db.prepare("SELECT count(*) FROM pragma_table_info('store') WHERE name IN ('prefix', 'key', "
                          "'value', 'created_at', 'updated_at', 'expires_at', 'ttl_minutes')");
    if (!row)
        return std::move(row.error());
    auto ready = row->step();
    if (!ready)
        return std::move(ready.error());
    return row->integer(0) == 7;
}

Result<void> prepareStoreTables(sqlite::Db& db)
{
    if (auto ready = hasStoreTables(db); !ready || *ready)
        return ready ? Result<void>() : Result<void>(std::move(ready.error()));
    if (auto done = db.useWal(); !done)
        return done;
    auto transaction = db.begin(); // programs that open a new file at the same moment take turns
    if (!transaction)
        return std::move(transaction.error());
    if (auto done = db.exec("CREATE TABLE IF NOT EXISTS store_migrations (v INTEGER PRIMARY KEY)"); !done)
        return done;
    const auto newest = newestMigration(db);
    if (!newest)
        return newest.error();
    for (std::size_t i = 0; i < kMigrations.size(); ++i) {
        if (static_cast<std::int64_t>(i) <= *newest)
            continue;
        if (auto done = db.exec(kMigrations.at(i)); !done)
            return done;
        if (auto done = db.run("INSERT INTO store_migrations (v) VALUES (?)", i); !done)
            return done;
    }
    return transaction->commit();
}

} // namespace sg::store
