#include "core/sqlite/query_size.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace sg::sqlite {
namespace {

constexpr std::size_t kEnough = std::numeric_limits<std::size_t>::max() / 4;
constexpr std::size_t kMostNames = 200'000; // of all parts together; names in nested parts count again
constexpr std::size_t kDeepest = 100; // a part within a part

struct Token {
    enum class Kind { Name, Sign };
    Kind kind = Kind::Sign;
    std::string text; // lower case, without quotes
};

bool isNameLetter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9') || letter == '_' || letter == '$'
        || (static_cast<unsigned char>(letter) & 0x80U) != 0;
}

char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

class Tokens {
public:
    explicit Tokens(std::string_view sql)
        : m_sql(sql)
    {
        while (m_at < m_sql.size())
            takeOne();
    }
    std::vector<Token> all;

private:
    void takeOne()
    {
        const char first = m_sql[m_at];
        const std::string_view rest = m_sql.substr(m_at);
        if (rest.starts_with("--")) {
            m_at = std::min(m_sql.find('\n', m_at), m_sql.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = m_sql.find("*/", m_at + 2);
            m_at = end == std::string_view::npos ? m_sql.size() : end + 2;
        } else if (first == '\'' || first == '"' || first == '`' || first == '[') {
            takeQuoted(first == '[' ? ']' : first);
        } else if (isNameLetter(first)) {
            Token token{ Token::Kind::Name, {} };
            while (m_at < m_sql.size() && isNameLetter(m_sql[m_at]))
                token.text += lower(m_sql[m_at++]);
            all.push_back(std::move(token));
        } else {
            ++m_at;
            if (first == '(' || first == ')')
                all.push_back({ Token::Kind::Sign, std::string(1, first) });
        }
    }

    // Takes text in single quotes, too, because SQLite accepts it as a name.
    void takeQuoted(char end)
    {
        Token token{ Token::Kind::Name, {} };
        for (++m_at; m_at < m_sql.size(); ++m_at) {
            if (m_sql[m_at] == end) {
                const bool isDoubled = end != ']' && m_at + 1 < m_sql.size() && m_sql[m_at + 1] == end;
                if (!isDoubled)
                    break;
                ++m_at;
            }
            token.text += lower(m_sql[m_at]);
        }
        ++m_at;
        all.push_back(std::move(token));
    }

    std::string_view m_sql;
    std::size_t m_at = 0;
};

using Names = std::vector<std::string>;
using Parts = std::multimap<std::string, Names>; // name → the names in its text

bool isWord(const std::vector<Token>& tokens, std::size_t at, std::string_view word)
{
    return at < tokens.size() && tokens[at].text == word;
}

// Returns for each opening parenthesis the place after the one that closes it.
std::vector<std::size_t> closings(const std::vector<Token>& tokens)
{
    std::vector<std::size_t> behind(tokens.size(), tokens.size());
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].kind != Token::Kind::Sign)
            continue;
        if (tokens[at].text == "(") {
            open.push_back(at);
        } else if (!open.empty()) {
            behind[open.back()] = at + 1;
            open.pop_back();
        }
    }
    return behind;
}

Names namesIn(const std::vector<Token>& tokens, std::size_t from, std::size_t to)
{
    Names names;
    for (std::size_t at = from; at < to && at < tokens.size(); ++at)
        if (tokens[at].kind == Token::Kind::Name)
            names.push_back(tokens[at].text);
    return names;
}

// Adds each NAME [ ( … ) ] AS [ [ NOT ] MATERIALIZED ] ( … ). False: there are too many names.
bool addParts(const std::vector<Token>& tokens, Parts& parts, std::size_t& namesLeft)
{
    const std::vector<std::size_t> behind = closings(tokens);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].kind != Token::Kind::Name)
            continue;
        std::size_t next = at + 1;
        if (isWord(tokens, next, "(") && tokens[next].kind == Token::Kind::Sign)
            next = behind[next];
        if (!isWord(tokens, next, "as"))
            continue;
        ++next;
        next += isWord(tokens, next, "not") ? 1 : 0;
        next += isWord(tokens, next, "materialized") ? 1 : 0;
        if (!isWord(tokens, next, "(") || tokens[next].kind != Token::Kind::Sign)
            continue;
        if (behind[next] - next > namesLeft)
            return false;
        namesLeft -= behind[next] - next;
        parts.emplace(tokens[at].text, namesIn(tokens, next, behind[next]));
    }
    return true;
}

class Sizes {
public:
    explicit Sizes(const Parts& parts)
        : m_parts(parts)
    {
    }

    std::size_t of(const Names& names)
    {
        std::size_t size = 0;
        for (const std::string& name : names)
            size = std::min(kEnough, size + of(name));
        return size;
    }

private:
    // If two parts have one name, the larger counts.
    std::size_t of(const std::string& name)
    {
        if (!m_parts.contains(name))
            return 0;
        if (const auto known = m_known.find(name); known != m_known.end())
            return known->second;
        if (m_open.contains(name))
            return 1; // a part that names itself is recursive, and is not copied
        if (m_open.size() >= kDeepest)
            return kEnough;
        m_open.insert(name);
        std::size_t size = 0;
        const auto [begin, end] = m_parts.equal_range(name);
        for (auto part = begin; part != end; ++part)
            size = std::max(size, of(part->second));
        m_open.erase(name);
        return m_known[name] = std::min(kEnough, size + 1);
    }

    const Parts& m_parts;
    std::map<std::string, std::size_t> m_known;
    std::set<std::string> m_open;
};

} // namespace

std::size_t partsOf(std::string_view sql, const std::vector<QueryPart>& views)
{
    Parts parts;
    std::size_t namesLeft = kMostNames;
    for (const QueryPart& view : views) {
        const Tokens tokens(view.text);
        std::string name;
        std::ranges::transform(view.name, std::back_inserter(name), lower);
        if (tokens.all.size() > namesLeft)
            return kEnough;
        namesLeft -= tokens.all.size();
        // In "CREATE VIEW name AS …" the name itself does not count.
        Names names = namesIn(tokens.all, 0, tokens.all.size());
        if (const auto own = std::ranges::find(names, name); own != names.end())
            names.erase(own);
        parts.emplace(name, std::move(names));
        if (!addParts(tokens.all, parts, namesLeft))
            return kEnough;
    }
    const Tokens tokens(sql);
    if (!addParts(tokens.all, parts, namesLeft))
        return kEnough;
    return Sizes(parts).of(namesIn(tokens.all, 0, tokens.all.size()));
}

} // namespace sg::sqlite
