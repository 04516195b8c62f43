#include "core/sessions/runner/frame.h"

#include "core/base/msgpack.h"
#include "core/sessions/runner/cell_frames.h"

namespace sg::sessions {
namespace {

constexpr std::size_t kHeader = 4;
constexpr std::size_t kMaxDepth = 64; // state travels packed, so frames are flat
constexpr std::size_t kMostUnits = 1U << 26U; // decoded values, 1 GiB of memory

std::size_t lengthAt(const char* bytes)
{
    std::size_t length = 0;
    for (std::size_t i = 0; i < kHeader; ++i)
        length = length << 8U | static_cast<unsigned char>(bytes[i]);
    return length;
}

} // namespace

Error brokenProtocol(std::string_view what)
{
    return { Errc::Corrupt, "the session's runner broke the protocol: " + std::string(what) };
}

Result<std::string> encodeFrame(const ValueMap& message, std::size_t limit)
{
    std::string frame(kHeader, '\0');
    appendMsgpack(frame, Value(message));
    const std::size_t length = frame.size() - kHeader;
    if (length > limit)
        return Error{ Errc::LimitExceeded,
                      byteText(static_cast<std::int64_t>(length)) + " are more than the "
                          + byteText(static_cast<std::int64_t>(limit))
                          + " that can be sent to a session at once: raise \"state_mb\" (a limit of the "
                            "graph's sandbox, or SANDBOX_STATE_MB), or let the node read fewer channels "
                            "(\"reads\")" };
    for (std::size_t i = 0; i < kHeader; ++i)
        frame[i] = static_cast<char>(static_cast<unsigned char>(length >> (8U * (kHeader - 1 - i))));
    return frame;
}

Result<bool> FrameReader::next(Frame& frame, std::size_t limit)
{
    if (m_data.size() - m_start < kHeader)
        return false;
    const std::size_t length = lengthAt(m_data.data() + m_start);
    if (length > limit)
        return brokenProtocol("a frame of " + std::to_string(length) + " bytes");
    if (m_data.size() - m_start - kHeader < length) {
        m_data.erase(0, m_start);
        m_start = 0;
        return false;
    }
    auto body = decodeMsgpack(std::string_view(m_data).substr(m_start + kHeader, length),
                              { limit, kMaxDepth, kMostUnits });
    m_start += kHeader + length;
    if (m_start == m_data.size()) {
        m_data.clear();
        m_start = 0;
    }
    if (!body)
        return brokenProtocol(body.error().message);
    const Value* const event = body->find("ev");
    if (event == nullptr || !event->isString())
        return brokenProtocol("a frame without \"ev\"");
    const Value& id = (*body)["id"];
    if (!id.isNull() && (!id.isInt() || id.asInt() < 0))
        return brokenProtocol("an id that is no number in a frame \"" + event->asString().substr(0, 32)
                              + "\"");
    frame.event = event->asString();
    frame.id = id.isNull() ? 0 : id.asInt();
    frame.body = std::move(*body);
    frame.bytes = length;
    return true;
}

} // namespace sg::sessions
