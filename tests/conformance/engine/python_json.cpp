#include "tests/conformance/engine/python_json.h"

#include "core/base/json.h"
#include "core/engine/errors/python_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace sg::conformance {
namespace {

void append(std::string& out, const Value& value, int depth)
{
    const auto line = [&out](int level) { (out += '\n').append(static_cast<std::size_t>(level), ' '); };
    if (value.isMap() && !value.asMap().empty()) {
        std::vector<const ValueMap::Entry*> entries;
        for (const auto& entry : value.asMap())
            entries.push_back(&entry);
        std::ranges::sort(entries, {}, [](const auto* entry) { return engine::pythonText(entry->first); });
        const char* separator = "{";
        for (const auto* entry : entries) {
            out += separator;
            line(depth + 1);
            out += toJson(Value(engine::pythonText(entry->first))) + ": ";
            append(out, entry->second, depth + 1);
            separator = ",";
        }
        line(depth);
        out += '}';
    } else if (value.isList() && !value.asList().empty()) {
        const char* separator = "[";
        for (const Value& item : value.asList()) {
            out += separator;
            line(depth + 1);
            append(out, item, depth + 1);
            separator = ",";
        }
        line(depth);
        out += ']';
    } else if (value.isDouble() && std::trunc(value.asDouble()) == value.asDouble()) {
        std::array<char, 400> digits{}; // traces write integral floats as integers, however large
        std::snprintf(digits.data(), digits.size(), "%.0f", value.asDouble());
        out += digits.data();
    } else if (value.isDouble()) {
        out += engine::pythonFloat(value.asDouble());
    } else {
        out += toJson(value);
    }
}

} // namespace

std::string traceText(const Value& trace)
{
    std::string out;
    append(out, trace, 0);
    return out + '\n';
}

std::string sortKey(const Value& value)
{
    return engine::sortedJson(value);
}

} // namespace sg::conformance
