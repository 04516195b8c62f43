#pragma once

#include "core/checkpoint/serde/python_object.h"

#include <optional>

// What inert.h shows for one Python object whose argument is plain already.
namespace sg::checkpoint {

Value viewOfPythonObject(const PythonObject& object);

// From the payload [dtype, shape, order, bytes]; nullopt where it is none.
std::optional<Value> viewOfNumpyArray(const Value& payload);

} // namespace sg::checkpoint
