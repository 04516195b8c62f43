// A client sends a request to one of our servers: the head is the same however it is cut, and nothing in it
// can be read differently by two.

#include "core/net/http_head.h"
#include "core/sandbox/egress/host_rule.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using State = net::HttpHeadResult::State;
    const std::string_view text = fuzz::textOf(data, size);
    net::HttpHead head;
    const auto whole = net::parseHttpHead(text, head);
    if (whole.state == State::Refused)
        fuzz::expect(whole.status >= 400 && *whole.why != '\0', "a refusal says why");
    if (whole.state != State::Whole)
        return 0;
    fuzz::expect(whole.size <= text.size() && text.substr(whole.size - 4, 4) == "\r\n\r\n",
                 "it ends with an empty line");
    // Before its last byte it was not whole, and not refused.
    net::HttpHead part;
    for (const std::size_t cut : { whole.size - 1, whole.size / 2, std::size_t{ 1 } })
        fuzz::expect(net::parseHttpHead(text.substr(0, cut), part).state == State::NeedsMore,
                     "a part needs more");
    const auto again = net::parseHttpHead(text.substr(0, whole.size), part);
    fuzz::expect(again.state == State::Whole && part.target == head.target && part.headers == head.headers,
                 "what follows changes nothing");
    fuzz::expect(!(head.contentLength && head.isChunked), "one framing");
    for (const char each : head.target)
        fuzz::expect(each > 0x20 && each < 0x7f, "the target is visible");
    for (const auto& [name, value] : head.headers)
        fuzz::expect(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos,
                     "no line in a line");
    if (const auto place = sandbox::egress::parseHostPort(head.target, 443)) {
        const auto same = sandbox::egress::parseHostPort(place->text(), 0);
        fuzz::expect(same && *same == *place, "a place is read as it is written");
    }
    return 0;
}
