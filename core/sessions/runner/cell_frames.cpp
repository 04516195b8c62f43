#include "core/sessions/runner/cell_frames.h"

#include "core/base/msgpack.h"
#include "core/sessions/runner/frame.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <limits>

namespace sg::sessions {
namespace {

constexpr std::size_t kMostDataBytes = 256U << 20; // custom and display data of one cell
constexpr std::size_t kMostParts = 32;
constexpr std::size_t kMostErrorText = 512U << 10;
constexpr std::size_t kMostRaisedBytes = 1U << 20;
constexpr std::int64_t kMostAnswers = 1'000'000;

std::string shortText(const Value& map, std::string_view key, std::string_view fallback)
{
    return map.stringOr(key, fallback).substr(0, kMostErrorText);
}

// The size of a map MIME type → text or bytes, the form of results and displays.
Result<std::size_t> bundleBytes(const Value& bundle)
{
    if (!bundle.isMap() || bundle.asMap().size() > kMostParts)
        return brokenProtocol("a display that is no map of some parts");
    std::size_t bytes = 0;
    for (const auto& [type, content] : bundle.asMap()) {
        if (!type.isString() || !(content.isString() || content.isBytes()))
            return brokenProtocol("a display with parts that are neither text nor bytes");
        bytes += content.isString() ? content.asString().size() : content.asBytes().size();
    }
    return bytes;
}

std::optional<CellStatus> statusNamed(const std::string& name)
{
    static constexpr std::array<std::pair<std::string_view, CellStatus>, 6> kNames{ {
        { "ok", CellStatus::Ok },
        { "error", CellStatus::Error },
        { "interrupt", CellStatus::Interrupt },
        { "interrupted", CellStatus::Stopped },
        { "timeout", CellStatus::TimedOut },
        { "died", CellStatus::Died },
    } };
    for (const auto& [text, status] : kNames)
        if (text == name)
            return status;
    return std::nullopt;
}

MsgpackLimits limitsOfState(const CellLimits& limits)
{
    MsgpackLimits most;
    most.units = static_cast<std::size_t>(limits.stateBytes) / 2;
    return most;
}

std::string tooManyText(const CellLimits& limits)
{
    return "what the code returned has too many values: lists, maps, texts and numbers for which this "
           "program "
           "would need more than "
        + byteText(limits.stateBytes * 8)
        + ". Raise \"state_mb\" (a limit of the graph's sandbox, or SANDBOX_STATE_MB), keep numbers in an "
          "array, "
          "or write them to /session/artifacts";
}

// Class names and data of an exception, from which the runner may build it again.
Value raisedOf(const Value& error)
{
    if (!error["data"].isBytes() || error["data"].asBytes().size() > kMostRaisedBytes
        || !error["mro"].isList())
        return {};
    return Value::map({ { "mro", error["mro"] }, { "data", error["data"] } });
}

} // namespace

std::string byteText(std::int64_t bytes)
{
    static constexpr std::array<const char*, 5> kUnits{ "bytes", "KiB", "MiB", "GiB", "TiB" };
    double amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 1024 && unit + 1 < kUnits.size()) {
        amount /= 1024;
        ++unit;
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), unit < 3 ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
    return text.data();
}

std::string outOfMemoryText(const sandbox::Limits& limits)
{
    return "the session used " + byteText(limits.memoryBytes) + ", its memory limit";
}

std::string secondsText(std::chrono::milliseconds duration)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%g s", static_cast<double>(duration.count()) / 1000);
    return text.data();
}

CellFrames::CellFrames(bool isCall, const CellLimits& limits, const sandbox::Limits& sandboxLimits,
                       const CellHandlers& handlers)
    : m_isCall(isCall)
    , m_limits(limits)
    , m_sandboxLimits(sandboxLimits)
    , m_handlers(handlers)
{
}

Result<bool> CellFrames::take(const Frame& frame)
{
    const auto more = [](Result<void> taken) -> Result<bool> {
        if (!taken)
            return taken.error();
        return false;
    };
    if (frame.event == "out")
        return more(takeOutput(frame.body));
    if (frame.event == "custom")
        return more(takeCustom(frame.body));
    if (frame.event == "display")
        return more(takeDisplay(frame.body));
    if (frame.event == "ask")
        return more(takeAsk(frame));
    if (frame.event == "truncated")
        return more(takeTruncated(frame.body));
    if (frame.event == "done") {
        m_id = frame.id;
        if (auto taken = takeDone(frame.body); !taken)
            return taken.error();
        return true;
    }
    if (frame.event == "problem") {
        m_result.status = CellStatus::Error;
        takeError(frame.body);
        return true;
    }
    return brokenProtocol("an unexpected event while a cell ran");
}

