#include "core/agents/model_turn.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"
#include "core/engine/effect_key.h"
#include "core/models/chat_fault.h"
#include "core/models/reply_end.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sg::agents {
namespace {

using engine::Failure;
using engine::TaskContext;
using models::ChatFault;
using models::ChatReply;

std::string secondsText(std::chrono::steady_clock::duration time)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

} // namespace

Failure failureOf(const ChatFault& fault)
{
    std::string detail;
    if (!fault.partial.empty())
        detail = "What had come of the answer:\n" + cutText(fault.partial, ModelTurn::kMostShown);
    if (!fault.body.empty())
        detail += (detail.empty() ? "" : "\n") + std::string("The server said:\n") + fault.body;
    return engine::failed(fault.type, withoutSecrets(fault.message), withoutSecrets(detail),
                          fault.isRetryable);
}

ModelTurn::ModelTurn(const models::ModelDesk& desk, TaskContext& context, models::Endpoint endpoint,
                     std::string key, NodeId user)
    : m_desk(desk)
    , m_context(context)
    , m_endpoint(std::move(endpoint))
    , m_keyName(std::move(key))
    , m_user(std::move(user))
{
    m_endpoint.authorities = m_desk.authorities;
    if (m_desk.otherBase)
        m_endpoint.base = *m_desk.otherBase;
}

std::optional<Failure> ModelTurn::findKey()
{
    if (m_keyName.empty() || m_endpoint.auth == models::Endpoint::Auth::None)
        return std::nullopt;
    if (!m_desk.findKey)
        return engine::failed("PermissionError", "this run was started without secrets");
    const engine::TaskInfo& task = m_context.info();
    auto secret =
        m_desk.findKey(m_keyName, m_endpoint.base, { task.thread, task.run, m_user }, m_context.stopToken());
    if (!secret)
        return engine::failed("PermissionError", "the key of the model: " + secret.error().message);
    m_key.emplace(std::move(*secret));
    return std::nullopt;
}

models::ChatOutcome ModelTurn::ask(const models::ChatRequest& wanted, bool isShown)
{
    models::ChatRequest request = wanted;
    if (!m_desk.otherModel.empty())
        request.model = m_desk.otherModel;
    models::ChunkSink sink;
    if (isShown)
        sink = [this](ValueMap chunk) { tell(std::move(chunk)); };
    auto outcome = askOnce(request, sink, isShown);
    for (int pauses = 1;; ++pauses) {
        auto* reply = std::get_if<ChatReply>(&outcome);
        if (reply == nullptr || models::replyEnd(reply->finish) != models::ReplyEnd::Paused)
            return outcome;
        if (pauses > kMostPauses)
            return ChatFault{ "PausedTurnError",
                              "model \"" + request.model + "\" has paused one turn "
                                  + std::to_string(kMostPauses)
                                  + " times without an end. Ask for less at once, or give the tools of the "
                                    "model's server fewer uses in \"options\"",
                              false, std::nullopt, reply->text };
        const std::string id =
            reply->message.find("id")->isString() ? reply->message.find("id")->asString() : "";
        const std::int64_t blocks = models::blocksIn(reply->message);
        models::ChatRequest next = request;
        next.messages.emplace_back(reply->message);
        if (isShown) // the parts of one message have one id, and their blocks one count
            sink = [this, id, blocks](ValueMap chunk) {
                chunk.set("id", id);
                models::shiftBlocks(chunk, blocks);
                tell(std::move(chunk));
            };
        auto rest = askOnce(next, sink, isShown);
        if (auto* fault = std::get_if<ChatFault>(&rest)) {
            fault->partial = reply->text + fault->partial;
            return rest;
        }
        models::appendReply(*reply, std::get<ChatReply>(std::move(rest)));
    }
}

