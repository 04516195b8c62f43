#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The query language of filter boxes and of `sandglass query`:
//
//   query  = { [ "-" ] ( field ":" value { "," value } | text ) }       all must hold; "-": must not
//   value  = word | '"' any '"'                                          one of several is enough
//   text   = word | '"' any '"'                                          found anywhere in the subject's text
//   number = [ ">" | ">=" | "<" | "<=" ] digits | digits ".." digits     for step, attempts and took
//
// Names and words compare without case; "*" in a value matches any letters. A subject without a field (a log
// line has no status) does not match a term about it, negated or not. No term depends on the present time:
// the same query has the same answer.
namespace sg::query {

enum class Kind { Run, Checkpoint, Task, Log };

enum class Field {
    Is, // run, checkpoint, task, log
    Status, // for runs and tasks: done, failed, interrupted, running, stopped, cached, …
    Node,
    Thread,
    Run, // its id
    Checkpoint, // its id
    Source, // for checkpoints: input, loop, update, fork
    Stream, // for log lines: stdout, stderr
    Step,
    Attempts, // for tasks
    Took, // for runs and tasks: 500ms, 2s, 3m, 1h; a bare number is seconds
    Since, // 2026-01-31 or 2026-01-31T12:00
    Before,
};

// Includes both ends.
struct Range {
    double low = 0;
    double high = 0;
};

struct Term {
    Field field = Field::Is;
    bool isNegated = false;
    std::vector<std::string> words{}; // lower case; for text fields, one of which must match
    std::vector<Range> ranges{}; // for numbers and times (milliseconds since 1970)
};

struct Text {
    std::string letters; // lower case
    bool isNegated = false;
};

struct Query {
    std::vector<Term> terms;
    std::vector<Text> texts;
    [[nodiscard]] bool isEmpty() const { return terms.empty() && texts.empty(); }
};

struct Fault {
    std::string message;
    std::size_t at = 0; // byte offset in the text
};

std::variant<Query, Fault> parse(std::string_view text);

// Returns the names as people write them, in the order of Field.
const std::vector<std::string_view>& fieldNames();

std::string lowerCase(std::string_view text); // changes ASCII letters only

} // namespace sg::query
