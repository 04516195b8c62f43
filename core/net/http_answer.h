#pragma once

#include "core/base/child_process.h"
#include "core/base/value.h"
#include "core/net/http_head.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sg::net {

// A whole answer.
struct HttpAnswer {
    int status = 200;
    std::string headers; // lines, each with CR LF; without Content-Length and Connection
    std::shared_ptr<const std::string> body; // or a part of a file
    std::shared_ptr<const Fd> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0; // bytes to send of `file`

    [[nodiscard]] std::uint64_t size() const { return file ? length : body ? body->size() : 0; }
};

HttpAnswer textAnswer(int status, std::string text, std::string headers = {});
HttpAnswer jsonAnswer(int status, const Value& value, std::string headers = {});

// The way in which the end of a body is told.
enum class HttpFraming { Length, Chunked, Close, None };

// The first lines of an answer to `request`, with the empty line.
std::string answerHead(int status, std::string_view headers, HttpFraming framing, std::uint64_t length,
                       bool closes, const HttpHead& request);

// The part of a content of `size` bytes that a Range header asks for. Several ranges, and unreadable ones,
// count as none, which RFC 9110 allows.
struct HttpRange {
    enum class Kind { None, Part, Impossible };
    Kind kind = Kind::None;
    std::uint64_t first = 0;
    std::uint64_t length = 0;
};
HttpRange parseRange(const std::string* header, std::uint64_t size);
std::string contentRange(const HttpRange& range, std::uint64_t size); // a header line

// The value of a field in the query of a target, percent-decoded with "+" as a space; nullopt: absent or
// ill-formed.
std::optional<std::string> queryField(std::string_view target, std::string_view name);
std::string_view pathOf(std::string_view target); // without query
// False: a "%" without two hexadecimal digits.
bool percentDecoded(std::string_view text, std::string& decoded, bool isForm = false);

} // namespace sg::net
