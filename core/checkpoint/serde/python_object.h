#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// LangGraph's MessagePack extensions hold a Python object as [module, class, argument, method?]. They are
// read and written as data only; nothing is imported or called.
namespace sg::checkpoint {

enum class PythonExt : std::int8_t {
    OneArgument = 0, // class(argument)
    Arguments = 1, // class(*argument)
    KeywordArguments = 2, // class(**argument)
    Method = 3, // class.method(argument)
    PydanticV1 = 4,
    PydanticV2 = 5, // LangChain's messages and documents too
    NumpyArray = 6, // [dtype, shape, order, bytes]
    DeltaSnapshot = 7, // the value itself
};

struct PythonObject {
    PythonExt how = PythonExt::OneArgument; // 0 to 5
    std::string module;
    std::string name;
    Value argument;
    std::string method; // Method and PydanticV2

    [[nodiscard]] bool is(std::string_view moduleName, std::string_view className) const
    {
        return module == moduleName && name == className;
    }
};

// Returns nullopt if the Ext's code is none of 0 to 5 or its payload is no such array.
std::optional<PythonObject> asPythonObject(const Ext& ext);
std::optional<PythonObject> asPythonObject(const Value& value);
Value makePythonObject(const PythonObject& object);

// The first two items of the payload; the rest need not be valid. Both live as long as the Ext.
struct PythonName {
    std::string_view module;
    std::string_view name;
};
std::optional<PythonName> pythonNameOf(const Ext& ext);

} // namespace sg::checkpoint
