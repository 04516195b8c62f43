#include "app/cli/python_input.h"

#include <cstddef>
#include <string>

namespace sg::cli {
namespace {

// The state of a text at its end.
struct Scan {
    int brackets = 0;
    bool isInText = false; // within triple quotes
    bool endsWithBackslash = false;
    bool hasBlock = false; // a line outside of brackets ended with ":", or was a decorator
    bool lastLineIsEmpty = true;
};

class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    Scan scan()
    {
        while (m_at < m_text.size())
            step();
        endLine();
        return m_scan;
    }

private:
    void step()
    {
        const char letter = m_text[m_at];
        m_scan.endsWithBackslash = false;
        if (letter == '\n') {
            endLine();
            ++m_at;
        } else if (letter == '#') {
            m_at = m_text.find('\n', m_at);
            if (m_at == std::string_view::npos)
                m_at = m_text.size();
        } else if (letter == '\'' || letter == '"') {
            takeText(letter);
        } else {
            takeLetter(letter);
            ++m_at;
        }
    }

    void takeLetter(char letter)
    {
        if (letter == '(' || letter == '[' || letter == '{')
            ++m_scan.brackets;
        if ((letter == ')' || letter == ']' || letter == '}') && m_scan.brackets > 0)
            --m_scan.brackets;
        m_scan.endsWithBackslash = letter == '\\' && (m_at + 1 == m_text.size() || m_text[m_at + 1] == '\n');
        if (letter == ' ' || letter == '\t' || letter == '\r')
            return;
        if (letter == '@' && m_last == '\0')
            m_scan.hasBlock = true;
        m_last = letter;
    }

    void endLine()
    {
        if (m_last == ':' && m_scan.brackets == 0)
            m_scan.hasBlock = true;
        m_scan.lastLineIsEmpty = m_last == '\0';
        m_last = '\0';
    }

    void takeText(char quote)
    {
        const bool isTriple = m_text.substr(m_at, 3) == std::string(3, quote);
        m_at += isTriple ? 3 : 1;
        m_last = quote;
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '\\') {
                m_at += 2;
            } else if (isTriple && m_text.substr(m_at, 3) == std::string(3, quote)) {
                m_at += 3;
                return;
            } else if (!isTriple && (m_text[m_at] == quote || m_text[m_at] == '\n')) {
                m_at += m_text[m_at] == quote ? 1 : 0; // unclosed on its line: the interpreter will report it
                return;
            } else {
                ++m_at;
            }
        }
        m_scan.isInText = isTriple;
    }

    const std::string_view m_text;
    std::size_t m_at = 0;
    char m_last = '\0'; // of this line, without blanks and comments
    Scan m_scan;
};

} // namespace

bool isWholePython(std::string_view text)
{
    const Scan scan = Scanner(text).scan();
    if (scan.isInText || scan.brackets > 0 || scan.endsWithBackslash)
        return false;
    return !scan.hasBlock || scan.lastLineIsEmpty;
}

} // namespace sg::cli
