#pragma once

#include "core/base/clock.h"
#include "core/engine/compile/write.h"

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace sg::engine {

// Keeps what nodes with a cache policy wrote, by node and input, for the life of a program. Any thread.
class NodeCache {
public:
    static std::string keyOf(const std::string& node, const Value& input);

    [[nodiscard]] std::optional<Writes> find(const std::string& key, WallTime now);
    void put(const std::string& key, Writes writes, std::optional<WallTime> expires);

private:
    struct Entry {
        Writes writes;
        std::optional<WallTime> expires;
    };
    std::mutex m_mutex;
    std::unordered_map<std::string, Entry> m_entries; // guarded by m_mutex
};

} // namespace sg::engine