models::ChatOutcome ModelTurn::askOnce(const models::ChatRequest& request, const models::ChunkSink& sink,
                                       bool isShown)
{
    if (auto refused = m_desk.budget->refusal(request.model))
        return *std::move(refused);
    m_about = { { "ls_provider", m_endpoint.wire == models::Wire::OpenAi ? "openai" : "anthropic" },
                { "ls_model_name", request.model },
                { "ls_model_type", "chat" },
                { "ls_temperature", request.temperature ? Value(*request.temperature) : Value() } };
    std::optional<models::CallDeadline> deadline = m_deadline;
    if (const auto end = m_desk.budget->endsAt(); end && (!deadline || *end < deadline->at))
        deadline = { *end, "the run's" };
    const auto begin = std::chrono::steady_clock::now();
    // Another attempt wants another answer.
    const engine::TaskInfo& info = m_context.info();
    const std::string effect =
        "model " + std::to_string(info.attempt) + ' ' + std::to_string(++m_asked) + ' ' + info.node.value;
    auto outcome = m_desk.client->ask({ m_endpoint, request, m_key ? m_key->reveal() : std::string(), sink,
                                        [this](const std::string& line) { log(line); }, m_context.stopToken(),
                                        m_desk.recording.get(), deadline, engine::effectKey(info, effect) });
    if (std::exchange(m_hasText, false))
        m_context.log(TaskContext::Stream::Stdout, m_filter.finish() + "\n");
    const auto took = std::chrono::steady_clock::now() - begin;
    if (m_desk.told)
        tellCall(request, outcome, took);
    const auto* reply = std::get_if<ChatReply>(&outcome);
    if (reply == nullptr) {
        if (const auto& fault = std::get<ChatFault>(outcome); !fault.partial.empty())
            log("the answer broke off after: " + cutText(fault.partial, kMostShown));
        return outcome;
    }
    if (isShown && !reply->isOfStream)
        tellWhole(*reply);
    logReply(request, *reply, took);
    return outcome;
}

void ModelTurn::tellCall(const models::ChatRequest& request, const models::ChatOutcome& outcome,
                         std::chrono::steady_clock::duration took) const
{
    const engine::TaskInfo& task = m_context.info();
    models::ToldCall call{ task.thread,
                           task.run,
                           m_user,
                           task.checkpointNs,
                           task.node != m_user,
                           m_endpoint.wire == models::Wire::OpenAi ? "openai" : "anthropic",
                           m_endpoint.base.place(),
                           request.model };
    call.took = took;
    if (const auto* reply = std::get_if<ChatReply>(&outcome)) {
        const Value* told = reply->message.find("response_metadata");
        call.answeredBy = told == nullptr ? "" : told->stringOr("model_name", "");
        call.id = told == nullptr ? "" : told->stringOr("id", "");
        call.use = reply->use;
        call.finish = reply->finish;
    } else {
        call.errorType = std::get<ChatFault>(outcome).type;
        call.error = std::get<ChatFault>(outcome).message;
    }
    m_desk.told(call);
}

void ModelTurn::tell(ValueMap chunk)
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

void ModelTurn::tellWhole(const ChatReply& reply)
{
    if (!reply.text.empty())
        m_context.log(TaskContext::Stream::Stdout, withoutSecrets(reply.text) + "\n");
    if (auto message = checkpoint::makeMessage(reply.message); message && m_context.streamsMessages())
        m_context.emitMessage(std::move(*message), m_about);
}

void ModelTurn::log(const std::string& line) const
{
    m_context.log(TaskContext::Stream::Event, withoutSecrets(line));
}

void ModelTurn::logReply(const models::ChatRequest& request, const ChatReply& reply,
                         std::chrono::steady_clock::duration took) const
{
    for (const std::string& warning : reply.warnings)
        log(warning);
    if (!reply.reasoning.empty())
        log("it thought: " + cutText(reply.reasoning, kMostShown));
    if (!reply.refusal.empty())
        log("it refused: " + cutText(reply.refusal, kMostShown));
    for (const Value& call : reply.message.find("tool_calls")->asList())
        log("it calls " + call.stringOr("name", "") + "(" + cutText(toJson(call["args"]), kMostShown) + ")");
    for (const Value& call : reply.message.find("invalid_tool_calls")->asList())
        log("it calls " + call.stringOr("name", "")
            + " with arguments that cannot be read: " + cutText(call.stringOr("args", ""), kMostShown));
    const auto cost = m_desk.budget->spend(request.model, *reply.use);
    std::string line = request.model + ": " + std::to_string(reply.use->input) + " + "
        + std::to_string(reply.use->output) + " tokens" + (reply.use->isEstimated ? " (estimated)" : "")
        + ", " + secondsText(took);
    if (cost) {
        char text[32];
        std::snprintf(text, sizeof text, ", $%.6f", *cost);
        line += text;
    }
    log(line);
    if (const auto why = models::endText(reply.finish))
        log(*why);
}

} // namespace sg::agents
