#pragma once

#include "core/base/value.h"
#include "core/engine/failure.h"

#include <optional>
#include <string>
#include <unordered_set>

namespace sg {
class Random;
}

namespace sg::engine {

// The ids of a list of messages, beside it, so that appending to it does not read it all. A copy knows
// nothing.
class MessageIds {
public:
    MessageIds() = default;
    MessageIds(const MessageIds& /*other*/) { }
    MessageIds& operator=(const MessageIds&) = delete;

    // Nobody but addMessages() has changed the list since.
    [[nodiscard]] bool areKnown(const Value& list) const
    {
        return list.isList() && m_ids.size() == list.asList().size();
    }
    [[nodiscard]] bool contains(const std::string& id) const { return m_ids.contains(id); }
    void add(std::string id) { m_ids.insert(std::move(id)); }
    void forget() { m_ids.clear(); }

private:
    std::unordered_set<std::string> m_ids;
};

// LangGraph's add_messages: a message whose id is there already replaces it in place, a RemoveMessage takes
// one away, all else is appended; plain forms ({"role", "content"}, ["user", "hi"], "hi") become messages.
// `ids` are those of `value`'s messages, where known, and then of the result's.
std::optional<Failure> addMessages(Value& value, const Value& write, Random& random, MessageIds& ids);
// The same where the write only appends; false, and nothing has happened, where it does more or where the ids
// are not known. `ids` stay those of the shorter list.
bool appendNewMessages(Value& list, const Value& write, Random& random, const MessageIds& ids);

// A write of messages, alone, in a list or in an Overwrite, each with an id: a channel that is stored as
// changes folds its writes again on every read, and a message must keep its name. What is no message stays.
Value withMessageIds(const Value& write, Random& random);

} // namespace sg::engine
