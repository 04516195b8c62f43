#include "ui/bridge/chat/chat_query.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/models/content_blocks.h"
#include "core/models/reply_end.h"
#include "core/usage/prices.h"
#include "ui/bridge/previews/plain_image.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QBuffer>
#include <QImageReader>
#include <QLocale>
#include <QObject>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kLongestText = 200'000; // characters of a message that are shown
constexpr std::size_t kLongestLine = 300; // of arguments in one line
constexpr std::size_t kLongestString = 4'000; // of a message as it is stored
constexpr qint64 kMostPixels = 64'000'000; // of a picture that is decoded at all
constexpr int kWidest = 960; // of a picture that is kept
constexpr std::size_t kMostPictures = 16; // of one message

QString shown(const std::string& words, std::size_t most = kLongestText)
{
    if (words.size() <= most)
        return text(printableText(words));
    std::size_t cut = most;
    while (cut > 0 && (static_cast<unsigned char>(words[cut]) & 0xC0U) == 0x80U)
        --cut; // between two characters
    return text(printableText(words.substr(0, cut)))
        + QObject::tr("… (%1 more bytes)").arg(words.size() - cut);
}

ChatRow::Role roleOf(const Value& message)
{
    const std::string role = message.stringOr("type", message.stringOr("role", ""));
    if (role == "human" || role == "user" || role == "HumanMessageChunk")
        return ChatRow::Role::Person;
    if (role == "ai" || role == "assistant" || role == "AIMessageChunk")
        return ChatRow::Role::Agent;
    if (role == "tool" || role == "function")
        return ChatRow::Role::Tool;
    return role == "system" || role == "developer" ? ChatRow::Role::System : ChatRow::Role::Other;
}

// Decodes what comes from anywhere: formats that only decode, of bounded size, kept small.
QImage pictureOf(const std::string& base64)
{
    QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(base64));
    QBuffer buffer(&bytes);
    QImageReader reader(&buffer);
    const QSize size = reader.size();
    if (!isPlainFormat(reader.format()) || !size.isValid()
        || qint64(size.width()) * size.height() > kMostPixels)
        return {};
    if (size.width() > kWidest)
        reader.setScaledSize(size.scaled(kWidest, kWidest * 4, Qt::KeepAspectRatio));
    return reader.read();
}

// Strings that nobody reads are named by their size.
Value shortened(const Value& value)
{
    if (value.isString() && value.asString().size() > kLongestString)
        return utf8(shown(value.asString(), 200));
    if (value.isList()) {
        ValueList list;
        for (const Value& item : value.asList())
            list.push_back(shortened(item));
        return Value(std::move(list));
    }
    if (value.isMap()) {
        ValueMap map;
        for (const auto& [key, item] : value.asMap())
            map.set(key, shortened(item));
        return Value(std::move(map));
    }
    return value;
}

void addThought(QString& into, const Value& words)
{
    if (!words.isString() || words.asString().empty())
        return;
    if (!into.isEmpty())
        into += QLatin1String("\n\n");
    into += shown(words.asString());
}

void addBlock(const Value& block, ChatRow& row)
{
    const std::string kind = block.isString() ? "text" : block.stringOr("type", "");
    if (kind == "text" || kind == "output_text" || kind == "input_text") {
        const QString words = shown(block.isString() ? block.asString() : block.stringOr("text", ""));
        if (!row.text.isEmpty() && !words.isEmpty())
            row.text += QLatin1Char('\n');
        row.text += words;
    } else if (kind == "thinking" || kind == "reasoning") {
        addThought(row.reasoning, block["thinking"]);
        addThought(row.reasoning, block["reasoning"]);
        for (const Value& part : block["summary"].isList() ? block["summary"].asList() : ValueList())
            addThought(row.reasoning, part["text"]);
    } else if (const auto image = models::imageOf(block); image && row.pictures.size() < kMostPictures) {
        QImage picture = image->data.empty() ? QImage() : pictureOf(image->data);
        if (picture.isNull()) // nothing is fetched from an address
            row.left << (image->data.empty() ? QObject::tr("picture at %1").arg(shown(image->url, 200))
                                             : QObject::tr("a picture that cannot be read"));
        else
            row.pictures.push_back(std::move(picture));
    } else if (kind != "tool_use" && kind != "tool_call") { // those stand among the calls
        row.left << QStringLiteral("%1, %2").arg(
            shown(kind.empty() ? "data" : kind, 40),
            QLocale::c().formattedDataSize(qint64(toJson(block).size()), 0, QLocale::DataSizeSIFormat));
    }
}

void readContent(const Value& message, ChatRow& row)
{
    const Value& content = message["content"];
    if (content.isList())
        for (const Value& block : content.asList())
            addBlock(block, row);
    else if (content.isString())
        row.text = shown(content.asString());
    else if (!content.isNull())
        row.text = shown(toJson(content, JsonStyle::Indented));
    const Value& more = message["additional_kwargs"];
    for (const char* key : { "reasoning_content", "reasoning" }) {
        addThought(row.reasoning, more[key]);
        addThought(row.reasoning, message[key]);
    }
}

// "penguins.csv", "to: all, copies: 2": what a call is about, in one line.
QString briefOf(const Value& arguments)
{
    if (!arguments.isMap())
        return shown(arguments.isString() ? arguments.asString() : toJson(arguments), kLongestLine);
    std::string brief;
    for (const auto& [key, value] : arguments.asMap()) {
        const std::string words = value.isString() ? value.asString() : toJson(value);
        if (arguments.asMap().size() == 1)
            return shown(words, kLongestLine).section(QLatin1Char('\n'), 0, 0);
        brief += (brief.empty() ? "" : ", ") + (key.isString() ? key.asString() : toJson(key)) + ": " + words;
        if (brief.size() > kLongestLine)
            break;
    }
    return shown(brief, kLongestLine).section(QLatin1Char('\n'), 0, 0);
}

