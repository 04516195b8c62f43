#include "core/nodes/llm_node.h"

#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"
#include "core/models/chat_fault.h"
#include "core/models/json_schema.h"
#include "core/models/model_desk.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/llm_settings.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace sg::nodes {
namespace {

using engine::Failure;
using engine::NodeOutcome;
using engine::TaskContext;
using models::ChatFault;
using models::ChatReply;

constexpr std::size_t kMostShown = 4000; // of what a model thought or said, in the log

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

Failure failureOf(const ChatFault& fault)
{
    std::string detail;
    if (!fault.partial.empty())
        detail = "What had come of the answer:\n" + fault.partial.substr(0, kMostShown);
    if (!fault.body.empty())
        detail += (detail.empty() ? "" : "\n") + std::string("The server said:\n") + fault.body;
    return { fault.type, withoutSecrets(fault.message), withoutSecrets(detail), fault.isRetryable, {}, {} };
}

Failure settingFailure(const Error& error)
{
    return { "ValueError", error.message, {}, false, {}, {} };
}

std::string secondsText(std::chrono::steady_clock::duration time)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

// One run of the node: what is asked, and what came of it.
class LlmTask {
public:
    LlmTask(const NodeWorld& world, TaskContext& context, LlmChoice choice)
        : m_desk(*world.models)
        , m_context(context)
        , m_choice(std::move(choice))
        , m_about{ { "ls_provider", m_choice.endpoint.wire == models::Wire::OpenAi ? "openai" : "anthropic" },
                   { "ls_model_name", m_choice.request.model },
                   { "ls_model_type", "chat" } }
    {
        m_about.set("ls_temperature",
                    m_choice.request.temperature ? Value(*m_choice.request.temperature) : Value());
        m_choice.endpoint.authorities = m_desk.authorities;
    }

    NodeOutcome run(const ValueList& messages)
    {
        if (!m_choice.system.empty())
            m_choice.request.messages.push_back(
                Value::map({ { "type", "system" }, { "content", m_choice.system } }));
        for (const Value& item : messages) {
            Value message = plainMessage(item);
            if (message.isNull())
                return Failure{
                    "TypeError",
                    "what is sent to a model are messages; this is none: " + toJson(item).substr(0, 200),
                    {},
                    false,
                    {},
                    {}
                };
            m_choice.request.messages.push_back(std::move(message));
        }
        if (auto failed = findKey())
            return *failed;
        auto asked = ask(true);
        if (auto* fault = std::get_if<ChatFault>(&asked))
            return failureOf(*fault);
        if (m_choice.request.schema.isNull())
            return written(std::get<ChatReply>(asked), Value(std::get<ChatReply>(asked).text));
        return structured(std::get<ChatReply>(std::move(asked)));
    }

private:
    std::optional<Failure> findKey()
    {
        if (m_choice.key.empty() || m_choice.endpoint.auth == models::Endpoint::Auth::None)
            return std::nullopt;
        if (!m_desk.findKey)
            return Failure{ "PermissionError", "this run was started without secrets", {}, false, {}, {} };
        const engine::TaskInfo& task = m_context.info();
        auto secret = m_desk.findKey(m_choice.key, m_choice.endpoint.base,
                                     { task.thread, task.run, task.node }, m_context.stopToken());
        if (!secret)
            return Failure{
                "PermissionError", "the key of the model: " + secret.error().message, {}, false, {}, {}
            };
        m_key.emplace(std::move(*secret));
        return std::nullopt;
    }

    models::ChatOutcome ask(bool isShown)
    {
        if (auto refused = m_desk.budget->refusal(m_choice.request.model))
            return *std::move(refused);
        models::Endpoint endpoint = m_choice.endpoint;
        if (const auto left = m_desk.budget->timeLeft())
            endpoint.timeout = std::min(endpoint.timeout, *left);
        models::ChunkSink sink;
        if (isShown)
            sink = [this](ValueMap chunk) { tell(std::move(chunk)); };
        const auto begin = std::chrono::steady_clock::now();
        auto outcome = m_desk.client->ask(
            { endpoint, m_choice.request, m_key ? m_key->reveal() : std::string(), std::move(sink),
              [this](const std::string& line) { log(line); }, m_context.stopToken() });
        if (std::exchange(m_hasText, false))
            m_context.log(TaskContext::Stream::Stdout, m_filter.finish() + "\n");
        if (const auto* reply = std::get_if<ChatReply>(&outcome);
            reply != nullptr && isShown && !reply->isOfStream)
            tellWhole(*reply);
        if (const auto* reply = std::get_if<ChatReply>(&outcome))
            logReply(*reply, std::chrono::steady_clock::now() - begin);
        else if (const auto& fault = std::get<ChatFault>(outcome); !fault.partial.empty())
            log("the answer broke off after: " + fault.partial.substr(0, kMostShown));
        return outcome;
    }

