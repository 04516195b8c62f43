#include "core/engine/compile/name_index.h"

#include "core/base/value.h"

namespace sg::engine {
namespace {

std::uint32_t hashOf(std::string_view name)
{
    return static_cast<std::uint32_t>(Value::hash(name));
}

} // namespace

void NameIndex::reserve(std::size_t names)
{
    std::size_t size = 16;
    while (size < names * 2)
        size *= 2;
    if (size > m_slots.size())
        grow(size);
}

void NameIndex::grow(std::size_t size)
{
    std::vector<Entry> old(size);
    old.swap(m_slots);
    for (const Entry& entry : old)
        if (entry.place >= 0)
            m_slots[slotOf(entry.name, entry.hash)] = entry;
}

// Returns the slot that holds the name, or the empty one that would.
std::size_t NameIndex::slotOf(std::string_view name, std::uint32_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash & mask;
    while (m_slots[slot].place >= 0 && (m_slots[slot].hash != hash || m_slots[slot].name != name))
        slot = (slot + 1) & mask;
    return slot;
}

void NameIndex::add(std::string_view name, std::int32_t place)
{
    reserve(m_count + 1);
    const std::uint32_t hash = hashOf(name);
    Entry& entry = m_slots[slotOf(name, hash)];
    if (entry.place >= 0)
        return;
    entry = { name, place, hash };
    ++m_count;
}

std::optional<std::int32_t> NameIndex::find(std::string_view name) const
{
    if (m_slots.empty())
        return std::nullopt;
    const Entry& entry = m_slots[slotOf(name, hashOf(name))];
    return entry.place < 0 ? std::nullopt : std::optional(entry.place);
}

} // namespace sg::engine
