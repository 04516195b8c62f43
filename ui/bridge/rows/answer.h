#pragma once

#include "ui/bridge/rows/rows.h"

namespace sg::ui {

// What a blocking question to core gives: a value, or an error.
template<typename T>
struct Answer {
    T value{};
    UserError error; // `what` empty: none
};

} // namespace sg::ui
