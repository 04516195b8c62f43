#include "core/graph/python_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace sg::graph {
namespace {

// By these a program makes names that its text does not show.
constexpr std::array<std::string_view, 6> kMakers{
    "globals", "exec", "vars", "locals", "modules", "__dict__"
};

bool isNameByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

// A statement up to the end of its line, or of the last one that brackets or a backslash join to it.
struct Statement {
    std::size_t indent = 0;
    std::vector<std::string_view> words; // names and single marks; texts and comments are left out
};

class PythonReader {
public:
    explicit PythonReader(std::string_view source)
        : m_source(source)
    {
        if (m_source.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
    }

    // False: the source is at its end.
    bool next(Statement& statement)
    {
        statement.words.clear();
        statement.indent = indentHere();
        std::size_t open = 0;
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (c == '\n') {
                ++m_at;
                if (open == 0 && !statement.words.empty())
                    return true;
                if (open == 0)
                    statement.indent = indentHere();
            } else if (c == '#') {
                m_at = std::min(m_source.find('\n', m_at), m_source.size());
            } else if (c == '\\') {
                m_at += m_source.substr(m_at + 1).starts_with("\r\n") ? 3 : 2;
            } else if (c == '"' || c == '\'') {
                skipText(statement);
            } else if (isNameByte(c)) {
                const std::size_t begin = m_at;
                while (m_at < m_source.size() && isNameByte(m_source[m_at]))
                    ++m_at;
                statement.words.push_back(m_source.substr(begin, m_at - begin));
            } else {
                if (c == '(' || c == '[' || c == '{')
                    ++open;
                else if ((c == ')' || c == ']' || c == '}') && open > 0)
                    --open;
                if (std::isspace(static_cast<unsigned char>(c)) == 0)
                    statement.words.push_back(m_source.substr(m_at, 1));
                ++m_at;
            }
        }
        m_isBroken = m_isBroken || open > 0;
        return !statement.words.empty();
    }

    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::size_t indentHere()
    {
        std::size_t width = 0;
        for (; m_at < m_source.size(); ++m_at)
            if (m_source[m_at] == ' ')
                ++width;
            else if (m_source[m_at] == '\t')
                width = (width / 8 + 1) * 8;
            else
                break;
        return width;
    }

    // Skips a text with its prefix, which was read as a name.
    void skipText(Statement& statement)
    {
        if (m_at > 0 && isNameByte(m_source[m_at - 1]) && !statement.words.empty())
            statement.words.pop_back();
        const char quote = m_source[m_at];
        const std::string three(3, quote);
        const bool isLong = m_source.substr(m_at).starts_with(three);
        m_at += isLong ? 3 : 1;
        for (; m_at < m_source.size(); ++m_at) {
            const char c = m_source[m_at];
            if (c == '\\') {
                ++m_at;
            } else if (isLong ? m_source.substr(m_at).starts_with(three) : c == quote) {
                m_at += isLong ? 3 : 1;
                statement.words.push_back("\"");
                return;
            } else if (c == '\n' && !isLong) {
                break;
            }
        }
        m_isBroken = true;
    }

    const std::string_view m_source;
    std::size_t m_at = 0;
    bool m_isBroken = false;
};

bool isName(std::string_view word)
{
    return isNameByte(word.front()) && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

bool makesNames(const std::vector<std::string_view>& words)
{
    for (std::size_t i = 0; i < words.size(); ++i)
        if (std::ranges::find(kMakers, words[i]) != kMakers.end()
            || (words[i] == "import" && i + 1 < words.size() && words[i + 1] == "*"))
            return true;
    return false;
}

// Returns the place of the name that a "def" or "class" gives; 0: the statement is neither.
std::size_t definedAt(const std::vector<std::string_view>& words)
{
    const std::size_t at = words.front() == "async" ? 1 : 0;
    if (at + 1 < words.size() && (words[at] == "def" || (at == 0 && words[at] == "class"))
        && isName(words[at + 1]))
        return at + 1;
    return 0;
}

} // namespace

bool PythonNames::mayHave(std::string_view name) const
{
    return isOpen || std::ranges::find(defined, name) != defined.end()
        || std::ranges::find(mentioned, name) != mentioned.end();
}

PythonNames pythonNames(std::string_view source)
{
    PythonNames found;
    PythonReader reader(source);
    std::vector<std::size_t> bodies; // indents of the functions and classes around a statement
    for (Statement statement; reader.next(statement);) {
        const auto& words = statement.words;
        while (!bodies.empty() && bodies.back() >= statement.indent)
            bodies.pop_back();
        found.isOpen = found.isOpen || makesNames(words);
        const bool isInside = !bodies.empty();
        const std::size_t name = definedAt(words);
        if (name != 0)
            bodies.push_back(statement.indent);
        if (name != 0 && !isInside)
            found.defined.emplace_back(words[name]);
        else if (!isInside || words.front() == "global")
            for (std::size_t i = 0; i < words.size(); ++i)
                if (isName(words[i]) && (i == 0 || words[i - 1] != "."))
                    found.mentioned.emplace_back(words[i]);
    }
    found.isOpen = found.isOpen || reader.isBroken();
    return found;
}

} // namespace sg::graph
