#include "core/nodes/llm_node.h"

#include "core/agents/model_turn.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/models/chat_fault.h"
#include "core/models/json_schema.h"
#include "core/models/model_desk.h"
#include "core/models/reply_end.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/llm_settings.h"

#include <optional>
#include <utility>

namespace sg::nodes {
namespace {

using engine::failed;
using engine::Failure;
using engine::NodeOutcome;
using engine::TaskContext;
using models::ChatFault;
using models::ChatReply;

Value typeOfRole(const std::string& role)
{
    return role == "user" ? "human" : role == "assistant" ? "ai" : role == "developer" ? "system" : role;
}

// A stored message, {"role", "content"}, ["user", "hi"] or text as LangChain's map; null: it is none of them.
Value plainMessage(const Value& item)
{
    if (auto message = checkpoint::asMessage(item))
        return std::move(*message);
    if (item.isString())
        return Value::map({ { "type", "human" }, { "content", item } });
    if (item.isList() && item.asList().size() == 2 && item[std::size_t{ 0 }].isString())
        return Value::map({ { "type", typeOfRole(item[std::size_t{ 0 }].asString()) },
                            { "content", item[std::size_t{ 1 }] } });
    if (!item.isMap() || item.find("content") == nullptr)
        return {};
    Value message = item;
    const std::string role = item.stringOr("role", item.stringOr("type", ""));
    message.editMap().set("type", typeOfRole(role));
    return role.empty() ? Value() : message;
}

// One run of the node: what is asked, and what came of it.
class LlmTask {
public:
    LlmTask(const NodeWorld& world, TaskContext& context, LlmChoice choice)
        : m_choice(std::move(choice))
        , m_turn(*world.models, context, m_choice.endpoint, m_choice.key, context.info().node)
    {
        if (m_choice.limit)
            m_turn.endAt({ std::chrono::steady_clock::now() + *m_choice.limit,
                           "node '" + context.info().node.value + "': its", true });
    }

    NodeOutcome run(const ValueList& messages)
    {
        if (!m_choice.system.empty())
            m_choice.request.messages.push_back(
                Value::map({ { "type", "system" }, { "content", m_choice.system } }));
        for (const Value& item : messages) {
            Value message = plainMessage(item);
            if (message.isNull())
                return failed("TypeError",
                              "what is sent to a model are messages; this is none: "
                                  + cutText(toJson(item), 200));
            m_choice.request.messages.push_back(std::move(message));
        }
        if (auto failed = m_turn.findKey())
            return *failed;
        auto asked = m_turn.ask(m_choice.request);
        if (auto* fault = std::get_if<ChatFault>(&asked))
            return agents::failureOf(*fault);
        if (m_choice.request.schema.isNull())
            return written(std::get<ChatReply>(asked), Value(std::get<ChatReply>(asked).text));
        return structured(std::get<ChatReply>(std::move(asked)));
    }

private:
    // The answer's value, or the reason why it does not match.
    struct Reading {
        std::optional<Value> value;
        std::string why;
    };
    [[nodiscard]] Reading read(const ChatReply& reply) const
    {
        auto value = parseJson(reply.text);
        if (!value)
            return { std::nullopt, "the answer is no JSON: " + value.error().message };
        if (auto mismatch = models::schemaMismatch(m_choice.request.schema, *value))
            return { std::nullopt, std::move(*mismatch) };
        return { std::move(*value), {} };
    }

