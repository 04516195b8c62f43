#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sg {
namespace {

template<typename Number>
void appendInteger(std::string& out, Number number)
{
    std::array<char, 24> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    out.append(text.data(), end);
}

// Writes the shortest digits that read back as the same number, laid out as Python's repr() does.
void appendDouble(std::string& out, double number)
{
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    std::array<char, 40> text; // -d.dddde-xxx
    const char* end =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific).ptr;
    std::string_view rest(text.data(), static_cast<std::size_t>(end - text.data()));
    if (rest.front() == '-') {
        out += '-';
        rest.remove_prefix(1);
    }
    const std::size_t e = rest.find('e');
    std::string digits(1, rest.front());
    if (e > 2)
        digits += rest.substr(2, e - 2);
    int exponent = 0;
    const char* exponentText = rest.data() + e + (rest[e + 1] == '+' ? 2 : 1);
    std::from_chars(exponentText, end, exponent);

    const auto count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        out += digits.front();
        if (count > 1)
            (out += '.').append(digits, 1);
        out += exponent < 0 ? "e-" : "e+";
        const int size = std::abs(exponent);
        if (size < 10)
            out += '0';
        appendInteger(out, size);
    } else if (exponent < 0) {
        const int zeros = -exponent - 1;
        out.append("0.").append(static_cast<std::size_t>(zeros), '0').append(digits);
    } else if (exponent + 1 < count) {
        const int whole = exponent + 1;
        const auto point = static_cast<std::size_t>(whole);
        out.append(digits, 0, point).append(1, '.').append(digits, point);
    } else {
        const int zeros = exponent + 1 - count;
        out.append(digits).append(static_cast<std::size_t>(zeros), '0').append(".0");
    }
}

bool isPlainAscii(char c)
{
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 && c != '"'
        && c != '\\';
}

void appendEscaped(std::string& out, char c)
{
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\f': out += "\\f"; return;
    case '\b': out += "\\b"; return;
    default: out.append("\\u00").append(toHex({ &c, 1 }));
    }
}

void appendString(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && isPlainAscii(text[plain]))
            ++plain;
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        if (static_cast<unsigned char>(text.front()) < 0x80) {
            appendEscaped(out, text.front());
            text.remove_prefix(1);
            continue;
        }
        const std::size_t length = firstUtf8Char(text).length;
        out += length == 0 ? kReplacementCharacter : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

class Writer {
public:
    Writer(std::string& out, JsonStyle style)
        : m_out(out)
        , m_style(style)
    {
    }

    void write(const Value& value)
    {
        switch (value.kind()) {
        case Value::Kind::Null: m_out += "null"; break;
        case Value::Kind::Bool: m_out += value.asBool() ? "true" : "false"; break;
        case Value::Kind::Int: appendInteger(m_out, value.asInt()); break;
        case Value::Kind::Unsigned: appendInteger(m_out, value.asUnsigned()); break;
        case Value::Kind::Double: appendDouble(m_out, value.asDouble()); break;
        case Value::Kind::String: appendString(m_out, value.asString()); break;
        case Value::Kind::Bytes: writeBytes(value.asBytes()); break;
        case Value::Kind::Ext: writeExt(value.asExt()); break;
        case Value::Kind::List: writeList(value.asList()); break;
        case Value::Kind::Map: writeMap(value.asMap()); break;
        }
    }

private:
    void beginItem(bool first)
    {
        if (!first)
            m_out += m_style == JsonStyle::Spaced ? ", " : ",";
        if (m_style == JsonStyle::Indented)
            newLine();
    }

    void newLine() { m_out.append(1, '\n').append(m_level * 2, ' '); }

    void end(char bracket, bool empty)
    {
        --m_level;
        if (m_style == JsonStyle::Indented && !empty)
            newLine();
        m_out += bracket;
    }

    void writeKey(const Value& key)
    {
        if (key.isString())
            appendString(m_out, key.asString());
        else
            appendString(m_out, toJson(key, JsonStyle::Compact));
        m_out += m_style == JsonStyle::Compact ? ":" : ": ";
    }

    void writeList(const ValueList& list)
    {
        m_out += '[';
        ++m_level;
        bool first = true;
        for (const Value& item : list) {
            beginItem(std::exchange(first, false));
            write(item);
        }
        end(']', list.empty());
    }

    void writeMap(const ValueMap& map)
    {
        m_out += '{';
        ++m_level;
        bool first = true;
        for (const auto& [key, value] : map) {
            beginItem(std::exchange(first, false));
            writeKey(key);
            write(value);
        }
        end('}', map.empty());
    }

    void writeBytes(const std::string& bytes) { writeMap({ { "$bytes", toBase64(bytes) } }); }

    void writeExt(const Ext& ext)
    {
        writeMap({ { "$ext", int{ ext.code } }, { "data", toBase64(ext.payload) } });
    }

    std::string& m_out;
    const JsonStyle m_style;
    std::size_t m_level = 0;
};

} // namespace

std::string toJson(const Value& value, JsonStyle style)
{
    std::string out;
    Writer(out, style).write(value);
    return out;
}

std::string jsonPointerToken(std::string_view key)
{
    std::string out;
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

} // namespace sg
