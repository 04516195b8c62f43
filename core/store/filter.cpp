#include "core/store/filter.h"

#include "core/base/json.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace sg::store {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOperators{ {
    { "$eq", "=" },
    { "$ne", "!=" },
    { "$gt", ">" },
    { "$gte", ">=" },
    { "$lt", "<" },
    { "$lte", "<=" },
} };

// The field becomes part of the SQL text, so only letters, digits, '_', '.' and '-' are allowed.
bool isField(const Value& key)
{
    return key.isString() && !key.asString().empty()
        && std::ranges::all_of(key.asString(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
           });
}

void addCondition(FilterSql& sql, const std::string& field, std::string_view name, std::string_view sign,
                  const Value& value)
{
    const std::string extracted = "json_extract(CAST(value AS TEXT), '$." + field + "')";
    const bool orders = name != "$eq" && name != "$ne";
    sql.conditions += " AND ";
    if (value.isNull() && !orders) {
        sql.conditions += extracted + (name == "$eq" ? " IS NULL" : " IS NOT NULL");
        return;
    }
    if (value.isNumber() || (value.isBool() && orders)) {
        sql.conditions += orders ? "CAST(" + extracted + " AS REAL)" : extracted;
        sql.parameters.emplace_back(value.isBool() ? (value.asBool() ? 1.0 : 0.0) : value.asDouble());
    } else if (value.isBool()) {
        sql.conditions += extracted;
        sql.parameters.emplace_back(value.asBool() ? 1.0 : 0.0);
    } else {
        sql.conditions += extracted;
        sql.parameters.emplace_back(value.isString() ? value.asString() : toJson(value));
    }
    sql.conditions += " " + std::string(sign) + " ?";
}

} // namespace

int FilterSql::bindTo(sqlite::Statement& statement, int index) const
{
    for (const auto& parameter : parameters) {
        if (const double* number = std::get_if<double>(&parameter))
            statement.bind(index, *number);
        else
            statement.bind(index, std::get<std::string>(parameter));
        ++index;
    }
    return index;
}

Result<FilterSql> filterSql(const ValueMap& filter)
{
    FilterSql sql;
    for (const auto& [key, wanted] : filter) {
        if (!isField(key))
            return Error{ Errc::InvalidArgument,
                          "the filter's field '"
                              + printableText(key.isString() ? key.asString() : toJson(key))
                              + "' may hold letters, digits, '_', '.' and '-' alone" };
        if (!wanted.isMap()) {
            addCondition(sql, key.asString(), "$eq", "=", wanted);
            continue;
        }
        for (const auto& [name, value] : wanted.asMap()) {
            const auto found = std::ranges::find_if(kOperators, [&name = name](const auto& known) {
                return name.isString() && name.asString() == known.first;
            });
            if (found == kOperators.end())
                return Error{ Errc::InvalidArgument,
                              "the filter's operator '"
                                  + printableText(name.isString() ? name.asString() : toJson(name))
                                  + "' is none of $eq, $ne, $gt, $gte, $lt, $lte" };
            addCondition(sql, key.asString(), found->first, found->second, value);
        }
    }
    return sql;
}

} // namespace sg::store
