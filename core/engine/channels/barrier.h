#pragma once

#include "core/engine/channels/channel.h"

#include <vector>

namespace sg::engine {

// Makes the channel of a waiting edge, which is available once every start has written its name.
// `afterFinish` is for deferred nodes: the channel then also waits until nothing else is left to run.
std::unique_ptr<Channel> makeBarrier(Value key, std::vector<Value> names, bool afterFinish);

} // namespace sg::engine
