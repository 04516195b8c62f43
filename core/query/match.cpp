#include "core/query/match.h"

#include <algorithm>

namespace sg::query {
namespace {

char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool contains(std::string_view text, std::string_view letters)
{
    const auto isSame = [](char a, char b) { return lower(a) == b; };
    return letters.empty()
        || std::search(text.begin(), text.end(), letters.begin(), letters.end(), isSame) != text.end();
}

// `pattern` is in lower case; "*" matches any letters. The time is at worst the product of both lengths,
// because after a mismatch only the last star is tried again.
bool isLike(std::string_view text, std::string_view pattern)
{
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && pattern[p] == lower(text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

std::string_view nameOf(Kind kind)
{
    switch (kind) {
    case Kind::Run: return "run";
    case Kind::Checkpoint: return "checkpoint";
    case Kind::Task: return "task";
    case Kind::Log: return "log";
    }
    return {};
}

std::string_view textOf(const Subject& subject, Field field)
{
    switch (field) {
    case Field::Is: return nameOf(subject.kind);
    case Field::Status: return subject.status;
    case Field::Thread: return subject.thread;
    case Field::Run: return subject.run;
    case Field::Checkpoint: return subject.checkpoint;
    case Field::Source: return subject.source;
    case Field::Stream: return subject.stream;
    case Field::Node:
    case Field::Step:
    case Field::Attempts:
    case Field::Took:
    case Field::Since:
    case Field::Before: break;
    }
    return {};
}

double numberOf(const Subject& subject, Field field)
{
    switch (field) {
    case Field::Step: return subject.step ? static_cast<double>(*subject.step) : kUnknown;
    case Field::Attempts: return subject.attempts;
    case Field::Took: return subject.seconds;
    case Field::Since:
    case Field::Before: return subject.timeMs;
    default: break; // the other fields are text
    }
    return kUnknown;
}

bool isOne(std::string_view text, const Term& term)
{
    return std::ranges::any_of(term.words, [&](const std::string& word) { return isLike(text, word); });
}

bool holds(const Term& term, const Subject& subject)
{
    if (!term.ranges.empty()) {
        const double number = numberOf(subject, term.field);
        if (std::isnan(number))
            return false;
        const bool isIn = std::ranges::any_of(term.ranges, [number](const Range& range) {
            return number >= range.low && number <= range.high;
        });
        return isIn != term.isNegated;
    }
    if (term.field == Field::Node) {
        if (subject.nodes.empty())
            return false;
        const bool any =
            std::ranges::any_of(subject.nodes, [&](const std::string& node) { return isOne(node, term); });
        return any != term.isNegated;
    }
    const std::string_view text = textOf(subject, term.field);
    return !text.empty() && isOne(text, term) != term.isNegated;
}

bool holds(const Text& text, const Subject& subject)
{
    const bool isFound = contains(subject.text, text.letters) || contains(subject.status, text.letters)
        || std::ranges::any_of(subject.nodes,
                               [&](const std::string& node) { return contains(node, text.letters); });
    return isFound != text.isNegated;
}

bool has(Kind kind, Field field)
{
    switch (field) {
    case Field::Is:
    case Field::Thread:
    case Field::Since:
    case Field::Before: return true;
    case Field::Status:
    case Field::Took: return kind == Kind::Run || kind == Kind::Task;
    case Field::Node:
    case Field::Step: return kind != Kind::Run;
    case Field::Run: return kind == Kind::Run || kind == Kind::Log;
    case Field::Checkpoint: return kind == Kind::Checkpoint || kind == Kind::Task;
    case Field::Source: return kind == Kind::Checkpoint;
    case Field::Stream: return kind == Kind::Log;
    case Field::Attempts: return kind == Kind::Task;
    }
    return false;
}

} // namespace

bool matches(const Query& query, const Subject& subject)
{
    return std::ranges::all_of(query.terms, [&](const Term& term) { return holds(term, subject); })
        && std::ranges::all_of(query.texts, [&](const Text& text) { return holds(text, subject); });
}

bool mayMatch(const Query& query, Kind kind)
{
    return std::ranges::all_of(query.terms, [kind](const Term& term) {
        return has(kind, term.field)
            && (term.field != Field::Is || isOne(nameOf(kind), term) != term.isNegated);
    });
}

} // namespace sg::query
