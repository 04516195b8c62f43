#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"

#include <cstdint>
#include <string>

namespace sg::engine {

// A channel's version: compared by number; 0 is none. The text is what the file holds ("%032d.%016s", the
// number and a random fraction); null where nothing is stored.
struct Version {
    std::int64_t number = 0;
    Value text;
    [[nodiscard]] bool exists() const { return number != 0; }
    [[nodiscard]] Value stored() const { return text.isNull() ? Value(number) : text; }
};

// As stored, or as old files hold it (an integer).
Version readVersion(const Value& stored);

// Makes the next version, as SqliteSaver does; without `random` numbers alone.
class VersionSource {
public:
    explicit VersionSource(Random* random)
        : m_random(random)
    {
    }
    [[nodiscard]] Version after(std::int64_t number) const;

private:
    Random* m_random;
};

} // namespace sg::engine
