#include "core/config/setting_layers.h"

#include <algorithm>
#include <cctype>

namespace sg::config {
namespace {

bool isNameLetter(char letter)
{
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

class EnvReader {
public:
    explicit EnvReader(std::string_view text)
        : m_text(text)
    {
        if (m_text.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
    }

    Result<std::vector<std::pair<std::string, std::string>>> read()
    {
        std::vector<std::pair<std::string, std::string>> entries;
        while (skipToEntry()) {
            auto name = readName();
            if (!name)
                return name.error();
            auto value = readValue();
            if (!value)
                return value.error();
            if (auto ended = endLine(); !ended)
                return ended.error();
            entries.emplace_back(std::move(*name), std::move(*value));
        }
        return entries;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\n' : m_text[m_at]; }
    [[nodiscard]] bool atLineEnd() const { return peek() == '\n' || m_text.substr(m_at, 2) == "\r\n"; }

    void skipBlanks()
    {
        while (!atEnd() && (peek() == ' ' || peek() == '\t'))
            ++m_at;
    }

    // Returns false at the end of the file.
    bool skipToEntry()
    {
        while (true) {
            skipBlanks();
            if (!atEnd() && peek() == '#')
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            if (atEnd())
                return false;
            if (!atLineEnd())
                return true;
            m_at = m_text.find('\n', m_at) + 1;
        }
    }

    [[nodiscard]] Error fault(std::size_t at, const std::string& what) const
    {
        const auto line =
            std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
        return { Errc::InvalidArgument, "line " + std::to_string(line) + ": " + what };
    }

    Result<std::string> readName()
    {
        if (m_text.substr(m_at).starts_with("export ")) {
            m_at += 7;
            skipBlanks();
        }
        const std::size_t begin = m_at;
        while (!atEnd() && isNameLetter(peek()))
            ++m_at;
        std::string name(m_text.substr(begin, m_at - begin));
        skipBlanks();
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 || atEnd()
            || peek() != '=')
            return fault(begin, "expected NAME=value");
        ++m_at;
        return name;
    }

    Result<std::string> readValue()
    {
        skipBlanks();
        if (!atEnd() && (peek() == '\'' || peek() == '"'))
            return readQuoted(peek());
        std::string value;
        while (!atLineEnd()) {
            const bool startsComment =
                peek() == '#' && (value.empty() || value.back() == ' ' || value.back() == '\t');
            if (startsComment)
                break;
            value += m_text[m_at++];
        }
        while (!value.empty() && (value.back() == ' ' || value.back() == '\t'))
            value.pop_back();
        return value;
    }

    Result<std::string> readQuoted(char quote)
    {
        const std::size_t begin = m_at++;
        std::string value;
        while (!atEnd() && m_text[m_at] != quote) {
            const char letter = m_text[m_at++];
            if (letter != '\\' || quote == '\'' || atEnd())
                value += letter;
            else
                addEscaped(m_text[m_at++], value);
        }
        if (atEnd())
            return fault(begin, std::string("the quote ") + quote + " is not closed");
        ++m_at;
        return value;
    }

    static void addEscaped(char letter, std::string& value)
    {
        switch (letter) {
        case 'n': value += '\n'; return;
        case 't': value += '\t'; return;
        case 'r': value += '\r'; return;
        case '\n': return;
        case '"':
        case '\\':
        case '$': value += letter; return;
        default: value += '\\'; value += letter;
        }
    }

    Result<void> endLine()
    {
        skipBlanks();
        if (!atLineEnd() && peek() != '#')
            return fault(m_at, "nothing may follow the closing quote but a comment");
        return {};
    }

    const std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Result<std::vector<std::pair<std::string, std::string>>> parseEnvFile(std::string_view text)
{
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        return Error{ Errc::InvalidArgument, "it holds a zero byte: it is no text" };
    return EnvReader(text).read();
}

} // namespace sg::config
