#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cassert>
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

// A Value is one piece of state, of 16 bytes. Strings, bytes, lists, maps and exts are shared and copied on
// the first change, so that copying a Value is cheap and copies never see each other's changes. Several
// threads may read one Value, but none may change it meanwhile. Decoders bound nesting (JsonLimits,
// MsgpackLimits), so recursion over a Value is safe.
class Value {
public:
    enum class Kind : std::uint8_t { Null, Bool, Int, Unsigned, Double, String, Bytes, List, Map, Ext };

    Value() = default;
    Value(std::nullptr_t) { }
    Value(bool value)
        : m_kind(Kind::Bool)
        , m_content{ .boolean = value }
    {
    }
    Value(int value)
        : Value(static_cast<std::int64_t>(value))
    {
    }
    Value(std::int64_t value)
        : m_kind(Kind::Int)
        , m_content{ .integer = value }
    {
    }
    Value(long long value)
        : Value(static_cast<std::int64_t>(value))
    {
    }
    Value(std::size_t value); // becomes Int if it fits, Unsigned above 2^63-1
    Value(double value)
        : m_kind(Kind::Double)
        , m_content{ .real = value }
    {
    }
    Value(const char* text);
    Value(std::string_view text);
    Value(std::string text);
    Value(Bytes bytes);
    Value(ValueList list);
    Value(ValueMap map);
    Value(Ext ext);
    Value(const Value& other)
        : m_kind(other.m_kind)
        , m_content(other.m_content)
    {
        if (isHeld())
            m_content.node->addOwner();
    }
    Value(Value&& other) noexcept
        : m_kind(std::exchange(other.m_kind, Kind::Null))
        , m_content(other.m_content)
    {
    }
    Value& operator=(const Value& other)
    {
        if (this != &other)
            *this = Value(other);
        return *this;
    }
    Value& operator=(Value&& other) noexcept
    {
        if (this != &other) {
            // The old content may own `other` (value = value.list[0]), so it goes last.
            const Value old = std::move(*this);
            m_kind = std::exchange(other.m_kind, Kind::Null);
            m_content = other.m_content;
        }
        return *this;
    }
    ~Value()
    {
        if (isHeld() && m_content.node->dropOwner())
            destroy();
    }

    static Value list(std::initializer_list<Value> items = {});
    static Value map(std::initializer_list<std::pair<Value, Value>> entries = {});

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isNull() const { return m_kind == Kind::Null; }
    [[nodiscard]] bool isBool() const { return m_kind == Kind::Bool; }
    [[nodiscard]] bool isInt() const { return m_kind == Kind::Int; }
    [[nodiscard]] bool isDouble() const { return m_kind == Kind::Double; }
    [[nodiscard]] bool isNumber() const { return m_kind >= Kind::Int && m_kind <= Kind::Double; }
    [[nodiscard]] bool isString() const { return m_kind == Kind::String; }
    [[nodiscard]] bool isBytes() const { return m_kind == Kind::Bytes; }
    [[nodiscard]] bool isList() const { return m_kind == Kind::List; }
    [[nodiscard]] bool isMap() const { return m_kind == Kind::Map; }
    [[nodiscard]] bool isExt() const { return m_kind == Kind::Ext; }

    // The caller has checked kind(); anything else is a bug (asserted).
    [[nodiscard]] bool asBool() const
    {
        assert(isBool());
        return m_content.boolean;
    }
    [[nodiscard]] std::int64_t asInt() const
    {
        assert(isInt());
        return m_content.integer;
    }
    [[nodiscard]] std::uint64_t asUnsigned() const;
    [[nodiscard]] double asDouble() const; // any number
    [[nodiscard]] const std::string& asString() const;
    [[nodiscard]] const std::string& asBytes() const;
    [[nodiscard]] const ValueList& asList() const;
    [[nodiscard]] const ValueMap& asMap() const;
    [[nodiscard]] const Ext& asExt() const;

    // For changes in place: these first make this Value the only owner.
    ValueList& editList();
    ValueMap& editMap();

    // Lookup in a value of any kind: null if this is no map, lacks the key or is too short.
    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] const Value& operator[](std::string_view key) const;
    [[nodiscard]] const Value& operator[](std::size_t index) const;
    [[nodiscard]] std::string stringOr(std::string_view key, std::string_view fallback) const;
    [[nodiscard]] std::int64_t intOr(std::string_view key, std::int64_t fallback) const;
    [[nodiscard]] bool boolOr(std::string_view key, bool fallback) const;

    // Compares kind and content; maps compare without regard to order; 1 and 1.0 differ.
    friend bool operator==(const Value& a, const Value& b)
    {
        if (a.m_kind != b.m_kind)
            return false;
        return (a.isHeld() && a.m_content.node == b.m_content.node) || a.hasContentOf(b);
    }

    // Hashes are stable within a process; equal Values have equal hashes.
    [[nodiscard]] std::size_t hash() const;
    [[nodiscard]] static std::size_t hash(std::string_view text); // of a string Value with this text

private:
    // The part that copies share. Counting owners needs no atomic operation while the process has one thread.
    struct Node {
        std::atomic<std::uint32_t> owners{ 1 };

        void addOwner()
        {
            if (__libc_single_threaded != 0)
                owners.store(owners.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            else
                owners.fetch_add(1, std::memory_order_relaxed);
        }
        // Returns true for the last owner.
        bool dropOwner()
        {
            if (__libc_single_threaded == 0)
                return owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
            const std::uint32_t left = owners.load(std::memory_order_relaxed) - 1;
            owners.store(left, std::memory_order_relaxed);
            return left == 0;
        }
    };
    template<typename T>
    struct Holder final : Node {
        template<typename... Args>
        explicit Holder(Args&&... args)
            : content(std::forward<Args>(args)...)
        {
        }
        T content;
    };
    template<typename T, typename... Args>
    static Node* hold(Args&&... args);
    template<typename T>
    [[nodiscard]] const T& held() const
    {
        return static_cast<const Holder<T>*>(m_content.node)->content;
    }
    template<typename T>
    T& edit();
    [[nodiscard]] bool isHeld() const { return m_kind >= Kind::String; }
    [[nodiscard]] bool hasContentOf(const Value& other) const; // of the same kind
    void destroy();

    // The union is copied as a whole: what was stored as one member is never read as another.
    union Content {
        bool boolean;
        std::int64_t integer = 0;
        std::uint64_t natural;
        double real;
        Node* node;
    };
    Kind m_kind = Kind::Null;
    Content m_content;
};

} // namespace sg

#include "core/base/value_map.h" // a Value is of use only with it
