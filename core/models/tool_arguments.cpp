#include "core/models/tool_arguments.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/models/python_json_error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::models {
namespace {

// A mark for half of a surrogate pair: a character that no text holds, then the half's four hex digits.
constexpr std::string_view kHalf = "\xF4\x8F\xBF\xBE"; // U+10FFFE
constexpr std::size_t kMarkSize = kHalf.size() + 4;

constexpr const char* kTrouble =
    "\nFor troubleshooting, visit: "
    "https://docs.langchain.com/oss/python/langchain/errors/OUTPUT_PARSING_FAILURE ";

int hexOf(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'f')
        return letter - 'a' + 10;
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

// Returns the number of the four hex digits at the start; nothing if they are none.
std::optional<std::uint32_t> unitOf(std::string_view digits)
{
    if (digits.size() < 4)
        return std::nullopt;
    std::uint32_t unit = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const int digit = hexOf(digits[i]);
        if (digit < 0)
            return std::nullopt;
        unit = unit * 16 + static_cast<std::uint32_t>(digit);
    }
    return unit;
}

bool isHigh(std::optional<std::uint32_t> unit)
{
    return unit && *unit >= 0xD800 && *unit < 0xDC00;
}

bool isLow(std::optional<std::uint32_t> unit)
{
    return unit && *unit >= 0xDC00 && *unit < 0xE000;
}

void appendUtf8(std::uint32_t code, std::string& text)
{
    text += static_cast<char>(0xF0U | (code >> 18U)); // pairs stand for characters of four bytes alone
    text += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
    text += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
}

bool mayHoldHalf(std::string_view json)
{
    for (std::size_t at = json.find("\\u"); at != std::string_view::npos; at = json.find("\\u", at + 2))
        if (at + 3 < json.size() && (json[at + 2] == 'd' || json[at + 2] == 'D') && hexOf(json[at + 3]) >= 8)
            return true;
    return false;
}

// Makes marks of the escapes of halves that have no other half beside them.
std::string withMarks(std::string_view json)
{
    std::string out;
    out.reserve(json.size() + kMarkSize);
    for (std::size_t i = 0; i < json.size();) {
        if (json[i] != '\\' || i + 1 >= json.size()) {
            out += json[i++];
            continue;
        }
        const auto unit = json[i + 1] == 'u' ? unitOf(json.substr(i + 2)) : std::nullopt;
        if (!isHigh(unit) && !isLow(unit)) {
            out.append(json.substr(i, 2));
            i += 2;
            continue;
        }
        const bool isPair = isHigh(unit) && json.substr(i + 6).starts_with("\\u")
            && isLow(unitOf(json.substr(std::min(i + 8, json.size()))));
        if (isPair) {
            out.append(json.substr(i, 12));
            i += 12;
        } else {
            out.append(kHalf).append(json.substr(i + 2, 4));
            i += 6;
        }
    }
    return out;
}

// Python takes control characters in strings where it is told not to be strict, as LangChain does.
std::string withEscapedControls(std::string_view json)
{
    std::string out;
    out.reserve(json.size() + 16);
    bool isInText = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char letter = json[i];
        if (letter == '\\' && isInText && i + 1 < json.size()) {
            out += letter;
            out += json[++i];
            continue;
        }
        isInText = isInText != (letter == '"');
        constexpr std::string_view kDigits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(letter);
        if (isInText && byte < 0x20)
            out.append("\\u00") += kDigits[byte >> 4U], out += kDigits[byte & 15U];
        else
            out += letter;
    }
    return out;
}

bool hasControls(std::string_view text)
{
    return std::ranges::any_of(text, [](char letter) { return static_cast<unsigned char>(letter) < 0x20; });
}

// Returns the value with every text and key in it without marks.
Value withoutMarks(const Value& value)
{
    if (value.isString())
        return value.asString().find(kHalf) == std::string::npos ? value
                                                                 : Value(joinedHalves(value.asString()));
    if (value.isList()) {
        ValueList list;
        for (const Value& item : value.asList())
            list.push_back(withoutMarks(item));
        return Value(std::move(list));
    }
    if (!value.isMap())
        return value;
    ValueMap map;
    for (const auto& [key, item] : value.asMap())
        map.set(withoutMarks(key), withoutMarks(item));
    return Value(std::move(map));
}

} // namespace

