#include "core/models/python_json_error.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sg::models {
namespace {

constexpr int kMostDepth = 500; // Python gives up at about a thousand

// Goes through the text as CPython's scanner does, for its messages alone. Places count characters.
class Scanner {
public:
    explicit Scanner(std::u32string text)
        : m_text(std::move(text))
    {
    }

    std::string error()
    {
        skipBlanks();
        if (value(0)) {
            skipBlanks();
            if (m_at != m_text.size())
                fail("Extra data", m_at);
        }
        if (!m_message)
            return {};
        const auto end = m_text.begin() + static_cast<std::ptrdiff_t>(m_place);
        const auto line = std::count(m_text.begin(), end, U'\n') + 1;
        const std::size_t before = m_place == 0 ? std::u32string::npos : m_text.rfind(U'\n', m_place - 1);
        const std::size_t column = before == std::u32string::npos ? m_place + 1 : m_place - before;
        return *m_message + ": line " + std::to_string(line) + " column " + std::to_string(column) + " (char "
            + std::to_string(m_place) + ")";
    }

private:
    bool fail(const char* message, std::size_t place)
    {
        m_message = message;
        m_place = std::min(place, m_text.size());
        return false;
    }
    [[nodiscard]] char32_t here() const { return m_at < m_text.size() ? m_text[m_at] : U'\0'; }
    [[nodiscard]] bool is(char32_t letter) const { return m_at < m_text.size() && m_text[m_at] == letter; }
    void skipBlanks()
    {
        while (is(U' ') || is(U'\t') || is(U'\n') || is(U'\r'))
            ++m_at;
    }

    bool value(int depth)
    {
        if (depth > kMostDepth)
            return fail("Expecting value", m_at);
        switch (here()) {
        case U'"': return string();
        case U'{': return object(depth);
        case U'[': return array(depth);
        default: break;
        }
        for (const std::u32string_view word :
             { U"null", U"true", U"false", U"NaN", U"Infinity", U"-Infinity" })
            if (m_text.compare(m_at, word.size(), word) == 0) {
                m_at += word.size();
                return true;
            }
        return number() || fail("Expecting value", m_at);
    }

    bool object(int depth)
    {
        ++m_at;
        skipBlanks();
        while (!is(U'}')) {
            if (!is(U'"'))
                return fail("Expecting property name enclosed in double quotes", m_at);
            if (!string())
                return false;
            skipBlanks();
            if (!is(U':'))
                return fail("Expecting ':' delimiter", m_at);
            ++m_at;
            skipBlanks();
            if (!value(depth + 1))
                return false;
            skipBlanks();
            if (is(U'}'))
                break;
            if (!is(U','))
                return fail("Expecting ',' delimiter", m_at);
            ++m_at;
            skipBlanks();
            if (is(U'}'))
                return fail("Expecting property name enclosed in double quotes", m_at);
        }
        ++m_at;
        return true;
    }

    bool array(int depth)
    {
        ++m_at;
        skipBlanks();
        while (!is(U']')) {
            if (!value(depth + 1))
                return false;
            skipBlanks();
            if (is(U']'))
                break;
            if (!is(U','))
                return fail("Expecting ',' delimiter", m_at);
            ++m_at;
            skipBlanks();
            if (is(U']'))
                return fail("Expecting value", m_at);
        }
        ++m_at;
        return true;
    }

    bool string()
    {
        const std::size_t begin = m_at++;
        while (m_at < m_text.size()) {
            const char32_t letter = m_text[m_at++];
            if (letter == U'"')
                return true;
            if (letter == U'\\' && !escape(begin))
                return false;
        }
        return fail("Unterminated string starting at", begin);
    }

    bool escape(std::size_t begin)
    {
        if (m_at >= m_text.size())
            return fail("Unterminated string starting at", begin);
        const char32_t letter = m_text[m_at++];
        if (letter != U'u')
            return std::u32string_view(U"\"\\/bfnrt").find(letter) != std::u32string_view::npos
                || fail("Invalid \\escape", m_at - 2);
        if (m_at + 4 >= m_text.size())
            return fail("Invalid \\uXXXX escape", m_at - 1);
        for (std::size_t i = 0; i < 4; ++i)
            if (std::u32string_view(U"0123456789abcdefABCDEF").find(m_text[m_at + i])
                == std::u32string_view::npos)
                return fail("Invalid \\uXXXX escape", m_at - 1);
        m_at += 4;
        return true;
    }

    std::size_t digits(std::size_t at) const
    {
        while (at < m_text.size() && m_text[at] >= U'0' && m_text[at] <= U'9')
            ++at;
        return at;
    }

    bool number()
    {
        std::size_t at = m_at + (is(U'-') ? 1 : 0);
        const std::size_t whole = at < m_text.size() && m_text[at] == U'0' ? at + 1 : digits(at);
        if (whole == at)
            return false;
        m_at = whole;
        if (is(U'.') && digits(m_at + 1) > m_at + 1)
            m_at = digits(m_at + 1);
        if (is(U'e') || is(U'E')) {
            at = m_at + 1;
            if (at < m_text.size() && (m_text[at] == U'+' || m_text[at] == U'-'))
                ++at;
            if (digits(at) > at)
                m_at = digits(at);
        }
        return true;
    }

    const std::u32string m_text;
    std::size_t m_at = 0;
    std::optional<std::string> m_message;
    std::size_t m_place = 0;
};

} // namespace

std::string pythonJsonError(std::string_view text)
{
    std::u32string characters;
    characters.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char next = firstUtf8Char(text);
        characters += next.length == 0 ? U'\uFFFD' : static_cast<char32_t>(next.code);
        text.remove_prefix(std::max<std::size_t>(next.length, 1));
    }
    return Scanner(std::move(characters)).error();
}

} // namespace sg::models
