#pragma once

#include "core/sessions/session.h"

#include <optional>
#include <string>
#include <vector>

namespace sg::sessions {

// This judges a cell's result for whoever ran it, so that every place tells it alike.
struct CellOutcome {
    bool ok = false; // it ran, and nothing that it left is missing
    std::optional<CellError> error; // an "ArtifactError" or kArtifactRefused where a file was not stored
    std::vector<std::string> notes; // for people: names that are gone, output that was dropped, warnings
};
CellOutcome outcomeOf(const CellResult& result);

} // namespace sg::sessions
