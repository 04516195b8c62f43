#include "ui/commands/fuzzy_match.h"

#include <QChar>
#include <QList>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kLongestText = 256;
constexpr int kMostWords = 64;
constexpr int kLetter = 2;
constexpr int kWordStart = 8;
constexpr int kTextStart = 4;
constexpr int kSideBySide = 8;
constexpr int kWholeWord = 160; // more than letters that only happen to stand side by side
constexpr int kWordBeginning = 40;
constexpr int kNever = -1'000'000;

std::vector<char16_t> lettersOf(QStringView words)
{
    std::vector<char16_t> letters;
    for (const QChar letter : words)
        if (!letter.isSpace() && letters.size() < kMostWords)
            letters.push_back(letter.toCaseFolded().unicode());
    return letters;
}

bool startsWord(QStringView text, qsizetype at)
{
    if (at == 0)
        return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper())
        || (before.isLetter() && text[at].isDigit());
}

int worth(QStringView text, qsizetype at)
{
    return kLetter + (startsWord(text, at) ? kWordStart : 0) + (at == 0 ? kTextStart : 0);
}

bool hasInOrder(const std::vector<char16_t>& letters, const std::vector<char16_t>& text)
{
    auto next = letters.begin();
    for (const char16_t letter : text)
        if (next != letters.end() && letter == *next)
            ++next;
    return next == letters.end();
}

// best[i][j] is the best score of the first i + 1 letters with the last of them at j; from[i][j] is the place
// of the letter before.
struct Table {
    Table(std::size_t letters, std::size_t text)
        : width(text)
        , best(letters * text, kNever)
        , from(letters * text, -1)
    {
    }
    std::size_t width;
    std::vector<int> best;
    std::vector<int> from;
};

void fillRow(Table& table, std::size_t row, QStringView text)
{
    int earlier = kNever; // best score of the previous row, at least two places back
    int earlierAt = -1;
    for (std::size_t at = 1; at < table.width; ++at) {
        if (at >= 2)
            if (const int found = table.best[(row - 1) * table.width + at - 2]; found > earlier) {
                earlier = found;
                earlierAt = static_cast<int>(at) - 2;
            }
        int& best = table.best[row * table.width + at];
        if (best == kNever)
            continue; // the text has another letter here
        const int beside = table.best[(row - 1) * table.width + at - 1];
        const bool joins = beside > kNever && beside + kSideBySide > earlier;
        const int before = joins ? beside + kSideBySide : earlier;
        best = before <= kNever ? kNever : before + worth(text, static_cast<qsizetype>(at));
        table.from[row * table.width + at] = joins ? static_cast<int>(at) - 1 : earlierAt;
    }
    table.best[row * table.width] = kNever; // no earlier letter fits before the first place
}

// Returns how much nearer the text is for holding the typed words as words of its own, or as the beginnings
// of some.
int wholeWords(QStringView words, QStringView text)
{
    int found = 0;
    for (const QStringView word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        int best = 0;
        for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
            const qsizetype end = at + word.size();
            const bool ends = end == text.size() || !text[end].isLetterOrNumber();
            if (startsWord(text, at))
                best = std::max(best, ends ? kWholeWord : kWordBeginning);
        }
        found += best;
    }
    return found;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView words, QStringView text)
{
    text = text.left(kLongestText);
    const std::vector<char16_t> letters = lettersOf(words);
    if (letters.empty())
        return FuzzyMatch{};
    std::vector<char16_t> folded;
    for (const QChar letter : text)
        folded.push_back(letter.toCaseFolded().unicode());
    if (!hasInOrder(letters, folded))
        return std::nullopt;

    Table table(letters.size(), folded.size());
    for (std::size_t row = 0; row < letters.size(); ++row)
        for (std::size_t at = 0; at < folded.size(); ++at)
            if (folded[at] == letters[row])
                table.best[row * table.width + at] =
                    row == 0 ? worth(text, static_cast<qsizetype>(at)) : kNever + 1; // found below
    for (std::size_t row = 1; row < letters.size(); ++row)
        fillRow(table, row, text);

    const auto last = table.best.end() - static_cast<std::ptrdiff_t>(table.width);
    const auto end = std::max_element(last, table.best.end());
    FuzzyMatch match;
    match.score = *end * 4 - static_cast<int>(text.size()) / 4 // of equals the shorter text
        + wholeWords(words, text);
    int at = static_cast<int>(end - last);
    for (std::size_t row = letters.size(); row-- > 0;) {
        match.places.push_back(at);
        at = table.from[row * table.width + static_cast<std::size_t>(at)];
    }
    std::ranges::reverse(match.places);
    return match;
}

} // namespace sg::ui
