#pragma once

#include "core/engine/channels/channel.h"

// These channels hold one value as it was written.
namespace sg::engine {

std::unique_ptr<Channel> makeLastValue(Value key); // one write a superstep
std::unique_ptr<Channel> makeAnyValue(); // the last of several; cleared by a superstep without a write
std::unique_ptr<Channel> makeEphemeral(Value key, bool guard); // cleared after the next superstep
std::unique_ptr<Channel> makeUntracked(Value key, bool guard); // never stored
std::unique_ptr<Channel> makeLastValueAfterFinish(); // triggers a deferred node once all else is done

} // namespace sg::engine
