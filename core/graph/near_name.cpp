#include "core/graph/near_name.h"

#include <algorithm>

namespace sg::graph {

namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kMostCandidates = 5000; // more take too long for a suggestion

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Computes the optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> beforeLast(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        beforeLast.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({ last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U) });
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
    }
    return row[b.size()];
}

} // namespace

std::optional<std::string_view> nearName(std::string_view word,
                                         const std::vector<std::string_view>& candidates)
{
    if (word.empty() || word.size() > kLongestWord || candidates.size() > kMostCandidates)
        return std::nullopt;
    std::optional<std::string_view> best;
    std::size_t bestDistance = kLongestWord;
    for (const std::string_view candidate : candidates) {
        const std::size_t longer = std::max(candidate.size(), word.size());
        if (candidate.size() > kLongestWord
            || longer - std::min(candidate.size(), word.size()) >= bestDistance)
            continue;
        const std::size_t edits = distance(word, candidate);
        if (edits < bestDistance && edits <= std::max<std::size_t>(1, longer / 3) && edits < longer) {
            best = candidate;
            bestDistance = edits;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates)
{
    const auto near = nearName(word, candidates);
    return near ? "; did you mean '" + std::string(*near) + "'?" : std::string();
}

} // namespace sg::graph
