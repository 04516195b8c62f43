#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg {

// Finds any of many byte strings in a text in one pass that skips what cannot be part of one (Wu and Manber):
// the longer the shortest of them, the fewer bytes are looked at. Constant after construction; any thread.
class SecretMatcher {
public:
    struct Pattern {
        std::string bytes; // at least two
        std::string label; // what is told instead
    };
    explicit SecretMatcher(std::vector<Pattern> patterns);

    struct Hit {
        std::size_t begin = 0;
        std::size_t length = 0;
        const std::string* label = nullptr;
    };
    // The first at or after `from`; of those that begin there the longest.
    [[nodiscard]] std::optional<Hit> find(std::string_view text, std::size_t from) const;
    // Where the earliest end of `text` from `from` on begins that a longer text could make a pattern of; its
    // size where there is none.
    [[nodiscard]] std::size_t openEnd(std::string_view text, std::size_t from) const;
    [[nodiscard]] std::size_t longest() const { return m_longest; }

private:
    [[nodiscard]] std::optional<Hit> longestAt(std::string_view text, std::size_t begin,
                                               unsigned block) const;

    std::vector<Pattern> m_patterns; // sorted by bytes
    std::size_t m_window = 0; // bytes of every pattern that the tables know
    std::size_t m_longest = 0;
    std::vector<std::uint8_t> m_skips; // by two bytes: how far the window may move
    // Patterns with the same window: the forms of one secret, as a rule. Compared by the window's first bytes
    // before any pattern is looked at.
    struct Group {
        std::uint64_t head = 0;
        std::uint32_t first = 0; // of m_patterns
        std::uint32_t end = 0;
    };
    std::vector<std::uint32_t> m_buckets; // by the window's last two bytes: first of m_groups
    std::vector<Group> m_groups; // by bucket
    std::bitset<256> m_firstBytes;
    std::vector<bool> m_firstBlocks; // the same of two bytes
};

} // namespace sg
