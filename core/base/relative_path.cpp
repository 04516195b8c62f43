#include "core/base/relative_path.h"

#include "core/base/printable.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <utility>

namespace sg {
namespace {

constexpr std::size_t kMaxBytes = 4096;
constexpr std::size_t kMaxParts = 32;
constexpr std::size_t kMaxPartBytes = 255;

const char* characterProblem(std::string_view text)
{
    while (!text.empty()) {
        const Utf8Char character = firstUtf8Char(text);
        if (character.length == 0)
            return "it is not valid UTF-8";
        if (character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0))
            return "it holds a control character";
        text.remove_prefix(character.length);
    }
    return nullptr;
}

const char* partProblem(std::string_view part)
{
    if (part.empty())
        return "it has an empty part";
    if (part == "." || part == "..")
        return "\".\" and \"..\" are not allowed";
    return part.size() > kMaxPartBytes ? "one of its parts is longer than 255 bytes" : nullptr;
}

} // namespace

const char* RelativePath::problemOf(std::string_view text)
{
    if (text.empty())
        return "it is empty";
    if (text.size() > kMaxBytes)
        return "it is longer than 4096 bytes";
    if (text.front() == '/')
        return "it must be relative, without a leading \"/\"";
    if (const char* problem = characterProblem(text))
        return problem;
    std::size_t parts = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t slash = std::min(text.find('/', from), text.size());
        if (const char* problem = partProblem(text.substr(from, slash - from)))
            return problem;
        if (++parts > kMaxParts)
            return "it has more than 32 parts: it may lie 31 folders deep";
        from = slash + 1;
    }
    return nullptr;
}

Result<RelativePath> RelativePath::parse(std::string_view text)
{
    if (const char* problem = problemOf(text))
        return Error{ Errc::InvalidArgument,
                      "file name \"" + printableText(text.substr(0, kMaxPartBytes))
                          + "\" is refused: " + problem };
    return RelativePath(std::string(text));
}

std::string RelativePath::name() const
{
    return m_text.substr(m_text.rfind('/') + 1);
}

RelativePath::RelativePath(std::string text)
    : m_text(std::move(text))
{
}

} // namespace sg
