// The first words of a TLS client are never read beyond their end, are the same however they are cut, and a
// name without zero bytes is told as it is.

#include "core/sandbox/egress/tls_hello.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;
using sandbox::egress::parseTlsHello;
using sandbox::egress::TlsHello;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzz::textOf(data, size);
    const TlsHello whole = parseTlsHello(bytes);
    fuzz::expect(whole.hasName || whole.name.empty(), "a name only where there is one");
    if (whole.state != TlsHello::State::Whole)
        return 0;
    // Some part of it needs more, and none says something else.
    for (std::size_t cut = 0; cut <= bytes.size(); cut += 1 + bytes.size() / 64) {
        const TlsHello part = parseTlsHello(bytes.substr(0, cut));
        fuzz::expect(part.state != TlsHello::State::Broken, "a part of a good one is not broken");
        fuzz::expect(part.state != TlsHello::State::Whole || part.name == whole.name, "the name stays");
    }
    return 0;
}
