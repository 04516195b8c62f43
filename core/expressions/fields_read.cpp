#include "core/expressions/fields_read.h"

#include <algorithm>
#include <array>
#include <vector>

namespace sg::expressions {
namespace {

// They read nothing by themselves. Without its "else", an "if" gives its input.
constexpr std::array<std::string_view, 12> kPlainWords{
    "if", "then", "elif", "else", "end", "and", "or", "not", "true", "false", "null", "empty",
};

bool isWordBegin(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

class FieldReader {
public:
    explicit FieldReader(std::string_view program)
        : m_text(program)
    {
    }

    std::optional<std::set<std::string>> read()
    {
        while (m_at < m_text.size())
            if (!takeOne())
                return std::nullopt;
        if (m_ifs != m_elses || m_last.empty()) // an empty program gives its input
            return std::nullopt;
        return std::move(m_fields);
    }

private:
    [[nodiscard]] char at(std::size_t place) const { return place < m_text.size() ? m_text[place] : '\0'; }
    [[nodiscard]] bool isKeyPlace() const
    {
        return !m_open.empty() && m_open.back() == '{' && (m_last == "{" || m_last == ",");
    }

    bool takeOne()
    {
        const char c = at(m_at);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++m_at;
            return true;
        }
        if (c == '"')
            return takeText();
        if (isWordBegin(c))
            return takeWord();
        if (isDigit(c))
            return takeNumber();
        if (c == '.')
            return takeField();
        return takeSign();
    }

    // A text may name a field, as in {"a"} and ."a". Those with escapes are not looked into.
    bool takeText()
    {
        const std::size_t end = m_text.find('"', m_at + 1);
        const std::string_view text =
            end == std::string_view::npos ? std::string_view() : m_text.substr(m_at + 1, end - m_at - 1);
        if (end == std::string_view::npos || text.find('\\') != std::string_view::npos)
            return false;
        m_fields.emplace(text);
        return took("text", end + 1);
    }

    std::string_view word(std::size_t from) const
    {
        std::size_t end = from;
        while (isWordBegin(at(end)) || isDigit(at(end)))
            ++end;
        return m_text.substr(from, end - from);
    }

    bool takeWord()
    {
        const std::string_view name = word(m_at);
        const std::size_t end = m_at + name.size();
        if (at(end) == ':' && at(end + 1) == ':') // of a module
            return false;
        if (isKeyPlace()) {
            m_fields.emplace(name);
            return took("key", end);
        }
        m_ifs += name == "if" ? 1 : 0;
        m_elses += name == "else" ? 1 : 0;
        const bool isPlain = std::ranges::find(kPlainWords, name) != kPlainWords.end();
        // Behind a "|" it is given what stands before, which is not the whole input. These words begin what
        // must be looked at more closely.
        const bool isFilter = m_last == "|" && name != "as" && name != "def" && name != "reduce"
            && name != "foreach" && name != "label" && name != "import" && name != "include" && name != "try"
            && name != "input" && name != "inputs";
        return (isPlain || isFilter) && took("word", end);
    }

    bool takeNumber()
    {
        std::size_t end = m_at;
        while (isDigit(at(end)) || (at(end) == '.' && isDigit(at(end + 1))))
            ++end;
        return !isWordBegin(at(end)) && took("number", end);
    }

    bool takeField()
    {
        if (at(m_at + 1) == '"') {
            ++m_at;
            return takeText();
        }
        const std::string_view name = word(m_at + 1);
        if (name.empty() || isDigit(name.front())) {
            // ".[" behind a field belongs to that
            const bool isIndex = at(m_at + 1) == '[' && (m_last == "field" || m_last == "]");
            return isIndex && took("field", m_at + 1);
        }
        m_fields.emplace(name);
        return took("field", m_at + 1 + name.size());
    }

    bool takeSign()
    {
        const char c = at(m_at);
        const std::string_view two = m_text.substr(m_at, 2);
        const std::string_view three = m_text.substr(m_at, 3);
        if (three == "//=" || three == "?//")
            return false;
        if (two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "//")
            return took(two, m_at + 2);
        if (at(m_at + 1) == '=') // an assignment gives its input
            return false;
        if (c == '(' || c == '[' || c == '{')
            m_open += c;
        else if ((c == ')' || c == ']' || c == '}') && !m_open.empty())
            m_open.pop_back();
        else if (std::string_view("|,:?<>+-*/%").find(c) == std::string_view::npos)
            return false;
        return took(m_text.substr(m_at, 1), m_at + 1);
    }

    bool took(std::string_view what, std::size_t end)
    {
        m_last = what;
        m_at = end;
        return true;
    }

    const std::string_view m_text;
    std::size_t m_at = 0;
    std::set<std::string> m_fields;
    std::string m_open; // brackets that are open
    std::string m_last; // the token before
    int m_ifs = 0;
    int m_elses = 0;
};

} // namespace

std::optional<std::set<std::string>> fieldsRead(std::string_view program)
{
    return FieldReader(program).read();
}

} // namespace sg::expressions