std::string validUtf8(std::string_view text, bool* changed)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char next = firstUtf8Char(text);
        if (next.length == 0) {
            out.append(kReplacementCharacter);
            text.remove_prefix(1);
            if (changed != nullptr)
                *changed = true;
        } else {
            out.append(text.substr(0, next.length));
            text.remove_prefix(next.length);
        }
    }
    return out;
}

ReadEvent readEventJson(std::string_view text)
{
    ReadEvent event;
    if (auto plain = parseJson(text)) { // nearly always
        event.value = std::move(*plain);
        return event;
    }
    std::string kept;
    if (!isValidUtf8(text)) {
        kept = validUtf8(text, &event.hadInvalidBytes);
        text = kept;
    }
    if (mayHoldHalf(text)) {
        kept = withMarks(text);
        text = kept;
    }
    auto value = parseJson(text);
    if (value)
        event.value = std::move(*value);
    else
        event.error = value.error().message;
    return event;
}

std::size_t openHalfAt(std::string_view text)
{
    if (text.size() < kMarkSize)
        return text.size();
    const std::string_view end = text.substr(text.size() - kMarkSize);
    return end.starts_with(kHalf) && isHigh(unitOf(end.substr(kHalf.size()))) ? text.size() - kMarkSize
                                                                              : text.size();
}

std::string joinedHalves(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t mark = std::min(text.find(kHalf, at), text.size());
        out.append(text.substr(at, mark - at));
        at = mark;
        if (at == text.size())
            break;
        const auto unit = unitOf(text.substr(at + kHalf.size()));
        if (!isHigh(unit) && !isLow(unit)) {
            out.append(kHalf);
            at += kHalf.size();
            continue;
        }
        at += kMarkSize;
        const std::string_view rest = text.substr(at);
        const auto other = rest.starts_with(kHalf) ? unitOf(rest.substr(kHalf.size())) : std::nullopt;
        if (isHigh(unit) && isLow(other)) {
            appendUtf8(0x10000 + ((*unit - 0xD800) << 10U) + (*other - 0xDC00), out);
            at += kMarkSize;
        } else {
            out.append(kReplacementCharacter);
        }
    }
    return out;
}

ReadArguments readArguments(std::string_view tool, std::string_view text)
{
    if (text.empty())
        return { Value(ValueMap()), {} };
    const std::string marked = mayHoldHalf(text) ? withMarks(text) : std::string(text);
    auto read = parseJson(hasControls(marked) ? withEscapedControls(marked) : marked);
    if (read && read->isNull())
        return { Value(ValueMap()), {} };
    if (read && read->isMap())
        return { withoutMarks(*read), {} };
    const std::string function = "Function " + std::string(tool) + " arguments:\n\n" + std::string(text);
    if (read)
        return { std::nullopt, function + "\n\nare no JSON object." };
    std::string why = pythonJsonError(text);
    if (why.empty())
        why = read.error().message; // what Python takes and we do not: a key twice, NaN
    return { std::nullopt, function + "\n\nare not valid JSON. Received JSONDecodeError " + why + kTrouble };
}

void addCall(const RawCall& call, bool tellsError, ValueList& calls, ValueList& invalid)
{
    ReadArguments read = readArguments(call.name, call.arguments);
    if (read.args) {
        calls.push_back(Value::map({ { "name", call.name },
                                     { "args", std::move(*read.args) },
                                     { "id", call.id },
                                     { "type", "tool_call" } }));
        return;
    }
    invalid.push_back(Value::map({ { "type", "invalid_tool_call" },
                                   { "id", call.id },
                                   { "name", call.name },
                                   { "args", call.arguments },
                                   { "error", tellsError ? Value(read.error) : Value() } }));
}

} // namespace sg::models
