#include "core/expressions/program_text.h"

#include <algorithm>
#include <vector>

namespace sg::expressions {

namespace {

constexpr std::string_view kPrefix = "__sandglass_";
constexpr std::string_view kPlace = " at <top-level>, line ";

// Follows jq's lexer for brackets, strings with interpolations, and comments.
class BracketScan {
public:
    explicit BracketScan(std::string_view text)
        : m_text(text)
    {
    }

    bool isBalanced()
    {
        for (; m_at < m_text.size(); ++m_at)
            if (!(inString() ? stepInString() : stepInCode()))
                return false;
        return m_open.empty();
    }

private:
    [[nodiscard]] bool inString() const { return !m_open.empty() && m_open.back() == '"'; }
    [[nodiscard]] char next() const { return m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0'; }

    bool stepInString()
    {
        const char c = m_text[m_at];
        if (c == '"') {
            m_open.pop_back();
        } else if (c == '\\') {
            if (next() == '(')
                m_open.push_back('(');
            ++m_at;
        }
        return true;
    }

    bool stepInCode()
    {
        switch (const char c = m_text[m_at]) {
        case '#':
            while (m_at + 1 < m_text.size() && next() != '\n')
                ++m_at;
            return true;
        case '"':
        case '(':
        case '[':
        case '{': m_open.push_back(c); return true;
        case ')': return close('(');
        case ']': return close('[');
        case '}': return close('{');
        default: return true;
        }
    }

    bool close(char open)
    {
        if (m_open.empty() || m_open.back() != open)
            return false;
        m_open.pop_back();
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<char> m_open;
};

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

// The choice halves the programs: a chain of a thousand comparisons would take longer than the program.
void appendChoice(std::string& text, std::size_t first, std::size_t end)
{
    if (end - first == 1) {
        text += std::string(kPrefix) + std::to_string(first);
        return;
    }
    const std::size_t middle = first + (end - first) / 2;
    text += "if $" + std::string(kPrefix) + " < " + std::to_string(middle) + " then ";
    appendChoice(text, first, middle);
    text += " else ";
    appendChoice(text, middle, end);
    text += " end";
}

void eraseFrom(std::string& text, std::string_view mark)
{
    if (const auto at = text.find(mark); at != std::string::npos)
        text.erase(at);
}

} // namespace

bool canShareState(std::string_view program)
{
    for (const std::string_view special : { kPrefix, std::string_view("__loc__"), std::string_view("import"),
                                            std::string_view("include"), std::string_view("module") })
        if (contains(program, special))
            return false;
    return BracketScan(program).isBalanced();
}

std::string sharedText(std::span<const std::string> programs)
{
    std::string text;
    for (std::size_t i = 0; i < programs.size(); ++i) // the line break ends a comment in the program
        text += "def " + std::string(kPrefix) + std::to_string(i) + ": (" + programs[i] + "\n);\n";
    text += ".[0] as $" + std::string(kPrefix) + " | .[1] | ";
    appendChoice(text, 0, programs.size());
    return text;
}

std::optional<std::size_t> programOfMessage(std::span<const std::string> programs, const std::string& raw)
{
    const auto at = raw.find(kPlace);
    if (at == std::string::npos)
        return std::nullopt;
    std::size_t line = 0; // lines left before the one that is meant; jq counts from 1
    for (std::size_t i = at + kPlace.size();
         i < raw.size() && raw[i] >= '0' && raw[i] <= '9' && line < 1U << 30U; ++i)
        line = line * 10 + static_cast<std::size_t>(raw[i] - '0');
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const auto lines = static_cast<std::size_t>(std::ranges::count(programs[i], '\n')) + 2;
        if (line >= 1 && line <= lines)
            return i;
        line -= std::min(line, lines);
    }
    return std::nullopt;
}

std::string compileMessage(const std::string& raw)
{
    std::string text = raw;
    if (constexpr std::string_view kLead = "jq: error: "; text.starts_with(kLead))
        text.erase(0, kLead.size());
    std::string line;
    if (const auto at = text.find(kPlace); at != std::string::npos) {
        line = text.substr(at + kPlace.size());
        eraseFrom(line, ":");
        text.erase(at);
    }
    eraseFrom(text, " (Unix shell");
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    for (const auto& [jqWord, word] :
         { std::pair("$end", "the end of the program"), std::pair("INVALID_CHARACTER", "character"),
           std::pair("QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END", "the end of the string") })
        for (auto at = text.find(jqWord); at != std::string::npos; at = text.find(jqWord))
            text.replace(at, std::string_view(jqWord).size(), word);
    return line.empty() ? text : text + " (line " + line + ")";
}

} // namespace sg::expressions
