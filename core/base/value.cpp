#include "core/base/value.h"

#include "core/base/random_bytes.h"

#include <xxhash.h>

#include <functional>
#include <limits>
#include <new>
#include <utility>

namespace sg {
namespace {

const Value kNull{};

// Keys come from outside: hashed with an unknown seed, they cannot be chosen to collide.
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

#ifdef __SANITIZE_ADDRESS__
constexpr bool kFindsUseAfterFree = true;
#elif defined(__has_feature)
constexpr bool kFindsUseAfterFree = __has_feature(address_sanitizer);
#else
constexpr bool kFindsUseAfterFree = false;
#endif

// A superstep makes and drops more nodes than malloc caches for a thread, so each thread keeps some of the
// nodes that it freed. All nodes have one size, so a node made by another thread serves as well.
class FreeNodes {
public:
    static constexpr std::size_t kNodeSize = 64;
    static constexpr std::size_t kMostFree = kFindsUseAfterFree ? 0 : 2048;

    FreeNodes() = default;
    FreeNodes(const FreeNodes&) = delete;
    FreeNodes& operator=(const FreeNodes&) = delete;
    ~FreeNodes()
    {
        m_room = 0; // static objects may still drop nodes
        while (m_first != nullptr)
            ::operator delete(pop());
    }
    void* take()
    {
        if (m_first == nullptr)
            return ::operator new(kNodeSize);
        ++m_room;
        return pop();
    }
    void giveBack(void* node)
    {
        if (m_room == 0) {
            ::operator delete(node);
            return;
        }
        --m_room;
        m_first = new (node) Free{ m_first };
    }

private:
    struct Free {
        Free* next;
    };
    void* pop() { return std::exchange(m_first, m_first->next); }

    std::size_t m_room = kMostFree;
    Free* m_first = nullptr;
};

thread_local FreeNodes freeNodes;

template<typename Holder>
void dropHolder(Holder* holder)
{
    holder->~Holder();
    freeNodes.giveBack(holder);
}

} // namespace

template<typename T, typename... Args>
Value::Node* Value::hold(Args&&... args)
{
    static_assert(sizeof(Holder<T>) <= FreeNodes::kNodeSize);
    return new (freeNodes.take()) Holder<T>(std::forward<Args>(args)...);
}

template<typename T>
T& Value::edit()
{
    if (m_content.node->owners.load(std::memory_order_acquire) != 1) {
        Node* own = hold<T>(held<T>());
        if (m_content.node->dropOwner())
            destroy();
        m_content.node = own;
    }
    return static_cast<Holder<T>*>(m_content.node)->content;
}

void Value::destroy()
{
    switch (m_kind) {
    case Kind::String:
    case Kind::Bytes: dropHolder(static_cast<Holder<std::string>*>(m_content.node)); break;
    case Kind::List: dropHolder(static_cast<Holder<ValueList>*>(m_content.node)); break;
    case Kind::Map: dropHolder(static_cast<Holder<ValueMap>*>(m_content.node)); break;
    case Kind::Ext: dropHolder(static_cast<Holder<sg::Ext>*>(m_content.node)); break;
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Unsigned:
    case Kind::Double: break;
    }
}

Value::Value(std::size_t value)
    : m_kind(value > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) ? Kind::Unsigned
                                                                                        : Kind::Int)
    , m_content{ .natural = value }
{
}
Value::Value(const char* text)
    : Value(std::string_view(text))
{
}
Value::Value(std::string_view text)
    : m_kind(Kind::String)
    , m_content{ .node = hold<std::string>(text) }
{
}
Value::Value(std::string text)
    : m_kind(Kind::String)
    , m_content{ .node = hold<std::string>(std::move(text)) }
{
}
Value::Value(sg::Bytes bytes)
    : m_kind(Kind::Bytes)
    , m_content{ .node = hold<std::string>(std::move(bytes.data)) }
{
}
Value::Value(ValueList list)
    : m_kind(Kind::List)
    , m_content{ .node = hold<ValueList>(std::move(list)) }
{
}
Value::Value(ValueMap map)
    : m_kind(Kind::Map)
    , m_content{ .node = hold<ValueMap>(std::move(map)) }
{
}
Value::Value(sg::Ext ext)
    : m_kind(Kind::Ext)
    , m_content{ .node = hold<sg::Ext>(std::move(ext)) }
{
}

Value Value::list(std::initializer_list<Value> items)
{
    return ValueList(items);
}

Value Value::map(std::initializer_list<std::pair<Value, Value>> entries)
{
    return ValueMap(entries);
}

std::uint64_t Value::asUnsigned() const
{
    assert(m_kind == Kind::Unsigned || (isInt() && m_content.integer >= 0));
    return m_content.natural;
}

double Value::asDouble() const
{
    assert(isNumber());
    if (m_kind == Kind::Int)
        return static_cast<double>(m_content.integer);
    return m_kind == Kind::Unsigned ? static_cast<double>(m_content.natural) : m_content.real;
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

bool Value::hasContentOf(const Value& other) const
{
    switch (m_kind) {
    case Kind::Null: return true;
    case Kind::Bool: return m_content.boolean == other.m_content.boolean;
    case Kind::Int: return m_content.integer == other.m_content.integer;
    case Kind::Unsigned: return m_content.natural == other.m_content.natural;
    case Kind::Double: return m_content.real == other.m_content.real;
    case Kind::String:
    case Kind::Bytes: return held<std::string>() == other.held<std::string>();
    case Kind::List: return asList() == other.asList();
    case Kind::Map: return asMap() == other.asMap();
    case Kind::Ext: return asExt() == other.asExt();
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
    case Kind::Bool: return mix(seed, m_content.boolean ? 1 : 0);
    case Kind::Int: return mix(seed, static_cast<std::size_t>(m_content.integer));
    case Kind::Unsigned: return mix(seed, m_content.natural);
    case Kind::Double: return mix(seed, std::hash<double>{}(m_content.real));
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
