#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"

#include <cstdint>
#include <string>

namespace sg::engine {

// A channel's version is compared by number; 0 is none. The text is what the file holds ("%032d.%016s", the
// number and a random fraction); it is null if nothing is stored.
struct Version {
    std::int64_t number = 0;
    Value text;
    [[nodiscard]] bool exists() const { return number != 0; }
    [[nodiscard]] Value stored() const { return text.isNull() ? Value(number) : text; }
};

// Reads a version as it is stored today, or as the integer that old files hold.
Version readVersion(const Value& stored);

// Makes the next version as SqliteSaver does; without `random` a number alone.
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
