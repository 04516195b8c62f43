#include "core/exchange/secret_scan.h"

#include "core/base/msgpack.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace sg::exchange {
namespace {

constexpr std::size_t kMost = 100;
constexpr std::size_t kOverlap = 512;
constexpr std::size_t kShown = 4;
constexpr int kDeepest = 16; // nested bytes
constexpr std::size_t kShortestValue = 8;
constexpr std::size_t kLongestValue = 200;

struct Prefix {
    std::string_view text;
    std::size_t least; // characters of a key after it
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

// Pickle and MessagePack write a text's length before it, in one byte that may be a letter and is no part of
// the key. Returns that length; 0 means that the match is part of a longer word.
std::size_t lengthFrom(std::string_view text, std::size_t at, std::size_t least, std::size_t most)
{
    if (at == 0 || !isKeyLetter(text[at - 1]))
        return most;
    const auto said = static_cast<std::size_t>(static_cast<unsigned char>(text[at - 1]));
    const bool isBinary = at > 1 && (text[at - 2] < ' ' || text[at - 2] > '~');
    return isBinary && said >= least && said <= most ? said : 0;
}

// A variable's name or a placeholder is no secret.
bool mayBeSecret(std::string_view value)
{
    return value.size() >= kShortestValue && value.size() <= kLongestValue
        && value.find_first_of("${}<> ") == std::string_view::npos;
}

// Returns the value of an assignment "name = 'value'" if it may be a secret.
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
    if (end == std::string_view::npos)
        return {};
    const std::string_view value = rest.substr(begin + 1, end - begin - 1);
    return mayBeSecret(value) ? value : std::string_view();
}

// Returns the text after the name in a map entry of a pickle or MessagePack.
std::string_view packed(std::string_view rest)
{
    constexpr char kMemoize = '\x94';
    constexpr char kPickledText = '\x8c';
    constexpr char kPackedText = '\xd9';
    if (rest.starts_with(kMemoize))
        rest.remove_prefix(1);
    if (rest.size() < 2)
        return {};
    const auto head = static_cast<unsigned char>(rest[0]);
    const bool isShort = head >= 0xa0 && head <= 0xbf;
    if (!isShort && rest[0] != kPickledText && rest[0] != kPackedText)
        return {};
    const std::size_t size = isShort ? head - 0xa0U : static_cast<unsigned char>(rest[1]);
    const std::string_view value = rest.substr(isShort ? 1 : 2, size);
    const bool isText =
        value.size() == size && std::ranges::all_of(value, [](char c) { return c > ' ' && c <= '~'; });
    return isText && mayBeSecret(value) ? value : std::string_view();
}

// `name` is in lower case.
bool isName(std::string_view word, std::string_view name)
{
    return std::ranges::equal(word, name, {}, [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
}

} // namespace

void SecretScan::begin(std::string where)
{
    m_where = std::move(where);
    m_rest.clear();
}

// The end of a piece is looked at again with the next piece, because something may continue there.
void SecretScan::feed(std::string_view bytes)
{
    const std::size_t before = m_rest.size();
    m_rest += bytes;
    look(m_rest, before > kOverlap ? before - kOverlap : 0,
         m_rest.size() < kOverlap ? m_rest.size() : m_rest.size() - kOverlap / 2);
    if (m_rest.size() > kOverlap)
        m_rest.erase(0, m_rest.size() - kOverlap);
}

void SecretScan::end()
{
    look(m_rest, 0, m_rest.size());
    m_rest.clear();
}

void SecretScan::feedValue(const Value& value, int depth)
{
    if (value.isString())
        look(value.asString(), 0, value.asString().size());
    else if (value.isBytes())
        feedBytes(value.asBytes(), depth);
    else if (value.isExt())
        feedBytes(value.asExt().payload, depth);
    else if (value.isList())
        for (const Value& item : value.asList())
            feedValue(item, depth);
    if (!value.isMap())
        return;
    for (const auto& [key, item] : value.asMap()) {
        feedValue(key, depth);
        feedValue(item, depth);
        if (!key.isString() || !item.isString() || !mayBeSecret(item.asString()))
            continue;
        for (const std::string_view name : kNames)
            if (const std::string& word = key.asString();
                word.size() >= name.size() && isName(word.substr(word.size() - name.size()), name))
                note("a value named " + std::string(name), item.asString());
    }
}

void SecretScan::feedBytes(std::string_view bytes, int depth)
{
    const auto unpacked =
        depth < kDeepest ? decodeMsgpack(bytes) : Result<Value>(Error{ Errc::LimitExceeded, {} });
    if (unpacked)
        feedValue(*unpacked, depth + 1);
    else
        look(bytes, 0, bytes.size());
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

void SecretScan::look(std::string_view text, std::size_t from, std::size_t stop)
{
    for (const Prefix& prefix : kPrefixes)
        for (std::size_t at = text.find(prefix.text, from); at < stop; at = text.find(prefix.text, at + 1)) {
            const std::size_t head = prefix.text.size();
            const std::string_view rest = text.substr(at + head);
            if (prefix.least == 0 && rest.substr(0, 40).find("PRIVATE KEY-----") == std::string_view::npos)
                continue;
            const std::size_t whole = head + keyLength(rest);
            const std::size_t length =
                prefix.least == 0 ? whole : lengthFrom(text, at, head + prefix.least, whole);
            if (length >= head + prefix.least)
                note(prefix.kind, text.substr(at, length));
        }
    for (std::size_t at = text.find_first_of("aApPsS", from); at < stop;
         at = text.find_first_of("aApPsS", at + 1))
        for (const std::string_view name : kNames) {
            if (!isName(text.substr(at, name.size()), name))
                continue;
            const std::string_view rest = text.substr(at + name.size());
            std::string_view value = assigned(rest);
            if (value.empty())
                value = packed(rest);
            if (!value.empty())
                note("a value named " + std::string(name), value);
        }
}

} // namespace sg::exchange
