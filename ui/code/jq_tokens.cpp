#include "ui/code/jq_tokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sg::ui {
namespace {

QStringList listed(const char* words)
{
    return QString::fromLatin1(words).split(QLatin1Char(' '));
}

bool isNameByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }
    std::vector<JqRun> runs()
    {
        while (m_at < m_text.size())
            step();
        return std::move(m_runs);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    void add(JqToken kind, std::size_t length)
    {
        m_at += length;
        if (!m_runs.empty() && m_runs.back().kind == kind)
            m_runs.back().length += length;
        else
            m_runs.push_back({ kind, length });
    }
    [[nodiscard]] std::size_t nameLength(std::size_t from) const
    {
        std::size_t end = m_at + from;
        while (end < m_text.size() && isNameByte(m_text[end]))
            ++end;
        return end - m_at;
    }
    void step()
    {
        const char c = peek();
        if (std::isspace(static_cast<unsigned char>(c)) != 0)
            return add(JqToken::Space, 1);
        if (c == '#')
            return add(JqToken::Comment, std::min(m_text.find('\n', m_at), m_text.size()) - m_at);
        if (c == '"')
            return openString();
        if (c == '$' && isNameByte(peek(1)))
            return add(JqToken::Variable, nameLength(1));
        if (c == '@' && isNameByte(peek(1)))
            return add(JqToken::Format, nameLength(1));
        if (c == '.' && isNameByte(peek(1)) && std::isdigit(static_cast<unsigned char>(peek(1))) == 0)
            return add(JqToken::Field, nameLength(1));
        if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            return addNumber();
        if (isNameByte(c))
            return addName();
        if (c == '(')
            ++m_depth;
        if (c == ')' && --m_depth == 0 && !m_outer.empty()) { // the end of an interpolation
            add(JqToken::Operator, 1);
            m_depth = m_outer.back();
            m_outer.pop_back();
            return addString();
        }
        add(JqToken::Operator, 1);
    }
    void openString()
    {
        add(JqToken::String, 1);
        addString();
    }
    // Reads a string to its end, or to an interpolated program.
    void addString()
    {
        while (m_at < m_text.size()) {
            if (peek() == '\\' && peek(1) == '(') {
                add(JqToken::Operator, 2);
                m_outer.push_back(m_depth);
                m_depth = 1;
                return;
            }
            if (peek() == '"')
                return add(JqToken::String, 1);
            add(JqToken::String, std::min<std::size_t>(peek() == '\\' ? 2 : 1, m_text.size() - m_at));
        }
    }
    void addNumber()
    {
        std::size_t length = 1;
        while (isNameByte(peek(length)) || peek(length) == '.')
            ++length;
        add(JqToken::Number, length);
    }
    void addName()
    {
        const std::size_t length = nameLength(0);
        const auto word = QString::fromUtf8(m_text.data() + m_at,
                                            static_cast<qsizetype>(length)); // a name's bytes are ASCII
        add(jqKeywords().contains(word) ? JqToken::Keyword : JqToken::Name, length);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0; // open parentheses since the last interpolation
    std::vector<int> m_outer;
    std::vector<JqRun> m_runs;
};

} // namespace

std::vector<JqRun> jqRuns(std::string_view program)
{
    return Scanner(program).runs();
}

const QStringList& jqKeywords()
{
    static const QStringList words = listed("and as catch def elif else end foreach if import include label "
                                            "module not null true false or reduce then try");
    return words;
}

const QStringList& jqBuiltins()
{
    static const QStringList words = listed(
        "add all any arrays ascii_downcase ascii_upcase booleans ceil contains debug del delpaths empty "
        "endswith "
        "error explode first flatten floor from_entries fromdate fromjson getpath group_by gsub has implode "
        "in "
        "index indices input inside isempty isvalid iterables join keys keys_unsorted last length limit log "
        "ltrimstr "
        "map map_values match max max_by min min_by nth now nulls numbers objects path paths pick pow range "
        "recurse repeat reverse rindex round rtrimstr scalars scan select setpath sort sort_by split splits "
        "sqrt "
        "startswith strftime strings strptime sub test to_entries todate tojson tonumber tostring transpose "
        "type "
        "unique unique_by until values walk while with_entries");
    return words;
}

const QStringList& jqFormats()
{
    static const QStringList words = listed("@base32 @base64 @base64d @csv @html @json @sh @text @tsv @uri");
    return words;
}

} // namespace sg::ui
