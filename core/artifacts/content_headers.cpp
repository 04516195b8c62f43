#include "core/artifacts/artifact_server.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sg::artifacts {
namespace {

// Browsers show these types without running anything.
constexpr std::array<std::string_view, 17> kShown{
    "image/png",  "image/jpeg",    "image/gif",        "image/webp", "image/bmp",   "text/plain",
    "text/csv",   "text/markdown", "application/json", "audio/mpeg", "audio/wav",   "audio/ogg",
    "audio/flac", "video/mp4",     "video/webm",       "video/ogg",  "image/x-icon"
};

bool isType(std::string_view mime)
{
    return std::ranges::count(mime, '/') == 1 && mime.size() < 128
        && std::ranges::all_of(mime, [](char each) {
               return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z')
                   || (each >= '0' && each <= '9')
                   || std::string_view("!#$&-^_.+/").find(each) != std::string_view::npos;
           });
}

// Writes RFC 6266: a plain name that every browser reads, and the whole name in RFC 5987's form.
std::string dispositionOf(bool isShown, const std::string& name)
{
    std::string plain;
    std::string whole;
    for (const char each : name) {
        const bool isPlain = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z')
            || (each >= '0' && each <= '9') || each == '.' || each == '-' || each == '_';
        plain += isPlain || each == ' ' ? each : '_';
        if (isPlain) {
            whole += each;
            continue;
        }
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(each);
        whole += { '%', kDigits[byte >> 4U], kDigits[byte & 15U] };
    }
    return std::string(isShown ? "inline" : "attachment") + "; filename=\"" + plain + "\"; filename*=UTF-8''"
        + whole;
}

} // namespace

std::string contentHeaders(const std::string& mime, const std::string& name)
{
    const bool isShown = std::ranges::find(kShown, mime) != kShown.end();
    const std::string type = isType(mime) ? mime : "application/octet-stream";
    const bool isText = isShown && type.starts_with("text/");
    return "Content-Type: " + type + (isText ? "; charset=utf-8" : "")
        + "\r\nX-Content-Type-Options: nosniff\r\nContent-Disposition: " + dispositionOf(isShown, name)
        + "\r\nContent-Security-Policy: sandbox; default-src 'none'\r\nX-Frame-Options: DENY\r\n"
          "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
          "Cache-Control: private, no-store\r\nAccept-Ranges: bytes\r\n";
}

} // namespace sg::artifacts
