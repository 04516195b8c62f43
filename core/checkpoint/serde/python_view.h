#pragma once

#include "core/checkpoint/serde/python_object.h"

#include <optional>

// These functions make what inert.h shows for a Python object whose argument is plain data already.
namespace sg::checkpoint {

Value viewOfPythonObject(const PythonObject& object);

// Reads the payload [dtype, shape, order, bytes]; nullopt if it is none.
std::optional<Value> viewOfNumpyArray(const Value& payload);

} // namespace sg::checkpoint
