#include "core/models/recording.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/models/chat_fault.h"

#include <algorithm>
#include <utility>

namespace sg::models {
namespace {

constexpr std::size_t kMostRecording = 64U << 20; // bytes of a file

std::string shownShort(const Value& value)
{
    return shortened(toJson(value), 200);
}

std::optional<std::string> differenceAt(const Value& expected, const Value& found, const std::string& place)
{
    if (expected == found)
        return std::nullopt;
    if (expected.isMap() && found.isMap()) {
        for (const auto& [key, value] : expected.asMap()) {
            const std::string name = key.isString() ? key.asString() : toJson(key);
            const Value* other = found.find(name);
            const std::string at = place + "/" + jsonPointerToken(name);
            if (other == nullptr)
                return at + " is missing; it was " + shownShort(value);
            if (auto difference = differenceAt(value, *other, at))
                return difference;
        }
        for (const auto& [key, value] : found.asMap())
            if (key.isString() && expected.find(key.asString()) == nullptr)
                return place + "/" + jsonPointerToken(key.asString()) + " is new: " + shownShort(value);
        return std::nullopt;
    }
    if (expected.isList() && found.isList()) {
        const std::size_t both = std::min(expected.asList().size(), found.asList().size());
        for (std::size_t i = 0; i < both; ++i)
            if (auto difference = differenceAt(expected[i], found[i], place + "/" + std::to_string(i)))
                return difference;
        const bool isLonger = found.asList().size() > both;
        return place + "/" + std::to_string(both)
            + (isLonger ? " is new: " + shownShort(found[both])
                        : " is missing; it was " + shownShort(expected[both]));
    }
    return (place.empty() ? std::string("/") : place) + ": " + shownShort(found) + " instead of "
        + shownShort(expected);
}

// Counts the messages that both have in common, to find the recorded request that was probably meant.
std::size_t equalMessages(const Value& a, const Value& b)
{
    std::size_t count = 0;
    while (!a["messages"][count].isNull() && a["messages"][count] == b["messages"][count])
        ++count;
    return count;
}

} // namespace

std::optional<std::string> firstDifference(const Value& expected, const Value& found)
{
    return differenceAt(expected, found, {});
}

Result<std::shared_ptr<Recording>> Recording::begin(const std::filesystem::path& file)
{
    std::error_code error;
    std::shared_ptr<Recording> made(new Recording(false));
    if (std::filesystem::exists(file, error)) {
        const auto text = readFile(file, kMostRecording);
        if (!text)
            return text.error();
        auto before = parse(*text);
        if (!before)
            return std::move(before.error()).during(file.string());
        made = std::move(*before);
        made->m_isReplay = false;
    }
    made->m_file = file;
    return made;
}

Result<std::shared_ptr<Recording>> Recording::parse(std::string_view json)
{
    const auto file = parseJson(json);
    if (!file)
        return file.error();
    const Value& exchanges = (*file)["exchanges"];
    if ((*file)["format"] != Value(1) || !exchanges.isList())
        return Error{ Errc::InvalidArgument, "it is no recording: {\"format\": 1, \"exchanges\": […]}" };
    std::shared_ptr<Recording> made(new Recording(true));
    for (const Value& exchange : exchanges.asList()) {
        const Value& reply = exchange["reply"];
        if (!exchange["request"].isMap() || !reply["body"].isString())
            return Error{ Errc::InvalidArgument, "an exchange of a recording has \"request\" and \"reply\"" };
        made->m_exchanges.push_back(
            { exchange["request"],
              { static_cast<int>(reply.intOr("status", 200)),
                reply.stringOr("content_type", "application/json"), reply["body"].asString() } });
    }
    return made;
}

Result<void> Recording::add(std::string_view request, RecordedReply reply)
{
    auto value = parseJson(request);
    if (!value)
        return std::move(value.error());
    reply.body = withoutSecrets(reply.body);
    const std::lock_guard lock(m_mutex);
    m_exchanges.push_back({ valueWithoutSecrets(*value), std::move(reply) });
    const std::string whole = text();
    if (whole.size() > kMostRecording) { // it could not be read again
        m_exchanges.pop_back();
        return Error{ Errc::LimitExceeded,
                      "the recording " + m_file.string() + " would have more than "
                          + std::to_string(kMostRecording >> 20U)
                          + " MiB. Record the rest into another file" };
    }
    return writeFileAtomically(m_file, whole);
}

Result<RecordedReply> Recording::take(std::string_view request)
{
    auto asked = parseJson(request);
    if (!asked)
        return std::move(asked.error());
    *asked = valueWithoutSecrets(*asked); // as it was recorded
    const std::lock_guard lock(m_mutex);
    const Exchange* nearest = nullptr;
    for (Exchange& exchange : m_exchanges) {
        if (exchange.isUsed)
            continue;
        if (exchange.request == *asked) {
            exchange.isUsed = true;
            return exchange.reply;
        }
        if (nearest == nullptr
            || equalMessages(exchange.request, *asked) > equalMessages(nearest->request, *asked))
            nearest = &exchange;
    }
    if (nearest == nullptr)
        return Error{
            Errc::NotFound,
            "the recording has no further answer: the model was asked more often than it was recorded"
        };
    return Error{ Errc::NotFound,
                  "the request differs from the recorded one at "
                      + firstDifference(nearest->request, *asked).value_or("nothing")
                      + ". Record again (sandglass record), or undo what changed the request" };
}

std::string Recording::text() const
{
    ValueList exchanges;
    for (const Exchange& exchange : m_exchanges)
        exchanges.push_back(Value::map({ { "request", exchange.request },
                                         { "reply",
                                           Value::map({ { "status", exchange.reply.status },
                                                        { "content_type", exchange.reply.contentType },
                                                        { "body", exchange.reply.body } }) } }));
    return toJson(Value::map({ { "format", 1 }, { "exchanges", Value(std::move(exchanges)) } }),
                  JsonStyle::Indented)
        + "\n";
}

} // namespace sg::models
