#include "core/expressions/helper_protocol.h"

#include "core/base/msgpack.h"

namespace sg::expressions {

std::string frame(const Value& body)
{
    std::string bytes(kFrameHeader, '\0');
    appendMsgpack(bytes, body);
    const std::size_t length = bytes.size() - kFrameHeader;
    for (std::size_t i = 0; i < kFrameHeader; ++i)
        bytes[i] = static_cast<char>(length >> (8 * (kFrameHeader - 1 - i)) & 0xFFU);
    return bytes;
}

std::size_t frameLength(std::string_view header)
{
    std::size_t length = 0;
    for (std::size_t i = 0; i < kFrameHeader; ++i)
        length = length << 8U | static_cast<unsigned char>(header[i]);
    return length;
}

Result<Value> frameBody(std::string_view body)
{
    return decodeMsgpack(body, { body.size(), 260 }); // a request may hold an input of 256 levels
}

} // namespace sg::expressions
