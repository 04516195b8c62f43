#include "core/sandbox/egress/egress_answer.h"

#include <string_view>

namespace sg::sandbox::egress {
namespace {

std::string_view phrase(int status)
{
    switch (status) {
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 411: return "Length Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 502: return "Bad Gateway";
    case 504: return "Gateway Timeout";
    default: return "Refused";
    }
}

} // namespace

std::string egressAnswer(int status, const std::string& why)
{
    const std::string body = "Sandglass, this session's way to the network: " + why
        + "\nThere is no other way: without the proxy there is no network at all.\n";
    return "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(phrase(status))
        + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + std::to_string(body.size())
        + "\r\nConnection: close\r\n\r\n" + body;
}

std::string reachableText(const EgressPolicy& policy)
{
    std::string text;
    const auto add = [&](const std::string& each) { text += (text.empty() ? "" : ", ") + each; };
    for (const EgressRule& rule : policy.rules)
        add(rule.text());
    for (const HostPort& place : policy.chosen)
        add(place.text());
    if (policy.openPort != 0)
        add("every public host at port " + std::to_string(policy.openPort));
    return text;
}

} // namespace sg::sandbox::egress
