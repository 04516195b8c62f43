#pragma once

#include "core/graph/field.h"
#include "core/graph/graph.h"

#include <vector>

// These functions read and write the parts of a graph file that are objects of their own.
namespace sg::graph {

bool readChannel(const std::string& name, const Value& value, const Place& place, Reading& reading,
                 Channel& channel);
Value channelValue(const Channel& channel);

bool readNode(const Value& value, const Place& place, Reading& reading, Node& node);
Value nodeValue(const Node& node);

bool readBranch(const Value& value, const Place& place, Reading& reading, Branch& branch);
Value branchValue(const Branch& branch);

bool readSandbox(const Value& value, const Place& place, Reading& reading, SandboxSettings& sandbox);
Value sandboxValue(const SandboxSettings& sandbox);

bool readStore(const Value& value, const Place& place, Reading& reading, StoreSettings& store);
Value storeValue(const StoreSettings& store);

// Warns of keys that are none of `known`. Those that begin with "x-" are the user's own.
enum class UnknownKeys { All, Misspelt };
void warnOfKeys(const ValueMap& object, const std::vector<std::string_view>& known, const Place& place,
                Reading& reading, UnknownKeys which = UnknownKeys::All);

} // namespace sg::graph
