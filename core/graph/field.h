#pragma once

#include "core/graph/reading.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

// These tables say which key of an object in the file holds which member, so that reading and writing agree.
namespace sg::graph {

enum class Presence { WhenSet, Always };

template<typename Owner>
struct Field {
    std::string_view key;
    Presence presence = Presence::WhenSet;
    bool (*read)(const Value& value, const Place& place, Reading& reading, Owner& owner) = nullptr;
    // Returns what to save. If `raw` (null: there is none) still says the same, it is kept in the form that a
    // person chose. nullopt: the key is removed.
    std::optional<Value> (*write)(const Owner& owner, const Value* raw, Presence presence) = nullptr;
};

template<typename>
struct MemberOf;
template<typename OwnerType, typename MemberType>
struct MemberOf<MemberType OwnerType::*> {
    using Owner = OwnerType;
};

template<auto Member, typename Codec>
constexpr auto field(std::string_view key, Presence presence = Presence::WhenSet)
{
    using Owner = typename MemberOf<decltype(Member)>::Owner;
    Field<Owner> result{ key, presence, nullptr, nullptr };
    result.read = [](const Value& value, const Place& place, Reading& reading, Owner& owner) {
        return Codec::read(value, place, reading, owner.*Member);
    };
    result.write = [](const Owner& owner, const Value* raw, Presence wanted) -> std::optional<Value> {
        const typename Codec::Type initial = Owner{}.*Member;
        if (raw != nullptr) {
            Reading quiet;
            typename Codec::Type before =
                initial; // an unreadable value counts as unset and stays while nobody sets it
            Codec::read(*raw, Place(), quiet, before);
            if (before == owner.*Member)
                return *raw;
        }
        if (owner.*Member == initial && wanted == Presence::WhenSet)
            return std::nullopt;
        return Codec::write(owner.*Member);
    };
    return result;
}

// Keeps keys in the order of the object that was read. A new key follows the last one that was put before it.
class ObjectOverlay {
public:
    explicit ObjectOverlay(const ValueMap& source)
        : m_entries(source.begin(), source.end())
    {
    }

    [[nodiscard]] const Value* find(std::string_view key) const
    {
        const std::size_t at = indexOf(key);
        return at < m_entries.size() ? &m_entries[at].second : nullptr;
    }

    void put(std::string_view key, std::optional<Value> value)
    {
        const std::size_t at = indexOf(key);
        const bool known = at < m_entries.size();
        if (!value && known) {
            m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(at));
            m_cursor -= at < m_cursor ? 1 : 0;
        } else if (value && known) {
            m_entries[at].second = std::move(*value);
            m_cursor = at + 1;
        } else if (value) {
            m_entries.emplace(m_entries.begin() + static_cast<std::ptrdiff_t>(m_cursor), std::string(key),
                              std::move(*value));
            ++m_cursor;
        }
    }

    void moveToEnd(std::string_view key)
    {
        const std::size_t at = indexOf(key);
        if (at >= m_entries.size())
            return;
        auto entry = std::move(m_entries[at]);
        m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(at));
        m_entries.push_back(std::move(entry));
    }

    [[nodiscard]] const std::vector<ValueMap::Entry>& entries() const { return m_entries; }
    [[nodiscard]] ValueMap take() const
    {
        ValueMap map;
        map.reserve(m_entries.size());
        for (const auto& [key, value] : m_entries)
            map.set(key, value);
        return map;
    }

private:
    [[nodiscard]] std::size_t indexOf(std::string_view key) const
    {
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (m_entries[i].first.isString() && m_entries[i].first.asString() == key)
                return i;
        return m_entries.size();
    }

    std::vector<ValueMap::Entry> m_entries;
    std::size_t m_cursor = 0;
};

template<typename Owner>
void readFields(std::span<const Field<Owner>> fields, const ValueMap& map, const Place& place,
                Reading& reading, Owner& owner)
{
    for (const Field<Owner>& field : fields)
        if (const Value* value = map.find(field.key))
            field.read(*value, Place(place, field.key), reading, owner);
}

template<typename Owner>
void writeFields(std::span<const Field<Owner>> fields, const Owner& owner, ObjectOverlay& object)
{
    for (const Field<Owner>& field : fields)
        object.put(field.key, field.write(owner, object.find(field.key), field.presence));
}

} // namespace sg::graph
