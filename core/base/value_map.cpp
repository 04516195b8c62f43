#include "core/base/value_map.h"

#include <limits>

namespace sg {
namespace {

constexpr std::size_t kIndexFrom = 9;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

} // namespace

ValueMap::ValueMap(std::initializer_list<Entry> entries)
{
    m_entries.reserve(entries.size());
    for (const Entry& entry : entries)
        set(entry.first, entry.second);
}

std::size_t ValueMap::indexOf(const Value& key) const
{
    if (m_slots.empty()) {
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (m_entries[i].first == key)
                return i;
        return kNone;
    }
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = key.hash() & mask; m_slots[slot] != 0; slot = (slot + 1) & mask)
        if (m_entries[m_slots[slot] - 1].first == key)
            return m_slots[slot] - 1;
    return kNone;
}

std::size_t ValueMap::indexOf(std::string_view key) const
{
    const auto matches = [&](const Value& candidate) {
        return candidate.isString() && candidate.asString() == key;
    };
    if (m_slots.empty()) {
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (matches(m_entries[i].first))
                return i;
        return kNone;
    }
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = Value::hash(key) & mask; m_slots[slot] != 0; slot = (slot + 1) & mask)
        if (matches(m_entries[m_slots[slot] - 1].first))
            return m_slots[slot] - 1;
    return kNone;
}

void ValueMap::rebuildIndex()
{
    m_slots.clear();
    if (m_entries.size() < kIndexFrom)
        return;
    std::size_t size = 32;
    while (size < m_entries.size() * 2)
        size *= 2;
    m_slots.resize(size);
    const std::size_t mask = size - 1;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        std::size_t slot = m_entries[i].first.hash() & mask;
        while (m_slots[slot] != 0)
            slot = (slot + 1) & mask;
        m_slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

const Value* ValueMap::find(std::string_view key) const
{
    const std::size_t index = indexOf(key);
    return index == kNone ? nullptr : &m_entries[index].second;
}

const Value* ValueMap::find(const Value& key) const
{
    const std::size_t index = indexOf(key);
    return index == kNone ? nullptr : &m_entries[index].second;
}

void ValueMap::set(Value key, Value value)
{
    const std::size_t index = indexOf(key);
    if (index == kNone)
        append(std::move(key), std::move(value));
    else
        m_entries[index].second = std::move(value);
}

Value& ValueMap::at(const Value& key)
{
    const std::size_t index = indexOf(key);
    return index == kNone ? append(key, {}) : m_entries[index].second;
}

// Needs a key that is not in the map.
Value& ValueMap::append(Value key, Value value)
{
    Entry& entry = m_entries.emplace_back(std::move(key), std::move(value));
    if (m_entries.size() >= kIndexFrom)
        growIndex();
    return entry.second;
}

// Adds the newest entry to the index.
void ValueMap::growIndex()
{
    if (m_entries.size() * 2 > m_slots.size()) {
        rebuildIndex();
        return;
    }
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = m_entries.back().first.hash() & mask;
    while (m_slots[slot] != 0)
        slot = (slot + 1) & mask;
    m_slots[slot] = static_cast<std::uint32_t>(m_entries.size());
}

bool ValueMap::erase(const Value& key)
{
    const std::size_t index = indexOf(key);
    if (index == kNone)
        return false;
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(index));
    rebuildIndex();
    return true;
}

bool operator==(const ValueMap& a, const ValueMap& b)
{
    if (a.size() != b.size())
        return false;
    for (const auto& [key, value] : a) {
        const Value* other = b.find(key);
        if (!other || *other != value)
            return false;
    }
    return true;
}

} // namespace sg
