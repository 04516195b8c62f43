#pragma once

#include "core/graph/graph_file.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::graph {

// The host answers what validation cannot know; an empty function skips that check.
struct ValidationHost {
    // Compiles jq programs, all at once; returns one message per bad program by its index.
    std::function<std::vector<std::pair<std::size_t, std::string>>(const std::vector<std::string>& programs)>
        checkJq;
    std::vector<std::string_view> backends; // those that a graph may name
    // Returns why this version cannot make the graph's sandbox; empty: it can.
    std::function<std::string(const SandboxSettings&)> sandboxFault;
    std::vector<std::string> installedModules; // of the sandboxes' packages
    bool forEditing = false; // adds hints at what may be left to do
    std::filesystem::path folder; // where "file" settings are looked up; empty: not checked
};

// Returns every problem at once: form, unknown and unreachable nodes, missing entry, duplicate names,
// reserved names, bad reducers, bad jq, missing code files, unknown channels in reads/writes/input/output.
// Errors come first, then warnings and hints, each in file order.
std::vector<Problem> validate(const GraphFile& file, const ValidationHost& host);

// Returns what is wrong with a name for a node or channel ("is empty"), or "".
std::string nameFault(std::string_view name);

} // namespace sg::graph
