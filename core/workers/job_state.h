#pragma once

#include "core/base/word.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sg::workers {

enum class JobState { Ready, Delayed, Running, Done, Dead, Cancelled };
constexpr auto namesOf(JobState)
{
    return std::to_array<std::pair<JobState, std::string_view>>({
        { JobState::Ready, "ready" },
        { JobState::Delayed, "delayed" },
        { JobState::Running, "running" },
        { JobState::Done, "done" },
        { JobState::Dead, "dead" },
        { JobState::Cancelled, "cancelled" },
    });
}
constexpr std::string_view nameOf(JobState state)
{
    return nameAmong(state);
}
constexpr std::optional<JobState> jobStateNamed(std::string_view word)
{
    return kindNamed<JobState>(word);
}
constexpr bool hasEnded(JobState state)
{
    return state == JobState::Done || state == JobState::Dead || state == JobState::Cancelled;
}

// One thing that happened to a job.
struct StoryLine {
    enum class Kind { Added, Requeued, Started, Failed, Lost, Retry, Cancelled, Discarded, Done, Dead };
    Kind kind = Kind::Added;
    std::int64_t timeMs = 0; // of the server, since 1970
    std::string worker; // who started it, or was lost with it
    std::string text; // why it failed, or who requeued or discarded it
    std::int64_t attempt = 0; // of a start
    std::int64_t waitMs = 0; // of a retry: how long until it is due
};
constexpr auto namesOf(StoryLine::Kind)
{
    using Kind = StoryLine::Kind;
    return std::to_array<std::pair<Kind, std::string_view>>({
        { Kind::Added, "enqueue" },
        { Kind::Requeued, "requeue" },
        { Kind::Started, "start" },
        { Kind::Failed, "failed" },
        { Kind::Lost, "lost" },
        { Kind::Retry, "retry" },
        { Kind::Cancelled, "cancel" },
        { Kind::Discarded, "discard" },
        { Kind::Done, "done" },
        { Kind::Dead, "dead" },
    });
}
constexpr std::string_view nameOf(StoryLine::Kind kind)
{
    return nameAmong(kind);
}

} // namespace sg::workers
