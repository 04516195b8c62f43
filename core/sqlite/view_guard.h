#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace sg::sqlite {

// A crafted file can have a view in a table's place: one that computes for ever, or nests deeper than a
// stack. Of a file's views the names alone are read, and no statement that reads from one of them is
// compiled.
class ViewGuard {
public:
    void load(sqlite3* db);
    // Errc::Corrupt.
    [[nodiscard]] Result<void> check(std::string_view sql, const std::filesystem::path& file) const;

private:
    std::set<std::string> m_views; // lower case
};

} // namespace sg::sqlite
