#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

namespace sg {

// A string type of its own for each kind of id, so that ids are not mixed up.
template<typename Tag>
struct Id {
    std::string value;

    Id() = default;
    explicit Id(std::string text)
        : value(std::move(text))
    {
    }
    [[nodiscard]] bool empty() const { return value.empty(); }
    friend auto operator<=>(const Id&, const Id&) = default;
    friend bool operator==(const Id&, const Id&) = default;
};

using ThreadId = Id<struct ThreadTag>;
using RunId = Id<struct RunTag>;
using NodeId = Id<struct NodeTag>; // a node's name in its graph
using TaskId = Id<struct TaskTag>;
using CheckpointId = Id<struct CheckpointTag>; // uuid6 text: sorts by time
using SessionId = Id<struct SessionTag>;
using ArtifactId = Id<struct ArtifactTag>;

} // namespace sg

template<typename Tag>
struct std::hash<sg::Id<Tag>> {
    std::size_t operator()(const sg::Id<Tag>& id) const noexcept
    {
        return std::hash<std::string>{}(id.value);
    }
};
