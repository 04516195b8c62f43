#pragma once

#include "core/base/value.h"

#include <QString>

#include <optional>
#include <vector>

namespace sg::ui {

// One field of a form that a person fills in.
struct AnswerFieldRow {
    enum class Type { Any, Text, Number, Integer, Flag, Choice, List, Object };
    QString name; // key in the answer
    QString title; // empty: its name
    QString help;
    Type type = Type::Any;
    ValueList choices = {}; // of Choice
    bool isRequired = false;
    bool isLong = false; // a text of several lines
    Value initial = {}; // null: none
    bool isNullable = false; // an empty field is null
    friend bool operator==(const AnswerFieldRow&, const AnswerFieldRow&) = default;
};

struct AnswerFormRow {
    std::vector<AnswerFieldRow> fields;
    bool isWhole = false; // the only field is the answer itself, not a key of it
    Value schema = {}; // JSON Schema that the answer must match; null: any
    ValueMap others = {}; // keys without a field, which stay as they are
    friend bool operator==(const AnswerFormRow&, const AnswerFormRow&) = default;
};

// The form of a JSON Schema, filled in with `initial` (null: with the schema's defaults). Without a schema
// the fields are those of `initial`.
AnswerFormRow answerForm(const Value& schema, const Value& initial);

// A fault of an answer by the schema, as core says it, and its field.
struct AnswerFault {
    QString field; // empty: the whole answer
    QString what;
};
std::optional<AnswerFault> answerFault(const Value& schema, const Value& answer);
// Reads the same from the words of core: "the answer does not fit: /age: 36.5 is no integer".
AnswerFault faultIn(const QString& told);

} // namespace sg::ui
