#include "core/nodes/agent_node.h"

#include "core/agents/model_turn.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/channels/messages.h"
#include "core/models/content_blocks.h"
#include "core/models/json_schema.h"
#include "core/models/reply_end.h"
#include "core/nodes/agent_meter.h"
#include "core/nodes/agent_review.h"
#include "core/nodes/agent_toolbox.h"
#include "core/nodes/agent_tools.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/llm_settings.h"

#include <chrono>
#include <optional>
#include <random>
#include <set>
#include <utility>

namespace sg::nodes {

using agents::LoopPart;
using agents::ToolCall;
using engine::failed;
using engine::Failure;
using engine::NodeOutcome;
using engine::TaskContext;

namespace {

constexpr const char* kRemoveAll = "__remove_all__";

Value mapOf(const Value& message)
{
    auto read = checkpoint::asMessage(message);
    return read ? std::move(*read) : Value();
}

std::string idOf(const Value& message)
{
    return mapOf(message).stringOr("id", "");
}

std::set<std::string> idsOf(const ValueList& messages)
{
    std::set<std::string> ids;
    for (const Value& each : messages)
        ids.insert(idOf(each));
    return ids;
}

// Gives a task the same numbers whenever it runs: where a thread goes on, its loop has the ids of before.
class TaskRandom final : public Random {
public:
    explicit TaskRandom(const engine::TaskInfo& task)
    {
        std::seed_seq seed(task.checkpointNs.begin(), task.checkpointNs.end());
        m_engine.seed(seed);
    }
    std::uint64_t next() override { return m_engine(); }

private:
    std::mt19937_64 m_engine;
};

// The official client has a field for what it parsed itself, which LangChain keeps.
void noteParsed(ValueMap& message)
{
    ValueMap rest{ { "parsed", Value() } };
    if (const Value* known = message.find("additional_kwargs"); known != nullptr && known->isMap())
        for (const auto& [key, value] : known->asMap())
            rest.set(key, value);
    message.set("additional_kwargs", Value(std::move(rest)));
}

// LangChain tells name and description of a schema beside it.
Value bareSchema(const Value& schema)
{
    ValueMap bare;
    for (const auto& [key, value] : schema.asMap())
        if (key != Value("title") && key != Value("description"))
            bare.set(key, value);
    return Value(std::move(bare));
}

bool hasNoCalls(const ValueMap& message)
{
    const Value* calls = message.find("tool_calls");
    return calls == nullptr || !calls->isList() || calls->asList().empty();
}

// Returns the type of a call's error; empty: there was none.
std::string errorOf(const agents::ToolOutcome& outcome)
{
    if (const auto* result = std::get_if<agents::ToolResult>(&outcome))
        return result->status == agents::ToolStatus::Error ? "ToolError" : "";
    if (std::holds_alternative<agents::ToolRefused>(outcome))
        return "PermissionError";
    if (const auto* exception = std::get_if<agents::ToolException>(&outcome))
        return exception->failure.type;
    const auto* failure = std::get_if<Failure>(&outcome);
    return failure == nullptr ? std::string() : failure->type;
}

} // namespace

class Agent {
public:
    Agent(std::shared_ptr<const NodeWorld> world, std::shared_ptr<JqPrograms> programs,
          const graph::Node& node, AgentSettings settings)
        : m_world(std::move(world))
        , m_programs(std::move(programs))
        , m_name(node.name)
        , m_settings(std::move(settings))
        , m_toolGraph(node.subgraph)
        , m_toolbox(m_world, m_programs, node, m_settings)
        , m_review(m_name, m_settings.review, m_programs, m_toolbox)
        , m_meter(m_settings.budget, m_world->models)
    {
        if (!m_settings.prompt.empty())
            m_prompt = m_programs->add(m_settings.prompt);
    }

    [[nodiscard]] agents::LoopShape shape() const
    {
        return { !m_toolbox.isEmpty(), !m_settings.review.isEmpty() && !m_toolbox.isEmpty(),
                 hasOutputTool() ? m_settings.output.name : std::string() };
    }

    [[nodiscard]] const std::shared_ptr<const graph::Graph>& toolGraph() const { return m_toolGraph; }

