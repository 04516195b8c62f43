#include "core/engine/channels/typed_values.h"

#include "core/base/msgpack.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace sg::engine {
namespace {

using checkpoint::PythonExt;
using checkpoint::PythonObject;

__extension__ using Wide = __int128;

constexpr int kDigits = 28; // the precision of Python's default decimal context
constexpr std::int64_t kSecondsOfDay = 86'400;
constexpr std::int64_t kMicroseconds = 1'000'000;

std::optional<std::int64_t> wholeOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Takes two digits and the sign before them, such as ":09".
std::optional<std::int64_t> takePair(std::string_view& text, char sign)
{
    if (text.size() < 3 || text[0] != sign)
        return std::nullopt;
    const auto number = wholeOf(text.substr(1, 2));
    text.remove_prefix(3);
    return number;
}

struct Moment {
    Wide microseconds = 0; // since 1970, in UTC if the text names a zone
    bool hasZone = false;
};

// Reads what Python's datetime.isoformat() writes: YYYY-MM-DDTHH:MM:SS[.ffffff][+HH:MM[:SS]]
std::optional<Moment> momentOf(std::string_view text)
{
    if (text.size() < 19)
        return std::nullopt;
    const auto year = wholeOf(text.substr(0, 4));
    text.remove_prefix(4);
    const auto month = takePair(text, '-');
    const auto day = takePair(text, '-');
    const auto hour = takePair(text, 'T');
    const auto minute = takePair(text, ':');
    const auto second = takePair(text, ':');
    if (!year || !month || !day || !hour || !minute || !second)
        return std::nullopt;
    const std::chrono::year_month_day date{ std::chrono::year(static_cast<int>(*year)),
                                            std::chrono::month(static_cast<unsigned>(*month)),
                                            std::chrono::day(static_cast<unsigned>(*day)) };
    if (!date.ok())
        return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    Moment moment;
    moment.microseconds = Wide(days * kSecondsOfDay + *hour * 3600 + *minute * 60 + *second) * kMicroseconds;
    if (text.starts_with('.')) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789", 1), text.size()) - 1;
        auto fraction = std::string(text.substr(1, digits));
        fraction.resize(6, '0');
        moment.microseconds += wholeOf(fraction).value_or(0);
        text.remove_prefix(digits + 1);
    }
    if (text.empty())
        return moment;
    moment.hasZone = true;
    const std::int64_t sign = text[0] == '-' ? -1 : 1;
    const auto hours = takePair(text, text[0]);
    const auto minutes = takePair(text, ':');
    const std::int64_t seconds = text.empty() ? 0 : takePair(text, ':').value_or(0);
    if (!hours || !minutes)
        return std::nullopt;
    moment.microseconds -= Wide(sign * (*hours * 3600 + *minutes * 60 + seconds)) * kMicroseconds;
    return moment;
}

// Reads [days, seconds, microseconds] as microseconds.
std::optional<Wide> spanOf(const PythonObject& object)
{
    if (!object.is("datetime", "timedelta") || !object.argument.isList()
        || object.argument.asList().size() != 3)
        return std::nullopt;
    Wide parts[3];
    for (std::size_t i = 0; i < 3; ++i) {
        if (!object.argument[i].isInt())
            return std::nullopt;
        parts[i] = object.argument[i].asInt();
    }
    return (parts[0] * kSecondsOfDay + parts[1]) * kMicroseconds + parts[2];
}

std::optional<Value> spanValue(Wide span)
{
    constexpr Wide day = Wide(kSecondsOfDay) * kMicroseconds;
    Wide days = span / day;
    if (span % day < 0)
        --days;
    const Wide rest = span - days * day;
    if (days < -999'999'999 || days > 999'999'999)
        return std::nullopt;
    return checkpoint::makePythonObject(
        { PythonExt::Arguments,
          "datetime",
          "timedelta",
          Value::list({ Value(static_cast<std::int64_t>(days)),
                        Value(static_cast<std::int64_t>(rest / kMicroseconds)),
                        Value(static_cast<std::int64_t>(rest % kMicroseconds)) }),
          {} });
}

struct Decimal {
    Wide coefficient = 0; // with its sign
    std::int64_t exponent = 0;
};

// Reads what Python's str() writes: digits with a point and an exponent such as "E+3"; no NaN, no infinity.
std::optional<Decimal> readDecimal(std::string_view text)
{
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    Decimal number;
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    if (mark < text.size()) {
        std::string_view exponent = text.substr(mark + 1);
        if (exponent.starts_with('+'))
            exponent.remove_prefix(1);
        const auto read = wholeOf(exponent);
        if (!read || *read > 999'999 || *read < -999'999)
            return std::nullopt;
        number.exponent = *read;
    }
    int digits = 0;
    bool pointSeen = false;
    for (const char letter : text.substr(0, mark)) {
        if (letter == '.' && !pointSeen) {
            pointSeen = true;
            continue;
        }
        if (letter < '0' || letter > '9' || (digits += number.coefficient != 0 ? 1 : 0) >= kDigits + 2)
            return std::nullopt;
        number.coefficient = number.coefficient * 10 + (letter - '0');
        number.exponent -= pointSeen ? 1 : 0;
    }
    if (negative)
        number.coefficient = -number.coefficient;
    return text.substr(0, mark).empty() ? std::nullopt : std::optional(number);
}

