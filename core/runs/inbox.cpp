#include "core/runs/inbox.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/models/json_schema.h"

#include <algorithm>
#include <array>

namespace sg::runs {
namespace {

constexpr std::size_t kMostShown = 300;

// The answers that a question lists, as the window's inbox reads them.
const ValueList* listedAnswers(const Value& question)
{
    for (const char* key : { "answers", "options", "choices" })
        if (const Value* list = question.find(key);
            list != nullptr && list->isList() && !list->asList().empty())
            return &list->asList();
    return nullptr;
}

const Value* schemaOf(const Value& question)
{
    const Value* schema = question.find("schema");
    return schema != nullptr && schema->isMap() ? schema : nullptr;
}

std::string shownFields(const Value& schema)
{
    std::string text = "a JSON object";
    const Value& properties = schema["properties"];
    if (!properties.isMap())
        return text;
    const char* between = ": ";
    for (const auto& [name, field] : properties.asMap()) {
        text += between + (name.isString() ? name.asString() : toJson(name)) + " ("
            + field.stringOr("type", "anything") + ")";
        between = ", ";
    }
    return text;
}

} // namespace

Result<std::vector<WaitingQuestion>> waitingQuestions(history::History& history, const ThreadId& thread)
{
    const auto state = history.state(thread);
    if (!state)
        return state.error();
    std::vector<WaitingQuestion> waiting;
    for (const engine::StateTask& task : state->tasks) {
        if (task.result)
            continue; // answered, while another task still asks
        for (const Value& interrupt : task.interrupts)
            waiting.push_back({ thread, interrupt.stringOr("id", ""), task.name,
                                checkpoint::plain(interrupt["value"]), state->createdAt });
    }
    return waiting;
}

Result<std::vector<WaitingQuestion>> waitingQuestions(history::History& history)
{
    const auto threads = history.threads();
    if (!threads)
        return threads.error();
    std::vector<WaitingQuestion> all;
    for (const history::ThreadRow& row : *threads) {
        if (row.status != RunStatus::Interrupted && row.status != RunStatus::Unfinished
            && row.status != RunStatus::Failed)
            continue;
        auto waiting = waitingQuestions(history, row.thread);
        if (!waiting) // else it would seem to ask nothing
            return std::move(waiting.error()).during("read what thread '" + row.thread.value + "' asks");
        all.insert(all.end(), waiting->begin(), waiting->end());
    }
    return all;
}

std::string questionText(const Value& question)
{
    std::string text;
    for (const char* key : { "question", "message", "prompt" })
        if (text.empty() && question[key].isString())
            text = question[key].asString();
    if (text.empty())
        text = question.isString() ? question.asString() : toJson(question, JsonStyle::Spaced);
    std::ranges::replace(text, '\n', ' ');
    return cutText(text, kMostShown);
}

std::string answerHint(const Value& question)
{
    if (const ValueList* answers = listedAnswers(question)) {
        std::string text = "one of:";
        for (const Value& answer : *answers)
            text +=
                (text.ends_with(':') ? " " : ", ") + (answer.isString() ? answer.asString() : toJson(answer));
        return text;
    }
    if (const Value* schema = schemaOf(question))
        return schema->stringOr("type", "object") == "object"
            ? shownFields(*schema)
            : "JSON of type " + schema->stringOr("type", "");
    return {};
}

std::optional<Value> knownAnswer(const Value& question)
{
    if (const ValueList* answers = listedAnswers(question))
        return answers->front();
    const Value& calls = question["action_requests"]; // see core/agents/review.h
    if (!calls.isList() || calls.asList().empty())
        return std::nullopt;
    return Value::map(
        { { "decisions", Value(ValueList(calls.asList().size(), Value::map({ { "type", "approve" } }))) } });
}

Result<Value> typedAnswer(const Value& question, const std::string& typed)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ Errc::InvalidArgument,
                      why + ". \"" + questionText(question) + "\" takes " + answerHint(question) };
    };
    auto parsed = parseJson(typed);
    if (const ValueList* answers = listedAnswers(question)) {
        for (const Value& answer : *answers)
            if ((parsed && answer == *parsed) || (answer.isString() && answer.asString() == typed))
                return answer;
        return refuse("that is none of its answers");
    }
    Value answer = parsed ? std::move(*parsed) : Value(typed);
    if (answer.isNull())
        return Error{ Errc::InvalidArgument,
                      "null answers nothing: it stands for no answer. Give a value, such as false or \"\"" };
    if (const Value* schema = schemaOf(question))
        if (const auto why = models::schemaMismatch(*schema, answer))
            return refuse("the answer does not fit: " + *why);
    return answer;
}

Result<WaitingQuestion> chosenQuestion(const std::vector<WaitingQuestion>& waiting, const ThreadId& thread,
                                       const std::string& id)
{
    if (waiting.empty())
        return Error{ Errc::NotFound,
                      "thread '" + thread.value
                          + "' asks nothing, so there is nothing to answer (sandglass inbox list)" };
    if (id.empty() && waiting.size() == 1)
        return waiting.front();
    std::string ids;
    for (const WaitingQuestion& each : waiting) {
        if (each.id == id)
            return each;
        ids += "\n  " + each.id + "  " + each.node.value + ": " + questionText(each.question);
    }
    return Error{ Errc::InvalidArgument,
                  (id.empty() ? "thread '" + thread.value + "' asks several questions; say which with --id:"
                              : "thread '" + thread.value + "' asks nothing by the id " + id + "; it asks:")
                      + ids };
}

} // namespace sg::runs
