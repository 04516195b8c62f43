#include "core/checkpoint/serde/inert.h"

#include "core/base/msgpack.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/serde/python_object.h"
#include "core/checkpoint/serde/python_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace sg::checkpoint {

namespace {

// Every Ext is decoded by a decoder of its own, so the decoder's depth limit alone bounds nothing.
constexpr std::size_t kMaxDepth = 400;

class Describer {
public:
    // nullopt: the value holds no Ext and may be used as it is.
    std::optional<Value> replaced(const Value& value)
    {
        switch (value.kind()) {
        case Value::Kind::Ext: return describe(value.asExt());
        case Value::Kind::List: return replacedList(value);
        case Value::Kind::Map: return replacedMap(value);
        default: return std::nullopt;
        }
    }

    Value plain(const Value& value) { return replaced(value).value_or(value); }

    Value describe(const Ext& ext)
    {
        const Depth depth(*this);
        const auto size = static_cast<std::int64_t>(ext.payload.size());
        if (ext.code == kOpaqueExt)
            return Value::map({ { "$opaque", Value::map({ { "bytes", size } }) } });
        const Value unknown = Value::map({ { "$ext", int{ ext.code } }, { "bytes", size } });
        if (m_depth > kMaxDepth)
            return unknown;
        if (ext.code == kTupleExt || ext.code == kNumpyScalarExt) {
            const Value stored = asStored(Value(ext));
            return stored.isExt() ? unknown : plain(stored);
        }
        if (auto object = asPythonObject(ext)) {
            object->argument = plain(object->argument);
            return viewOfPythonObject(*object);
        }
        const bool isArray = ext.code == static_cast<std::int8_t>(PythonExt::NumpyArray);
        if (!isArray && ext.code != static_cast<std::int8_t>(PythonExt::DeltaSnapshot))
            return unknown;
        const auto payload = decodeMsgpack(ext.payload);
        if (!payload)
            return unknown;
        if (!isArray)
            return plain(*payload);
        const auto array = viewOfNumpyArray(*payload);
        return array ? *array : unknown;
    }

private:
    struct Depth {
        explicit Depth(Describer& describer)
            : m_describer(describer)
        {
            ++m_describer.m_depth;
        }
        ~Depth() { --m_describer.m_depth; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        Describer& m_describer;
    };

    std::optional<Value> replacedList(const Value& value)
    {
        const Depth depth(*this);
        const ValueList& list = value.asList();
        std::optional<Value> result;
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto item = replaced(list[i]);
            if (!item)
                continue;
            if (!result)
                result = value;
            result->editList()[i] = std::move(*item);
        }
        return result;
    }

    std::optional<Value> replacedMap(const Value& value)
    {
        const Depth depth(*this);
        bool changed = false;
        ValueMap entries;
        for (const auto& [key, item] : value.asMap()) {
            auto newKey = replaced(key);
            auto newItem = replaced(item);
            changed = changed || newKey || newItem;
            entries.set(std::move(newKey).value_or(key), std::move(newItem).value_or(item));
        }
        return changed ? std::optional(Value(std::move(entries))) : std::nullopt;
    }

    std::size_t m_depth = 0;
};

} // namespace

Value plainValue(const Value& value)
{
    return Describer().plain(value);
}

Value describeExt(const Ext& ext)
{
    return Describer().describe(ext);
}

} // namespace sg::checkpoint
