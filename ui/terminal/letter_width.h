#pragma once

namespace sg::ui {

// The number of terminal cells of a character: 0 if it combines with the one before it, 2 if it is East Asian
// wide or an emoji (Unicode 15, UAX #11).
int letterWidth(char32_t letter);

} // namespace sg::ui
