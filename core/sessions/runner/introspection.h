#pragma once

#include "core/base/result.h"
#include "core/base/snapshot_id.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Questions about a session's names, between cells.
namespace sg::sessions {

class RunnerLink;

struct Variable {
    std::string name;
    std::string type; // "int", "pandas.DataFrame"
    std::optional<std::vector<std::int64_t>> shape{};
    std::optional<std::int64_t> bytes{};
    std::string preview{}; // may be empty; made by the code: escape before showing it
};

struct VariableList {
    std::vector<Variable> variables; // by name
    std::int64_t total = 0; // larger than the list where a limit cut it
};

struct Completion {
    std::string text;
    std::string kind; // "function", "class", "module", "property", "key", "keyword", "value"
};

struct Completions {
    std::vector<Completion> matches;
    std::size_t start = 0; // they replace these bytes of the code
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
// Asks a sleeping copy of the interpreter, whatever runs meanwhile. Errc::Unavailable where the copy is gone,
// or takes too long.
Result<VariableList> listVariables(RunnerLink& link, const SnapshotId& copy);
Result<Completions> completeCode(RunnerLink& link, const std::string& code, std::size_t cursor);
Result<NameDescription> describeName(RunnerLink& link, const std::string& code, std::size_t cursor);

} // namespace sg::sessions
