#include "core/servers/mcp/graph_tool.h"

#include "core/base/json.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/graph/input_fields.h"
#include "core/runs/project_runs.h"
#include "core/servers/mcp/sealed_state.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace sg::servers {
namespace {

constexpr std::chrono::hours kMostWaiting{ 24 }; // for an answer
constexpr int kMostRounds = 10; // of one question in one call

// The argument that names the thread: a graph may have a channel of that name, which then keeps it.
std::string threadArgument(const graph::Graph& graph)
{
    const Value schema = checkpoint::plain(graph::inputSchema(graph));
    std::string name = "thread";
    while (schema["properties"].find(name) != nullptr)
        name = "sandglass_" + name;
    return name;
}

// One run of a graph, and whoever is asked on the way.
class GraphCall {
public:
    GraphCall(std::string tool, OpenGraph& graph, const ToolScene& scene, const std::string& key,
              const Clock& clock)
        : m_tool(std::move(tool))
        , m_graph(graph)
        , m_scene(scene)
        , m_key(key)
        , m_clock(clock)
    {
    }

    mcp::ToolResult begin(const Value& arguments)
    {
        const std::string own = threadArgument(m_graph.graph);
        Value input(ValueMap{});
        for (const auto& [name, value] : arguments.asMap())
            if (name != Value(own))
                input.editMap().set(name, value);
        const std::string thread = arguments.stringOr(own, "");
        return run(ThreadId(thread.empty() ? m_scene.thread : thread),
                   engine::RunInput::input(std::move(input)));
    }

    mcp::ToolResult goOn()
    {
        const auto state = unsealed(m_key, m_tool, m_scene.state, m_clock.now());
        if (!state)
            return mcp::failedCall("The state of this call was changed, or is too old. Call the tool anew.");
        const ThreadId thread(state->stringOr("thread", ""));
        const auto now = m_graph.history.state(thread);
        if (!now)
            return mcp::failedCall(now.error().message);
        ValueMap answers;
        for (const Value& interrupt : now->interrupts) {
            const std::string id = interrupt.stringOr("id", "");
            const auto given = m_scene.answers.find(id);
            if (given == m_scene.answers.end())
                continue;
            if (given->second.action != mcp::ToolAnswer::Action::Accept)
                return declined(thread, now->interrupts.size() > 1 ? id : std::string());
            answers.set(id, formAnswer(interrupt["value"], given->second.content));
        }
        if (answers.empty())
            return mcp::failedCall("Nothing in thread '" + thread.value + "' waits for these answers.");
        return run(thread, engine::RunInput::resumeById(std::move(answers)));
    }

private:
    mcp::ToolResult run(const ThreadId& thread, engine::RunInput input)
    {
        std::map<std::string, int> rounds; // how often each question was put
        for (;;) {
            runs::RunRequest request;
            request.thread = thread;
            request.input = std::move(input);
            const auto result = runOnce(request);
            if (!result)
                return mcp::failedCall(result.error().message);
            if (result->status != RunStatus::Interrupted || result->interrupts.empty())
                return told(thread, *result);
            if (!m_scene.askPerson)
                return m_scene.asksByResult ? questions(thread, *result) : waiting(thread, *result);
            ValueMap answers;
            for (const engine::PendingInterrupt& asked : result->interrupts) {
                const Value question = checkpoint::plain(asked.value);
                if (++rounds[asked.task.value + toJson(withoutReason(question))] > kMostRounds)
                    return mcp::failedCall("The workflow has put one question " + std::to_string(kMostRounds)
                                           + " times, and took no answer: " + textOf(question) + "\n"
                                           + waitsOn(thread, idAmong(*result, asked)));
                const mcp::ToolAnswer answer = m_scene.askPerson(questionOf(asked.id, question));
                if (answer.action != mcp::ToolAnswer::Action::Accept)
                    return declined(thread, idAmong(*result, asked));
                answers.set(asked.id, formAnswer(question, answer.content));
            }
            input = engine::RunInput::resumeById(std::move(answers));
        }
    }

    Result<engine::RunResult> runOnce(const runs::RunRequest& request)
    {
        std::atomic<int> done = 0;
        const Subscription subscription =
            m_graph.runs.events().subscribe([this, &request, &done](const engine::RunEvent& event) {
                const auto* task = std::get_if<engine::TaskFinished>(&event.body);
                if (task != nullptr && event.thread == request.thread)
                    m_scene.progress(++done, 0, task->node.value);
            });
        const auto run = m_graph.runs.start(request);
        if (!run)
            return run.error();
        const std::stop_callback onStop(m_scene.stop, [this, id = *run] { m_graph.runs.stop(id); });
        return m_graph.runs.wait(*run);
    }

    // A question that is put again says why the answer was not taken.
    static Value withoutReason(Value question)
    {
        for (const char* const key : { "problem", "error" })
            if (question.isMap())
                question.editMap().erase(key);
        return question;
    }

    static std::string textOf(const Value& question)
    {
        if (question.isString())
            return question.asString();
        std::string text = question.stringOr("question", "");
        if (text.empty())
            return toJson(question, JsonStyle::Spaced); // the reason is among it
        for (const char* const key : { "problem", "error" })
            if (const std::string why = question.stringOr(key, ""); !why.empty())
                text += "\n" + why;
        return text;
    }

