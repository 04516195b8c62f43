#pragma once

#include <QStringView>

#include <optional>
#include <vector>

namespace sg::ui {

struct FuzzyMatch {
    int score = 0; // larger is better; only of use beside others of the same words
    std::vector<int> places; // in the text, ascending, of each letter that was looked for
};

// The letters of `words` in their order in `text`, whatever lies between, without regard to case and spaces
// of `words`. Of all ways the one with the best score: beginnings of words and letters side by side count
// most. Nullopt: they are not there. Only the first 256 letters of the text and 64 of the words are looked
// at.
std::optional<FuzzyMatch> fuzzyMatch(QStringView words, QStringView text);

} // namespace sg::ui
