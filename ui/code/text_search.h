#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace sg::ui {

struct TextQuery {
    QString words;
    bool matchesCase = false;
    bool isWholeWord = false;
    bool isPattern = false; // a regular expression; $1 in the new text is its first group
    friend bool operator==(const TextQuery&, const TextQuery&) = default;
};

struct TextMatch {
    qsizetype start = 0; // in characters of the text
    qsizetype length = 0;
    friend bool operator==(const TextMatch&, const TextMatch&) = default;
};

struct TextMatches {
    std::vector<TextMatch> all; // in their order; empty ones are left out
    bool isCut = false; // there are more
    QString fault; // why the pattern cannot be used
};

inline constexpr std::size_t kMostMatches = 10'000; // that are shown
TextMatches findMatches(const QString& text, const TextQuery& query, std::size_t most = kMostMatches);

// The texts that take the places of matches.
QStringList replacementsOf(const QString& text, const std::vector<TextMatch>& matches, const TextQuery& query,
                           const QString& with);

} // namespace sg::ui