    NodeOutcome runNode(TaskContext& task);
    NodeOutcome runModel(TaskContext& task);
    NodeOutcome runTools(TaskContext& task);
    NodeOutcome runReview(TaskContext& task) { return m_review.ofTurn(task); }
    NodeOutcome route(TaskContext& task, LoopPart part);

private:
    [[nodiscard]] bool hasOutputTool() const
    {
        return !m_settings.output.schema.isNull() && m_settings.output.way == agents::OutputWay::Tool;
    }
    Result<Value> input(TaskContext& task) const;
    Result<LlmChoice> choiceOf(TaskContext& task) const;
    NodeOutcome overBudget(const std::string& what, const std::optional<ValueList>& repaired) const;
    NodeOutcome modelUpdate(const models::ChatReply& reply, const std::optional<ValueList>& repaired,
                            const ValueList& sent) const;
    std::optional<Failure> askedAgain(agents::ModelTurn& turn, models::ChatRequest& request,
                                      models::ChatReply& reply) const;
    [[nodiscard]] bool wasRepaired(const ValueList& sent) const;
    NodeOutcome answered(const ToolCall& call, const ToolCall& executed, agents::ToolOutcome outcome,
                         TaskContext& task) const;
    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
    const NodeId m_name;
    const AgentSettings m_settings;
    const std::shared_ptr<const graph::Graph> m_toolGraph;
    AgentToolbox m_toolbox;
    AgentReview m_review;
    AgentMeter m_meter;
    std::optional<std::size_t> m_prompt; // constant after construction
};

// The messages of its input. Those without an id get one: what the loop makes of them is known by it.
Result<Value> Agent::input(TaskContext& task) const
{
    Value messages;
    if (m_prompt) {
        auto made = m_programs->evaluate(*m_prompt, task.input());
        if (!made)
            return std::move(made.error());
        messages = std::move(*made);
    } else if (m_settings.messages) {
        messages = task.input()[*m_settings.messages];
    }
    if (messages.isNull())
        return Value(ValueList());
    if (!messages.isList())
        messages = Value(ValueList{ std::move(messages) });
    TaskRandom random(task.info());
    return engine::withMessageIds(messages, random);
}

NodeOutcome Agent::runNode(TaskContext& task)
{
    auto given = input(task);
    if (!given)
        return jqFailure(given.error());
    if (given->asList().empty())
        return failed("ValueError",
                      "agent '" + m_name.value + "' has nothing to answer: its messages are empty");
    const auto ids = std::make_shared<const std::set<std::string>>(idsOf(given->asList()));
    m_meter.begin(task.info().checkpointNs, ids);
    const auto result = task.runSubgraph(Value::map({ { "messages", std::move(*given) } }));
    m_meter.end(task.info().checkpointNs);
    if (!result)
        return engine::Interrupted{};
    ValueMap update;
    const ValueList& all = agents::messagesOf(*result);
    if (m_settings.messages && (m_settings.namesMessages || task.mayWrite(*m_settings.messages))) {
        ValueList kept = all;
        if (m_prompt) // what was made for this agent alone stays here
            std::erase_if(kept, [&ids](const Value& each) { return ids->contains(idOf(each)); });
        update.set(*m_settings.messages, Value(std::move(kept)));
    }
    if (!m_settings.channel.empty())
        update.set(m_settings.channel,
                   m_settings.output.schema.isNull()
                       ? Value(models::textOf(agents::lastTurn(all).ai["content"]))
                       : (*result)["structured_response"]);
    return engine::Returned{ Value(std::move(update)) };
}

Result<LlmChoice> Agent::choiceOf(TaskContext& task) const
{
    const Value config = task.config();
    auto choice = readLlmChoice(config["configurable"]["llm"], m_settings.model, m_world->llmDefaults);
    if (!choice)
        return choice;
    models::ChatRequest& request = choice->request;
    request.tools.clear(); // the graph's defaults are for llm nodes
    request.toolChoice = {};
    request.schema = {};
    for (const agents::Tool& tool : m_toolbox.tools())
        request.tools.push_back({ tool.name, tool.description, tool.parameters });
    const agents::OutputSchema& output = m_settings.output;
    if (hasOutputTool()) {
        request.tools.push_back(
            { output.name, output.schema.stringOr("description", ""), bareSchema(output.schema) });
        request.toolChoice = "any";
    } else if (!output.schema.isNull()) {
        request.schema = bareSchema(output.schema);
        request.schemaName = output.name;
    }
    return choice;
}

NodeOutcome Agent::overBudget(const std::string& what, const std::optional<ValueList>& repaired) const
{
    const std::string text = "Model call limits exceeded: " + what;
    if (!m_settings.budget.endsQuietly)
        return failed("BudgetExceededError",
                      "agent '" + m_name.value + "' has used up its budget: " + what
                          + ". Raise \"budget\" of the node, or end quietly by \"then\": \"end\"");
    models::ChatReply reply;
    reply.message = { { "type", "ai" }, { "content", text } };
    return modelUpdate(reply, repaired, {});
}

NodeOutcome Agent::runModel(TaskContext& task)
{
    if (!m_world->models)
        return failed("RuntimeError", "this run was started without chat models");
    CallContext asAgent(task, m_name, task.input());
    if (auto failed = m_toolbox.load(asAgent))
        return *std::move(failed);
    auto choice = choiceOf(task);
    if (!choice)
        return failed("ValueError", choice.error().message);
    const models::ModelDesk& desk = *m_world->models;
    const std::string model = desk.otherModel.empty() ? choice->request.model : desk.otherModel;
    if (m_settings.budget.cost && !desk.budget->cost(model, {}))
        return failed("BudgetExceededError",
                      "agent '" + m_name.value + "' has a budget of money, and nobody said what \"" + model
                          + "\" costs: name it in the project's prices.json");
    const ValueList& stored = agents::messagesOf(task.input());
    const auto repaired = agents::withInvalidCallsAnswered(stored);
    const ValueList& sent = repaired ? *repaired : stored;
    models::ChatRequest& request = choice->request;
    request.model = model;
    if (!choice->system.empty())
        request.messages.push_back(Value::map({ { "type", "system" }, { "content", choice->system } }));
    const AgentMeter::Work work = m_meter.workOf(task.info().checkpointNs);
    const AgentMeter::Spent spent = m_meter.spentIn(stored, work, request);
    if (const auto over = m_meter.usedUp(spent, work))
        return overBudget(*over, repaired);
    for (const Value& message : sent)
        request.messages.push_back(mapOf(message));
    agents::ModelTurn turn(*m_world->models, task, choice->endpoint, choice->key, m_name);
    if (auto failed = turn.findKey())
        return *std::move(failed);
    if (m_settings.budget.seconds)
        turn.endAt({ work.began
                         + std::chrono::duration_cast<SteadyTime::duration>(
                             std::chrono::duration<double>(*m_settings.budget.seconds)),
                     "agent '" + m_name.value + "': its" });
    if (choice->limit)
        turn.endAt({ work.began + *choice->limit, "agent '" + m_name.value + "': its", true });
    auto asked = turn.ask(request);
    if (const auto* fault = std::get_if<models::ChatFault>(&asked)) {
        if (const auto over = m_meter.usedUp(spent, work); over && fault->type == "BudgetExceededError")
            return overBudget(*over, repaired);
        return agents::failureOf(*fault);
    }
    auto& reply = std::get<models::ChatReply>(asked);
    if (auto failed = askedAgain(turn, request, reply))
        return *std::move(failed);
    if (!request.schema.isNull() && choice->endpoint.wire == models::Wire::OpenAi && !reply.isOfStream)
        noteParsed(reply.message);
    return modelUpdate(reply, repaired, sent);
}

// An answer by response_format that does not match is asked for once more; only the second is stored.
std::optional<Failure> Agent::askedAgain(agents::ModelTurn& turn, models::ChatRequest& request,
                                         models::ChatReply& reply) const
{
    if (request.schema.isNull() || !reply.message.find("tool_calls")->asList().empty())
        return std::nullopt;
    const auto mismatch = [&]() -> std::optional<std::string> {
        const auto value = parseJson(reply.text);
        return value ? models::schemaMismatch(request.schema, *value)
                     : std::optional("the answer is no JSON: " + value.error().message);
    };
    auto why = mismatch();
    if (!why)
        return std::nullopt;
    if (const auto end = models::endText(reply)) // another turn would end the same way
        return failed("StructuredOutputValidationError", "the answer does not match the schema: " + *end);
    turn.log("the answer does not match the schema (" + *why + "); asked once more");
    reply.message.set("type", "ai");
    request.messages.emplace_back(reply.message);
    request.messages.push_back(
        Value::map({ { "type", "human" },
                     { "content",
                       "Your answer does not match the schema: " + *why
                           + ". Answer again, with nothing but JSON that matches it." } }));
    auto again = turn.ask(request, false);
    if (const auto* fault = std::get_if<models::ChatFault>(&again))
        return agents::failureOf(*fault);
    reply = std::get<models::ChatReply>(std::move(again));
    why = reply.message.find("tool_calls")->asList().empty() ? mismatch() : std::nullopt;
    if (!why)
        return std::nullopt;
    return failed("StructuredOutputValidationError",
                  "the answer does not match the schema, nor does a second one: "
                      + models::endText(reply).value_or(*why),
                  {}, true);
}

// The model was told once already that its answer by the output tool was wrong.
bool Agent::wasRepaired(const ValueList& sent) const
{
    const agents::LastTurn last = agents::lastTurn(sent);
    for (const Value& message : last.tools)
        if (message.stringOr("name", "") == m_settings.output.name
            && message.stringOr("content", "").starts_with("Error: "))
            return true;
    return false;
}

NodeOutcome Agent::modelUpdate(const models::ChatReply& reply, const std::optional<ValueList>& repaired,
                               const ValueList& sent) const
{
    ValueMap said = reply.message;
    if (!m_settings.name.empty())
        said.set("name", m_settings.name);
    auto message = checkpoint::makeMessage(said);
    if (!message)
        return failed("RuntimeError", "the answer could not be made a message");
    ValueList messages;
    if (repaired) {
        if (auto remove =
                checkpoint::makeMessage({ { "type", "remove" }, { "content", "" }, { "id", kRemoveAll } }))
            messages.push_back(std::move(*remove));
        messages.insert(messages.end(), repaired->begin(), repaired->end());
    }
    messages.push_back(std::move(*message));
    ValueMap update;
    Value answer;
    if (hasOutputTool()) {
        const Value* calls = said.find("tool_calls");
        auto reading = agents::readOutput(
            m_settings.output, calls != nullptr && calls->isList() ? calls->asList() : ValueList());
        if (reading.isWrong && wasRepaired(sent))
            return failed("StructuredOutputValidationError",
                          "the model's answer does not match the schema, nor does a second one: "
                              + mapOf(reading.messages.front()).stringOr("content", ""),
                          {}, true);
        // A loop that ended here would leave the answer empty, as if the model had had none.
        if (const auto why = models::endText(reply); why && hasNoCalls(said))
            return failed("StructuredOutputValidationError", "the model gave no structured answer: " + *why);
        messages.insert(messages.end(), reading.messages.begin(), reading.messages.end());
        answer = reading.answer.value_or(Value());
    } else if (!m_settings.output.schema.isNull()) {
        if (auto parsed = parseJson(reply.text))
            answer = std::move(*parsed);
    }
    update.set("messages", Value(std::move(messages)));
    if (!m_settings.output.schema.isNull())
        update.set("structured_response", std::move(answer));
    return engine::Returned{ Value(std::move(update)) };
}

NodeOutcome Agent::runTools(TaskContext& task)
{
    const Value& input = task.input();
    const Value& given =
        input.isList() && !input.asList().empty() ? input.asList().back() : input["tool_call"];
    const auto call = agents::asToolCall(given);
    if (!call)
        return failed("ValueError", "the loop was sent no tool call: " + cutText(toJson(input), 200));
    CallContext asAgent(task, m_name, input);
    if (auto failed = m_toolbox.load(asAgent))
        return *std::move(failed);
    ToolCall executed = *call;
    if (const Value edited = shape().isReviewed ? task.state()[agents::kEditsChannel][call->id] : Value();
        edited.isMap())
        executed = { call->id, edited.stringOr("name", call->name), edited["args"] };
    if (auto undone = m_review.ofCall(task, *call, executed))
        return *std::move(undone);
    if (executed.name != call->name && m_toolbox.find(executed.name) == nullptr)
        return failed("ValueError",
                      "Reviewer edited tool call '" + call->id + "' to '" + executed.name
                          + "', which is not an available tool.");
    const auto begin = std::chrono::steady_clock::now();
    auto outcome = m_toolbox.call(executed, asAgent);
    if (m_world->toolUsed && !std::holds_alternative<engine::Interrupted>(outcome))
        m_world->toolUsed(
            task.info(), m_name,
            { executed.name, call->id, errorOf(outcome), std::chrono::steady_clock::now() - begin });
    return answered(*call, executed, std::move(outcome), task);
}

NodeOutcome Agent::answered(const ToolCall& call, const ToolCall& executed, agents::ToolOutcome outcome,
                            TaskContext& task) const
{
    const bool isEdited = !(executed.name == call.name && executed.args == call.args);
    const auto message = [&](const Value& content, agents::ToolStatus status) {
        const Value told = isEdited ? agents::withEditNotice(content, executed) : content;
        return NodeOutcome(engine::Returned{ Value::map(
            { { "messages",
                Value::list({ agents::toolMessage({ call.id, executed.name }, told, status) }) } }) });
    };
    if (auto* failure = std::get_if<Failure>(&outcome))
        return std::move(*failure);
    if (std::holds_alternative<engine::Interrupted>(outcome))
        return engine::Interrupted{};
    if (auto* result = std::get_if<agents::ToolResult>(&outcome))
        return message(result->content, result->status);
    if (auto* refusal = std::get_if<agents::ToolRefused>(&outcome))
        return message(refusal->why, agents::ToolStatus::Error);
    if (auto* command = std::get_if<agents::ToolCommand>(&outcome))
        return engine::Returned{ std::move(command->command) };
    auto& exception = std::get<agents::ToolException>(outcome);
    if (m_settings.raisesToolErrors || task.stopToken().stop_requested())
        return std::move(exception.failure);
    const Failure& failure = exception.failure;
    const std::string raised =
        failure.repr.empty() ? failure.type + "(" + toJson(Value(failure.message)) + ")" : failure.repr;
    task.log(TaskContext::Stream::Event, call.name + " failed: " + failure.type + ": " + failure.message);
    return message(agents::toolErrorText(raised), agents::ToolStatus::Error);
}

NodeOutcome Agent::route(TaskContext& task, LoopPart part)
{
    if (part == LoopPart::AfterModel)
        return engine::Returned{ agents::afterModel(task.input(), shape()) };
    return engine::Returned{ agents::afterTools(
        task.input(), shape(),
        { [this](const std::string& tool) { return m_toolbox.find(tool) != nullptr; },
          [this](const std::string& tool) {
              const agents::Tool* found = m_toolbox.find(tool);
              return found != nullptr && found->returnsDirectly;
          } }) };
}

namespace {

class AgentBody final : public engine::NodeBody {
public:
    explicit AgentBody(std::shared_ptr<Agent> agent)
        : m_agent(std::move(agent))
    {
    }
    [[nodiscard]] bool mayBlock() const override { return true; }
    NodeOutcome run(TaskContext& task) override { return m_agent->runNode(task); }

private:
    const std::shared_ptr<Agent> m_agent;
};

class LoopBody final : public engine::NodeBody {
public:
    LoopBody(std::shared_ptr<Agent> agent, LoopPart part)
        : m_agent(std::move(agent))
        , m_part(part)
    {
    }
    [[nodiscard]] bool mayBlock() const override
    {
        return m_part != LoopPart::AfterModel && m_part != LoopPart::AfterTools;
    }
    NodeOutcome run(TaskContext& task) override
    {
        switch (m_part) {
        case LoopPart::Model: return m_agent->runModel(task);
        case LoopPart::Tools: return m_agent->runTools(task);
        case LoopPart::Review: return m_agent->runReview(task);
        case LoopPart::AfterModel:
        case LoopPart::AfterTools: break;
        }
        return m_agent->route(task, m_part);
    }

private:
    const std::shared_ptr<Agent> m_agent;
    const LoopPart m_part;
};

} // namespace

Result<std::shared_ptr<Agent>> makeAgent(std::shared_ptr<const NodeWorld> world,
                                         std::shared_ptr<JqPrograms> programs, const graph::Node& node)
{
    auto settings = readAgentSettings(node.settings);
    if (!settings)
        return std::move(settings.error());
    return std::make_shared<Agent>(std::move(world), std::move(programs), node, std::move(*settings));
}

agents::LoopShape loopShapeOf(const Agent& agent)
{
    return agent.shape();
}

std::shared_ptr<const graph::Graph> toolGraphOf(const Agent& agent)
{
    return agent.toolGraph();
}

std::unique_ptr<engine::NodeBody> makeAgentBody(std::shared_ptr<Agent> agent)
{
    return std::make_unique<AgentBody>(std::move(agent));
}

std::unique_ptr<engine::NodeBody> makeLoopBody(std::shared_ptr<Agent> agent, LoopPart part)
{
    return std::make_unique<LoopBody>(std::move(agent), part);
}

} // namespace sg::nodes
