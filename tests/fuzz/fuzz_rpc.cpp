// A stream of Connect RPC from a sandbox's daemon: the same messages and the same end however the bytes are
// cut, within the limit; base64 says the bytes again.

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/net/connect_rpc.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

#include <algorithm>
#include <string>

using namespace sg;

namespace {

constexpr std::size_t kMessage = 300;

std::string told(std::string_view bytes, std::size_t piece)
{
    net::RpcReader reader(kMessage);
    std::string all;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        reader.add(bytes.substr(0, piece));
        while (true) {
            const auto message = reader.next();
            if (!message)
                return all + "error";
            if (!*message)
                break;
            fuzz::expect((*message)->value.isMap(), "a message is an object");
            all.append((*message)->isEnd ? "end" : "").append(toJson((*message)->value)).append(1, '\n');
        }
    }
    return all + (reader.isEmpty() ? "" : "part");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Pieces pieces(data, size);
    const std::size_t piece = 1U + pieces.byte();
    const std::string_view stream = pieces.rest();
    fuzz::expect(told(stream, piece) == told(stream, stream.size() + 1), "a cut changes nothing");
    fuzz::expect(net::fromBase64(toBase64(stream)) == stream, "base64 goes there and back");
    static_cast<void>(net::fromBase64(stream));
    return 0;
}
