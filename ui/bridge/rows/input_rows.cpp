#include "ui/bridge/rows/input_rows.h"

#include "core/graph/input_fields.h"
#include "ui/bridge/rows/row_conversion.h"

namespace sg::ui {
namespace {

InputFieldRow::Type typeRow(graph::InputType type)
{
    switch (type) {
    case graph::InputType::Any: return InputFieldRow::Type::Any;
    case graph::InputType::Text: return InputFieldRow::Type::Text;
    case graph::InputType::Number: return InputFieldRow::Type::Number;
    case graph::InputType::Integer: return InputFieldRow::Type::Integer;
    case graph::InputType::Flag: return InputFieldRow::Type::Flag;
    case graph::InputType::List: return InputFieldRow::Type::List;
    case graph::InputType::Object: return InputFieldRow::Type::Object;
    }
    return InputFieldRow::Type::Any;
}

} // namespace

std::vector<InputFieldRow> inputFieldRows(const graph::Graph& graph)
{
    std::vector<InputFieldRow> rows;
    for (const graph::InputField& field : graph::inputFields(graph))
        rows.push_back({ text(field.channel), typeRow(field.type), field.isDeclared, field.collects,
                         field.hasDefault, field.defaultValue, field.hasExample, field.example });
    return rows;
}

InputFieldRow::Type inputTypeOf(const Value& value)
{
    return typeRow(graph::inputTypeOf(value));
}

} // namespace sg::ui
