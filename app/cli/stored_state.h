#pragma once

#include "app/cli/project_option.h"
#include "core/runs/thread_states.h"

#include <memory>
#include <string>

namespace sg::cli {

// Which stored state a verb is about: --thread, --checkpoint, --ns, and where it lies.
struct StateOption {
    PlaceOption place;
    std::string thread;
    std::string checkpoint;
    std::string ns;

    void addThread(Verb verb); // --thread, --ns and the place; `graph` is left to the verb
    void addCheckpoint(Verb verb, const std::string& help);
    [[nodiscard]] Result<engine::StateAddress> address() const;
};

// With the graph at hand values, next and tasks are exact; a database alone tells what its channels' names
// carry.
Result<engine::StateSnapshot> readState(const PlaceOption& place, const engine::StateAddress& at);

} // namespace sg::cli
