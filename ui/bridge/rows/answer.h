#pragma once

#include "ui/bridge/rows/rows.h"

namespace sg::ui {

// The result of a blocking question to core: a value or an error.
template<typename T>
struct Answer {
    T value{};
    UserError error; // `what` is empty if there is none
};

} // namespace sg::ui
