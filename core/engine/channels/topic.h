#pragma once

#include "core/engine/channels/channel.h"

namespace sg::engine {

// A list of what was written, lists flattened by one level; emptied each superstep unless it accumulates.
std::unique_ptr<Channel> makeTopic(bool accumulate);

} // namespace sg::engine
