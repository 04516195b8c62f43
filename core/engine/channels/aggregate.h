#pragma once

#include "core/engine/channels/channel.h"
#include "core/graph/graph.h"

namespace sg {
class Random;
}

namespace sg::engine {

// Makes a channel with a reducer. An Overwrite replaces its value and the superstep's other writes. `random`
// gives ids to messages and must outlive the channel.
std::unique_ptr<Channel> makeAggregate(const graph::Channel& channel, Random& random);

// Makes a list that is stored as changes: a checkpoint holds a snapshot of it now and then, and replayDelta()
// rebuilds it from an ancestor's snapshot and later writes. Without a channel every write extends it.
std::unique_ptr<Channel> makeDelta();
std::unique_ptr<Channel> makeDelta(const graph::Channel& channel, Random& random); // folds with its reducer
std::optional<Failure> replayDelta(Channel& delta, std::span<Value> writes);
Value makeDeltaSnapshot(const Value& value);

} // namespace sg::engine
