#include "ui/state/message_text.h"

#include "core/base/json.h"
#include "ui/widgets/byte_format.h"

#include <QObject>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr qsizetype kLongestText = 20'000;
constexpr std::size_t kLookedAt = 3; // items of a list that decide whether it holds messages

QString text(const Value& value)
{
    const std::string words = value.isString() ? value.asString()
        : value.isNull()                       ? std::string()
                                               : toJson(value, JsonStyle::Indented);
    QString shown = QString::fromStdString(words);
    if (shown.size() > kLongestText)
        shown = shown.left(kLongestText)
            + QObject::tr("… (%1 more)").arg(formatCount(shown.size() - kLongestText));
    return shown;
}

QString roleOf(const Value& message)
{
    if (!message.isMap() || message.find("content") == nullptr)
        return {};
    const std::string role = message.stringOr("type", message.stringOr("role", ""));
    return QString::fromStdString(role);
}

bool holdsMessages(const Value& channel)
{
    if (!channel.isList() || channel.asList().empty())
        return false;
    const auto& items = channel.asList();
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(kLookedAt, items.size()));
    return std::all_of(items.begin(), end, [](const Value& item) { return !roleOf(item).isEmpty(); });
}

// The text of one part of a content list, or a description of a part that is no text.
QString partText(const Value& part)
{
    if (part.isString())
        return text(part);
    const std::string kind = part.stringOr("type", "");
    if (const Value* words = part.find("text"); words != nullptr && words->isString())
        return text(*words);
    if (kind == "tool_use")
        return {}; // it is listed among the calls
    // Base64 and addresses are not readable.
    const auto bytes = static_cast<qint64>(toJson(part).size());
    return QObject::tr("[%1, %2]")
        .arg(QString::fromStdString(kind.empty() ? "data" : kind), formatBytes(bytes));
}

QString contentText(const Value& content)
{
    if (!content.isList())
        return text(content);
    QStringList parts;
    for (const Value& part : content.asList())
        if (const QString words = partText(part); !words.isEmpty())
            parts << words;
    return parts.join(QLatin1Char('\n'));
}

std::vector<ToolCall> callsOf(const Value& message)
{
    std::vector<ToolCall> calls;
    const Value* list = message.find("tool_calls");
    if (list == nullptr || !list->isList())
        return calls;
    for (const Value& call : list->asList()) {
        const Value& function = call["function"]; // OpenAI's format
        const Value& named = function.isMap() ? function : call;
        const Value* arguments = named.find(function.isMap() ? "arguments" : "args");
        Value shown = arguments != nullptr ? *arguments : Value();
        if (shown.isString())
            if (auto parsed = parseJson(shown.asString()))
                shown = std::move(*parsed);
        calls.push_back({ QString::fromStdString(named.stringOr("name", "")),
                          QString::fromStdString(call.stringOr("id", "")), text(shown) });
    }
    return calls;
}

} // namespace

Messages messagesOf(const Value& state, std::size_t most)
{
    Messages found;
    if (!state.isMap())
        return found;
    for (const auto& [key, channel] : state.asMap()) {
        if (!key.isString() || !holdsMessages(channel))
            continue;
        found.channel = QString::fromStdString(key.asString());
        const auto& items = channel.asList();
        found.left = items.size() > most ? items.size() - most : 0;
        for (std::size_t i = found.left; i < items.size(); ++i) {
            const Value& message = items[i];
            const QString role = roleOf(message);
            if (role.isEmpty())
                continue;
            found.rows.push_back({ role, QString::fromStdString(message.stringOr("name", "")),
                                   contentText(message["content"]), callsOf(message),
                                   QString::fromStdString(message.stringOr("tool_call_id", "")),
                                   message.stringOr("status", "") == "error" });
        }
        break;
    }
    return found;
}

} // namespace sg::ui
