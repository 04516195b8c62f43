#include "ui/selection/pause.h"

#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"

#include <algorithm>

namespace sg::ui {

QStringList standsBefore(const StateView& state)
{
    const auto hasRun = [](const TaskRow& task) { return task.outcome != TaskOutcome::Pending; };
    const bool stands = state.interrupts.empty() && std::ranges::none_of(state.tasks, hasRun);
    return stands ? state.next : QStringList();
}

QStringList pausedBefore(const StateView& state, const ThreadBook& book, const Selection& selection)
{
    const bool isPaused =
        book.status(state.thread) == RunStatus::Interrupted && selection.checkpoint().isEmpty();
    return isPaused ? standsBefore(state) : QStringList();
}

} // namespace sg::ui
