#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/history/history.h"

#include <optional>
#include <string>
#include <vector>

// The inbox: what waits for a person's answer in the threads of a project.
namespace sg::runs {

struct WaitingQuestion {
    ThreadId thread;
    std::string id; // the interrupt's
    NodeId node; // that asks
    Value question; // plain data
    std::string since; // ISO 8601
};

// Returns all waiting questions, those of the newest thread first. A thread that cannot be read is left out.
Result<std::vector<WaitingQuestion>> waitingQuestions(history::History& history);
// Returns the waiting questions of one thread, in the order in which they were asked.
Result<std::vector<WaitingQuestion>> waitingQuestions(history::History& history, const ThreadId& thread);

// Returns one line for people: the question's "question", "message" or "prompt", or the value itself.
std::string questionText(const Value& question);
// Returns in words what the question can be answered with: "one of: \"yes\", \"no\"", "a JSON object: name
// (text), …". Empty: anything.
std::string answerHint(const Value& question);

// An answer that it takes, as a person types it: the first that the question lists, or that all calls under
// review are approved. Nullopt: none is known.
std::optional<Value> knownAnswer(const Value& question);

// Reads what a person typed: JSON, or text as it is where the question takes it. A question that lists its
// answers, or has a JSON Schema, takes no others. Errc::InvalidArgument says what it takes.
Result<Value> typedAnswer(const Value& question, const std::string& typed);

// Picks the question that an answer is for: the only one, or the one with that id. Errc::NotFound: nothing
// waits; InvalidArgument: several do, or there is no such id.
Result<WaitingQuestion> chosenQuestion(const std::vector<WaitingQuestion>& waiting, const ThreadId& thread,
                                       const std::string& id);

} // namespace sg::runs
