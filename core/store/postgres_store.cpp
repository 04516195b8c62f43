#include "core/store/postgres_store.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/postgres/address.h"
#include "core/postgres/outage.h"
#include "core/store/filter.h"
#include "core/store/item_rules.h"
#include "core/store/postgres_schema.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sg::store {
namespace {

using postgres::Parameter;

const std::string kPgAlive = "(expires_at IS NULL OR expires_at > now())";
// Whole labels only, unlike PostgresStore, for which "acme" is the beginning of "acmeplus", too: a tenant
// must not see another one's items. '/' follows '.' in the order of bytes, which these operators and the
// index use.
const std::string kPgBeneath = "($1::text = '' OR prefix = $1::text OR (prefix ~>=~ ($1::text || '.')"
                               " AND prefix ~<~ ($1::text || '/')))";
const std::string kPgTimes = ", to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),"
                             " to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') FROM page";
// Its column keeps whole minutes, so that a time to live that was put with a fraction must not be cut short.
const std::string kPgUsed =
    ", used AS (UPDATE store s SET expires_at = greatest(s.expires_at, now() + s.ttl_minutes * interval '1"
    " minute') FROM page p WHERE s.prefix = p.prefix AND s.key = p.key AND s.ttl_minutes IS NOT NULL)";

const std::string kPgGetPage = "WITH page AS MATERIALIZED (SELECT prefix, key, value, created_at, updated_at"
                               " FROM store WHERE prefix = $1::text AND key = $2::text AND "
    + kPgAlive + ")";
const std::string kPgGotten = " SELECT prefix, key, value::text" + kPgTimes;
const std::string kPgGet = kPgGetPage + kPgGotten;
const std::string kPgGetAndUse = kPgGetPage + kPgUsed + kPgGotten;

const std::string kPgSearchPage =
    "WITH page AS MATERIALIZED (SELECT prefix, key, value, created_at, updated_at FROM store WHERE "
    + kPgAlive + " AND " + kPgBeneath
    + " AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements($2::jsonb) AS f(one) WHERE NOT coalesce("
      "CASE one ->> 'op'"
      " WHEN '$eq' THEN (value -> (one ->> 'field')) = (one -> 'json')"
      " WHEN '$ne' THEN (value -> (one ->> 'field')) <> (one -> 'json')"
      " WHEN '$gt' THEN (value ->> (one ->> 'field')) > (one ->> 'text')"
      " WHEN '$gte' THEN (value ->> (one ->> 'field')) >= (one ->> 'text')"
      " WHEN '$lt' THEN (value ->> (one ->> 'field')) < (one ->> 'text')"
      " WHEN '$lte' THEN (value ->> (one ->> 'field')) <= (one ->> 'text') END, false))"
      " ORDER BY updated_at DESC, prefix, key LIMIT $3::text::int8 OFFSET $4::text::int8)";
// An answer that is too large is not sent at all.
const std::string kPgFound =
    " SELECT prefix, key, CASE WHEN sum(octet_length(value::text) + octet_length(prefix) + octet_length(key))"
    " OVER () <= "
    + std::to_string(kMostAnswer) + " THEN value::text END" + kPgTimes
    + " ORDER BY updated_at DESC, prefix, key";
const std::string kPgSearch = kPgSearchPage + kPgFound;
const std::string kPgSearchAndUse = kPgSearchPage + kPgUsed + kPgFound;

const std::string kPgList = "SELECT cut FROM (SELECT DISTINCT CASE WHEN $4::int4 < 0 THEN prefix"
                            " ELSE array_to_string(labels[1 : $4::int4], '.') END AS cut"
                            " FROM (SELECT prefix, string_to_array(prefix, '.') AS labels FROM store WHERE "
    + kPgAlive + " AND " + kPgBeneath
    + ") AS s WHERE cardinality(labels) >= greatest(jsonb_array_length($2::jsonb),"
      " jsonb_array_length($3::jsonb))"
      " AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text($2::jsonb) WITH ORDINALITY AS p(label, place)"
      " WHERE label <> '*' AND label <> labels[place::int4])"
      " AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text($3::jsonb) WITH ORDINALITY AS p(label, place)"
      " WHERE label <> '*' AND label <> labels[cardinality(labels) - jsonb_array_length($3::jsonb)"
      " + place::int4])"
      ") AS found ORDER BY cut COLLATE \"C\" LIMIT $5::text::int8 OFFSET $6::text::int8";

constexpr const char* kPgPut =
    "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)"
    " VALUES ($1::text, $2::text, $3::jsonb, now(), now(), now() + $4::text::float8 * interval '1 minute',"
    " $5::int4) ON CONFLICT (prefix, key) DO UPDATE SET value = EXCLUDED.value, updated_at = now(),"
    " expires_at = EXCLUDED.expires_at, ttl_minutes = EXCLUDED.ttl_minutes";
constexpr const char* kPgRemove = "DELETE FROM store WHERE prefix = $1::text AND key = $2::text RETURNING 1";
constexpr const char* kPgSweep =
    "WITH gone AS (DELETE FROM store WHERE expires_at <= now() RETURNING 1) SELECT count(*) FROM gone";

Item itemOf(const postgres::Rows& rows, int row)
{
    Item item;
    item.ns = namespaceOf(rows.text(row, 0));
    item.key = rows.text(row, 1);
    if (auto value = parseJson(rows.text(row, 2)))
        item.value = std::move(*value);
    item.createdAt = rows.text(row, 3);
    item.updatedAt = rows.text(row, 4);
    return item;
}

Parameter labelsJson(const Namespace& labels)
{
    return Parameter::json(toJson(Value(ValueList(labels.begin(), labels.end()))));
}

// Returns the labels before the first that may be any.
Namespace plainBeginning(const Namespace& pattern)
{
    return { pattern.begin(), std::find(pattern.begin(), pattern.end(), "*") };
}

class PostgresLongTermStore final : public LongTermStore {
public:
    PostgresLongTermStore(const postgres::Address& address, const StoreOptions& options,
                          const postgres::SessionOptions& sessions)
        : m_shown(address.shown)
        , m_options(options)
        , m_sessions(address, { options.readOnly, sessions.statementTimeoutMs, sessions.reconnectMs },
                     std::make_shared<postgres::Outage>(address.shown, sessions.reconnectMs),
                     [shown = address.shown,
                      readOnly = options.readOnly](postgres::Connection& session) -> Result<bool> {
                         if (readOnly)
                             return hasPostgresStore(session, shown);
                         auto made = preparePostgresStore(session, shown);
                         if (!made)
                             return std::move(made.error());
                         return true;
                     })
    {
    }
    Result<void> open();

