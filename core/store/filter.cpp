#include "core/store/filter.h"

#include "core/base/json.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
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

using Operator = decltype(kOperators)::value_type;

Result<const Operator*> operatorNamed(const Value& name)
{
    const auto found = std::ranges::find_if(
        kOperators, [&](const Operator& known) { return name.isString() && name.asString() == known.first; });
    if (found == kOperators.end())
        return Error{ Errc::InvalidArgument,
                      "the filter's operator '"
                          + printableText(name.isString() ? name.asString() : toJson(name))
                          + "' is none of $eq, $ne, $gt, $gte, $lt, $lte" };
    return &*found;
}

// Writes a number as Python's str() does: 0.5, 2.0, 1e+16, 1e-05.
std::string pythonNumber(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    std::array<char, 64> text{};
    const double size = std::abs(number);
    const bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                   isPlain ? std::chars_format::fixed : std::chars_format::scientific)
                         .ptr;
    std::string written(text.data(), end);
    return isPlain && written.find('.') == std::string::npos ? written + ".0" : written;
}

// Writes what PostgresStore compares a field's text with, which is Python's str() of it.
Result<std::string> pythonWord(const Value& value, std::string_view name)
{
    if (value.isString())
        return value.asString();
    if (value.isNull())
        return std::string("None");
    if (value.isBool())
        return std::string(value.asBool() ? "True" : "False");
    if (value.isDouble())
        return pythonNumber(value.asDouble());
    if (value.isNumber())
        return toJson(value);
    return Error{ Errc::InvalidArgument,
                  "the filter's " + std::string(name)
                      + " takes a text or a number; lists and objects have no order" };
}

Result<Value> condition(const Value& field, std::string_view name, const Value& wanted)
{
    if (!field.isString())
        return Error{ Errc::InvalidArgument,
                      "the filter's field " + printableText(toJson(field)) + " is no text" };
    if (holdsNul(field) || holdsNul(wanted))
        return Error{ Errc::InvalidArgument,
                      "the filter for '" + printableText(field.asString())
                          + "' holds a NUL character, which PostgreSQL does not store" };
    ValueMap made{ { "field", field }, { "op", std::string(name) } };
    if (name == "$eq" || name == "$ne") {
        made.set("json", wanted);
        return Value(std::move(made));
    }
    auto text = pythonWord(wanted, name);
    if (!text)
        return std::move(text.error());
    made.set("text", std::move(*text));
    return Value(std::move(made));
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
            const auto known = operatorNamed(name);
            if (!known)
                return known.error();
            addCondition(sql, key.asString(), (*known)->first, (*known)->second, value);
        }
    }
    return sql;
}

Result<std::string> filterJson(const ValueMap& filter)
{
    ValueList conditions;
    const auto add = [&](const Value& field, std::string_view name, const Value& wanted) -> Result<void> {
        auto made = condition(field, name, wanted);
        if (!made)
            return std::move(made.error());
        conditions.push_back(std::move(*made));
        return {};
    };
    for (const auto& [field, wanted] : filter) {
        if (!wanted.isMap()) {
            if (auto added = add(field, "$eq", wanted); !added)
                return std::move(added.error());
            continue;
        }
        for (const auto& [name, value] : wanted.asMap()) {
            const auto known = operatorNamed(name);
            if (!known)
                return known.error();
            if (auto added = add(field, (*known)->first, value); !added)
                return std::move(added.error());
        }
    }
    return toJson(Value(std::move(conditions)));
}

bool holdsNul(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::String: return value.asString().find('\0') != std::string::npos;
    case Value::Kind::List: return std::ranges::any_of(value.asList(), holdsNul);
    case Value::Kind::Map:
        return std::ranges::any_of(value.asMap(), [](const ValueMap::Entry& entry) {
            return holdsNul(entry.first) || holdsNul(entry.second);
        });
    default: return false;
    }
}

} // namespace sg::store
