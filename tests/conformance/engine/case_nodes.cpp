#include "tests/conformance/engine/case_nodes.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/errors/python_text.h"
#include "core/expressions/jq_in_process.h"
#include "tests/conformance/engine/canonical.h"

#include <algorithm>
#include <functional>
#include <regex>

namespace sg::conformance {
namespace {

using engine::Failure;
using engine::NodeOutcome;
using engine::Returned;
using engine::TaskContext;

// A program's error in the words of the newer jq that LangGraph's side runs.
std::string messageOf(const Error& error)
{
    static const std::regex index(R"(^(Cannot index \w+ with string) (".*")$)");
    const std::string_view prefix = "jq: error: ";
    const std::string text =
        error.message.starts_with(prefix) ? error.message.substr(prefix.size()) : error.message;
    return std::regex_replace(text, index, "$1 ($2)");
}

struct Jq {
    expressions::JqEvaluator& evaluator;
    const std::vector<std::string>& programs;

    std::variant<Value, Failure> run(const std::string& program, const Value& input) const
    {
        const auto place = std::ranges::find(programs, program);
        auto outputs =
            evaluator.evaluate(static_cast<std::size_t>(place - programs.begin()), plainValue(input));
        if (!outputs)
            return Failure{ "ValueError", messageOf(outputs.error()) };
        if (outputs->size() != 1)
            return Failure{ "ValueError",
                            "jq program must emit exactly one value, got " + std::to_string(outputs->size()),
                            {},
                            true,
                            {} };
        return std::move(outputs->front());
    }
};

Failure raised(const Value& error)
{
    const std::string type = error.stringOr("type", "ValueError");
    const std::string repr = engine::pythonRepr(Value(error.stringOr("message", "")));
    return {
        type, type == "KeyError" ? repr : error.stringOr("message", ""), {}, true, type + "(" + repr + ")"
    };
}

Value sendOf(const Value& description)
{
    const Value& send = description["__send__"];
    return checkpoint::makeSend(send.stringOr("node", ""), send["arg"]);
}

Value gotoOf(const Value& description)
{
    if (description.isMap())
        return sendOf(description);
    if (!description.isList())
        return description;
    ValueList list;
    for (const Value& item : description.asList())
        list.push_back(gotoOf(item));
    return Value(std::move(list));
}

std::variant<Value, Failure> decoded(Value result, TaskContext& context)
{
    if (!result.isMap())
        return result;
    if (const Value* error = result.find("__error__"))
        return raised(*error);
    if (const Value* custom = result.find("__custom__")) {
        const Value events = *custom;
        for (const Value& event : events.asList())
            context.emitCustom(event);
        result.editMap().erase(Value("__custom__"));
    }
    if (const Value* command = result.find("__command__"))
        return caseCommand(*command);
    if (const Value* list = result.find("__list__")) {
        ValueList items;
        for (const Value& item : list->asList()) {
            auto one = decoded(item, context);
            if (auto* failure = std::get_if<Failure>(&one))
                return std::move(*failure);
            items.push_back(std::get<Value>(std::move(one)));
        }
        return Value(std::move(items));
    }
    return result;
}

NodeOutcome outcomeOf(std::variant<Value, Failure> result, TaskContext& context)
{
    if (auto* failure = std::get_if<Failure>(&result))
        return std::move(*failure);
    auto value = decoded(std::get<Value>(std::move(result)), context);
    if (auto* failure = std::get_if<Failure>(&value))
        return std::move(*failure);
    return Returned{ std::get<Value>(std::move(value)) };
}

class Body final : public engine::NodeBody {
public:
    explicit Body(std::function<NodeOutcome(TaskContext&)> run)
        : m_run(std::move(run))
    {
    }
    [[nodiscard]] bool mayBlock() const override { return false; }
    NodeOutcome run(TaskContext& context) override { return m_run(context); }

private:
    std::function<NodeOutcome(TaskContext&)> m_run;
};

class JqNode {
public:
    JqNode(Jq jq, CaseMemory& memory, const ValueMap& settings)
        : m_jq(jq)
        , m_memory(memory)
        , m_settings(settings)
        , m_path(m_settings.stringOr("path", ""))
        , m_program(m_settings.stringOr("jq", "null"))
    {
    }

