#include "core/exchange/secret_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace sg::exchange {
namespace {

constexpr std::size_t kMost = 100;
constexpr std::size_t kOverlap = 512;
constexpr std::size_t kShown = 4;

struct Prefix {
    std::string_view text;
    std::size_t least; // characters of a key behind it
    const char* kind;
};
constexpr std::array kPrefixes = {
    Prefix{ "sk-", 20, "an API key" },
    Prefix{ "ghp_", 30, "a GitHub token" },
    Prefix{ "github_pat_", 30, "a GitHub token" },
    Prefix{ "glpat-", 18, "a GitLab token" },
    Prefix{ "AKIA", 16, "an AWS access key" },
    Prefix{ "xoxb-", 20, "a Slack token" },
    Prefix{ "xoxp-", 20, "a Slack token" },
    Prefix{ "hf_", 30, "a Hugging Face token" },
    Prefix{ "AIza", 34, "a Google API key" },
    Prefix{ "-----BEGIN ", 0, "a private key" },
};
constexpr std::array<std::string_view, 7> kNames = { "api_key", "apikey",     "api-key",     "password",
                                                     "passwd",  "secret_key", "access_token" };

bool isKeyLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

std::size_t keyLength(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isKeyLetter) - text.begin());
}

// Of an assignment "name = 'value'": the value, where it may be one.
std::string_view assigned(std::string_view rest)
{
    const std::size_t sign = rest.find_first_not_of("\"' \t");
    if (sign == std::string_view::npos || sign > 4 || (rest[sign] != '=' && rest[sign] != ':'))
        return {};
    rest.remove_prefix(sign + 1);
    const std::size_t begin = rest.find_first_not_of(" \t");
    if (begin == std::string_view::npos || begin > 3 || (rest[begin] != '"' && rest[begin] != '\''))
        return {};
    const std::size_t end = rest.find(rest[begin], begin + 1);
    if (end == std::string_view::npos || end - begin < 9 || end - begin > 200)
        return {};
    const std::string_view value = rest.substr(begin + 1, end - begin - 1);
    // A name of a variable or a place to fill in is no secret.
    return value.find_first_of("${}<> ") == std::string_view::npos ? value : std::string_view();
}

} // namespace

void SecretScan::begin(std::string where)
{
    m_where = std::move(where);
    m_rest.clear();
}

void SecretScan::feed(std::string_view bytes)
{
    const std::size_t before = m_rest.size();
    m_rest += bytes;
    look(before > kOverlap ? before - kOverlap : 0, false);
    if (m_rest.size() > kOverlap)
        m_rest.erase(0, m_rest.size() - kOverlap);
}

void SecretScan::end()
{
    look(0, true);
    m_rest.clear();
}

void SecretScan::note(std::string kind, std::string_view secret)
{
    std::string masked = std::string(secret.substr(0, kShown)) + "…(" + std::to_string(secret.size()) + ")";
    const bool isKnown = std::ranges::any_of(m_findings, [&](const SecretFinding& finding) {
        return finding.where == m_where && finding.masked == masked && finding.kind == kind;
    });
    if (!isKnown && m_findings.size() < kMost)
        m_findings.push_back({ std::move(kind), m_where, std::move(masked) });
}

// Where a piece ends in the middle of something, it is looked at again with the next one.
void SecretScan::look(std::size_t from, bool isLast)
{
    const std::string_view text = m_rest;
    const std::size_t stop = isLast || text.size() < kOverlap ? text.size() : text.size() - kOverlap / 2;
    for (const Prefix& prefix : kPrefixes)
        for (std::size_t at = text.find(prefix.text, from); at < stop; at = text.find(prefix.text, at + 1)) {
            if (at > 0 && isKeyLetter(text[at - 1]))
                continue;
            const std::string_view rest = text.substr(at + prefix.text.size());
            if (prefix.least == 0 && rest.substr(0, 40).find("PRIVATE KEY-----") == std::string_view::npos)
                continue;
            if (const std::size_t length = keyLength(rest); length >= prefix.least)
                note(prefix.kind, text.substr(at, prefix.text.size() + length));
        }
    for (std::size_t at = text.find_first_of("aApPsS", from); at < stop;
         at = text.find_first_of("aApPsS", at + 1))
        for (const std::string_view name : kNames) {
            const std::string_view word = text.substr(at, name.size());
            const bool isName = word.size() == name.size() && std::ranges::equal(word, name, {}, [](char c) {
                                    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
                                });
            if (!isName)
                continue;
            if (const std::string_view value = assigned(text.substr(at + name.size())); !value.empty())
                note("a value named " + std::string(name), value);
        }
}

} // namespace sg::exchange
