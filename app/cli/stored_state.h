#pragma once

#include "app/cli/project_option.h"
#include "core/runs/thread_states.h"

#include <memory>
#include <string>

namespace sg::cli {

// The stored state that a verb works on: --thread, --checkpoint, --ns, and its place.
struct StateOption {
    PlaceOption place;
    std::string thread;
    std::string checkpoint;
    std::string ns;

    void addThread(Verb verb); // --thread, --ns and the place, without `graph`
    void addCheckpoint(Verb verb, const std::string& help);
    [[nodiscard]] Result<engine::StateAddress> address() const;
};

// Values, next and tasks are exact where the graph is available; a database alone tells only what its
// channels' names show.
Result<engine::StateSnapshot> readState(const PlaceOption& place, const engine::StateAddress& at);

} // namespace sg::cli
