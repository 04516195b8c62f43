// Server-sent events of a model's or an MCP server: the same events and the same end however the bytes are
// cut, within the limits, and a name is one line.

#include "core/net/sse_parser.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

#include <algorithm>
#include <string>

using namespace sg;

namespace {

constexpr std::size_t kLine = 200;
constexpr std::size_t kEvent = 300;

std::string told(std::string_view bytes, std::size_t piece)
{
    net::SseParser parser({ kLine, kEvent });
    std::string all;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        const auto taken = parser.push(bytes.substr(0, piece), [&](const net::SseEvent& event) {
            fuzz::expect(event.data.size() <= kEvent, "an event is within its limit");
            fuzz::expect(event.name.find('\n') == std::string_view::npos, "a name is one line");
            all.append(event.name).append(1, '\1').append(event.data).append(1, '\2');
            return true;
        });
        if (!taken)
            return all + "error";
    }
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Pieces pieces(data, size);
    const std::size_t piece = 1U + pieces.byte();
    const std::string_view bytes = pieces.rest();
    const std::string whole = told(bytes, bytes.size() + 1);
    fuzz::expect(whole == told(bytes, piece), "the same however it is cut", whole);
    return 0;
}
