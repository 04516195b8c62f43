#pragma once

namespace sg::ui {

// How many cells of a terminal a letter takes: 0 combines with the one before it, 2 is East Asian wide or an
// emoji (Unicode 15, UAX #11).
int letterWidth(char32_t letter);

} // namespace sg::ui
