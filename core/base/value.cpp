#include "core/base/value.h"

#include "core/base/random_bytes.h"

#include <xxhash.h>

#include <cassert>
#include <functional>
#include <limits>

namespace sg {
namespace {

const Value kNull{};

// Keys come from outside: with a seed that nobody knows, they cannot be chosen to collide.
std::uint64_t processSeed()
{
    static const std::uint64_t seed = [] {
        std::uint64_t bits = 0;
        fillRandomBytes(&bits, sizeof bits);
        return bits;
    }();
    return seed;
}

std::size_t mix(std::size_t seed, std::size_t hash)
{
    std::uint64_t bits = (hash ^ (seed * 0x9e3779b97f4a7c15ULL)) + processSeed();
    bits = (bits ^ bits >> 33U) * 0xff51afd7ed558ccdULL;
    return bits ^ bits >> 33U;
}

std::size_t hashBytes(Value::Kind kind, std::string_view bytes)
{
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), processSeed() + static_cast<std::uint64_t>(kind));
}

} // namespace

struct Value::Node {
    std::atomic<std::uint32_t> owners{ 1 };
};

template<typename T>
struct Value::Holder final : Value::Node {
    explicit Holder(T value)
        : content(std::move(value))
    {
    }
    T content;
};

template<typename T>
Value::Node* Value::hold(T value)
{
    return new Holder<T>(std::move(value));
}

template<typename T>
const T& Value::held() const
{
    return static_cast<const Holder<T>*>(m_node)->content;
}

template<typename T>
T& Value::edit()
{
    if (m_node->owners.load(std::memory_order_acquire) != 1) {
        Node* own = hold<T>(held<T>());
        release();
        m_node = own;
    }
    return static_cast<Holder<T>*>(m_node)->content;
}

void Value::release()
{
    if (m_kind < Kind::String || m_node->owners.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    switch (m_kind) {
    case Kind::String:
    case Kind::Bytes: delete static_cast<Holder<std::string>*>(m_node); break;
    case Kind::List: delete static_cast<Holder<ValueList>*>(m_node); break;
    case Kind::Map: delete static_cast<Holder<ValueMap>*>(m_node); break;
    case Kind::Ext: delete static_cast<Holder<sg::Ext>*>(m_node); break;
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Unsigned:
    case Kind::Double: break;
    }
}

Value::Value(bool value)
    : m_kind(Kind::Bool)
    , m_bool(value)
{
}
Value::Value(int value)
    : m_kind(Kind::Int)
    , m_int(value)
{
}
Value::Value(std::int64_t value)
    : m_kind(Kind::Int)
    , m_int(value)
{
}
Value::Value(long long value)
    : m_kind(Kind::Int)
    , m_int(value)
{
}
Value::Value(std::size_t value)
    : m_kind(value > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) ? Kind::Unsigned
                                                                                        : Kind::Int)
    , m_unsigned(value)
{
}
Value::Value(double value)
    : m_kind(Kind::Double)
    , m_double(value)
{
}
Value::Value(const char* text)
    : Value(std::string(text))
{
}
Value::Value(std::string_view text)
    : Value(std::string(text))
{
}
Value::Value(std::string text)
    : m_kind(Kind::String)
    , m_node(hold(std::move(text)))
{
}
Value::Value(sg::Bytes bytes)
    : m_kind(Kind::Bytes)
    , m_node(hold(std::move(bytes.data)))
{
}
Value::Value(ValueList list)
    : m_kind(Kind::List)
    , m_node(hold(std::move(list)))
{
}
Value::Value(ValueMap map)
    : m_kind(Kind::Map)
    , m_node(hold(std::move(map)))
{
}
Value::Value(sg::Ext ext)
    : m_kind(Kind::Ext)
    , m_node(hold(std::move(ext)))
{
}

Value::Value(const Value& other)
    : m_kind(other.m_kind)
    , m_int(other.m_int)
{
    if (m_kind >= Kind::String)
        m_node->owners.fetch_add(1, std::memory_order_relaxed);
}

Value::Value(Value&& other) noexcept
    : m_kind(other.m_kind)
    , m_int(other.m_int)
{
    other.m_kind = Kind::Null;
}

Value& Value::operator=(const Value& other)
{
    if (this != &other) {
        Value copy(other);
        *this = std::move(copy);
    }
    return *this;
}

Value& Value::operator=(Value&& other) noexcept
{
    if (this != &other) {
        // The old content may own `other` (value = value.list[0]), so it goes last.
        const Kind kind = std::exchange(other.m_kind, Kind::Null);
        const std::int64_t bits = other.m_int;
        Value old;
        old.m_kind = std::exchange(m_kind, kind);
        old.m_int = std::exchange(m_int, bits);
    }
    return *this;
}

