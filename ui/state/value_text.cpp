#include "ui/state/value_text.h"

#include "core/base/json.h"
#include "ui/widgets/byte_format.h"

#include <QObject>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr std::size_t kLineBytes = 400; // enough for any row
constexpr std::size_t kRoleBytes = 24;

// The beginning of a string as JSON text.
QString quoted(const std::string& text)
{
    if (text.size() <= kLineBytes)
        return utf16(toJson(Value(text)));
    std::size_t end = kLineBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end; // never cuts a UTF-8 character
    QString cut = utf16(toJson(Value(std::string_view(text).substr(0, end))));
    cut.chop(1);
    return cut + QStringLiteral("…\"");
}

// The beginning of a value, with text of at least `room` bytes or the whole, so that a tooltip for 200 MB
// costs only what it shows.
Value beginningOf(const Value& value, std::size_t& room)
{
    const auto spend = [&room](std::size_t bytes) { room -= std::min(room, bytes); };
    switch (value.kind()) {
    case Value::Kind::String: {
        const std::string& text = value.asString();
        const std::size_t end = std::min(text.size(), room);
        spend(text.size() + 1);
        return end == text.size() ? value : Value(std::string_view(text).substr(0, end));
    }
    case Value::Kind::Bytes: {
        const std::string& bytes = value.asBytes();
        const std::size_t end = std::min(bytes.size(), room);
        spend(bytes.size() + 1);
        return end == bytes.size() ? value : Value(Bytes{ bytes.substr(0, end) });
    }
    case Value::Kind::List: {
        ValueList begin;
        spend(1);
        for (const Value& item : value.asList()) {
            if (room == 0)
                break;
            begin.push_back(beginningOf(item, room));
        }
        return Value(std::move(begin));
    }
    case Value::Kind::Map: {
        ValueMap begin;
        spend(1);
        for (const auto& [key, entry] : value.asMap()) {
            if (room == 0)
                break;
            Value keyBegin = beginningOf(key, room);
            begin.add(std::move(keyBegin), beginningOf(entry, room));
        }
        return Value(std::move(begin));
    }
    default: spend(1); return value;
    }
}

QString countOf(std::size_t count, const char* one, const char* many)
{
    return count == 1 ? QObject::tr(one) : QObject::tr(many).arg(formatCount(static_cast<qint64>(count)));
}

} // namespace

QString utf16(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString keyText(const Value& key)
{
    return key.isString() ? utf16(key.asString()) : utf16(toJson(key));
}

QString valueLine(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::String: return quoted(value.asString());
    case Value::Kind::List:
        return countOf(value.asList().size(), QT_TR_NOOP("list, 1 item"), QT_TR_NOOP("list, %1 items"));
    case Value::Kind::Map: {
        const Value* content = value.find("content");
        if (content && content->isString() && !itemRole(value).isEmpty())
            return quoted(content->asString());
        return countOf(value.asMap().size(), QT_TR_NOOP("object, 1 key"), QT_TR_NOOP("object, %1 keys"));
    }
    case Value::Kind::Bytes:
        return QObject::tr("bytes, %1").arg(formatBytes(static_cast<qint64>(value.asBytes().size())));
    case Value::Kind::Ext:
        return QObject::tr("extension %1, %2")
            .arg(value.asExt().code)
            .arg(formatBytes(static_cast<qint64>(value.asExt().payload.size())));
    case Value::Kind::Null:
    case Value::Kind::Bool:
    case Value::Kind::Int:
    case Value::Kind::Unsigned:
    case Value::Kind::Double: return utf16(toJson(value));
    }
    return {};
}

QString valueJson(const Value& value, qsizetype most)
{
    std::size_t room = 4 * static_cast<std::size_t>(most) + 4; // a character has up to 4 bytes
    QString text = utf16(toJson(beginningOf(value, room), JsonStyle::Indented));
    if (text.size() > most) {
        text.truncate(most);
        text += QStringLiteral("…");
    }
    return text;
}

QString itemRole(const Value& value)
{
    for (const char* key : { "type", "role" }) {
        const Value* role = value.find(key);
        if (role && role->isString() && !role->asString().empty() && role->asString().size() <= kRoleBytes)
            return utf16(role->asString());
    }
    return {};
}

} // namespace sg::ui
