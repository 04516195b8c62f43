#include "core/sessions/runner/introspection.h"

#include "core/base/msgpack.h"
#include "core/base/redaction.h"
#include "core/sessions/runner/frame.h"
#include "core/sessions/runner/runner_link.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kLookAnswerTime{ 3000 }; // the runner stops such a request after 2 s
constexpr Millis kListingTime{ 5000 }; // the copy gives up after 3 s
constexpr std::size_t kMostListed = 32U << 20;
constexpr std::size_t kMostLookText = 64U << 10;

Result<Frame> asked(RunnerLink& link, ValueMap request, const char* expected)
{
    auto answer = link.ask(std::move(request), expected, kLookAnswerTime);
    if (!answer && answer.error().code == Errc::Timeout)
        return Error{ Errc::Busy, "the session is running code; ask again when that has ended" };
    return answer;
}

std::string text(const Value& map, const char* key)
{
    return map.stringOr(key, {}).substr(0, kMostLookText);
}

// True for a continuation byte of UTF-8.
bool isInside(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::int64_t charactersBefore(const std::string& code, std::size_t cursor)
{
    const auto end = code.begin() + static_cast<std::ptrdiff_t>(std::min(cursor, code.size()));
    return std::count_if(code.begin(), end, [](char byte) { return !isInside(byte); });
}

std::size_t byteOf(const std::string& code, std::int64_t character)
{
    std::size_t at = 0;
    for (; at < code.size(); ++at)
        if (!isInside(code[at]) && character-- == 0)
            return at;
    return at;
}

Variable variableOf(const Value& entry)
{
    Variable variable{ .name = text(entry, "name"),
                       .type = text(entry, "type"),
                       .preview = text(entry, "preview") };
    if (const Value& shape = entry["shape"]; shape.isList()) {
        variable.shape.emplace();
        for (const Value& extent : shape.asList())
            variable.shape->push_back(extent.isInt() ? extent.asInt() : 0);
    }
    if (const std::int64_t size = entry.intOr("size", -1); size >= 0)
        variable.bytes = size;
    return variable;
}

Result<VariableList> variableList(const Value& told)
{
    const Value& entries = told["variables"];
    if (!entries.isList())
        return brokenProtocol("a list of variables that is none");
    VariableList list;
    for (const Value& entry : entries.asList())
        list.variables.push_back(variableOf(entry));
    list.total =
        std::max<std::int64_t>(told.intOr("total", 0), static_cast<std::int64_t>(list.variables.size()));
    return list;
}

ValueMap aboutCode(const char* op, const std::string& code, std::size_t cursor)
{
    return { { "op", op }, { "code", code }, { "cursor", charactersBefore(code, cursor) } };
}

} // namespace

Result<VariableList> listVariables(RunnerLink& link, std::int64_t limit)
{
    const auto answer = asked(link, { { "op", "variables" }, { "limit", limit } }, "variables");
    if (!answer)
        return answer.error();
    return variableList(valueWithoutSecrets(answer->body));
}

Result<VariableList> listVariables(RunnerLink& link, const SnapshotId& copy)
{
    auto exchange = link.begin({ { "op", "store" }, { "snapshot", copy.value }, { "listed", true } });
    if (!exchange)
        return std::move(exchange.error());
    const SteadyTime end = std::chrono::steady_clock::now() + kListingTime;
    std::string bytes;
    while (true) {
        const auto frame = exchange->next(end);
        if (!frame)
            return frame.error();
        if (frame->event == "end")
            break;
        if (frame->event != "piece" || !frame->body["data"].isBytes())
            return Error{ Errc::Unavailable, frame->body["error"].stringOr("message", frame->event) };
        bytes += frame->body["data"].asBytes();
        if (bytes.size() > kMostListed)
            return brokenProtocol("a list of variables without an end");
    }
    if (bytes.empty())
        return Error{ Errc::Unavailable, "describing the names took too long, or failed" };
    const auto listed = decodeMsgpack(bytes);
    if (!listed)
        return listed.error();
    return variableList(valueWithoutSecrets(*listed));
}

Result<Completions> completeCode(RunnerLink& link, const std::string& code, std::size_t cursor)
{
    const auto answer = asked(link, aboutCode("complete", code, cursor), "completions");
    if (!answer)
        return answer.error();
    const Value body = valueWithoutSecrets(answer->body);
    const Value& matches = body["matches"];
    if (!matches.isList())
        return brokenProtocol("completions that are no list");
    Completions found;
    for (const Value& match : matches.asList())
        found.matches.push_back({ text(match, "text"), text(match, "kind") });
    found.end = std::min(cursor, code.size());
    found.start = std::min(byteOf(code, std::max<std::int64_t>(body.intOr("start", 0), 0)), found.end);
    return found;
}

Result<NameDescription> describeName(RunnerLink& link, const std::string& code, std::size_t cursor)
{
    const auto answer = asked(link, aboutCode("inspect", code, cursor), "inspection");
    if (!answer)
        return answer.error();
    const Value body = valueWithoutSecrets(answer->body);
    return NameDescription{ body.boolOr("found", false), text(body, "name"), text(body, "type"),
                            text(body, "signature"),     text(body, "doc"),  text(body, "file") };
}

} // namespace sg::sessions
