#include "core/query/query.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace sg::query {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();
constexpr double kHighest = std::numeric_limits<double>::infinity();

struct Word {
    std::string text;
    bool isQuoted = false;
    std::size_t at = 0;
};

bool isSpace(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

bool isNumber(Field field)
{
    return field == Field::Step || field == Field::Attempts || field == Field::Took;
}

bool isTime(Field field)
{
    return field == Field::Since || field == Field::Before;
}

std::optional<Field> fieldNamed(std::string_view name)
{
    const auto& names = fieldNames();
    const auto found = std::ranges::find(names, lowerCase(name));
    if (found == names.end())
        return std::nullopt;
    return static_cast<Field>(found - names.begin());
}

std::string allFields()
{
    std::string all;
    for (const std::string_view name : fieldNames())
        all += (all.empty() ? "" : ", ") + std::string(name);
    return all;
}

// Reads "2s", "1.5", "200ms"; for steps a bare number.
std::optional<double> numberOf(std::string_view text, Field field)
{
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || !std::isfinite(number))
        return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    if (unit.empty())
        return number;
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
        { { "ms", 0.001 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } }
    };
    for (const auto& [name, factor] : kUnits)
        if (field == Field::Took && unit == name)
            return number * factor;
    return std::nullopt;
}

std::optional<Range> rangeOf(std::string_view text, Field field)
{
    if (const auto dots = text.find(".."); dots != std::string_view::npos) {
        const auto low = numberOf(text.substr(0, dots), field);
        const auto high = numberOf(text.substr(dots + 2), field);
        return low && high ? std::optional(Range{ *low, *high }) : std::nullopt;
    }
    constexpr std::array<std::string_view, 5> kSigns{ ">=", "<=", ">", "<", "" };
    const auto sign =
        std::ranges::find_if(kSigns, [&](std::string_view each) { return text.starts_with(each); });
    const auto number = numberOf(text.substr(sign->size()), field);
    if (!number)
        return std::nullopt;
    if (*sign == ">=")
        return Range{ *number, kHighest };
    if (*sign == "<=")
        return Range{ kLowest, *number };
    if (*sign == ">")
        return Range{ std::nextafter(*number, kHighest), kHighest };
    if (*sign == "<")
        return Range{ kLowest, std::nextafter(*number, kLowest) };
    return Range{ *number, *number };
}

// Reads "2026-01-31", "2026-01-31T12:00" or "2026-01-31T12:00:30" in UTC as milliseconds since 1970.
std::optional<double> momentOf(const std::string& text)
{
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int used = 0;
    const auto isWhole = [&] { return used == static_cast<int>(text.size()); };
    if (std::sscanf(text.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &used) != 3)
        return std::nullopt;
    if (!isWhole()
        && (std::sscanf(text.c_str(), "%4d-%2u-%2ut%2d:%2d%n", &year, &month, &day, &hour, &minute, &used)
                != 5
            || (!isWhole()
                && (std::sscanf(text.c_str(), "%4d-%2u-%2ut%2d:%2d:%2d%n", &year, &month, &day, &hour,
                                &minute, &second, &used)
                        != 6
                    || !isWhole()))))
        return std::nullopt;
    const std::chrono::year_month_day date{ std::chrono::year(year), std::chrono::month(month),
                                            std::chrono::day(day) };
    if (!date.ok() || hour > 23 || minute > 59 || second > 59 || hour < 0 || minute < 0 || second < 0)
        return std::nullopt;
    const auto since = std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour)
        + std::chrono::minutes(minute) + std::chrono::seconds(second);
    return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    std::variant<Query, Fault> run()
    {
        while (!m_fault) {
            while (m_at < m_text.size() && isSpace(m_text[m_at]))
                ++m_at;
            if (m_at == m_text.size())
                return std::move(m_query);
            takeTerm();
        }
        return *m_fault;
    }

