#pragma once

namespace sg::ui {

// Makes terminal views accessible to assistive programs. GUI thread.
void installTerminalAccessibility();

} // namespace sg::ui
