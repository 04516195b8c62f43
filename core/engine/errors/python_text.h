#pragma once

#include "core/base/value.h"

#include <string>

// These functions write values as Python prints them, for the error texts that LangGraph stores and raises.
namespace sg::engine {

std::string pythonRepr(const Value& value); // repr(): 'text', None, {'a': 1}
std::string pythonText(const Value& value); // str(): text without quotes
std::string pythonFloat(double value); // 1.0, 0.5, 1e+16, nan
std::string pythonTypeName(const Value& value); // "int", "NoneType", "dict"
bool pythonTruth(const Value& value);
// Does json.dumps(value, sort_keys=True), by which LangGraph's users sort and deduplicate.
std::string sortedJson(const Value& value);

} // namespace sg::engine
