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

// Keeps the ids of a list's messages, so that appending does not read the whole list. A copy starts empty.
class MessageIds {
public:
    MessageIds() = default;
    MessageIds(const MessageIds& /*other*/) { }
    MessageIds& operator=(const MessageIds&) = delete;

    // Compares sizes alone: whoever changes the list without addMessages() calls forget().
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

// Does what LangGraph's add_messages does: a message whose id is there already replaces the old one in place,
// a RemoveMessage takes one away, all else is appended. Plain forms ({"role", "content"}, ["user", "hi"],
// "hi") become messages. `ids` are those of `value`'s messages, if known, and afterwards those of the result.
std::optional<Failure> addMessages(Value& value, const Value& write, Random& random, MessageIds& ids);
// Does the same for a write that only appends. Returns false, with nothing changed, if it does more or if the
// ids are not known. `ids` remain those of the shorter list.
bool appendNewMessages(Value& list, const Value& write, Random& random, const MessageIds& ids);

// Returns the write (a message, a list or an Overwrite) with an id in each message: a channel stored as
// changes folds its writes on every read, and a message must keep its id. Other values stay as they are.
Value withMessageIds(const Value& write, Random& random);

} // namespace sg::engine
