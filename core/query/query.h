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
//   text   = word | '"' any '"'                                          stands somewhere in the text of a
//   thing number = [ ">" | ">=" | "<" | "<=" ] digits | digits ".." digits     of step, attempts and took
//
// Names and words compare without case; "*" in a value stands for any letters. A thing that has no such field
// (a log line no status) does not match a term about it, negated or not. No term says anything of the present
// time: the same question has the same answer.
namespace sg::query {

enum class Kind { Run, Checkpoint, Task, Log };

enum class Field {
    Is, // run, checkpoint, task, log
    Status, // of runs and tasks: done, failed, interrupted, running, stopped, cached, …
    Node,
    Thread,
    Run, // its id
    Checkpoint, // its id
    Source, // of checkpoints: input, loop, update, fork
    Stream, // of log lines: stdout, stderr
    Step,
    Attempts, // of tasks
    Took, // of runs and tasks: 500ms, 2s, 3m, 1h; a bare number is seconds
    Since, // 2026-01-31 or 2026-01-31T12:00
    Before,
};

struct Range { // both ends belong to it
    double low = 0;
    double high = 0;
};

struct Term {
    Field field = Field::Is;
    bool isNegated = false;
    std::vector<std::string> words; // lower case; of the fields that are text: one of them
    std::vector<Range> ranges; // of numbers and times (milliseconds since 1970)
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
    std::size_t at = 0; // byte of the text
};

std::variant<Query, Fault> parse(std::string_view text);

// As people write them, in the order of Field.
const std::vector<std::string_view>& fieldNames();

std::string lowerCase(std::string_view text); // of ASCII letters; all others stay

} // namespace sg::query
