#include "ui/bridge/previews/csv_column.h"

#include "core/base/printable.h"
#include "ui/bridge/previews/csv_records.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <span>

namespace sg::ui {
namespace {

constexpr std::size_t kMostRows = 20'000'000;
constexpr std::size_t kMostTexts = 5'000'000; // whole cells are compared where they begin alike
constexpr std::size_t kHead = 8;
constexpr std::size_t kMostValues = 12; // each gets a bar
constexpr std::size_t kMostDistinct = 1000;
constexpr std::size_t kMostShown = 80;
constexpr int kBars = 12;

std::string_view trimmed(std::string_view cell)
{
    constexpr std::string_view blanks = " \t";
    const std::size_t begin = std::min(cell.find_first_not_of(blanks), cell.size());
    return cell.substr(begin, cell.find_last_not_of(blanks) + 1 - begin);
}

// The bar of a number between low and high, whose difference may overflow or be too small to divide by.
std::size_t barOf(double number, double low, double high)
{
    const double scale = std::isfinite((high - low) * kBars) ? 1 : 1.0 / 64;
    const double span = high * scale - low * scale;
    const double part = span > 0 ? (number * scale - low * scale) * kBars / span : 0;
    return static_cast<std::size_t>(std::clamp<double>(part, 0, kBars - 1));
}

std::uint64_t headOf(std::string_view cell)
{
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < kHead; ++i)
        head = head << 8 | (i < cell.size() ? static_cast<unsigned char>(cell[i]) : 0U);
    return head;
}

QString shown(std::string_view cell)
{
    return text(printableText(cell.substr(0, kMostShown)));
}

} // namespace

std::optional<double> csvNumber(std::string_view cell)
{
    std::string_view digits = trimmed(cell);
    if (digits.empty())
        return std::numeric_limits<double>::quiet_NaN();
    if (digits.front() == '+' && !digits.substr(1).starts_with('-'))
        digits.remove_prefix(1);
    double number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return std::nullopt;
    return number;
}

Result<CsvColumn> CsvColumn::read(std::string_view content, std::size_t records, char separator, int column)
{
    CsvColumn made;
    made.m_column = column;
    made.m_separator = separator;
    std::vector<std::string> scratch;
    std::vector<Row> empty;
    for (const bool asNumbers : { true, false }) {
        made.m_isNumber = asNumbers;
        made.m_rows.clear();
        empty.clear();
        bool isOther = false;
        for (std::size_t at = records; at < content.size() && !isOther;) {
            const std::string_view rest = content.substr(at);
            const std::size_t length = csvRecordLength(rest, separator);
            const std::string_view cell = csvCellOf(rest, length, separator, column, scratch);
            Row row{};
            row.record = at;
            at += length;
            if (made.m_rows.size() + empty.size() >= (asNumbers ? kMostRows : kMostTexts))
                return Error{ Errc::LimitExceeded,
                              asNumbers ? "more than 20 million rows" : "more than 5 million rows of texts" };
            const std::optional<double> number = asNumbers ? csvNumber(cell) : std::nullopt;
            if (cell.empty() || (number && std::isnan(*number))) {
                empty.push_back(row);
                continue;
            }
            isOther = asNumbers && !number;
            if (asNumbers)
                row.number = number.value_or(0);
            else
                row.head = headOf(cell);
            row.size = std::min<std::size_t>(cell.size(), 0xFFFF);
            made.m_rows.push_back(row);
        }
        if (!isOther)
            break;
    }
    made.m_filled = made.m_rows.size();
    made.m_rows.insert(made.m_rows.end(), empty.begin(), empty.end());
    return made;
}

std::string CsvColumn::cell(std::string_view content, const Row& row) const
{
    std::vector<std::string> scratch;
    const std::string_view rest = content.substr(row.record);
    return std::string(csvCellOf(rest, csvRecordLength(rest, m_separator), m_separator, m_column, scratch));
}

bool CsvColumn::isLess(std::string_view content, const Row& a, const Row& b) const
{
    if (m_isNumber)
        return a.number < b.number;
    if (a.head != b.head)
        return a.head < b.head;
    if (a.size <= kHead || b.size <= kHead)
        return a.size < b.size;
    return cell(content, a) < cell(content, b);
}

void CsvColumn::sort(std::string_view content, bool isDescending)
{
    const auto end = m_rows.begin() + static_cast<std::ptrdiff_t>(m_filled);
    std::sort(m_rows.begin(), end, [&](const Row& a, const Row& b) {
        if (isDescending ? isLess(content, b, a) : isLess(content, a, b))
            return true;
        return !(isDescending ? isLess(content, a, b) : isLess(content, b, a)) && a.record < b.record;
    });
}

ColumnFacts CsvColumn::facts(std::string_view content) const
{
    if (!m_isNumber)
        return factsOfTexts(content);
    ColumnFacts facts;
    facts.column = m_column;
    facts.empty = static_cast<qint64>(m_rows.size() - m_filled);
    const Row* least = nullptr;
    const Row* most = nullptr;
    const std::span<const Row> filled = std::span(m_rows).first(m_filled);
    for (const Row& row : filled) {
        if (!std::isfinite(row.number))
            continue;
        least = least == nullptr || row.number < least->number ? &row : least;
        most = most == nullptr || row.number > most->number ? &row : most;
    }
    if (least == nullptr)
        return facts;
    facts.least = shown(trimmed(cell(content, *least)));
    facts.most = shown(trimmed(cell(content, *most)));
    facts.bars.assign(kBars, 0);
    for (const Row& row : filled)
        if (std::isfinite(row.number))
            ++facts.bars[barOf(row.number, least->number, most->number)];
    return facts;
}

ColumnFacts CsvColumn::factsOfTexts(std::string_view content) const
{
    ColumnFacts facts;
    facts.column = m_column;
    facts.empty = static_cast<qint64>(m_rows.size() - m_filled);
    std::map<std::string, std::size_t> places;
    std::vector<std::string> values;
    for (std::size_t row = 0; row < m_filled; ++row) {
        std::string value = cell(content, m_rows[row]).substr(0, kMostShown);
        const auto [place, isNew] = places.try_emplace(std::move(value), values.size());
        if (isNew) {
            if (places.size() > kMostDistinct)
                return facts;
            values.push_back(place->first);
            facts.bars.push_back(0);
        }
        ++facts.bars[place->second];
    }
    facts.distinct = static_cast<qint64>(values.size());
    if (values.size() > kMostValues)
        facts.bars.clear();
    else
        for (const std::string& value : values)
            facts.values << shown(value);
    return facts;
}

} // namespace sg::ui
