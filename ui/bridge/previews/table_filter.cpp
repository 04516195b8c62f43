#include "ui/bridge/previews/table_filter.h"

#include "ui/bridge/previews/csv_column.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {
namespace {

char smallOf(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// NaN for a cell that holds no number.
double numberOf(std::string_view cell)
{
    return csvNumber(cell).value_or(std::numeric_limits<double>::quiet_NaN());
}

} // namespace

CellTest::CellTest(const TableFilter& filter)
    : m_test(filter.test)
    , m_value(utf8(filter.value))
    , m_number(numberOf(m_value))
{
    if (m_test == TableFilter::Test::Contains)
        std::ranges::transform(m_value, m_value.begin(), smallOf);
}

bool CellTest::passes(std::string_view cell) const
{
    if (m_test == TableFilter::Test::Contains)
        return m_value.empty()
            || std::search(cell.begin(), cell.end(), m_value.begin(), m_value.end(),
                           [](char a, char b) { return smallOf(a) == b; })
            != cell.end();
    const bool isNumber = !std::isnan(m_number);
    const double number = isNumber ? numberOf(cell) : m_number;
    if (isNumber && std::isnan(number))
        return false;
    switch (m_test) {
    case TableFilter::Test::Equals: return isNumber ? number == m_number : cell == m_value;
    case TableFilter::Test::Less: return !cell.empty() && (isNumber ? number < m_number : cell < m_value);
    case TableFilter::Test::Greater: return isNumber ? number > m_number : cell > m_value;
    case TableFilter::Test::Contains: break;
    }
    return false;
}

} // namespace sg::ui
