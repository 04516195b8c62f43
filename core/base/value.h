#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg {

class Value;
class ValueMap;
using ValueList = std::vector<Value>;

struct Bytes {
    std::string data;
    friend bool operator==(const Bytes&, const Bytes&) = default;
};

// A MessagePack extension, kept as it came: its payload is never interpreted here.
struct Ext {
    std::int8_t code = 0;
    std::string payload;
    friend bool operator==(const Ext&, const Ext&) = default;
};

// One piece of state. 16 bytes; strings, bytes, lists, maps and exts are shared and copied on the first
// change, so that copying a Value is cheap and two copies never see each other's changes. Reading one Value
// from several threads is safe; changing it while another thread reads it is not. Nesting is bounded by the
// decoders (JsonLimits, MsgpackLimits), so recursion over a Value is safe.
class Value {
public:
    enum class Kind : std::uint8_t { Null, Bool, Int, Unsigned, Double, String, Bytes, List, Map, Ext };

    Value() = default;
    Value(std::nullptr_t) { }
    Value(bool value);
    Value(int value);
    Value(std::int64_t value);
    Value(long long value);
    Value(std::size_t value); // becomes Int where it fits, Unsigned above 2^63-1
    Value(double value);
    Value(const char* text);
    Value(std::string_view text);
    Value(std::string text);
    Value(Bytes bytes);
    Value(ValueList list);
    Value(ValueMap map);
    Value(Ext ext);
    Value(const Value& other);
    Value(Value&& other) noexcept;
    Value& operator=(const Value& other);
    Value& operator=(Value&& other) noexcept;
    ~Value();

    static Value list(std::initializer_list<Value> items = {});
    static Value map(std::initializer_list<std::pair<Value, Value>> entries = {});

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isNull() const { return m_kind == Kind::Null; }
    [[nodiscard]] bool isBool() const { return m_kind == Kind::Bool; }
    [[nodiscard]] bool isInt() const { return m_kind == Kind::Int; }
    [[nodiscard]] bool isDouble() const { return m_kind == Kind::Double; }
    [[nodiscard]] bool isNumber() const; // Int, Unsigned or Double
    [[nodiscard]] bool isString() const { return m_kind == Kind::String; }
    [[nodiscard]] bool isBytes() const { return m_kind == Kind::Bytes; }
    [[nodiscard]] bool isList() const { return m_kind == Kind::List; }
    [[nodiscard]] bool isMap() const { return m_kind == Kind::Map; }
    [[nodiscard]] bool isExt() const { return m_kind == Kind::Ext; }

    // The caller has checked kind(); anything else is a bug (asserted).
    [[nodiscard]] bool asBool() const;
    [[nodiscard]] std::int64_t asInt() const;
    [[nodiscard]] std::uint64_t asUnsigned() const;
    [[nodiscard]] double asDouble() const; // any number
    [[nodiscard]] const std::string& asString() const;
    [[nodiscard]] const std::string& asBytes() const;
    [[nodiscard]] const ValueList& asList() const;
    [[nodiscard]] const ValueMap& asMap() const;
    [[nodiscard]] const Ext& asExt() const;

    // For changing in place; makes this Value the only owner first.
    ValueList& editList();
    ValueMap& editMap();

    // Lookup that tolerates any kind: null where this is no map, has no such key or is too short.
    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] const Value& operator[](std::string_view key) const;
    [[nodiscard]] const Value& operator[](std::size_t index) const;
    [[nodiscard]] std::string stringOr(std::string_view key, std::string_view fallback) const;
    [[nodiscard]] std::int64_t intOr(std::string_view key, std::int64_t fallback) const;
    [[nodiscard]] bool boolOr(std::string_view key, bool fallback) const;

    // Same kind and content; maps compare without regard to order; 1 and 1.0 differ.
    friend bool operator==(const Value& a, const Value& b);

    // Stable within a process; equal Values have equal hashes.
    [[nodiscard]] std::size_t hash() const;
    [[nodiscard]] static std::size_t hash(std::string_view text); // of a string Value with this text

private:
    struct Node;
    template<typename T>
    struct Holder;
    template<typename T>
    static Node* hold(T value);
    template<typename T>
    [[nodiscard]] const T& held() const;
    template<typename T>
    T& edit();
    void release();

    Kind m_kind = Kind::Null;
    union {
        bool m_bool;
        std::int64_t m_int = 0;
        std::uint64_t m_unsigned;
        double m_double;
        Node* m_node;
    };
};

// Entries in insertion order; any Value as key; lookup by hash from nine entries on.
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

    // Keeps the place of a key that is already there.
    void set(Value key, Value value);
    // The entry's value, null if the key was new. The reference lasts until the next change.
    Value& at(const Value& key);
    bool erase(const Value& key);
    void reserve(std::size_t count) { m_entries.reserve(count); }

    friend bool operator==(const ValueMap& a, const ValueMap& b);

private:
    [[nodiscard]] std::size_t indexOf(const Value& key) const;
    [[nodiscard]] std::size_t indexOf(std::string_view key) const;
    Value& append(Value key);
    void rebuildIndex();

    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots; // open addressing, entry index + 1; empty below the threshold
};

} // namespace sg