ChatCallRow callRow(const std::string& id, const std::string& name, const Value& given)
{
    ChatCallRow call;
    call.id = shown(id, 200);
    call.name = shown(name, 200);
    Value arguments = given;
    if (given.isString()) { // OpenAI's format
        auto parsed = parseJson(given.asString());
        call.isBroken = !parsed;
        if (parsed)
            arguments = std::move(*parsed);
    }
    Value rest = arguments;
    if (arguments.isMap())
        for (const char* key : { "code", "program", "query", "sql" })
            if (const Value* program = arguments.find(key); program != nullptr && program->isString()
                && (std::string_view(key) == "code" || program->asString().find('\n') != std::string::npos)) {
                call.code = shown(program->asString());
                ValueMap others;
                for (const auto& [name_, value] : arguments.asMap())
                    if (name_ != Value(key))
                        others.set(name_, value);
                rest = Value(std::move(others));
                break;
            }
    call.arguments = briefOf(rest);
    if (!rest.isMap() || !rest.asMap().empty())
        call.whole = rest.isString() ? shown(rest.asString()) : shown(toJson(rest, JsonStyle::Indented));
    return call;
}

void readCalls(const Value& message, ChatRow& row)
{
    const auto list = [&message](const char* key) {
        return message[key].isList() ? message[key].asList() : ValueList();
    };
    for (const Value& call : list("tool_calls")) {
        const Value& function = call["function"]; // OpenAI's format
        row.calls.push_back(callRow(call.stringOr("id", ""),
                                    (function.isMap() ? function : call).stringOr("name", ""),
                                    function.isMap() ? function["arguments"] : call["args"]));
    }
    for (const Value& call : list("invalid_tool_calls")) {
        row.calls.push_back(callRow(call.stringOr("id", ""), call.stringOr("name", ""), call["args"]));
        row.calls.back().isBroken = true;
    }
}

// A message may be of a server whose words are not known here: nothing is said of those.
void readEnd(const Value& message, ChatRow& row)
{
    if (row.role != ChatRow::Role::Agent)
        return;
    const Value& about = message["response_metadata"];
    models::ChatReply reply;
    reply.finish = about.stringOr("stop_reason", about.stringOr("finish_reason", ""));
    reply.refusal = message["additional_kwargs"].stringOr("refusal", "");
    const bool isKnown =
        !reply.refusal.empty() || models::replyEnd(reply.finish) != models::ReplyEnd::Unknown;
    if (const auto why = isKnown ? models::endText(reply) : std::nullopt)
        row.left << shown(*why, 600);
}

void readUse(const Value& message, ChatRow& row)
{
    const Value& about = message["response_metadata"];
    row.model = shown(about.stringOr("model_name", about.stringOr("model", "")), 200);
    const Value& use = message["usage_metadata"];
    row.input = use.intOr("input_tokens", 0);
    row.output = use.intOr("output_tokens", 0);
    row.cached = use["input_token_details"].intOr("cache_read", 0);
    row.cacheWritten = use["input_token_details"].intOr("cache_creation", 0);
    row.thought = use["output_token_details"].intOr("reasoning", 0);
}

} // namespace

ChatRow chatRow(const Value& message)
{
    ChatRow row;
    row.role = roleOf(message);
    row.author = shown(message.stringOr("name", ""), 200);
    row.answers = shown(message.stringOr("tool_call_id", ""), 200);
    row.hasFailed = message.stringOr("status", "") == "error";
    readContent(message, row);
    readCalls(message, row);
    readEnd(message, row);
    readUse(message, row);
    row.json = text(toJson(shortened(message), JsonStyle::Indented));
    return row;
}

const ChatRow& ChatBook::rowOf(const history::SaidMessage& said)
{
    Made& made = m_made[said.key];
    if (made.message != said.message)
        made = { said.message, chatRow(said.message) };
    ChatRow& row = made.row;
    row.key = text(said.key);
    row.isInner = !said.ns.empty();
    row.checkpoint = text(said.checkpoint);
    row.node = text(said.node);
    row.task = text(said.task);
    row.startedMs = milliseconds(said.startedAt);
    row.seconds = said.seconds < 0 ? kUnknown : said.seconds;
    return row;
}

ChatRows ChatBook::read(history::UsageBook& usage, const QString& thread, const QString& checkpoint,
                        const std::stop_token& stop)
{
    ChatRows rows;
    rows.thread = thread;
    rows.wanted = checkpoint;
    auto found = m_conversations.of(ThreadId(utf8(thread)), utf8(checkpoint), stop);
    if (!found) {
        rows.error = userError(found.error());
        return rows;
    }
    rows.checkpoint = text(found->checkpoint.value);
    rows.channel = text(found->channel);
    const auto prices = usage.prices();
    if (prices)
        rows.currency = text(prices->currency);
    const std::lock_guard lock(m_mutex);
    if (thread != m_thread) {
        m_made.clear();
        m_thread = thread;
    }
    rows.rows.reserve(found->messages.size());
    for (const history::SaidMessage& said : found->messages) {
        if (stop.stop_requested())
            break;
        rows.rows.push_back(rowOf(said));
        ChatRow& row = rows.rows.back();
        const usage::Price* price =
            prices && row.input + row.output > 0 ? prices->of(utf8(row.model)) : nullptr;
        if (price != nullptr)
            row.cost = usage::costOf(*price, { row.input, row.output, row.cached, row.cacheWritten });
    }
    return rows;
}

} // namespace sg::ui
