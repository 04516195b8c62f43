#pragma once

#include <QStringView>

#include <optional>
#include <vector>

namespace sg::ui {

struct FuzzyMatch {
    int score = 0; // larger is better; only comparable for the same words
    std::vector<int> places; // ascending positions in the text of the letters that match
};

// Finds the letters of `words` in their order in `text`, with anything in between; case and spaces in `words`
// are ignored. The way with the best score wins: beginnings of words and adjacent letters count most. Nullopt
// if they are not all there. Only the first 256 letters of the text and 64 of the words are used.
std::optional<FuzzyMatch> fuzzyMatch(QStringView words, QStringView text);

} // namespace sg::ui
