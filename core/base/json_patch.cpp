#include "core/base/json_patch.h"

#include "core/base/json.h"

#include <algorithm>

namespace sg {
namespace {

class PatchWriter {
public:
    ValueList take() { return std::move(m_operations); }

    void compare(const std::string& path, const Value& from, const Value& to)
    {
        if (from == to)
            return;
        if (from.isMap() && to.isMap())
            compareMaps(path, from.asMap(), to.asMap());
        else if (from.isList() && to.isList())
            compareLists(path, from.asList(), to.asList());
        else
            add("replace", path, &to);
    }

private:
    void add(const char* operation, const std::string& path, const Value* value)
    {
        ValueMap entry{ { "op", operation }, { "path", path } };
        if (value != nullptr)
            entry.set("value", *value);
        m_operations.emplace_back(std::move(entry));
    }

    static std::string below(const std::string& path, const Value& key)
    {
        return path + "/" + jsonPointerToken(key.isString() ? key.asString() : toJson(key));
    }

    void compareMaps(const std::string& path, const ValueMap& from, const ValueMap& to)
    {
        for (const auto& [key, value] : from)
            if (to.find(key) == nullptr)
                add("remove", below(path, key), nullptr);
        for (const auto& [key, value] : to) {
            if (const Value* before = from.find(key))
                compare(below(path, key), *before, value);
            else
                add("add", below(path, key), &value);
        }
    }

    void compareLists(const std::string& path, const ValueList& from, const ValueList& to)
    {
        const std::size_t least = std::min(from.size(), to.size());
        std::size_t first = 0;
        while (first < least && from[first] == to[first])
            ++first;
        std::size_t last = 0; // items that both have in common at their end
        while (last < least - first && from[from.size() - 1 - last] == to[to.size() - 1 - last])
            ++last;
        const std::size_t fromEnd = from.size() - last;
        const std::size_t toEnd = to.size() - last;
        const auto item = [&path](std::size_t index) { return path + "/" + std::to_string(index); };
        std::size_t place = first;
        for (; place < std::min(fromEnd, toEnd); ++place)
            compare(item(place), from[place], to[place]);
        for (std::size_t left = fromEnd; left > place; --left)
            add("remove", item(left - 1), nullptr);
        for (; place < toEnd; ++place)
            add("add", item(place), &to[place]);
    }

    ValueList m_operations;
};

} // namespace

Value jsonPatch(const Value& from, const Value& to)
{
    PatchWriter writer;
    writer.compare({}, from, to);
    return writer.take();
}

} // namespace sg