    void tell(ValueMap chunk)
    {
        const Value& content = *chunk.find("content");
        std::string text = content.isString() ? content.asString() : std::string();
        if (content.isList())
            for (const Value& block : content.asList())
                if (block.stringOr("type", "") == "text")
                    text += block.stringOr("text", "");
        if (!text.empty()) {
            m_hasText = true;
            if (const std::string shown = m_filter.push(text); !shown.empty())
                m_context.log(TaskContext::Stream::Stdout, shown);
        }
        if (m_context.streamsMessages())
            m_context.emitMessage(checkpoint::makePythonObject(
                                      { checkpoint::PythonExt::PydanticV2, "langchain_core.messages.ai",
                                        "AIMessageChunk", Value(std::move(chunk)), "model_validate_json" }),
                                  m_about);
    }

    void tellWhole(const ChatReply& reply)
    {
        if (!reply.text.empty())
            m_context.log(TaskContext::Stream::Stdout, withoutSecrets(reply.text) + "\n");
        if (auto message = checkpoint::makeMessage(reply.message); message && m_context.streamsMessages())
            m_context.emitMessage(std::move(*message), m_about);
    }

    void log(const std::string& line) const
    {
        m_context.log(TaskContext::Stream::Event, withoutSecrets(line));
    }

    void logReply(const ChatReply& reply, std::chrono::steady_clock::duration took)
    {
        for (const std::string& warning : reply.warnings)
            log(warning);
        if (!reply.reasoning.empty())
            log("it thought: " + reply.reasoning.substr(0, kMostShown));
        if (!reply.refusal.empty())
            log("it refused: " + reply.refusal.substr(0, kMostShown));
        for (const Value& call : reply.message.find("tool_calls")->asList())
            log("it calls " + call.stringOr("name", "") + "(" + toJson(call["args"]).substr(0, kMostShown)
                + ")");
        for (const Value& call : reply.message.find("invalid_tool_calls")->asList())
            log("it calls " + call.stringOr("name", "")
                + " with arguments that cannot be read: " + call.stringOr("args", "").substr(0, kMostShown));
        const auto cost = m_desk.budget->spend(m_choice.request.model, *reply.use);
        std::string line = m_choice.request.model + ": " + std::to_string(reply.use->input) + " + "
            + std::to_string(reply.use->output) + " tokens" + (reply.use->isEstimated ? " (estimated)" : "")
            + ", " + secondsText(took);
        if (cost) {
            char text[32];
            std::snprintf(text, sizeof text, ", $%.6f", *cost);
            line += text;
        }
        if (!reply.finish.empty() && reply.finish != "stop" && reply.finish != "end_turn")
            line += ", ended by " + models::shortened(reply.finish, 40);
        log(line);
    }

    // What the answer says, or why it does not match.
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
        if (!reply.refusal.empty())
            return Failure{ "StructuredOutputError",
                            "the model refused to answer: " + models::shortened(reply.refusal),
                            {},
                            false,
                            {},
                            {} };
        log("the answer does not match the schema (" + first.why + "); asked once more");
        reply.message.set("type", "ai");
        m_choice.request.messages.emplace_back(reply.message);
        m_choice.request.messages.push_back(
            Value::map({ { "type", "human" },
                         { "content",
                           "Your answer does not match the schema: " + first.why
                               + ". Answer again, with nothing but JSON that matches it." } }));
        auto again = ask(false);
        if (auto* fault = std::get_if<ChatFault>(&again))
            return failureOf(*fault);
        auto& repaired = std::get<ChatReply>(again);
        Reading second = read(repaired);
        if (second.value)
            return written(repaired, std::move(*second.value));
        return Failure{ "StructuredOutputError",
                        "the answer does not match the schema, nor does a second one: "
                            + models::shortened(second.why),
                        "The model said:\n" + repaired.text.substr(0, kMostShown),
                        true,
                        {},
                        {} };
    }

    [[nodiscard]] NodeOutcome written(const ChatReply& reply, Value answer) const
    {
        auto message = checkpoint::makeMessage(reply.message);
        if (!message)
            return Failure{ "RuntimeError", "the answer could not be made a message", {}, false, {}, {} };
        ValueMap update;
        if (!m_choice.messages.empty())
            update.set(m_choice.messages, Value::list({ std::move(*message) }));
        if (!m_choice.channel.empty())
            update.set(m_choice.channel, std::move(answer));
        return engine::Returned{ Value(std::move(update)) };
    }

    const models::ModelDesk& m_desk;
    TaskContext& m_context;
    LlmChoice m_choice;
    ValueMap m_about;
    std::optional<settings::Secret> m_key;
    SecretFilter m_filter; // of tokens
    bool m_hasText = false; // a line of them is begun
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
            return Failure{ "RuntimeError", "this run was started without chat models", {}, false, {}, {} };
        const Value config = context.config();
        auto choice = readLlmChoice(config["configurable"]["llm"], m_settings, m_world->llmDefaults);
        if (!choice)
            return settingFailure(choice.error());
        const Value* named = m_settings.find("messages");
        if (named != nullptr && named->isNull()) // it said that it has none
            choice->messages.clear();
        else if (choice->messages.empty() && context.input().find("messages") != nullptr)
            choice->messages = "messages";
        const Value* messages = context.input().find(choice->messages);
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
