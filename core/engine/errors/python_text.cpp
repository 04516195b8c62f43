#include "core/engine/errors/python_text.h"

#include "core/base/hash.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sg::engine {
namespace {

void appendHex(std::string& out, const char* prefix, unsigned value, int digits)
{
    out += prefix;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out += "0123456789abcdef"[(value >> shift) & 15U];
}

std::string quoted(const std::string& text, bool bytes)
{
    const char quote =
        text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
    std::string out = bytes ? "b" : "";
    out += quote;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == quote || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\r')
            out += "\\r";
        else if (c == '\t')
            out += "\\t";
        else if (code < 0x20 || code == 0x7f || (bytes && code >= 0x80))
            appendHex(out, "\\x", code, 2);
        else
            out += c;
    }
    return out += quote;
}

std::string extRepr(const Value& value)
{
    if (const auto send = checkpoint::asSend(value))
        return "Send(node=" + pythonRepr(Value(send->node)) + ", arg=" + pythonRepr(send->arg) + ")";
    if (const auto overwrite = checkpoint::asOverwrite(value))
        return "Overwrite(value=" + pythonRepr(*overwrite) + ")";
    if (const auto command = checkpoint::asCommand(value)) {
        std::string out;
        const auto part = [&out](const char* name, const Value& item) {
            if (pythonTruth(item))
                out += (out.empty() ? "" : ", ") + std::string(name) + "=" + pythonRepr(item);
        };
        part("graph", command->graph);
        part("update", command->update);
        part("resume", command->resume);
        part("goto", command->goTo);
        return "Command(" + out + ")";
    }
    return pythonRepr(checkpoint::describeExt(value.asExt()));
}

// Writes text as ensure_ascii does: all but ASCII becomes \uXXXX, with surrogate pairs above U+FFFF.
void appendJsonText(std::string& out, const std::string& text)
{
    out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        unsigned code = length == 1 ? lead : lead & (0xffU >> (length + 1));
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
            code = (code << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        i += length;
        switch (code) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        default:
            if (code >= 0x10000) {
                appendHex(out, "\\u", 0xd800 + ((code - 0x10000) >> 10), 4);
                appendHex(out, "\\u", 0xdc00 + ((code - 0x10000) & 0x3ffU), 4);
            } else if (code < 0x20 || code >= 0x7f) {
                appendHex(out, "\\u", code, 4);
            } else {
                out += static_cast<char>(code);
            }
        }
    }
    out += '"';
}

void appendSortedJson(std::string& out, const Value& value)
{
    if (value.isString()) {
        appendJsonText(out, value.asString());
    } else if (value.isBool()) {
        out += value.asBool() ? "true" : "false";
    } else if (value.isNull()) {
        out += "null";
    } else if (value.isList()) {
        const char* separator = "[";
        for (const Value& item : value.asList()) {
            out += separator;
            appendSortedJson(out, item);
            separator = ", ";
        }
        out += value.asList().empty() ? "[]" : "]";
    } else if (value.isMap()) {
        std::vector<std::pair<std::string, const Value*>> entries;
        for (const auto& [key, item] : value.asMap())
            entries.emplace_back(key.isString() ? key.asString() : pythonText(key), &item);
        std::ranges::sort(entries, {}, [](const auto& entry) -> const std::string& { return entry.first; });
        const char* separator = "{";
        for (const auto& [key, item] : entries) {
            out += separator;
            appendJsonText(out, key);
            out += ": ";
            appendSortedJson(out, *item);
            separator = ", ";
        }
        out += entries.empty() ? "{}" : "}";
    } else {
        out += pythonRepr(value);
    }
}

} // namespace

std::string pythonFloat(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    std::array<char, 40> buffer{};
    const double size = std::fabs(value);
    // Python turns to exponents below 1e-4 and from 1e16 on.
    const bool plain = value == 0 || (size >= 1e-4 && size < 1e16);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific);
    std::string text(buffer.data(), end.ptr);
    if (plain && text.find('.') == std::string::npos)
        text += ".0";
    return text;
}

std::string pythonRepr(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Null: return "None";
    case Value::Kind::Bool: return value.asBool() ? "True" : "False";
    case Value::Kind::Int: return std::to_string(value.asInt());
    case Value::Kind::Unsigned: return std::to_string(value.asUnsigned());
    case Value::Kind::Double: return pythonFloat(value.asDouble());
    case Value::Kind::String: return quoted(value.asString(), false);
    case Value::Kind::Bytes: return quoted(value.asBytes(), true);
    case Value::Kind::List: {
        std::string out = "[";
        for (const Value& item : value.asList())
            out += (out.size() > 1 ? ", " : "") + pythonRepr(item);
        return out + "]";
    }
    case Value::Kind::Map: {
        std::string out = "{";
        for (const auto& [key, item] : value.asMap())
            out += (out.size() > 1 ? ", " : "") + pythonRepr(key) + ": " + pythonRepr(item);
        return out + "}";
    }
    case Value::Kind::Ext: return extRepr(value);
    }
    return {};
}

std::string pythonText(const Value& value)
{
    return value.isString() ? value.asString() : pythonRepr(value);
}

std::string pythonTypeName(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Null: return "NoneType";
    case Value::Kind::Bool: return "bool";
    case Value::Kind::Int:
    case Value::Kind::Unsigned: return "int";
    case Value::Kind::Double: return "float";
    case Value::Kind::String: return "str";
    case Value::Kind::Bytes: return "bytes";
    case Value::Kind::List: return "list";
    case Value::Kind::Map: return "dict";
    case Value::Kind::Ext: break;
    }
    if (value.asExt().code == kTupleExt)
        return "tuple";
    const auto name = checkpoint::pythonNameOf(value.asExt());
    if (!name)
        return "object";
    return name->module == "builtins" || name->module == "langgraph.types"
        ? std::string(name->name)
        : std::string(name->module) + "." + std::string(name->name);
}

bool pythonTruth(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Null: return false;
    case Value::Kind::Bool: return value.asBool();
    case Value::Kind::Int:
    case Value::Kind::Unsigned:
    case Value::Kind::Double: return value.asDouble() != 0;
    case Value::Kind::String: return !value.asString().empty();
    case Value::Kind::Bytes: return !value.asBytes().empty();
    case Value::Kind::List: return !value.asList().empty();
    case Value::Kind::Map: return !value.asMap().empty();
    case Value::Kind::Ext: return true;
    }
    return false;
}

std::string sortedJson(const Value& value)
{
    std::string out;
    appendSortedJson(out, value);
    return out;
}

} // namespace sg::engine