    // One repair turn: the model is told what is wrong. Neither its first answer nor that is stored.
    NodeOutcome structured(ChatReply reply)
    {
        Reading first = read(reply);
        if (first.value)
            return written(reply, std::move(*first.value));
        if (const auto why = models::endText(reply)) // another turn would end the same way
            return failed("StructuredOutputError", "the answer does not match the schema: " + *why,
                          "The model said:\n" + cutText(reply.text, agents::ModelTurn::kMostShown));
        m_turn.log("the answer does not match the schema (" + first.why + "); asked once more");
        reply.message.set("type", "ai");
        m_choice.request.messages.emplace_back(reply.message);
        m_choice.request.messages.push_back(
            Value::map({ { "type", "human" },
                         { "content",
                           "Your answer does not match the schema: " + first.why
                               + ". Answer again, with nothing but JSON that matches it." } }));
        auto again = m_turn.ask(m_choice.request, false);
        if (auto* fault = std::get_if<ChatFault>(&again))
            return agents::failureOf(*fault);
        auto& repaired = std::get<ChatReply>(again);
        Reading second = read(repaired);
        if (second.value)
            return written(repaired, std::move(*second.value));
        return failed("StructuredOutputError",
                      "the answer does not match the schema, nor does a second one: "
                          + models::endText(repaired).value_or(models::shortened(second.why)),
                      "The model said:\n" + cutText(repaired.text, agents::ModelTurn::kMostShown), true);
    }

    [[nodiscard]] NodeOutcome written(const ChatReply& reply, Value answer) const
    {
        auto message = checkpoint::makeMessage(reply.message);
        if (!message)
            return failed("RuntimeError", "the answer could not be made a message");
        ValueMap update;
        if (!m_choice.messages.empty())
            update.set(m_choice.messages, Value::list({ std::move(*message) }));
        if (!m_choice.channel.empty())
            update.set(m_choice.channel, std::move(answer));
        return engine::Returned{ Value(std::move(update)) };
    }

    LlmChoice m_choice;
    agents::ModelTurn m_turn;
};

class LlmBody final : public engine::NodeBody {
public:
    LlmBody(std::shared_ptr<const NodeWorld> world, std::shared_ptr<JqPrograms> programs,
            const ValueMap& settings)
        : m_world(std::move(world))
        , m_programs(std::move(programs))
        , m_settings(settings)
    {
        const Value* prompt = m_settings.find("prompt");
        if (prompt == nullptr || prompt->isNull())
            prompt = m_world->llmDefaults.find("prompt");
        if (prompt != nullptr && prompt->isString())
            m_prompt = m_programs->add(prompt->asString());
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    NodeOutcome run(TaskContext& context) override
    {
        if (!m_world->models)
            return failed("RuntimeError", "this run was started without chat models");
        const Value config = context.config();
        auto choice = readLlmChoice(config["configurable"]["llm"], m_settings, m_world->llmDefaults);
        if (!choice)
            return failed("ValueError", choice.error().message);
        const Value* named = m_settings.find("messages");
        const bool hasNone = named != nullptr && named->isNull(); // it said so
        if (hasNone)
            choice->messages.clear();
        const Value* messages =
            context.input().find(choice->messages.empty() && !hasNone ? "messages" : choice->messages);
        if (choice->messages.empty() && !hasNone && context.mayWrite("messages"))
            choice->messages = "messages";
        if (!m_prompt)
            return LlmTask(*m_world, context, std::move(*choice)).run(listOf(messages));
        auto made = m_programs->evaluate(*m_prompt, context.input());
        if (!made)
            return jqFailure(made.error());
        return LlmTask(*m_world, context, std::move(*choice)).run(listOf(&*made));
    }

private:
    static ValueList listOf(const Value* messages)
    {
        if (messages == nullptr || messages->isNull())
            return {};
        return messages->isList() ? messages->asList() : ValueList{ *messages };
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
    const ValueMap m_settings;
    std::optional<std::size_t> m_prompt; // constant after construction
};

} // namespace

std::unique_ptr<engine::NodeBody> makeLlmBody(std::shared_ptr<const NodeWorld> world,
                                              std::shared_ptr<JqPrograms> programs, const ValueMap& settings)
{
    return std::make_unique<LlmBody>(std::move(world), std::move(programs), settings);
}

} // namespace sg::nodes