    Result<void> put(const Namespace& ns, const std::string& key, const Value& value,
                     const PutOptions& options) override;
    Result<std::optional<Item>> get(const Namespace& ns, const std::string& key, bool refresh) override;
    Result<std::vector<Item>> search(const SearchQuery& query) override;
    Result<std::vector<Namespace>> listNamespaces(const NamespaceQuery& query) override;
    Result<bool> remove(const Namespace& ns, const std::string& key) override;
    Result<std::int64_t> sweep() override;

private:
    Result<postgres::Rows> ask(const postgres::Statement& statement)
    {
        auto rows = m_sessions.query(statement);
        return rows ? std::move(rows) : Result<postgres::Rows>(postgres::asTold(std::move(rows.error())));
    }
    [[nodiscard]] bool uses(bool wanted) const
    {
        return wanted && m_options.refreshOnRead && !m_options.readOnly;
    }

    const std::string m_shown;
    const StoreOptions m_options;
    postgres::Sessions m_sessions;
};

Result<void> PostgresLongTermStore::open()
{
    const auto has = m_sessions.hasTables();
    if (!has)
        return postgres::asTold(has.error());
    if (!*has)
        return Error{ Errc::NotFound,
                      "nothing is stored in " + m_shown
                          + " yet: it has no table `store` with LangGraph's columns. Put something there "
                            "with: sandglass store put NAMESPACE KEY JSON --db ADDRESS" };
    if (m_options.readOnly)
        return {};
    const auto swept = sweep();
    return swept ? Result<void>() : Result<void>(swept.error());
}

Result<void> PostgresLongTermStore::put(const Namespace& ns, const std::string& key, const Value& value,
                                        const PutOptions& options)
{
    const auto json = itemJson(ns, key, value);
    if (!json)
        return json.error();
    if (holdsNul(value))
        return Error{ Errc::InvalidArgument,
                      "the value of '" + printableText(key)
                          + "' holds a NUL character, which PostgreSQL does not store. Leave it out, or keep "
                            "the text as an artifact" };
    const auto minutes = minutesToLive(options, m_options.defaultTtl);
    if (!minutes)
        return minutes.error();
    const bool expires = minutes->has_value();
    const auto rows = ask(
        { kPgPut,
          { Parameter::text(namespaceText(ns)), Parameter::text(key), Parameter::json(*json),
            expires ? Parameter::text(toJson(Value(**minutes))) : Parameter::null(),
            expires ? Parameter::number(static_cast<std::int32_t>(std::max(1.0, std::nearbyint(**minutes))))
                    : Parameter::null() } });
    return rows ? Result<void>() : Result<void>(rows.error());
}

Result<std::optional<Item>> PostgresLongTermStore::get(const Namespace& ns, const std::string& key,
                                                       bool refresh)
{
    if (auto fine = checkItemNamespace(ns); !fine)
        return std::move(fine.error());
    const auto rows = ask({ (uses(refresh) ? kPgGetAndUse : kPgGet).c_str(),
                            { Parameter::text(namespaceText(ns)), Parameter::text(key) } });
    if (!rows)
        return rows.error();
    return rows->count() == 0 ? std::optional<Item>() : std::optional<Item>(itemOf(*rows, 0));
}

Result<std::vector<Item>> PostgresLongTermStore::search(const SearchQuery& query)
{
    if (auto fine = checkSearch(query); !fine)
        return std::move(fine.error());
    const auto filter = filterJson(query.filter);
    if (!filter)
        return filter.error();
    const auto rows = ask(
        { (uses(query.refresh) ? kPgSearchAndUse : kPgSearch).c_str(),
          { Parameter::text(namespaceText(query.prefix)), Parameter::json(*filter),
            Parameter::text(std::to_string(query.limit)), Parameter::text(std::to_string(query.offset)) } });
    if (!rows)
        return rows.error();
    std::vector<Item> items;
    for (int row = 0; row < rows->count(); ++row) {
        if (rows->isNull(row, 2))
            return foundTooMuch();
        items.push_back(itemOf(*rows, row));
    }
    return items;
}

Result<std::vector<Namespace>> PostgresLongTermStore::listNamespaces(const NamespaceQuery& query)
{
    if (auto fine = checkList(query); !fine)
        return std::move(fine.error());
    constexpr std::size_t kDeepest = std::numeric_limits<std::int32_t>::max();
    const std::int32_t depth =
        query.maxDepth ? static_cast<std::int32_t>(std::min(*query.maxDepth, kDeepest)) : -1;
    const auto rows = ask(
        { kPgList.c_str(),
          { Parameter::text(namespaceText(plainBeginning(query.prefix))), labelsJson(query.prefix),
            labelsJson(query.suffix), Parameter::number(depth), Parameter::text(std::to_string(query.limit)),
            Parameter::text(std::to_string(query.offset)) } });
    if (!rows)
        return rows.error();
    std::vector<Namespace> found;
    for (int row = 0; row < rows->count(); ++row)
        found.push_back(namespaceOf(rows->text(row, 0)));
    return found;
}

Result<bool> PostgresLongTermStore::remove(const Namespace& ns, const std::string& key)
{
    if (auto fine = checkItemNamespace(ns); !fine)
        return std::move(fine.error());
    const auto rows = ask({ kPgRemove, { Parameter::text(namespaceText(ns)), Parameter::text(key) } });
    if (!rows)
        return rows.error();
    return rows->count() > 0;
}

Result<std::int64_t> PostgresLongTermStore::sweep()
{
    const auto rows = ask({ kPgSweep, {} });
    if (!rows)
        return rows.error();
    return rows->number(0, 0);
}

} // namespace

Result<std::unique_ptr<LongTermStore>> openPostgresStore(const std::string& address,
                                                         const StoreOptions& options,
                                                         const postgres::SessionOptions& sessions)
{
    auto parsed = postgres::parseAddress(address);
    if (!parsed)
        return std::move(parsed.error());
    auto store = std::make_unique<PostgresLongTermStore>(*parsed, options, sessions);
    if (auto opened = store->open(); !opened)
        return std::move(opened.error());
    return std::unique_ptr<LongTermStore>(std::move(store));
}

} // namespace sg::store
