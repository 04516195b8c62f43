#include "core/sqlite/view_guard.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sg::sqlite {
namespace {

char lower(char letter)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

bool isOfName(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool isBeforeTable(std::string_view word)
{
    constexpr std::array<std::string_view, 4> kWords{ "from", "join", "into", "update" };
    return std::ranges::find(kWords, word) != kWords.end();
}

} // namespace

void ViewGuard::load(sqlite3* db)
{
    const auto add = [](void* views, int, char** values, char**) {
        std::string name(values[0] != nullptr ? values[0] : "");
        std::ranges::transform(name, name.begin(), lower);
        static_cast<std::set<std::string>*>(views)->insert(std::move(name));
        return 0;
    };
    m_views.clear();
    sqlite3_exec(db, "SELECT name FROM main.sqlite_master WHERE type = 'view'", add, &m_views, nullptr);
}

// The statements are our own: words, and names after FROM, JOIN, INTO and UPDATE.
Result<void> ViewGuard::check(std::string_view sql, const std::filesystem::path& file) const
{
    std::string before;
    for (std::size_t at = 0; !m_views.empty() && at < sql.size();) {
        if (!isOfName(sql[at])) {
            ++at;
            continue;
        }
        std::string word;
        for (; at < sql.size() && isOfName(sql[at]); ++at)
            word += lower(sql[at]);
        if (isBeforeTable(before) && m_views.contains(word))
            return Error{ Errc::Corrupt,
                          "database " + file.string() + " has a view in the place of the table " + word
                              + ": only tables are read. Neither LangGraph nor Sandglass wrote it so; take "
                                "another copy of the file" };
        before = std::move(word);
    }
    return {};
}

} // namespace sg::sqlite
