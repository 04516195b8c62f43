#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace sg::sqlite {

// A crafted file can have a view in place of a table that computes for ever or nests deeper than the stack.
// This reads only the names of a file's views, and refuses to compile statements that read from one.
class ViewGuard {
public:
    void load(sqlite3* db);
    // Errc::Corrupt: the statement reads from a view.
    [[nodiscard]] Result<void> check(std::string_view sql, const std::filesystem::path& file) const;

private:
    std::set<std::string> m_views; // lower case
};

} // namespace sg::sqlite