Result<void> CellFrames::takeOutput(const Value& body)
{
    const std::string stream = body.stringOr("stream", {});
    const Value& data = body["data"];
    if ((stream != "stdout" && stream != "stderr") || !data.isBytes())
        return brokenProtocol("output without stream or data");
    const std::int64_t size = static_cast<std::int64_t>(data.asBytes().size());
    const std::int64_t room = std::max<std::int64_t>(m_limits.outputBytes - m_outputBytes, 0);
    const std::int64_t taken = std::min(size, room);
    m_outputBytes += taken;
    m_droppedHere += size - taken;
    if (taken > 0 && m_handlers.output)
        m_handlers.output({ stream == "stdout" ? CellOutput::Stream::Stdout : CellOutput::Stream::Stderr,
                            data.asBytes().substr(0, static_cast<std::size_t>(taken)) });
    return {};
}

bool CellFrames::hasRoomFor(std::size_t bytes)
{
    if (bytes > kMostDataBytes - m_dataBytes)
        return false;
    m_dataBytes += bytes;
    return true;
}

Result<void> CellFrames::takeCustom(const Value& body)
{
    const Value& data = body["data"];
    if (!data.isBytes())
        return brokenProtocol("custom data that is not packed");
    if (!hasRoomFor(data.asBytes().size()))
        return brokenProtocol("more custom data than a cell may send");
    const auto value = decodeMsgpack(data.asBytes(), limitsOfState(m_limits));
    if (!value)
        return brokenProtocol("custom data that cannot be decoded");
    if (m_handlers.custom)
        m_handlers.custom(*value);
    return {};
}

Result<void> CellFrames::takeDisplay(const Value& body)
{
    const Value& data = body["data"];
    const auto bytes = bundleBytes(data);
    if (!bytes)
        return bytes.error();
    if (!hasRoomFor(*bytes + 1))
        return brokenProtocol("more display data than a cell may send");
    m_result.displays.push_back(data);
    if (m_handlers.display)
        m_handlers.display(data);
    return {};
}

// The code gets an answer to any request: a value, or an error to raise.
Result<void> CellFrames::takeAsk(const Frame& frame)
{
    const std::int64_t call = frame.body.intOr("call", -1);
    const Value& data = frame.body["data"];
    if (call < 0 || !data.isBytes())
        return brokenProtocol("a request without number or data");
    const auto request = decodeMsgpack(data.asBytes(), limitsOfState(m_limits));
    if (!request)
        return brokenProtocol("a request that cannot be decoded");
    const std::string kind = frame.body.stringOr("kind", {}).substr(0, 64);
    Result<Value> answer = Error{ Errc::Unsupported, "nothing here answers requests of kind '" + kind + "'" };
    if (m_handlers.ask)
        answer = m_handlers.ask(kind, *request);
    m_reply = ValueMap{ { "op", "answer" }, { "id", frame.id }, { "call", call } };
    if (answer)
        m_reply.set("data", Bytes{ encodeMsgpack(*answer) });
    else
        m_reply.set(
            "error",
            Value::map(
                { { "type", answer.error().code == Errc::InvalidArgument ? "ValueError" : "RuntimeError" },
                  { "message", answer.error().message } }));
    return {};
}

Result<void> CellFrames::takeTruncated(const Value& body)
{
    const std::string stream = body.stringOr("stream", {});
    const std::int64_t dropped = body.intOr("dropped", -1);
    if ((stream != "stdout" && stream != "stderr" && stream != "custom") || dropped < 0)
        return brokenProtocol("a truncation without stream or count");
    const bool isFirst = m_droppedThere.empty();
    m_droppedThere[stream] = dropped;
    if (isFirst && stream != "custom" && m_handlers.output)
        m_handlers.output({ CellOutput::Stream::Event,
                            "the output limit of " + byteText(m_limits.outputBytes)
                                + " a cell is reached, the rest is dropped" });
    return {};
}