std::optional<Decimal> decimalOf(const Value& value)
{
    if (value.isInt())
        return Decimal{ value.asInt(), 0 };
    const auto object = checkpoint::asPythonObject(value);
    if (!object || !object->is("decimal", "Decimal") || !object->argument.isString())
        return std::nullopt;
    return readDecimal(object->argument.asString());
}

// Gives both numbers the smaller exponent; false if that takes too many digits.
bool align(Decimal& a, Decimal& b)
{
    Decimal& larger = a.exponent > b.exponent ? a : b;
    const std::int64_t exponent = std::min(a.exponent, b.exponent);
    if (larger.exponent - exponent > kDigits)
        return larger.coefficient == 0;
    for (; larger.exponent > exponent; --larger.exponent)
        if (__builtin_mul_overflow(larger.coefficient, Wide(10), &larger.coefficient))
            return false;
    return true;
}

// Writes it as Python's str() does: plain if the exponent is not positive and the number not below 1E-6.
std::optional<std::string> decimalText(Decimal number)
{
    std::string digits;
    Wide rest = number.coefficient < 0 ? -number.coefficient : number.coefficient;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
        rest /= 10;
    } while (rest > 0);
    const auto count = static_cast<std::int64_t>(digits.size());
    if (count > kDigits)
        return std::nullopt;
    const std::int64_t adjusted = number.exponent + count - 1;
    const bool plain = number.exponent <= 0 && adjusted >= -6;
    const std::int64_t point = plain ? count + number.exponent : 1; // digits before the point
    std::string text = number.coefficient < 0 ? "-" : "";
    if (point <= 0)
        text += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    else if (point < count)
        text += digits.substr(0, static_cast<std::size_t>(point)) + "."
            + digits.substr(static_cast<std::size_t>(point));
    else
        text += digits;
    if (!plain)
        text += (adjusted < 0 ? "E" : "E+") + std::to_string(adjusted);
    return text;
}

bool isDecimal(const Value& value)
{
    const auto object = checkpoint::asPythonObject(value);
    return object && object->is("decimal", "Decimal");
}

std::partial_ordering orderOf(Wide a, Wide b)
{
    return a < b ? std::partial_ordering::less
        : a > b  ? std::partial_ordering::greater
                 : std::partial_ordering::equivalent;
}

} // namespace

std::optional<std::partial_ordering> orderOfTyped(const Value& a, const Value& b)
{
    if (isDecimal(a) || isDecimal(b)) {
        auto left = decimalOf(a);
        auto right = decimalOf(b);
        if (!left || !right)
            return std::nullopt;
        if (align(*left, *right))
            return orderOf(left->coefficient, right->coefficient);
        const bool leftIsLarger = left->exponent > right->exponent; // by so much that its sign decides
        const Wide decides = leftIsLarger ? left->coefficient : -right->coefficient;
        return orderOf(decides, 0);
    }
    const auto left = checkpoint::asPythonObject(a);
    const auto right = checkpoint::asPythonObject(b);
    if (!left || !right || left->module != "datetime" || right->module != "datetime"
        || left->name != right->name)
        return std::nullopt;
    if (left->name == "datetime" && left->argument.isString() && right->argument.isString()) {
        const auto first = momentOf(left->argument.asString());
        const auto second = momentOf(right->argument.asString());
        if (!first || !second || first->hasZone != second->hasZone)
            return std::nullopt;
        return orderOf(first->microseconds, second->microseconds);
    }
    if (left->name == "timedelta") {
        const auto first = spanOf(*left);
        const auto second = spanOf(*right);
        return first && second ? std::optional(orderOf(*first, *second)) : std::nullopt;
    }
    if (left->name != "date" || !left->argument.isList() || !right->argument.isList())
        return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) { // year, month, day
        const Value& first = left->argument[i];
        const Value& second = right->argument[i];
        if (!first.isInt() || !second.isInt())
            return std::nullopt;
        if (first.asInt() != second.asInt())
            return orderOf(first.asInt(), second.asInt());
    }
    return std::partial_ordering::equivalent;
}

std::optional<Value> sumOfTyped(const Value& a, const Value& b)
{
    if (isDecimal(a) || isDecimal(b)) {
        auto left = decimalOf(a);
        auto right = decimalOf(b);
        if (!left || !right || !align(*left, *right))
            return std::nullopt;
        const Decimal sum{ left->coefficient + right->coefficient,
                           std::min(left->exponent, right->exponent) };
        const auto text = decimalText(sum);
        if (!text)
            return std::nullopt;
        return checkpoint::makePythonObject(
            { PythonExt::OneArgument, "decimal", "Decimal", Value(*text), {} });
    }
    const auto left = checkpoint::asPythonObject(a);
    const auto right = checkpoint::asPythonObject(b);
    const auto first = left ? spanOf(*left) : std::nullopt;
    const auto second = right ? spanOf(*right) : std::nullopt;
    return first && second ? spanValue(*first + *second) : std::nullopt;
}

std::optional<ValueList> itemsOf(const Value& value)
{
    if (auto set = checkpoint::asSet(value))
        return set;
    const Value plain = asStored(value);
    return plain.isList() ? std::optional(plain.asList()) : std::nullopt;
}

} // namespace sg::engine
