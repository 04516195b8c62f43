#include "core/base/secret_matcher.h"

#include "core/base/hash.h"
#include "core/base/json.h"

#include <algorithm>
#include <cctype>

namespace sg {
namespace {

constexpr std::size_t kBlocks = 1U << 16U;
constexpr std::size_t kWidestWindow = 64;
constexpr std::size_t kShortestForm = 6; // a shorter one would be found in ordinary text

unsigned blockAt(std::string_view text, std::size_t last)
{
    return static_cast<unsigned>(static_cast<std::uint8_t>(text[last - 1])) << 8U
        | static_cast<std::uint8_t>(text[last]);
}

// The digits that depend on the secret alone, where `before` bytes of something else come first.
std::string base64Within(const std::string& secret, std::size_t before)
{
    const std::string digits = toBase64(std::string(before, '\0') + secret);
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t end = (before + secret.size()) * 8 / 6;
    return end > first ? digits.substr(first, end - first) : std::string();
}

std::string percentForm(const std::string& secret, const char* digits)
{
    std::string out;
    for (const char each : secret) {
        const auto byte = static_cast<unsigned char>(each);
        if ((byte < 128 && std::isalnum(byte) != 0)
            || std::string_view("-._~").find(each) != std::string_view::npos) {
            out += each;
            continue;
        }
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

// A backslash before what quotes and escapes; the rest as it is.
std::string escapedForm(const std::string& secret, std::string_view escaped)
{
    std::string out;
    for (const char each : secret) {
        if (escaped.find(each) != std::string_view::npos)
            out += '\\';
        out += each;
    }
    return out;
}

} // namespace

SecretMatcher::SecretMatcher(std::vector<Pattern> patterns)
    : m_patterns(std::move(patterns))
{
    std::erase_if(m_patterns, [](const Pattern& each) { return each.bytes.size() < 2; });
    std::ranges::sort(m_patterns, {}, &Pattern::bytes);
    if (m_patterns.empty())
        return;
    m_window = kWidestWindow;
    m_firstBlocks.assign(kBlocks, false);
    for (const Pattern& each : m_patterns) {
        m_window = std::min(m_window, each.bytes.size());
        m_longest = std::max(m_longest, each.bytes.size());
        m_firstBytes.set(static_cast<std::uint8_t>(each.bytes.front()));
        m_firstBlocks[blockAt(each.bytes, 1)] = true;
    }
    m_skips.assign(kBlocks, static_cast<std::uint8_t>(m_window - 1));
    m_buckets.assign(kBlocks + 1, 0);
    for (const Pattern& each : m_patterns) {
        for (std::size_t last = 1; last < m_window; ++last) {
            std::uint8_t& skip = m_skips[blockAt(each.bytes, last)];
            skip = std::min(skip, static_cast<std::uint8_t>(m_window - 1 - last));
        }
        ++m_buckets[blockAt(each.bytes, m_window - 1) + 1];
    }
    for (std::size_t i = 0; i < kBlocks; ++i)
        m_buckets[i + 1] += m_buckets[i];
    m_members.resize(m_patterns.size());
    std::vector<std::uint32_t> next(m_buckets.begin(), m_buckets.end() - 1);
    for (std::uint32_t i = 0; i < m_patterns.size(); ++i)
        m_members[next[blockAt(m_patterns[i].bytes, m_window - 1)]++] = i;
}

std::optional<SecretMatcher::Hit> SecretMatcher::longestAt(std::string_view text, std::size_t begin,
                                                           unsigned block) const
{
    const Pattern* best = nullptr;
    for (std::uint32_t i = m_buckets[block]; i < m_buckets[block + 1]; ++i) {
        const Pattern& pattern = m_patterns[m_members[i]];
        if ((best == nullptr || pattern.bytes.size() > best->bytes.size())
            && text.substr(begin, pattern.bytes.size()) == pattern.bytes)
            best = &pattern;
    }
    if (best == nullptr)
        return std::nullopt;
    return Hit{ begin, best->bytes.size(), &best->label };
}

std::optional<SecretMatcher::Hit> SecretMatcher::find(std::string_view text, std::size_t from) const
{
    if (m_patterns.empty())
        return std::nullopt;
    const std::uint8_t* const skips = m_skips.data();
    for (std::size_t last = from + m_window - 1; last < text.size();) {
        const unsigned block = blockAt(text, last);
        if (const std::size_t skip = skips[block]; skip != 0) {
            last += skip;
            continue;
        }
        if (auto hit = longestAt(text, last + 1 - m_window, block))
            return hit;
        ++last;
    }
    return std::nullopt;
}

std::size_t SecretMatcher::openEnd(std::string_view text, std::size_t from) const
{
    if (m_patterns.empty())
        return text.size();
    const std::size_t tail = text.size() - std::min(text.size(), m_longest - 1);
    for (std::size_t begin = std::max(from, tail); begin < text.size(); ++begin) {
        const bool mayBegin = begin + 1 < text.size()
            ? m_firstBlocks[blockAt(text, begin + 1)]
            : m_firstBytes.test(static_cast<std::uint8_t>(text[begin]));
        if (!mayBegin)
            continue;
        const std::string_view rest = text.substr(begin);
        const auto longer = std::ranges::upper_bound(
            m_patterns, rest, {}, [](const Pattern& each) { return std::string_view(each.bytes); });
        if (longer != m_patterns.end() && longer->bytes.starts_with(rest))
            return begin;
    }
    return text.size();
}

std::vector<std::string> writtenForms(const std::string& secret)
{
    std::vector<std::string> forms{ secret };
    for (std::size_t before = 0; before < 3; ++before) {
        std::string digits = base64Within(secret, before);
        forms.push_back(digits);
        std::ranges::replace(digits, '+', '-');
        std::ranges::replace(digits, '/', '_');
        forms.push_back(std::move(digits));
    }
    forms.push_back(percentForm(secret, "0123456789ABCDEF"));
    forms.push_back(percentForm(secret, "0123456789abcdef"));
    forms.push_back(toHex(secret));
    forms.push_back(toHex(secret));
    std::ranges::transform(forms.back(), forms.back().begin(),
                           [](unsigned char digit) { return static_cast<char>(std::toupper(digit)); });
    const std::string json = toJson(Value(secret));
    forms.push_back(json.substr(1, json.size() - 2));
    forms.push_back(escapedForm(secret, "\\'"));
    forms.push_back(escapedForm(secret, "\\\"'/"));
    std::ranges::sort(forms);
    forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
    std::erase_if(forms,
                  [&](const std::string& form) { return form != secret && form.size() < kShortestForm; });
    return forms;
}

} // namespace sg