    NodeOutcome operator()(TaskContext& context) const
    {
        const int runs = ++m_memory.runs[m_path];
        if (auto failure = failNow(context))
            return *std::move(failure);
        if (!m_settings.boolOr("meta", false))
            return outcomeOf(m_jq.run(m_program, context.input()), context);
        ValueList answers;
        while (true) {
            auto result = m_jq.run(m_program,
                                   Value::map({ { "state", context.input() },
                                                { "resume", Value(answers) },
                                                { "attempt", context.info().attempt },
                                                { "runs", runs } }));
            const auto* value = std::get_if<Value>(&result);
            const Value* question = value != nullptr ? value->find("__interrupt__") : nullptr;
            if (question == nullptr)
                return outcomeOf(std::move(result), context);
            auto answer = context.interrupt(*question);
            if (!answer)
                return engine::Interrupted{};
            answers.push_back(plainValue(*answer));
        }
    }

private:
    std::optional<Failure> failNow(TaskContext& context) const
    {
        const Value& fail = m_settings["fail"];
        if (!fail.isMap())
            return std::nullopt;
        if (fail["when"].isString()) {
            auto when = m_jq.run(fail["when"].asString(), context.input());
            if (auto* failure = std::get_if<Failure>(&when))
                return std::move(*failure);
            if (!engine::pythonTruth(std::get<Value>(when)))
                return std::nullopt;
        }
        int& failures = m_memory.failures[m_path];
        if (failures >= fail.intOr("times", 0))
            return std::nullopt;
        ++failures;
        return raised(Value::map({ { "type", fail.stringOr("type", "ValueError") },
                                   { "message", fail.stringOr("message", "boom") } }));
    }

    Jq m_jq;
    CaseMemory& m_memory;
    Value m_settings;
    std::string m_path;
    std::string m_program;
};

NodeOutcome callSubgraph(const Jq& jq, const Value& settings, TaskContext& context)
{
    ValueList results;
    const std::int64_t calls = settings.intOr("calls", 1);
    for (std::int64_t i = 0; i < calls; ++i) {
        auto input = jq.run(settings.stringOr("in", "."), context.input());
        if (auto* failure = std::get_if<Failure>(&input))
            return std::move(*failure);
        auto result = context.runSubgraph(std::get<Value>(input));
        if (!result)
            return engine::Interrupted{};
        results.push_back(*std::move(result));
    }
    const Value result = settings.find("calls") != nullptr ? Value(results) : results.front();
    return outcomeOf(jq.run(settings.stringOr("out", ".result"),
                            Value::map({ { "state", context.input() }, { "result", result } })),
                     context);
}

NodeOutcome route(const Jq& jq, const std::string& program, TaskContext& context)
{
    auto result = jq.run(program, context.input());
    if (auto* failure = std::get_if<Failure>(&result))
        return std::move(*failure);
    const Value& value = std::get<Value>(result);
    const auto convert = [](const Value& item) { return item.isMap() ? sendOf(item) : item; };
    if (!value.isList())
        return Returned{ convert(value) };
    ValueList list;
    for (const Value& item : value.asList())
        list.push_back(convert(item));
    return Returned{ Value(std::move(list)) };
}

} // namespace

Value countsValue(const std::map<std::string, int>& counts)
{
    ValueMap out;
    for (const auto& [path, count] : counts)
        out.set(Value(path), Value(count));
    return Value(std::move(out));
}

Value caseCommand(const Value& description)
{
    checkpoint::CommandView command;
    command.update = description["update"];
    if (command.update.isList()) // in Python a list of lists, not of tuples: no pairs of key and value
        command.update = Value::map({ { "__root__", command.update } });
    command.resume = description["resume"];
    if (const Value* target = description.find("goto"))
        command.goTo = gotoOf(*target);
    if (description.stringOr("graph", "") == "parent")
        command.graph = Value("__parent__");
    return checkpoint::makeCommand(command);
}

CaseNodes::CaseNodes(CaseMemory& memory, std::vector<std::string> programs)
    : m_memory(memory)
    , m_programs(std::move(programs))
{
    for (const char* standard : { "null", ".", ".result" })
        m_programs.emplace_back(standard);
    m_jq = expressions::makeJqInProcess(m_programs);
}

Result<std::unique_ptr<engine::NodeBody>> CaseNodes::makeNode(const graph::Node& node)
{
    const Jq jq{ *m_jq, m_programs };
    std::unique_ptr<engine::NodeBody> body;
    if (node.subgraph)
        body = std::make_unique<Body>([jq, settings = Value(node.settings)](TaskContext& context) {
            return callSubgraph(jq, settings, context);
        });
    else
        body = std::make_unique<Body>(JqNode(jq, m_memory, node.settings));
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> CaseNodes::makeBranch(const graph::Branch& branch)
{
    const Jq jq{ *m_jq, m_programs };
    std::unique_ptr<engine::NodeBody> body =
        std::make_unique<Body>([jq, program = Value(branch.settings).stringOr("jq", ".")](
                                   TaskContext& context) { return route(jq, program, context); });
    return body;
}

Result<std::unique_ptr<engine::NodeBody>> CaseNodes::makeErrorHandler(const graph::Node& node)
{
    const Jq jq{ *m_jq, m_programs };
    std::unique_ptr<engine::NodeBody> body =
        std::make_unique<Body>([jq, program = node.errorHandler.stringOr("jq", ".")](TaskContext& context) {
            return outcomeOf(jq.run(program, context.input()), context);
        });
    return body;
}

} // namespace sg::conformance
