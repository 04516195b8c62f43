#pragma once

#include "ui/bridge/rows/rows.h"

#include <string_view>
#include <vector>

namespace sg::ui {

// Lines with ANSI escapes as text with attributes. Colours and weights become spans; everything else that an
// escape could do (move, erase, name the window, link) is left out, and so is what a carriage return wrote
// over. Attributes last until they are reset, over the ends of lines. One stream's lines in order.
class AnsiText {
public:
    struct Line {
        QString text; // printable
        std::vector<TextSpan> spans; // that differ from the line's own look, in order
    };
    Line take(std::string_view line); // without its line feed

private:
    void apply(std::string_view parameters);
    void add(Line& line, std::string_view run) const;

    TextSpan m_now; // its place is not used
};

} // namespace sg::ui