    static mcp::ToolQuestion questionOf(const std::string& id, const Value& question)
    {
        return { id, textOf(question), answerSchema(question), {} };
    }

    std::string waitsOn(const ThreadId& thread, const std::string& id = {}) const
    {
        return "Thread '" + thread.value
            + "' waits on; it can be answered with: " + m_graph.answerCommand(thread, id);
    }

    mcp::ToolResult questions(const ThreadId& thread, const engine::RunResult& result) const
    {
        mcp::ToolResult made;
        for (const engine::PendingInterrupt& asked : result.interrupts)
            made.questions.push_back(questionOf(asked.id, checkpoint::plain(asked.value)));
        made.state =
            sealed(m_key, m_tool, Value::map({ { "thread", thread.value } }), m_clock.now() + kMostWaiting);
        made.hasState = true;
        return made;
    }

    // A command names a question only where the thread asks several.
    static std::string idAmong(const engine::RunResult& result, const engine::PendingInterrupt& asked)
    {
        return result.interrupts.size() > 1 ? asked.id : std::string();
    }

    mcp::ToolResult waiting(const ThreadId& thread, const engine::RunResult& result) const
    {
        std::string text = "The run waits for a person's answer, in thread '" + thread.value + "':";
        for (const engine::PendingInterrupt& asked : result.interrupts)
            text += "\n" + toJson(checkpoint::plain(asked.value), JsonStyle::Spaced)
                + "\nIt can be answered with: " + m_graph.answerCommand(thread, idAmong(result, asked));
        mcp::ToolResult made;
        made.content.push_back(Value::map({ { "type", "text" }, { "text", std::move(text) } }));
        made.structured =
            Value::map({ { "thread", thread.value }, { "status", "waits for an answer" }, { "values", {} } });
        return made;
    }

    mcp::ToolResult declined(const ThreadId& thread, const std::string& id) const
    {
        return mcp::failedCall("The person did not answer. " + waitsOn(thread, id));
    }

    static mcp::ToolResult told(const ThreadId& thread, const engine::RunResult& result)
    {
        const std::string status = runStatusName(result.status);
        if (result.status != RunStatus::Done && result.status != RunStatus::Interrupted)
            return mcp::failedCall(
                "The run " + status + " in thread '" + thread.value + "'"
                + (result.failedNode.empty() ? "" : ", in node '" + result.failedNode.value + "'")
                + (result.error.empty() ? "" : ": " + result.errorType + ": " + result.error));
        mcp::ToolResult made;
        Value values = checkpoint::plain(result.values);
        if (values.isMap())
            values.editMap().erase("__interrupt__");
        made.structured =
            Value::map({ { "thread", thread.value }, { "status", status }, { "values", std::move(values) } });
        return made;
    }

    const std::string m_tool;
    OpenGraph& m_graph;
    const ToolScene& m_scene;
    const std::string& m_key;
    const Clock& m_clock;
};

} // namespace

Value answerSchema(const Value& question)
{
    const Value& own = question["schema"];
    if (own.isMap() && own.stringOr("type", "") == "object")
        return own;
    Value answer = Value::map({ { "type", "string" }, { "description", "The answer" } });
    if (const Value& options = question["answers"]; options.isList())
        answer.editMap().set("enum", options);
    return Value::map({ { "type", "object" },
                        { "properties", Value::map({ { "answer", std::move(answer) } }) },
                        { "required", Value::list({ "answer" }) } });
}

Value formAnswer(const Value& question, const Value& content)
{
    const Value& own = question["schema"];
    if (own.isMap() && own.stringOr("type", "") == "object")
        return content;
    const Value& answer = content["answer"];
    if (!answer.isString())
        return answer;
    const Value& options = question["answers"]; // an option such as "1" or "true" is text
    if (options.isList() && std::ranges::find(options.asList(), answer) != options.asList().end())
        return answer;
    auto parsed = parseJson(answer.asString());
    return parsed && !parsed->isNull() ? *parsed : answer;
}

mcp::Tool graphTool(const std::string& name, const graph::Graph& graph)
{
    mcp::Tool tool{ name };
    tool.title = graph.name;
    tool.description = graph.description.empty() ? "Runs the workflow " + graph.name : graph.description;
    const std::string thread = threadArgument(graph);
    tool.description += "\nThe result has the thread that it ran in (the argument \"" + thread
        + "\" of a call that goes on there), and what the workflow's state is at the end.";
    Value schema = checkpoint::plain(graph::inputSchema(graph));
    Value properties = schema["properties"];
    properties.editMap().set(thread,
                             Value::map({ { "type", "string" },
                                          { "description", "Goes on in this thread; absent: a new one." } }));
    schema.editMap().set("properties", std::move(properties));
    tool.inputSchema = std::move(schema);
    tool.outputSchema = Value::map({ { "type", "object" },
                                     { "properties",
                                       Value::map({ { "thread", Value::map({ { "type", "string" } }) },
                                                    { "status", Value::map({ { "type", "string" } }) },
                                                    { "values", Value(ValueMap{}) } }) } });
    return tool;
}

mcp::ToolResult callGraph(const std::string& tool, OpenGraph& graph, const Value& arguments,
                          const ToolScene& scene, const std::string& key, const Clock& clock)
{
    GraphCall call(tool, graph, scene, key, clock);
    return scene.state.empty() ? call.begin(arguments) : call.goOn();
}

} // namespace sg::servers
