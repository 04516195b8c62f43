#include "core/nodes/tool_node.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/base/utf8.h"
#include "core/engine/effect_key.h"
#include "core/engine/effect_notes.h"
#include "core/mcp/tool_servers.h"
#include "core/nodes/jq_node.h"

#include <algorithm>

namespace sg::nodes {
namespace {

using engine::Failure;
using engine::TaskContext;

constexpr std::size_t kMostErrorText = 16U << 10; // bytes of a failure

Value questionValue(const ServerCall& call, const mcp::ToolQuestion& question)
{
    ValueMap value{ { "question", question.message }, { "tool", call.tool.name }, { "server", call.server } };
    if (!question.schema.isNull())
        value.set("schema", question.schema);
    if (!question.url.empty())
        value.set("url", question.url);
    return Value(std::move(value));
}

std::chrono::milliseconds timeoutOf(const mcp::ToolServers& servers, const ServerCall& call)
{
    if (call.timeout)
        return *call.timeout;
    const auto server = std::ranges::find(servers.servers(), call.server, &mcp::ServerSettings::name);
    return server == servers.servers().end() ? mcp::CallOptions().timeout : server->timeout;
}

class ToolBody final : public engine::NodeBody {
public:
    ToolBody(std::shared_ptr<const NodeWorld> world, std::shared_ptr<JqPrograms> programs, ToolChoice choice)
        : m_world(std::move(world))
        , m_programs(std::move(programs))
        , m_choice(std::move(choice))
        , m_program(m_programs->add(m_choice.arguments))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(TaskContext& context) override
    {
        if (!m_world->toolServers)
            return toolFailure("RuntimeError", "the graph names no MCP servers in \"mcp\"");
        const auto arguments = m_programs->evaluate(m_program, context.input());
        if (!arguments)
            return jqFailure(arguments.error());
        if (!arguments->isMap())
            return toolFailure("TypeError",
                               "a tool's arguments are an object, not " + cutText(toJson(*arguments), 200));
        const auto tools = m_world->toolServers->list(m_choice.server, context.stopToken());
        if (!tools)
            return toolFailure("RuntimeError", "MCP server " + m_choice.server + ": " + tools.error().message,
                               tools.error().code == Errc::Unavailable);
        const auto tool = std::ranges::find(tools->tools, m_choice.tool, &mcp::Tool::name);
        if (tool == tools->tools.end())
            return toolFailure(
                "ValueError", "the MCP server " + m_choice.server + " has no tool \"" + m_choice.tool + "\"");
        return call(context, *tool, *arguments);
    }

private:
    engine::NodeOutcome call(TaskContext& context, const mcp::Tool& tool, const Value& arguments) const
    {
        auto outcome = callServer(*m_world, { m_choice.server, tool, arguments, m_choice.timeout }, context);
        if (std::holds_alternative<engine::Interrupted>(outcome))
            return engine::Interrupted{};
        if (auto* failure = std::get_if<Failure>(&outcome))
            return std::move(*failure);
        const auto& result = std::get<mcp::ToolResult>(outcome);
        if (result.isError)
            return toolFailure("ToolError", m_choice.tool + ": " + cutText(result.text(), kMostErrorText),
                               true);
        Value value = result.structured.isNull() ? Value(result.text()) : result.structured;
        if (!m_choice.channel.empty())
            return engine::Returned{ Value(ValueMap{ { m_choice.channel, std::move(value) } }) };
        if (value.isMap())
            return engine::Returned{ std::move(value) };
        return toolFailure("TypeError",
                           "the result must be an object of channels, because the node names no \"channel\"");
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
    const ToolChoice m_choice;
    const std::size_t m_program;
};

} // namespace

Failure toolFailure(const char* type, const std::string& message, bool mayHelp)
{
    return engine::failed(type, withoutSecrets(printableText(message)), {}, mayHelp);
}

std::variant<mcp::ToolResult, engine::Interrupted, Failure>
callServer(const NodeWorld& world, const ServerCall& call, TaskContext& context)
{
    mcp::ToolServers& servers = *world.toolServers;
    bool waits = false;
    mcp::CallOptions options;
    options.stop = context.stopToken();
    options.timeout = timeoutOf(servers, call);
    options.effect =
        engine::effectKey(context.info(), "tool " + call.server + ' ' + call.tool.name + ' ' + call.id);
    options.onProgress = [&context](const mcp::Progress& progress) {
        if (!progress.message.empty())
            context.log(TaskContext::Stream::Event, withoutSecrets(printableText(progress.message)));
    };
    options.askPerson = [&](const mcp::ToolQuestion& question) -> mcp::ToolAnswer {
        if (waits)
            return {};
        auto answer = context.interrupt(valueWithoutSecrets(questionValue(call, question)));
        waits = !answer;
        if (!answer)
            return {}; // the call ends, and is made again with the answer
        if (*answer == Value(false))
            return { mcp::ToolAnswer::Action::Decline, {} };
        return { mcp::ToolAnswer::Action::Accept, answer->isMap() ? std::move(*answer) : Value() };
    };
    engine::EffectNotes* const notes = call.tool.readOnly || call.tool.idempotent ? nullptr : world.effects;
    const engine::Consent consent =
        engine::beginEffect(notes, context, options.effect, "tool " + call.tool.name + " of " + call.server);
    if (consent == engine::Consent::Waits)
        return engine::Interrupted{};
    if (consent == engine::Consent::Refused)
        return mcp::failedCall("it may have been done before, and was not done again");
    auto result = servers.call(call.server, call.tool, call.arguments, options);
    // A tool that asks something itself has done nothing yet. It goes on with the answer; where the person
    // was asked about the call, too, that stays the first question.
    if (notes != nullptr && (waits ? consent == engine::Consent::Given : static_cast<bool>(result)))
        notes->done(context.info(), options.effect);
    if (waits)
        return engine::Interrupted{};
    if (!result)
        return toolFailure("CancelledError", result.error().message);
    // The server may have been given a secret, and may say it again.
    for (Value& block : result->content)
        block = valueWithoutSecrets(block);
    result->structured = valueWithoutSecrets(result->structured);
    return std::move(*result);
}

std::unique_ptr<engine::NodeBody> makeToolBody(std::shared_ptr<const NodeWorld> world,
                                               std::shared_ptr<JqPrograms> programs, ToolChoice choice)
{
    return std::make_unique<ToolBody>(std::move(world), std::move(programs), std::move(choice));
}

} // namespace sg::nodes
