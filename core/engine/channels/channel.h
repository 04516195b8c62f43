#pragma once

#include "core/base/value.h"
#include "core/engine/failure.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sg::engine {

// A Channel is one slot of graph state. The run loop alone changes it, on one thread; planning reads it.
// Functions that return bool say whether the channel's version must rise.
class Channel {
public:
    virtual ~Channel() = default;
    Channel& operator=(const Channel&) = delete;
    [[nodiscard]] virtual std::unique_ptr<Channel> clone() const = 0;

    // Folds this superstep's writes, in task order, and may move from them. An empty span means that a
    // superstep passed without a write.
    virtual Outcome<bool> update(std::span<Value> writes) = 0;
    [[nodiscard]] virtual bool available() const = 0;
    [[nodiscard]] virtual Value get() const = 0; // only if available()
    virtual bool consume() { return false; } // a task that it triggered has run
    virtual bool finish() { return false; } // nothing else is left to run

    // Returns what get() would give after update(writes) if that is one of the writes; otherwise null.
    [[nodiscard]] virtual const Value* replacedBy(std::span<const Value> /*writes*/) const { return nullptr; }

    // A branch sees its own task's writes before they count. lend() makes the value with these writes in the
    // channel's own storage; nobody reads the channel until giveBack() has got the value (or a copy of it)
    // back. nullopt: the channel cannot do this for these writes and is unchanged.
    virtual std::optional<Value> lend(std::span<const Value> /*writes*/) { return std::nullopt; }
    virtual void giveBack(Value&& /*lent*/) { }

    // Returns what a checkpoint stores (nullopt: nothing); restore(checkpoint()) yields an equal channel.
    [[nodiscard]] virtual std::optional<Value> checkpoint() const = 0;
    virtual void restore(std::optional<Value> saved) = 0;

protected:
    Channel() = default;
    Channel(const Channel&) = default;
};

// Tells what a channel reacts to, so that the loop can skip channels that a passing superstep cannot change.
struct ChannelTraits {
    bool clearsItself = false; // update({}) may change it
    bool finishes = false; // finish() may change it
    bool sticky = true; // keeps its value until written again
};

} // namespace sg::engine
