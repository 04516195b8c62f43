#include "core/engine/compile/node_cache.h"

#include "core/base/hash.h"
#include "core/base/msgpack.h"

#include <algorithm>
#include <vector>

namespace sg::engine {
namespace {

// Equal inputs have equal texts, whatever the order of their keys.
void appendFrozen(std::string& out, const Value& value)
{
    if (value.isMap()) {
        std::vector<std::string> entries;
        for (const auto& [key, item] : value.asMap()) {
            std::string entry = encodeMsgpack(key);
            appendFrozen(entry, item);
            entries.push_back(std::move(entry));
        }
        std::ranges::sort(entries);
        out += "{";
        for (const std::string& entry : entries)
            out += entry;
        out += "}";
    } else if (value.isList()) {
        out += "[";
        for (const Value& item : value.asList())
            appendFrozen(out, item);
        out += "]";
    } else {
        appendMsgpack(out, value);
    }
}

} // namespace

std::string NodeCache::keyOf(const std::string& node, const Value& input)
{
    std::string frozen;
    appendFrozen(frozen, input);
    return node + "/" + xxh3Hex(frozen);
}

std::optional<Writes> NodeCache::find(const std::string& key, WallTime now)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(key);
    if (found == m_entries.end())
        return std::nullopt;
    if (found->second.expires && now >= *found->second.expires) {
        m_entries.erase(found);
        return std::nullopt;
    }
    return found->second.writes;
}

void NodeCache::put(const std::string& key, Writes writes, std::optional<WallTime> expires)
{
    const std::lock_guard lock(m_mutex);
    m_entries.insert_or_assign(key, Entry{ std::move(writes), expires });
}

} // namespace sg::engine
