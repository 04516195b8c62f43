#include "core/store/long_term_store.h"

#include "core/base/json.h"
#include "core/sqlite/db.h"
#include "core/sqlite/each_row.h"
#include "core/store/filter.h"
#include "core/store/item_rules.h"
#include "core/store/store_schema.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <system_error>

namespace sg::store {
namespace {

constexpr const char* kAlive = "(expires_at IS NULL OR julianday(expires_at) > julianday(?))";

// Writes times as SQLite does, with the fraction that orders items put in the same second.
std::string sqlTime(WallTime time)
{
    std::string text = isoTime(time);
    text = text.substr(0, text.find('+'));
    std::replace(text.begin(), text.end(), 'T', ' ');
    return text.find('.') == std::string::npos ? text + ".000000" : text;
}

// Escapes '*', '?' and '[' in a label.
std::string globLiteral(const std::string& text)
{
    std::string literal;
    for (const char c : text)
        literal += c == '[' || c == '*' || c == '?' ? std::string("[") + c + "]" : std::string(1, c);
    return literal;
}

Item itemOf(const sqlite::Statement& row)
{
    Item item;
    item.ns = namespaceOf(row.text(0));
    item.key = row.text(1);
    const std::string_view json = row.type(2) == sqlite::ColumnType::Blob ? row.blob(2) : row.text(2);
    if (auto value = parseJson(json))
        item.value = std::move(*value);
    item.createdAt = row.text(3);
    item.updatedAt = row.text(4);
    return item;
}

class SqliteLongTermStore final : public LongTermStore {
public:
    SqliteLongTermStore(sqlite::Db db, const StoreOptions& options, const Clock& clock)
        : m_options(options)
        , m_clock(clock)
        , m_db(std::move(db))
    {
    }

    Result<void> put(const Namespace& ns, const std::string& key, const Value& value,
                     const PutOptions& options) override;
    Result<std::optional<Item>> get(const Namespace& ns, const std::string& key, bool refresh) override;
    Result<std::vector<Item>> search(const SearchQuery& query) override;
    Result<std::vector<Namespace>> listNamespaces(const NamespaceQuery& query) override;
    Result<bool> remove(const Namespace& ns, const std::string& key) override;
    Result<std::int64_t> sweep() override;

private:
    Result<void> refresh(const std::vector<Item>& items);
    [[nodiscard]] std::string now() const { return sqlTime(m_clock.now()); }

