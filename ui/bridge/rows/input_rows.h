#pragma once

#include "core/base/value.h"

#include <QString>

#include <vector>

namespace sg::graph {
struct Graph;
}

namespace sg::ui {

// A channel that the form of a run asks for.
struct InputFieldRow {
    enum class Type { Any, Text, Number, Integer, Flag, List, Object };
    QString channel;
    Type type = Type::Any;
    bool isDeclared = false; // the graph expects runs to give it
    bool collects = false; // what is given is added to what the thread has
    bool hasDefault = false;
    Value defaultValue;
    bool hasExample = false; // the graph has one for a first run
    Value example;
    friend bool operator==(const InputFieldRow&, const InputFieldRow&) = default;
};

// The input that a run of the thread was given.
struct LastInputRow {
    double timeMs = 0;
    Value values;
};

std::vector<InputFieldRow> inputFieldRows(const graph::Graph& graph);
InputFieldRow::Type inputTypeOf(const Value& value);

} // namespace sg::ui
