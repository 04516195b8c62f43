#pragma once

#include "ui/bridge/rows/rows.h"

#include <string_view>
#include <vector>

namespace sg::ui {

// Turns lines with ANSI escapes into text with attributes. Colours and weights become spans; other sequences
// (cursor movement, titles, links) and text overwritten after a carriage return are dropped. Attributes last
// over line ends, so one object takes the lines of one stream in order.
class AnsiText {
public:
    struct Line {
        QString text; // printable
        std::vector<TextSpan> spans; // spans that differ from the default, in order
    };
    Line take(std::string_view line); // without its line feed

private:
    void apply(std::string_view parameters);
    void add(Line& line, std::string_view run) const;

    TextSpan m_now; // its position is not used
};

} // namespace sg::ui