Result<void> CellFrames::takeDone(const Value& body)
{
    const auto status = statusNamed(body.stringOr("status", {}));
    if (!status)
        return brokenProtocol("an unknown status");
    m_result.status = *status;
    m_result.restarted = body.boolOr("restarted", false);
    m_mayHaveArtifacts = body.boolOr("artifacts", true);
    m_hasKeptNames = body.intOr("kept", 0) > 0;
    m_copyFollows = body.boolOr("copy", false);
    m_wasKilled = body["exit"].intOr("signal", 0) == SIGKILL;
    m_result.droppedBytes = m_droppedHere;
    for (const auto& [stream, dropped] : m_droppedThere)
        m_result.droppedBytes +=
            std::min(dropped, std::numeric_limits<std::int64_t>::max() - m_result.droppedBytes);
    const std::int64_t answered = body.intOr("answered", 0);
    if (answered < 0 || answered > kMostAnswers)
        return brokenProtocol("a wrong number of used answers");
    m_result.answersUsed = static_cast<int>(answered);
    if (const Value& modules = body["modules"]; modules.isMap())
        for (const auto& [file, hash] : modules.asMap())
            if (file.isString() && hash.isString())
                m_result.modules.push_back({ file.asString(), hash.asString() });
    switch (m_result.status) {
    case CellStatus::Ok: return takeUpdate(body);
    case CellStatus::Interrupt: return takeInterrupts(body);
    case CellStatus::Error:
    case CellStatus::TimedOut:
    case CellStatus::Stopped:
    case CellStatus::Died: takeError(body); return {};
    }
    return {};
}

Result<void> CellFrames::takeUpdate(const Value& body)
{
    if (!m_isCall) {
        const Value& result = body["result"];
        if (!result.isNull()) {
            const auto bytes = bundleBytes(result);
            if (!bytes)
                return bytes.error();
        }
        m_result.value = result;
        return {};
    }
    const Value& update = body["update"];
    if (!update.isBytes())
        return brokenProtocol("a returned value that is not packed");
    auto value = decodeMsgpack(update.asBytes(), limitsOfState(m_limits));
    if (!value && value.error().code == Errc::LimitExceeded) {
        m_result.status = CellStatus::Error;
        m_result.error = CellError{ "StateTooLarge", tooManyText(m_limits) };
        return {};
    }
    if (!value)
        return brokenProtocol("a returned value that cannot be decoded");
    m_result.value = std::move(*value);
    return {};
}

Result<void> CellFrames::takeInterrupts(const Value& body)
{
    const Value& packed = body["interrupts"];
    if (!packed.isBytes())
        return brokenProtocol("interrupts that are not packed");
    const auto values = decodeMsgpack(packed.asBytes(), limitsOfState(m_limits));
    if (!values || !values->isList() || values->asList().empty())
        return brokenProtocol("interrupts that cannot be decoded");
    m_result.interruptValue = values->asList().front();
    return {};
}

void CellFrames::takeError(const Value& body)
{
    const Value& error = body["error"];
    CellError known;
    known.type = shortText(error, "type", "Error");
    known.message = shortText(error, "message", {});
    known.traceback = shortText(error, "text", {});
    known.repr = shortText(error, "repr", {});
    known.raised = raisedOf(error);
    if (m_result.status == CellStatus::TimedOut) {
        known.type = "TimeoutError";
        known.message = "the code was stopped after " + secondsText(m_limits.deadline) + ", its limit"
            + (m_result.restarted ? kNamesGone : "");
    } else if (m_result.status == CellStatus::Stopped) {
        known.type = "Stopped";
        known.message = std::string("the code was stopped") + (m_result.restarted ? kNamesGone : "");
    } else if (m_result.status == CellStatus::Died) {
        const Value& oom = body["exit"]["oom"];
        const bool isSure = oom.isBool() && oom.asBool();
        if (isSure || oom.isString()) {
            known.type = "MemoryError";
            known.message = isSure ? outOfMemoryText(m_sandboxLimits)
                                   : "the interpreter was killed, most likely because the session reached "
                    + byteText(m_sandboxLimits.memoryBytes) + ", its memory limit";
        }
        if (m_result.restarted)
            known.message += kNamesGone;
    }
    m_result.error = std::move(known);
}

} // namespace sg::sessions
