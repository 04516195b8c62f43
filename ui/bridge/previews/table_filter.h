#pragma once

#include "ui/bridge/rows/table_rows.h"

#include <string>
#include <string_view>

namespace sg::ui {

// Looks at cells as they stand in a text.
class CellTest {
public:
    explicit CellTest(const TableFilter& filter);
    [[nodiscard]] bool passes(std::string_view cell) const;

private:
    TableFilter::Test m_test;
    std::string m_value; // in small letters for a part
    double m_number; // NaN: the value is none
};

} // namespace sg::ui
