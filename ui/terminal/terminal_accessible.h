#pragma once

namespace sg::ui {

// Makes views of terminals readable for assistive programs, from now on. GUI thread.
void installTerminalAccessibility();

} // namespace sg::ui
