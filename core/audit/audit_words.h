#pragma once

#include "core/base/word.h"

#include <array>
#include <string_view>
#include <utility>

namespace sg::audit {

// The subject of a row.
enum class Kind { Session, Cell, Terminal, Dataset, Artifact, Secret, Egress, Network, Layer, Mcp, Tool };
constexpr auto namesOf(Kind)
{
    return std::to_array<std::pair<Kind, std::string_view>>({
        { Kind::Session, "session" },
        { Kind::Cell, "cell" },
        { Kind::Terminal, "terminal" },
        { Kind::Dataset, "dataset" },
        { Kind::Artifact, "artifact" },
        { Kind::Secret, "secret" },
        { Kind::Egress, "egress" },
        { Kind::Network, "network" },
        { Kind::Layer, "layer" },
        { Kind::Mcp, "mcp" },
        { Kind::Tool, "tool" },
    });
}

// The outcome of what the row tells. Rows of sessions, cells and requests may have other words, too: those of
// their own states.
enum class Outcome {
    Started,
    Ok,
    Error,
    TimedOut,
    Failed,
    Allowed,
    Denied,
    Given,
    Stored,
    Opened,
    Closed,
    LimitsChanged
};
constexpr auto namesOf(Outcome)
{
    return std::to_array<std::pair<Outcome, std::string_view>>({
        { Outcome::Started, "started" },
        { Outcome::Ok, "ok" },
        { Outcome::Error, "error" },
        { Outcome::TimedOut, "timed out" },
        { Outcome::Failed, "failed" },
        { Outcome::Allowed, "allowed" },
        { Outcome::Denied, "denied" },
        { Outcome::Given, "given" },
        { Outcome::Stored, "stored" },
        { Outcome::Opened, "opened" },
        { Outcome::Closed, "closed" },
        { Outcome::LimitsChanged, "limits changed" },
    });
}

} // namespace sg::audit