private:
    void takeTerm()
    {
        const std::size_t start = m_at;
        const bool isNegated = m_text[m_at] == '-' && m_at + 1 < m_text.size() && !isSpace(m_text[m_at + 1]);
        m_at += isNegated ? 1 : 0;
        const std::size_t colon = m_text.find_first_of(": \t\r\n\"", m_at);
        const bool hasField = colon != std::string_view::npos && m_text[colon] == ':' && colon > m_at
            && std::isalpha(static_cast<unsigned char>(m_text[m_at])) != 0;
        if (!hasField) {
            const Word word = takeWord(false);
            if (!m_fault && !word.text.empty())
                m_query.texts.push_back({ lowerCase(word.text), isNegated });
            return;
        }
        const std::string_view name = m_text.substr(m_at, colon - m_at);
        const auto field = fieldNamed(name);
        if (!field) {
            m_fault = { "there is no field '" + std::string(name) + "'; there are: " + allFields()
                            + ". Text with a colon stands in quotes.",
                        start };
            return;
        }
        m_at = colon + 1;
        takeValues(*field, isNegated);
    }

    void takeValues(Field field, bool isNegated)
    {
        Term term{ .field = field, .isNegated = isNegated };
        do {
            m_at += m_at < m_text.size() && m_text[m_at] == ',' ? 1 : 0;
            const Word word = takeWord(true);
            if (m_fault)
                return;
            if (word.text.empty()) {
                m_fault = { std::string(fieldNames()[static_cast<std::size_t>(field)]) + ": wants a value",
                            word.at };
                return;
            }
            addValue(term, word);
        } while (!m_fault && m_at < m_text.size() && m_text[m_at] == ',');
        if (!m_fault)
            m_query.terms.push_back(std::move(term));
    }

    void addValue(Term& term, const Word& word)
    {
        const std::string text = lowerCase(word.text);
        if (isNumber(term.field)) {
            if (const auto range = rangeOf(text, term.field))
                term.ranges.push_back(*range);
            else
                m_fault = { "'" + word.text + "' is no number"
                                + (term.field == Field::Took ? " of seconds: say 500ms, >2s or 1m..5m"
                                                             : ": say 7, >100, <=3 or 10..20"),
                            word.at };
            return;
        }
        if (isTime(term.field)) {
            if (const auto moment = momentOf(text))
                term.ranges.push_back(term.field == Field::Since
                                          ? Range{ *moment, kHighest }
                                          : Range{ kLowest, std::nextafter(*moment, kLowest) });
            else
                m_fault = { "'" + word.text + "' is no time: say 2026-01-31 or 2026-01-31T12:00 (UTC)",
                            word.at };
            return;
        }
        constexpr std::array<std::string_view, 4> kKinds{ "run", "checkpoint", "task", "log" };
        if (term.field == Field::Is && std::ranges::find(kKinds, text) == kKinds.end())
            m_fault = { "is: wants run, checkpoint, task or log", word.at };
        term.words.push_back(text);
    }

    Word takeWord(bool isValue)
    {
        Word word;
        word.at = m_at;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            const std::size_t end = m_text.find('"', m_at + 1);
            if (end == std::string_view::npos) {
                m_fault = { "this quote has no end", m_at };
                return word;
            }
            word.text = m_text.substr(m_at + 1, end - m_at - 1);
            word.isQuoted = true;
            m_at = end + 1;
            return word;
        }
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && !(isValue && m_text[m_at] == ','))
            word.text += m_text[m_at++];
        return word;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Query m_query;
    std::optional<Fault> m_fault;
};

} // namespace

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& letter : lower)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return lower;
}

const std::vector<std::string_view>& fieldNames()
{
    static const std::vector<std::string_view> kNames{ "is",         "status", "node",   "thread", "run",
                                                       "checkpoint", "source", "stream", "step",   "attempts",
                                                       "took",       "since",  "before" };
    return kNames;
}

std::variant<Query, Fault> parse(std::string_view text)
{
    return Parser(text).run();
}

} // namespace sg::query
