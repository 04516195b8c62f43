#pragma once

#include "core/base/value.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg {

// Keeps entries in insertion order, with any Value as key. From nine entries on it looks keys up by hash.
class ValueMap {
public:
    using Entry = std::pair<Value, Value>;
    using const_iterator = std::vector<Entry>::const_iterator;

    ValueMap() = default;
    ValueMap(std::initializer_list<Entry> entries);

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    [[nodiscard]] const_iterator begin() const { return m_entries.begin(); }
    [[nodiscard]] const_iterator end() const { return m_entries.end(); }

    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] const Value* find(const Value& key) const;
    [[nodiscard]] const Value* find(const char* key) const { return find(std::string_view(key)); }
    [[nodiscard]] const Value* find(const std::string& key) const { return find(std::string_view(key)); }
    [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }

    // A key that is already there keeps its place.
    void set(Value key, Value value);
    // The caller knows that the key is not there yet.
    void add(Value key, Value value) { append(std::move(key), std::move(value)); }
    // Returns the entry's value, null if the key was new. The reference is valid until the next change.
    Value& at(const Value& key);
    bool erase(const Value& key);
    void reserve(std::size_t count) { m_entries.reserve(count); }

    friend bool operator==(const ValueMap& a, const ValueMap& b);

private:
    [[nodiscard]] std::size_t indexOf(const Value& key) const;
    [[nodiscard]] std::size_t indexOf(std::string_view key) const;
    Value& append(Value key, Value value);
    void growIndex();
    void rebuildIndex();

    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots; // open addressing, entry index + 1; empty below the threshold
};

inline const std::string& Value::asString() const
{
    assert(isString());
    return held<std::string>();
}

inline const std::string& Value::asBytes() const
{
    assert(isBytes());
    return held<std::string>();
}

inline const ValueList& Value::asList() const
{
    assert(isList());
    return held<ValueList>();
}

inline const ValueMap& Value::asMap() const
{
    assert(isMap());
    return held<ValueMap>();
}

inline const Ext& Value::asExt() const
{
    assert(isExt());
    return held<sg::Ext>();
}

inline const Value* Value::find(std::string_view key) const
{
    return isMap() ? asMap().find(key) : nullptr;
}

} // namespace sg
