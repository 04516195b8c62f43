#pragma once

#include "core/base/value.h"

#include <string>
#include <vector>

namespace sg::test {

// Reads the part of JSON Schema 2020-12 that resources/schemas uses; a keyword that it does not know aborts.
class JsonSchema {
public:
    explicit JsonSchema(Value root);

    [[nodiscard]] const Value& root() const { return m_root; }
    // The first fault as "/nodes/0/name: type"; "": the value matches.
    [[nodiscard]] std::string fault(const Value& value) const { return fault(m_root, value, ""); }
    [[nodiscard]] std::string fault(const Value& rule, const Value& value, const std::string& at) const;
    // Pointers of keys in `value` that no part of the schema names, a line each. "x-…" is unknown on purpose.
    [[nodiscard]] std::string unknownKeys(const Value& value) const;

private:
    // The rule, and all rules within that hold for the same value.
    void collect(const Value& rule, const Value& value, std::vector<const Value*>& rules) const;
    void collectUnknown(const std::vector<const Value*>& rules, const Value& value, const std::string& at,
                        std::string& found) const;

    const Value m_root;
};

} // namespace sg::test
