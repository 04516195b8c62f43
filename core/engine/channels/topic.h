#pragma once

#include "core/engine/channels/channel.h"

namespace sg::engine {

// Makes a list of what was written, flattened by one level. A superstep empties it unless it accumulates.
std::unique_ptr<Channel> makeTopic(bool accumulate);

} // namespace sg::engine