    const StoreOptions m_options;
    const Clock& m_clock;
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

Result<void> SqliteLongTermStore::put(const Namespace& ns, const std::string& key, const Value& value,
                                      const PutOptions& options)
{
    const auto json = itemJson(ns, key, value);
    if (!json)
        return json.error();
    const auto minutes = minutesToLive(options, m_options.defaultTtl);
    if (!minutes)
        return minutes.error();
    const WallTime time = m_clock.now();
    std::optional<std::string> expires;
    if (*minutes)
        expires = sqlTime(time
                          + std::chrono::duration_cast<WallTime::duration>(
                              std::chrono::duration<double, std::ratio<60>>(**minutes)))
            + "+00:00"; // as Python writes it
    const std::lock_guard lock(m_mutex);
    return m_db.run(
        "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value,"
        " updated_at = excluded.updated_at, expires_at = excluded.expires_at,"
        " ttl_minutes = excluded.ttl_minutes",
        namespaceText(ns), key, sqlite::Blob{ *json }, sqlTime(time), sqlTime(time), expires, *minutes);
}

Result<std::optional<Item>> SqliteLongTermStore::get(const Namespace& ns, const std::string& key,
                                                     bool wantsRefresh)
{
    if (auto fine = checkItemNamespace(ns); !fine)
        return std::move(fine.error());
    const std::lock_guard lock(m_mutex);
    std::vector<Item> found;
    {
        auto row = m_db.cached(std::string("SELECT prefix, key, value, created_at, updated_at FROM store"
                                           " WHERE prefix = ? AND key = ? AND ")
                               + kAlive);
        if (!row)
            return std::move(row.error());
        row->bind(1, namespaceText(ns)).bind(2, key).bind(3, now());
        auto ready = row->step();
        if (!ready)
            return std::move(ready.error());
        if (!*ready)
            return std::optional<Item>();
        found.push_back(itemOf(*row));
    }
    if (wantsRefresh)
        if (auto done = refresh(found); !done)
            return std::move(done.error());
    return std::optional<Item>(std::move(found.front()));
}

Result<std::vector<Item>> SqliteLongTermStore::search(const SearchQuery& query)
{
    if (auto fine = checkSearch(query); !fine)
        return std::move(fine.error());
    auto filter = filterSql(query.filter);
    if (!filter)
        return std::move(filter.error());
    const std::string prefix = namespaceText(query.prefix);
    std::string sql =
        std::string("SELECT prefix, key, value, created_at, updated_at FROM store WHERE ") + kAlive;
    if (!prefix.empty())
        sql += " AND (prefix = ? OR prefix GLOB ?)";
    sql += filter->conditions + " ORDER BY updated_at DESC, rowid DESC LIMIT ? OFFSET ?";
    const std::lock_guard lock(m_mutex);
    std::vector<Item> items;
    {
        auto rows = m_db.prepare(sql);
        if (!rows)
            return std::move(rows.error());
        int index = 0;
        rows->bind(++index, now());
        if (!prefix.empty()) {
            rows->bind(++index, prefix);
            rows->bind(++index, globLiteral(prefix) + ".*");
        }
        index = filter->bindTo(*rows, ++index);
        rows->bind(index, query.limit).bind(index + 1, query.offset);
        std::size_t bytes = 0;
        const auto read = sqlite::eachRow(*rows, [&]() -> Result<void> {
            items.push_back(itemOf(*rows));
            bytes += rows->blob(2).size();
            if (bytes > kMostAnswer)
                return foundTooMuch();
            return {};
        });
        if (!read)
            return read.error();
    }
    if (query.refresh)
        if (auto done = refresh(items); !done)
            return std::move(done.error());
    return items;
}

Result<void> SqliteLongTermStore::refresh(const std::vector<Item>& items)
{
    if (!m_options.refreshOnRead || m_options.readOnly)
        return {};
    for (const Item& item : items) {
        auto row =
            m_db.cached("SELECT ttl_minutes FROM store WHERE prefix = ? AND key = ? AND ttl_minutes IS NOT "
                        "NULL");
        if (!row)
            return std::move(row.error());
        row->bind(1, namespaceText(item.ns)).bind(2, item.key);
        auto ready = row->step();
        if (!ready)
            return std::move(ready.error());
        if (!*ready)
            continue;
        const double minutes = std::clamp(row->real(0), 0.0, kMostMinutes);
        row->reset();
        const WallTime until = m_clock.now()
            + std::chrono::duration_cast<WallTime::duration>(
                                   std::chrono::duration<double, std::ratio<60>>(minutes));
        if (auto done = m_db.run("UPDATE store SET expires_at = ? WHERE prefix = ? AND key = ?",
                                 sqlTime(until) + "+00:00", namespaceText(item.ns), item.key);
            !done)
            return done;
    }
    return {};
}

Result<std::vector<Namespace>> SqliteLongTermStore::listNamespaces(const NamespaceQuery& query)
{
    if (auto fine = checkList(query); !fine)
        return std::move(fine.error());
    const std::lock_guard lock(m_mutex);
    auto rows = m_db.cached(std::string("SELECT DISTINCT prefix FROM store WHERE ") + kAlive);
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, now());
    std::set<std::string> found; // as text, so that they are ordered as in the file
    const auto read = sqlite::eachRow(*rows, [&]() -> Result<void> {
        Namespace ns = namespaceOf(rows->text(0));
        if (!hasPrefix(ns, query.prefix) || !hasSuffix(ns, query.suffix))
            return {};
        if (query.maxDepth && ns.size() > *query.maxDepth)
            ns.resize(*query.maxDepth);
        found.insert(namespaceText(ns));
        return {};
    });
    if (!read)
        return read.error();
    std::vector<Namespace> out;
    std::int64_t place = 0;
    for (const std::string& text : found) {
        if (place++ < query.offset)
            continue;
        if (static_cast<std::int64_t>(out.size()) >= query.limit)
            break;
        out.push_back(namespaceOf(text));
    }
    return out;
}

Result<bool> SqliteLongTermStore::remove(const Namespace& ns, const std::string& key)
{
    if (auto fine = checkItemNamespace(ns); !fine)
        return std::move(fine.error());
    const std::lock_guard lock(m_mutex);
    if (auto done = m_db.run("DELETE FROM store WHERE prefix = ? AND key = ?", namespaceText(ns), key); !done)
        return std::move(done.error());
    return m_db.changedRows() > 0;
}

Result<std::int64_t> SqliteLongTermStore::sweep()
{
    const std::lock_guard lock(m_mutex);
    if (auto done = m_db.run(std::string("DELETE FROM store WHERE NOT ") + kAlive, now()); !done)
        return std::move(done.error());
    return m_db.changedRows();
}

} // namespace

Result<std::unique_ptr<LongTermStore>> LongTermStore::open(const std::filesystem::path& file,
                                                           const StoreOptions& options, const Clock& clock)
{
    std::error_code failed;
    if (!options.readOnly && file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), failed); // if it fails, opening reports it
    sqlite::DbOptions access;
    access.mode = options.readOnly ? sqlite::OpenMode::ReadOnly : sqlite::OpenMode::Create;
    auto db = sqlite::Db::open(file, access);
    if (!db)
        return std::move(db.error());
    if (options.readOnly) {
        auto ready = hasStoreTables(*db);
        if (!ready)
            return std::move(ready.error());
        if (!*ready)
            return Error{ Errc::NotFound,
                          file.string() + " holds no long-term store (its table `store` is missing)" };
    } else if (auto prepared = prepareStoreTables(*db); !prepared) {
        return std::move(prepared.error());
    }
    auto store = std::make_unique<SqliteLongTermStore>(std::move(*db), options, clock);
    if (!options.readOnly)
        if (auto swept = store->sweep(); !swept)
            return std::move(swept.error());
    return std::unique_ptr<LongTermStore>(std::move(store));
}

} // namespace sg::store
