#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QStringList>

namespace sg::ui {

class Selection;
class ThreadBook;

// Returns the nodes that would run next if none has run and none asks. The thread's status tells whether it
// is paused there.
[[nodiscard]] QStringList standsBefore(const StateView& state);

// Returns the nodes before which the thread is paused, by a breakpoint or a person; empty if it is not, or an
// earlier step is shown.
[[nodiscard]] QStringList pausedBefore(const StateView& state, const ThreadBook& book,
                                       const Selection& selection);

} // namespace sg::ui
