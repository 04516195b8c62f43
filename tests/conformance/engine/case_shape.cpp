#include "tests/conformance/engine/case_shape.h"

#include "core/base/json.h"

#include <algorithm>
#include <functional>

namespace sg::conformance {
namespace {

// Looks at one value after the other and keeps the first problem.
class Shape {
public:
    using Check = std::function<void(Shape&, const Value&, const std::string& place)>;

    [[nodiscard]] const std::string& problem() const { return m_problem; }

    void require(bool holds, const std::string& place, const char* what)
    {
        if (!holds && m_problem.empty())
            m_problem = (place.empty() ? "the case" : place) + " must be " + what;
    }
    // The member of an object, where it is there and not null.
    void member(const Value& owner, const std::string& place, const char* key, const Check& check)
    {
        const Value* value = owner.find(key);
        if (m_problem.empty() && value != nullptr && !value->isNull())
            check(*this, *value, place + '/' + key);
    }
    void required(const Value& owner, const std::string& place, const char* key, const Check& check)
    {
        if (m_problem.empty())
            check(*this, owner[key], place + '/' + key);
    }
    void eachItem(const Value& list, const std::string& place, const Check& check)
    {
        require(list.isList(), place, "a list");
        for (std::size_t i = 0; m_problem.empty() && i < list.asList().size(); ++i)
            check(*this, list[i], place + '/' + std::to_string(i));
    }
    void eachEntry(const Value& map, const std::string& place, const Check& check)
    {
        require(map.isMap(), place, "an object");
        if (!m_problem.empty())
            return;
        for (const auto& [key, value] : map.asMap())
            check(*this, value, place + '/' + jsonPointerToken(key.asString()));
    }

private:
    std::string m_problem;
};

void isText(Shape& shape, const Value& value, const std::string& place)
{
    shape.require(value.isString(), place, "a text");
}

void isInt(Shape& shape, const Value& value, const std::string& place)
{
    shape.require(value.isInt() && value.asInt() >= -1'000'000 && value.asInt() <= 1'000'000, place,
                  "a whole number up to a million");
}

void isObject(Shape& shape, const Value& value, const std::string& place)
{
    shape.require(value.isMap(), place, "an object");
}

void isNames(Shape& shape, const Value& value, const std::string& place)
{
    if (!value.isString())
        shape.eachItem(value, place, isText);
}

void isPolicy(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.member(value, place, "max_attempts", isInt);
    shape.member(value, place, "retry_on", isNames);
}

void isGraph(Shape& shape, const Value& value, const std::string& place);

void isChannel(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.member(value, place, "snapshot_frequency", isInt);
}

void isNode(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.required(value, place, "name", isText);
    shape.member(value, place, "error_handler", isObject);
    shape.member(value, place, "fail", isObject);
    shape.member(value, place, "input", isNames);
    shape.member(value, place, "retry", [](Shape& s, const Value& retry, const std::string& at) {
        if (retry.isMap())
            isPolicy(s, retry, at);
        else
            s.eachItem(retry, at, isPolicy);
    });
    if (value.find("subgraph") != nullptr)
        shape.required(value, place, "subgraph", isGraph);
}

void isEdge(Shape& shape, const Value& value, const std::string& place)
{
    shape.require(value.isList() && value.asList().size() == 2, place, "a pair");
    shape.require(value[0].isString() || value[0].isList(), place + "/0", "a text or a list");
    isNames(shape, value[0], place + "/0");
    isText(shape, value[1], place + "/1");
}

void isBranch(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.required(value, place, "from", isText);
    shape.required(value, place, "jq", isText);
    shape.member(value, place, "map", [](Shape& s, const Value& map, const std::string& at) {
        if (map.isMap())
            s.eachEntry(map, at, isText);
        else
            s.eachItem(map, at, isText);
    });
}

void isGraph(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.required(value, place, "state", [](Shape& s, const Value& state, const std::string& at) {
        s.eachEntry(state, at, isChannel);
    });
    const auto list = [](const Shape::Check& item) {
        return [item](Shape& s, const Value& items, const std::string& at) { s.eachItem(items, at, item); };
    };
    shape.required(value, place, "nodes", list(isNode));
    shape.member(value, place, "edges", list(isEdge));
    shape.member(value, place, "conditional", list(isBranch));
    for (const char* key : { "input", "output", "interrupt_before", "interrupt_after" })
        shape.member(value, place, key, isNames);
}

void isUpdate(Shape& shape, const Value& value, const std::string& place)
{
    isObject(shape, value, place);
    shape.member(value, place, "as_node", isText);
}

void isPlace(Shape& shape, const Value& value, const std::string& place)
{
    const std::string digits = place.substr(place.rfind('/') + 1);
    shape.require(!digits.empty() && digits.size() < 7
                      && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }),
                  place, "named by a number");
    static_cast<void>(value);
}

void isOp(Shape& shape, const Value& value, const std::string& place)
{
    isUpdate(shape, value, place);
    shape.required(value, place, "op", isText);
    for (const char* key : { "at", "limit", "before", "recursion_limit", "nth" })
        shape.member(value, place, key, isInt);
    for (const char* key : { "filter", "metadata" })
        shape.member(value, place, key, isObject);
    for (const char* key : { "subgraph", "modes", "output_keys", "interrupt_before", "interrupt_after" })
        shape.member(value, place, key, isNames);
    shape.member(value, place, "resume_by", [](Shape& s, const Value& answers, const std::string& at) {
        s.eachEntry(answers, at, isPlace);
    });
    shape.member(value, place, "supersteps", [](Shape& s, const Value& steps, const std::string& at) {
        s.eachItem(steps, at, [](Shape& inner, const Value& step, const std::string& stepAt) {
            inner.eachItem(step, stepAt, isUpdate);
        });
    });
}

} // namespace

std::string problemOfCase(const Value& description)
{
    Shape shape;
    isObject(shape, description, "");
    shape.required(description, "", "graph", isGraph);
    shape.required(description, "", "ops",
                   [](Shape& s, const Value& ops, const std::string& at) { s.eachItem(ops, at, isOp); });
    return shape.problem();
}

} // namespace sg::conformance
