#pragma once

#include "ui/bridge/rows/table_rows.h"

#include <string>
#include <string_view>

namespace sg::ui {

// Tests cells as they are written in the text.
class CellTest {
public:
    explicit CellTest(const TableFilter& filter);
    [[nodiscard]] bool passes(std::string_view cell) const;

private:
    TableFilter::Test m_test;
    std::string m_value; // in small letters for Test::Contains
    double m_number; // NaN if the value is no number
};

} // namespace sg::ui
