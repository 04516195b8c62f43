#pragma once

#include "core/base/value.h"
#include "core/engine/failure.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sg::engine {

// One slot of graph state. Changed by the run loop alone, on one thread; read by planning.
// The functions that return bool say whether the channel's version must rise.
class Channel {
public:
    virtual ~Channel() = default;
    Channel& operator=(const Channel&) = delete;
    [[nodiscard]] virtual std::unique_ptr<Channel> clone() const = 0;

    // Folds this superstep's writes, in task order; may move from them. Empty: a superstep passed without
    // one.
    virtual Outcome<bool> update(std::span<Value> writes) = 0;
    [[nodiscard]] virtual bool available() const = 0;
    [[nodiscard]] virtual Value get() const = 0; // where available
    virtual bool consume() { return false; } // a task that it triggered has run
    virtual bool finish() { return false; } // nothing else is left to run

    // What get() would give after update(writes), where that is one of the writes and no fold; else null.
    [[nodiscard]] virtual const Value* replacedBy(std::span<const Value> /*writes*/) const { return nullptr; }

    // For a branch, which sees its own task's writes before they count: the value with them, made in the
    // channel's own storage. Nobody reads the channel until giveBack() has got the value back (or a copy of
    // it). nullopt: this channel, or these writes, are not for that; nothing has happened then.
    virtual std::optional<Value> lend(std::span<const Value> /*writes*/) { return std::nullopt; }
    virtual void giveBack(Value&& /*lent*/) { }

    // What a checkpoint stores (nullopt: nothing); restore(checkpoint()) yields an equal channel.
    [[nodiscard]] virtual std::optional<Value> checkpoint() const = 0;
    virtual void restore(std::optional<Value> saved) = 0;

protected:
    Channel() = default;
    Channel(const Channel&) = default;
};

// Who reacts to what: lets the loop skip channels that a passing superstep cannot change.
struct ChannelTraits {
    bool clearsItself = false; // update({}) may change it
    bool finishes = false; // finish() may change it
    bool sticky = true; // keeps its value until written again
};

} // namespace sg::engine
