#pragma once

#include "core/base/result.h"
#include "core/base/snapshot_id.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a session tells about its names, between cells.
namespace sg::sessions {

class RunnerLink;

struct Variable {
    std::string name;
    std::string type; // "int", "pandas.DataFrame"
    std::optional<std::vector<std::int64_t>> shape;
    std::optional<std::int64_t> bytes;
    std::string preview; // may be empty; anything the code likes: make it printable before it is shown
};

struct VariableList {
    std::vector<Variable> variables; // by name
    std::int64_t total = 0; // more than were listed, where a limit cut them
};

struct Completion {
    std::string text;
    std::string kind; // "function", "class", "module", "property", "key", "keyword", "value"
};

struct Completions {
    std::vector<Completion> matches;
    std::size_t start = 0; // they stand for these bytes of the code
    std::size_t end = 0;
};

struct NameDescription {
    bool isFound = false;
    std::string name;
    std::string type;
    std::string signature;
    std::string doc;
    std::string file;
};

// Errc::Busy while a cell runs. `cursor` in bytes of `code`, which is UTF-8.
Result<VariableList> listVariables(RunnerLink& link, std::int64_t limit);
// Of a copy of the interpreter that sleeps, whatever runs meanwhile. Errc::Unavailable where it is gone, or
// takes too long.
Result<VariableList> listVariables(RunnerLink& link, const SnapshotId& copy);
Result<Completions> completeCode(RunnerLink& link, const std::string& code, std::size_t cursor);
Result<NameDescription> describeName(RunnerLink& link, const std::string& code, std::size_t cursor);

} // namespace sg::sessions
