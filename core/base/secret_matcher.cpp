#include "core/base/secret_matcher.h"

#include <algorithm>
#include <cstring>

namespace sg {
namespace {

constexpr std::size_t kBlocks = 1U << 16U;
constexpr std::size_t kWidestWindow = 64;

unsigned blockAt(std::string_view text, std::size_t last)
{
    return static_cast<unsigned>(static_cast<std::uint8_t>(text[last - 1])) << 8U
        | static_cast<std::uint8_t>(text[last]);
}

std::uint64_t headOf(const char* text, std::size_t window)
{
    std::uint64_t head = 0;
    if (window >= sizeof head)
        std::memcpy(&head, text, sizeof head); // the constant size makes this one load
    else
        std::memcpy(&head, text, window);
    return head;
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
    }
    std::vector<Group> groups;
    for (std::uint32_t i = 0; i < m_patterns.size(); ++i) {
        const std::string_view window = std::string_view(m_patterns[i].bytes).substr(0, m_window);
        if (groups.empty() || !m_patterns[groups.back().first].bytes.starts_with(window)) {
            groups.push_back({ headOf(window.data(), m_window), i, i });
            ++m_buckets[blockAt(window, m_window - 1) + 1];
        }
        groups.back().end = i + 1;
    }
    for (std::size_t i = 0; i < kBlocks; ++i)
        m_buckets[i + 1] += m_buckets[i];
    m_groups.resize(groups.size());
    std::vector<std::uint32_t> next(m_buckets.begin(), m_buckets.end() - 1);
    for (const Group& group : groups)
        m_groups[next[blockAt(m_patterns[group.first].bytes, m_window - 1)]++] = group;
}

std::optional<SecretMatcher::Hit> SecretMatcher::longestAt(std::string_view text, std::size_t begin,
                                                           unsigned block) const
{
    const Pattern* best = nullptr;
    const std::uint64_t head = headOf(text.data() + begin, m_window);
    for (std::uint32_t group = m_buckets[block]; group < m_buckets[block + 1]; ++group)
        for (std::uint32_t i = m_groups[group].first; head == m_groups[group].head && i < m_groups[group].end;
             ++i) {
            const Pattern& pattern = m_patterns[i];
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

} // namespace sg
