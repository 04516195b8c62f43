#include "ui/bridge/rows/answer_fields.h"

#include "core/base/json.h"
#include "core/models/json_schema.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>
#include <string>

namespace sg::ui {
namespace {

using Type = AnswerFieldRow::Type;

constexpr std::size_t kMostFields = 200;
constexpr std::size_t kLongText = 60; // characters from which on a text gets several lines

Type typeNamed(const std::string& name)
{
    return name == "string" ? Type::Text
        : name == "number"  ? Type::Number
        : name == "integer" ? Type::Integer
        : name == "boolean" ? Type::Flag
        : name == "array"   ? Type::List
        : name == "object"  ? Type::Object
                            : Type::Any;
}

Type typeOf(const Value& value)
{
    return value.isString() ? Type::Text
        : value.isBool()    ? Type::Flag
        : value.isDouble()  ? Type::Number
        : value.isNumber()  ? Type::Integer
        : value.isList()    ? Type::List
        : value.isMap()     ? Type::Object
                            : Type::Any;
}

// "$ref" within the schema, and pydantic's anyOf with null.
const Value& resolved(const Value& root, const Value& schema, bool& isNullable, int depth = 0)
{
    if (depth > 8)
        return schema;
    if (const std::string ref = schema.stringOr("$ref", ""); ref.starts_with("#/")) {
        const Value* at = &root;
        std::size_t begin = 2;
        while (at != nullptr && begin <= ref.size()) {
            const std::size_t end = std::min(ref.find('/', begin), ref.size());
            at = at->find(ref.substr(begin, end - begin));
            begin = end + 1;
        }
        return at == nullptr ? schema : resolved(root, *at, isNullable, depth + 1);
    }
    const Value& any = schema["anyOf"];
    if (any.isList() && any.asList().size() == 2)
        for (std::size_t i = 0; i < 2; ++i)
            if (any.asList()[1 - i].stringOr("type", "") == "null") {
                isNullable = true;
                return resolved(root, any.asList()[i], isNullable, depth + 1);
            }
    return schema;
}

AnswerFieldRow fieldOf(const std::string& name, const Value& root, const Value& given, const Value& initial)
{
    AnswerFieldRow field;
    field.name = text(name);
    const Value& schema = resolved(root, given, field.isNullable);
    field.title = text(given.stringOr("title", schema.stringOr("title", "")));
    field.help = text(given.stringOr("description", schema.stringOr("description", "")));
    field.initial = !initial.isNull() ? initial : given["default"];
    const Value& type = schema["type"];
    field.type = typeNamed(type.isString() ? type.asString() : std::string());
    if (type.isList()) {
        ValueList named = type.asList();
        field.isNullable = std::erase(named, Value("null")) > 0 || field.isNullable;
        if (named.size() == 1 && named.front().isString())
            field.type = typeNamed(named.front().asString());
    }
    if (schema["enum"].isList()) {
        field.type = Type::Choice;
        field.choices = schema["enum"].asList();
    }
    const std::string initially = field.initial.isString() ? field.initial.asString() : std::string();
    field.isLong = field.type == Type::Text
        && (schema.intOr("maxLength", 0) > static_cast<std::int64_t>(kLongText)
            || schema.stringOr("format", "") == "multiline" || initially.size() > kLongText
            || initially.find('\n') != std::string::npos);
    return field;
}

AnswerFieldRow fieldOf(const std::string& name, const Value& initial)
{
    AnswerFieldRow field;
    field.name = text(name);
    field.type = typeOf(initial);
    field.initial = initial;
    field.isRequired = true;
    field.isLong = initial.isString()
        && (initial.asString().size() > kLongText || initial.asString().find('\n') != std::string::npos);
    return field;
}

bool areFields(const ValueMap& map)
{
    return map.size() <= kMostFields
        && std::ranges::all_of(map, [](const auto& entry) { return entry.first.isString(); });
}

} // namespace

AnswerFormRow answerForm(const Value& schema, const Value& initial)
{
    AnswerFormRow form;
    form.schema = schema;
    bool isNullable = false;
    const Value& root = resolved(schema, schema, isNullable);
    const Value& properties = root["properties"];
    if (properties.isMap() && areFields(properties.asMap())) {
        const Value& required = root["required"];
        for (const auto& [key, property] : properties.asMap()) {
            form.fields.push_back(fieldOf(key.asString(), schema, property, initial[key.asString()]));
            form.fields.back().isRequired =
                required.isList() && std::ranges::find(required.asList(), key) != required.asList().end();
        }
        if (initial.isMap())
            for (const auto& [key, value] : initial.asMap())
                if (properties.asMap().find(key) == nullptr)
                    form.others.set(key, value);
    } else if (schema.isNull() && initial.isMap() && areFields(initial.asMap())) {
        for (const auto& [key, value] : initial.asMap())
            form.fields.push_back(fieldOf(key.asString(), value));
    } else {
        form.isWhole = true;
        form.fields.push_back(schema.isNull() ? fieldOf("answer", initial)
                                              : fieldOf("answer", schema, root, initial));
        form.fields.back().isRequired = true;
    }
    return form;
}

AnswerFault faultIn(const QString& told)
{
    QString what = told;
    const QString before = QStringLiteral("the answer does not fit: ");
    if (what.startsWith(before))
        what = what.mid(before.size());
    if (what.startsWith(QLatin1Char('/'))) {
        const qsizetype colon = what.indexOf(QLatin1String(": "));
        const QString path = what.mid(1, colon - 1);
        const QString inside = path.section(QLatin1Char('/'), 1);
        return { path.section(QLatin1Char('/'), 0, 0),
                 inside.isEmpty() ? what.mid(colon + 2)
                                  : inside + QStringLiteral(": ") + what.mid(colon + 2) };
    }
    const QString missing = QStringLiteral("\" is missing");
    const QString whole = QStringLiteral("the answer: ");
    if (what.startsWith(whole + QLatin1Char('"')) && what.endsWith(missing))
        return { what.mid(whole.size() + 1, what.size() - whole.size() - 1 - missing.size()),
                 QStringLiteral("is missing") };
    return { {}, what.startsWith(whole) ? what.mid(whole.size()) : what };
}

std::optional<AnswerFault> answerFault(const Value& schema, const Value& answer)
{
    if (schema.isNull())
        return std::nullopt;
    const auto why = models::schemaMismatch(schema, answer);
    return why ? std::optional(faultIn(text(*why))) : std::nullopt;
}

} // namespace sg::ui
