#include "core/expressions/program_shape.h"

#include "core/expressions/program_text.h"

namespace sg::expressions {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordBegin(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isWordPart(char c)
{
    return isWordBegin(c) || isDigit(c) || c == ':';
}

// jq's compiler folds constants and rejects a divisor of 0, only jq's lexer knows where comments end and what
// interpolations hold, and a NUL ends a program early.
bool isItsOwnShape(std::string_view program)
{
    return program.find_first_of(std::string_view("/%#\\\0", 5)) != std::string_view::npos
        || !canShareState(program);
}

class Shape {
public:
    explicit Shape(std::string_view text)
        : m_text(text)
    {
        m_made.reserve(text.size());
    }

    std::string made()
    {
        while (m_at < m_text.size())
            step();
        return std::move(m_made);
    }

private:
    [[nodiscard]] char at(std::size_t ahead) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    void step()
    {
        const char c = at(0);
        if (c == '"')
            takeString();
        else if (c == '.' && isWordBegin(at(1)) && !m_made.ends_with('.'))
            takeField();
        else if (isDigit(c) || (c == '.' && isDigit(at(1))))
            takeNumber();
        else if (isWordBegin(c))
            takeWord();
        else
            m_made += m_text[m_at++];
    }

    // Line breaks stay, because messages name lines.
    void takeString()
    {
        const std::size_t end = m_text.find('"', m_at + 1); // exists, because brackets and quotes match
        const std::string_view inside = m_text.substr(m_at + 1, end - m_at - 1);
        m_made += '"';
        if (inside.find('\n') != std::string_view::npos)
            m_made += inside;
        m_made += '"';
        m_at = end + 1;
    }

    void takeField()
    {
        m_made += ".a";
        ++m_at;
        while (isWordBegin(at(0)) || isDigit(at(0)))
            ++m_at;
    }

    void takeNumber()
    {
        const std::size_t begin = m_at;
        bool isPlain = true;
        while (isDigit(at(0)) || at(0) == '.' || isWordBegin(at(0))) {
            isPlain = isPlain && isDigit(at(0));
            ++m_at;
        }
        if (isPlain)
            m_made += '1';
        else
            m_made += m_text.substr(begin, m_at - begin);
    }

    void takeWord()
    {
        while (isWordPart(at(0)))
            m_made += m_text[m_at++];
    }

    std::string_view m_text;
    std::string m_made;
    std::size_t m_at = 0;
};

} // namespace

std::string programShape(std::string_view program)
{
    return isItsOwnShape(program) ? std::string(program) : Shape(program).made();
}

} // namespace sg::expressions