Value::~Value()
{
    release();
}

Value Value::list(std::initializer_list<Value> items)
{
    return ValueList(items);
}

Value Value::map(std::initializer_list<std::pair<Value, Value>> entries)
{
    return ValueMap(entries);
}

bool Value::isNumber() const
{
    return m_kind == Kind::Int || m_kind == Kind::Unsigned || m_kind == Kind::Double;
}

bool Value::asBool() const
{
    assert(isBool());
    return m_bool;
}

std::int64_t Value::asInt() const
{
    assert(isInt());
    return m_int;
}

std::uint64_t Value::asUnsigned() const
{
    assert(m_kind == Kind::Unsigned || (isInt() && m_int >= 0));
    return m_unsigned;
}

double Value::asDouble() const
{
    assert(isNumber());
    if (m_kind == Kind::Int)
        return static_cast<double>(m_int);
    return m_kind == Kind::Unsigned ? static_cast<double>(m_unsigned) : m_double;
}

const std::string& Value::asString() const
{
    assert(isString());
    return held<std::string>();
}

const std::string& Value::asBytes() const
{
    assert(isBytes());
    return held<std::string>();
}

const ValueList& Value::asList() const
{
    assert(isList());
    return held<ValueList>();
}

const ValueMap& Value::asMap() const
{
    assert(isMap());
    return held<ValueMap>();
}

const Ext& Value::asExt() const
{
    assert(isExt());
    return held<sg::Ext>();
}

ValueList& Value::editList()
{
    assert(isList());
    return edit<ValueList>();
}

ValueMap& Value::editMap()
{
    assert(isMap());
    return edit<ValueMap>();
}

const Value* Value::find(std::string_view key) const
{
    return isMap() ? asMap().find(key) : nullptr;
}

const Value& Value::operator[](std::string_view key) const
{
    const Value* found = find(key);
    return found ? *found : kNull;
}

const Value& Value::operator[](std::size_t index) const
{
    return isList() && index < asList().size() ? asList()[index] : kNull;
}

std::string Value::stringOr(std::string_view key, std::string_view fallback) const
{
    const Value& found = (*this)[key];
    return found.isString() ? found.asString() : std::string(fallback);
}

std::int64_t Value::intOr(std::string_view key, std::int64_t fallback) const
{
    const Value& found = (*this)[key];
    return found.isInt() ? found.asInt() : fallback;
}

bool Value::boolOr(std::string_view key, bool fallback) const
{
    const Value& found = (*this)[key];
    return found.isBool() ? found.asBool() : fallback;
}

bool operator==(const Value& a, const Value& b)
{
    if (a.m_kind != b.m_kind)
        return false;
    if (a.m_kind >= Value::Kind::String && a.m_node == b.m_node)
        return true;
    switch (a.m_kind) {
    case Value::Kind::Null: return true;
    case Value::Kind::Bool: return a.m_bool == b.m_bool;
    case Value::Kind::Int: return a.m_int == b.m_int;
    case Value::Kind::Unsigned: return a.m_unsigned == b.m_unsigned;
    case Value::Kind::Double: return a.m_double == b.m_double;
    case Value::Kind::String:
    case Value::Kind::Bytes: return a.held<std::string>() == b.held<std::string>();
    case Value::Kind::List: return a.asList() == b.asList();
    case Value::Kind::Map: return a.asMap() == b.asMap();
    case Value::Kind::Ext: return a.asExt() == b.asExt();
    }
    return false;
}

std::size_t Value::hash(std::string_view text)
{
    return hashBytes(Kind::String, text);
}

std::size_t Value::hash() const
{
    const auto seed = static_cast<std::size_t>(m_kind);
    switch (m_kind) {
    case Kind::Null: return seed;
    case Kind::Bool: return mix(seed, m_bool ? 1 : 0);
    case Kind::Int: return mix(seed, static_cast<std::size_t>(m_int));
    case Kind::Unsigned: return mix(seed, m_unsigned);
    case Kind::Double: return mix(seed, std::hash<double>{}(m_double));
    case Kind::String: return hash(asString());
    case Kind::Bytes: return hashBytes(m_kind, asBytes());
    case Kind::Ext: return mix(hashBytes(m_kind, asExt().payload), static_cast<std::uint8_t>(asExt().code));
    case Kind::List: {
        std::size_t result = seed;
        for (const Value& item : asList())
            result = mix(result, item.hash());
        return result;
    }
    case Kind::Map: {
        std::size_t sum = 0; // addition, so that order does not matter
        for (const auto& [key, value] : asMap())
            sum += mix(key.hash(), value.hash());
        return mix(seed, sum);
    }
    }
    return seed;
}

} // namespace sg
