#include "core/checkpoint/sqlite/list_query.h"

#include "core/base/json.h"
#include "core/checkpoint/metadata_filter.h"
#include "core/checkpoint/sqlite/large_row.h"

#include <cstddef>
#include <utility>

namespace sg::checkpoint {

namespace {

class WhereClause {
public:
    explicit WhereClause(ListQuery& query)
        : m_query(query)
    {
    }

    void add(const std::string& condition)
    {
        m_query.sql += (m_empty ? " WHERE " : " AND ") + condition;
        m_empty = false;
    }
    void add(const std::string& condition, Value parameter)
    {
        add(condition);
        m_query.parameters.push_back(std::move(parameter));
    }

private:
    ListQuery& m_query;
    bool m_empty = true;
};

// LangGraph compares lists and maps by their compact JSON text.
void addFilter(WhereClause& where, const std::string& key, const Value& value)
{
    const std::string metadata = "CAST(metadata AS TEXT)";
    const std::string found =
        "CASE WHEN json_valid(" + metadata + ") THEN json_extract(" + metadata + ", '$." + key + "') END";
    if (value.isNull())
        where.add(found + " IS NULL");
    else if (value.isList() || value.isMap())
        where.add(found + " = ?", Value(toJson(value)));
    else
        where.add(found + " = ?", value);
}

} // namespace

Result<ListQuery> makeListQuery(const CheckpointQuery& query)
{
    if (auto valid = checkFilterKeys(query.metadataFilter); !valid)
        return std::move(valid.error());
    ListQuery list;
    // The rows are sorted by row number, so that blobs do not pass through the sorter. The LIMIT keeps SQLite
    // from merging the two levels, and CROSS JOIN keeps their order.
    list.sql = "SELECT ";
    list.sql += query.isLook ? kLookColumns : kCheckpointColumns;
    list.sql += " FROM (SELECT rowid AS found FROM checkpoints";
    WhereClause where(list);
    if (query.thread)
        where.add("thread_id = ?", Value(query.thread->value));
    if (query.ns)
        where.add("checkpoint_ns = ?", Value(*query.ns));
    if (query.id)
        where.add("checkpoint_id = ?", Value(query.id->value));
    if (query.before)
        where.add("checkpoint_id < ?", Value(query.before->value));
    for (const auto& [key, value] : query.metadataFilter)
        addFilter(where, key, value);
    list.sql += " ORDER BY checkpoint_id DESC, thread_id, checkpoint_ns LIMIT ?)"
                " CROSS JOIN checkpoints ON checkpoints.rowid = found";
    list.parameters.emplace_back(query.limit.value_or(-1));
    return list;
}

void ListQuery::bindTo(sqlite::Statement& statement) const
{
    int index = 0;
    for (const Value& value : parameters) {
        ++index;
        switch (value.kind()) {
        case Value::Kind::Bool: statement.bind(index, value.asBool() ? 1 : 0); break;
        case Value::Kind::Int: statement.bind(index, value.asInt()); break;
        case Value::Kind::Unsigned:
        case Value::Kind::Double: statement.bind(index, value.asDouble()); break;
        case Value::Kind::String: statement.bind(index, value.asString()); break;
        default: statement.bind(index, toJson(value)); break;
        }
    }
}

} // namespace sg::checkpoint
