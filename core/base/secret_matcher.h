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

// Finds any of many byte strings in a text in one pass that skips bytes which cannot belong to one (Wu and
// Manber): the longer the shortest string, the fewer bytes are read. Constant once built; any thread.
class SecretMatcher {
public:
    struct Pattern {
        std::string bytes; // at least two
        std::string label; // replaces it
    };
    explicit SecretMatcher(std::vector<Pattern> patterns);

    struct Hit {
        std::size_t begin = 0;
        std::size_t length = 0;
        const std::string* label = nullptr;
    };
    // Returns the first at or after `from`; if several begin there, the longest.
    [[nodiscard]] std::optional<Hit> find(std::string_view text, std::size_t from) const;
    // Returns where the earliest suffix of `text` at or after `from` begins that more text could complete to
    // a pattern; the text's size if there is none.
    [[nodiscard]] std::size_t openEnd(std::string_view text, std::size_t from) const;
    [[nodiscard]] std::size_t longest() const { return m_longest; }

private:
    [[nodiscard]] std::optional<Hit> longestAt(std::string_view text, std::size_t begin,
                                               unsigned block) const;

    std::vector<Pattern> m_patterns; // sorted by bytes
    std::size_t m_window = 0; // how many first bytes of each pattern the tables use
    std::size_t m_longest = 0;
    std::vector<std::uint8_t> m_skips; // how far the window may move, by its last two bytes
    // Patterns with one window, usually forms of one secret. The window's first bytes are compared first.
    struct Group {
        std::uint64_t head = 0;
        std::uint32_t first = 0; // place in m_patterns
        std::uint32_t end = 0;
    };
    std::vector<std::uint32_t> m_buckets; // by the window's last two bytes: the first of its m_groups
    std::vector<Group> m_groups; // by bucket
    std::bitset<256> m_firstBytes;
    std::vector<bool> m_firstBlocks; // by the first two bytes
};

} // namespace sg
