#pragma once

#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"

#include <filesystem>

namespace sg::sqlite::test {

// A database with `rows` rows of a kilobyte each.
inline void fill(const std::filesystem::path& path, int rows)
{
    auto db = Db::open(path, { .wal = false });
    SG_VERIFY_OK(db);
    SG_VERIFY_OK(db->exec("CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB)"));
    auto transaction = db->begin();
    SG_VERIFY_OK(transaction);
    for (int i = 0; i < rows; ++i)
        SG_VERIFY_OK(db->run("INSERT INTO t(body) VALUES (?)", Blob{ std::string(1024, 'b') }));
    SG_VERIFY_OK(transaction->commit());
}

inline std::int64_t countRows(Db& db)
{
    auto statement = db.cached("SELECT count(*) FROM t");
    return statement && statement->step() ? statement->integer(0) : -1;
}

} // namespace sg::sqlite::test
