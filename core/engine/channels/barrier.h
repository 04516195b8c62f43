#pragma once

#include "core/engine/channels/channel.h"

#include <vector>

namespace sg::engine {

// A waiting edge: available once every start has written its name. `afterFinish`: for deferred nodes, and
// then only once nothing else is left to run.
std::unique_ptr<Channel> makeBarrier(Value key, std::vector<Value> names, bool afterFinish);

} // namespace sg::engine
