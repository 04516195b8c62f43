#include "core/base/json.h"
#include "core/telemetry/span.h"

#include <chrono>

namespace sg::telemetry {
namespace {

// Whole numbers are texts in OTLP's JSON, as in that of Protocol Buffers.
Value anyValue(const Value& value)
{
    if (value.isBool())
        return Value::map({ { "boolValue", value } });
    if (value.isInt())
        return Value::map({ { "intValue", std::to_string(value.asInt()) } });
    if (value.isNumber())
        return Value::map({ { "doubleValue", value } });
    if (!value.isList())
        return Value::map({ { "stringValue", value.isString() ? value : Value(toJson(value)) } });
    ValueList values;
    for (const Value& each : value.asList())
        values.push_back(anyValue(each));
    return Value::map({ { "arrayValue", Value::map({ { "values", Value(std::move(values)) } }) } });
}

Value attributesOf(const std::vector<std::pair<std::string, Value>>& attributes)
{
    ValueList list;
    for (const auto& [key, value] : attributes)
        if (!value.isNull())
            list.push_back(Value::map({ { "key", key }, { "value", anyValue(value) } }));
    return Value(std::move(list));
}

std::string nanoseconds(WallTime time)
{
    return std::to_string(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

Value spanValue(const Span& span)
{
    constexpr int kFailed = 2; // STATUS_CODE_ERROR
    ValueMap made{ { "traceId", span.trace },
                   { "spanId", span.id },
                   { "name", span.name },
                   { "kind", static_cast<std::int64_t>(span.kind) },
                   { "startTimeUnixNano", nanoseconds(span.begin) },
                   { "endTimeUnixNano", nanoseconds(span.end) },
                   { "attributes", attributesOf(span.attributes) },
                   { "status",
                     span.error.empty() ? Value(ValueMap())
                                        : Value::map({ { "code", kFailed }, { "message", span.error } }) } };
    if (!span.parent.empty())
        made.set("parentSpanId", span.parent);
    return Value(std::move(made));
}

} // namespace

std::string otlpTraces(const std::vector<Span>& spans)
{
    ValueList values;
    for (const Span& span : spans)
        values.push_back(spanValue(span));
    const Value resource = Value::map(
        { { "attributes",
            attributesOf({ { "service.name", "sandglass" }, { "service.version", SG_VERSION } }) } });
    const Value scope =
        Value::map({ { "scope", Value::map({ { "name", "sandglass" }, { "version", SG_VERSION } }) },
                     { "spans", Value(std::move(values)) } });
    return toJson(Value::map(
        { { "resourceSpans",
            Value::list(
                { Value::map({ { "resource", resource }, { "scopeSpans", Value::list({ scope }) } }) }) } }));
}

} // namespace sg::telemetry
