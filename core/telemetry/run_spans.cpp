#include "core/telemetry/run_spans.h"

#include "core/base/hash.h"
#include "core/base/redaction.h"

#include <utility>

namespace sg::telemetry {
namespace {

using engine::TaskFinished;

std::string traceOf(const RunId& run)
{
    return sha256Hex("trace " + run.value).substr(0, 32);
}

// Returns the id of a span: the same for all that tell of one thing, so that children name a parent which has
// not ended.
std::string spanOf(const RunId& run, const std::string& what)
{
    return sha256Hex(run.value + " " + what).substr(0, 16);
}

// Returns the id of the innermost task: "a:<task>|b:<task>"; empty: none.
std::string taskOf(const std::string& ns)
{
    const std::size_t colon = ns.rfind(':');
    return colon == std::string::npos || colon < ns.rfind('|') + 1 ? std::string() : ns.substr(colon + 1);
}

std::string outerOf(const std::string& ns)
{
    const std::size_t end = ns.rfind('|');
    return end == std::string::npos ? std::string() : ns.substr(0, end);
}

std::string parentOf(const RunId& run, const std::string& ns)
{
    const std::string task = taskOf(ns);
    return spanOf(run, task.empty() ? "run" : task);
}

std::chrono::nanoseconds nanoseconds(double seconds)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

Value textOrNone(const std::string& text)
{
    return text.empty() ? Value() : Value(withoutLikelySecrets(text));
}

// Returns the type of an error: "ValueError: boom" → "ValueError".
std::string typeOf(const std::string& error)
{
    return error.substr(0, error.find(':'));
}

} // namespace

RunSpans::RunSpans(std::function<void(Span)> sink, const Clock& clock)
    : m_sink(std::move(sink))
    , m_clock(clock)
{
}

void RunSpans::take(const engine::RunEvent& event)
{
    if (const auto* begun = std::get_if<engine::RunStarted>(&event.body)) {
        const std::lock_guard lock(m_mutex);
        m_runs[event.run] = { begun->graphName, event.time, {} };
    } else if (const auto* task = std::get_if<TaskFinished>(&event.body)) {
        endTask(event, *task);
    } else if (const auto* end = std::get_if<engine::RunFinished>(&event.body)) {
        endRun(event, *end);
    }
}

void RunSpans::endTask(const engine::RunEvent& event, const TaskFinished& task)
{
    bool isAgent = false;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto run = m_runs.find(event.run); run != m_runs.end())
            isAgent = run->second.agents.erase(task.task.value) > 0;
    }
    const std::string node = withoutLikelySecrets(task.node.value);
    Span span{ traceOf(event.run), spanOf(event.run, task.task.value), parentOf(event.run, task.ns),
               (isAgent ? "invoke_agent " : "node ") + node };
    span.begin = task.startedAt;
    span.end = task.startedAt + std::chrono::duration_cast<WallTime::duration>(nanoseconds(task.seconds));
    span.attributes = { { "gen_ai.operation.name", isAgent ? Value("invoke_agent") : Value() },
                        { "gen_ai.agent.name", isAgent ? Value(node) : Value() },
                        { "gen_ai.conversation.id", event.thread.value },
                        { "sandglass.node", node },
                        { "sandglass.step", task.step },
                        { "sandglass.attempts", task.attempts },
                        { "sandglass.outcome", taskOutcomeName(task.outcome) } };
    if (task.outcome == TaskFinished::Outcome::Failed) {
        span.error = withoutLikelySecrets(task.error);
        span.attributes.emplace_back("error.type", textOrNone(typeOf(task.error)));
    }
    m_sink(std::move(span));
}

void RunSpans::endRun(const engine::RunEvent& event, const engine::RunFinished& end)
{
    Run run;
    {
        const std::lock_guard lock(m_mutex);
        if (auto known = m_runs.extract(event.run))
            run = std::move(known.mapped());
    }
    const std::string graph = withoutLikelySecrets(run.graph);
    Span span{ traceOf(event.run), spanOf(event.run, "run"), {}, "invoke_workflow " + graph };
    span.begin = run.began == WallTime()
        ? event.time - std::chrono::duration_cast<WallTime::duration>(nanoseconds(end.seconds))
        : run.began;
    span.end = event.time;
    span.attributes = {
        { "gen_ai.operation.name", "invoke_workflow" },    { "gen_ai.workflow.name", graph },
        { "gen_ai.conversation.id", event.thread.value },  { "sandglass.run", event.run.value },
        { "sandglass.status", runStatusName(end.status) }, { "sandglass.supersteps", end.supersteps }
    };
    if (!end.error.empty() || !end.errorType.empty()) {
        span.error = withoutLikelySecrets(end.errorType + ": " + end.error);
        span.attributes.emplace_back("error.type", textOrNone(end.errorType));
    }
    if (const auto& first = end.firstFailure)
        span.attributes.emplace_back("sandglass.failed_first", textOrNone(first->node.value));
    m_sink(std::move(span));
}

// Notes the task that holds an agent's loop; it ends after its parts.
void RunSpans::noteAgent(const RunId& run, const std::string& ns)
{
    const std::string task = taskOf(outerOf(ns));
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_runs.find(run); found != m_runs.end() && !task.empty())
        found->second.agents.insert(task);
}

void RunSpans::take(const models::ToldCall& call)
{
    const std::string task = taskOf(call.checkpointNs);
    if (call.isOfAgent)
        noteAgent(call.run, call.checkpointNs);
    Span span{ traceOf(call.run), {}, spanOf(call.run, task), "chat " + call.model };
    span.kind = Span::Kind::Client;
    span.end = m_clock.now();
    span.begin = span.end - std::chrono::duration_cast<WallTime::duration>(call.took);
    span.id = spanOf(call.run, task + std::to_string(span.begin.time_since_epoch().count()));
    const std::size_t colon = call.place.rfind(':');
    span.attributes = { { "gen_ai.operation.name", "chat" },
                        { "gen_ai.provider.name", call.provider },
                        { "gen_ai.request.model", call.model },
                        { "gen_ai.response.model", textOrNone(call.answeredBy) },
                        { "gen_ai.response.id", textOrNone(call.id) },
                        { "gen_ai.agent.name", call.isOfAgent ? textOrNone(call.node.value) : Value() },
                        { "gen_ai.conversation.id", call.thread.value },
                        { "server.address", call.place.substr(0, colon) } };
    if (colon != std::string::npos)
        span.attributes.emplace_back("server.port", std::stoll(call.place.substr(colon + 1)));
    if (!call.finish.empty())
        span.attributes.emplace_back("gen_ai.response.finish_reasons",
                                     Value::list({ withoutLikelySecrets(call.finish) }));
    if (call.use) {
        span.attributes.emplace_back("gen_ai.usage.input_tokens", call.use->input);
        span.attributes.emplace_back("gen_ai.usage.output_tokens", call.use->output);
        if (call.use->cacheRead > 0)
            span.attributes.emplace_back("gen_ai.usage.cache_read.input_tokens", call.use->cacheRead);
    }
    if (!call.errorType.empty()) {
        span.error = withoutLikelySecrets(call.errorType + ": " + call.error);
        span.attributes.emplace_back("error.type", call.errorType);
    }
    span.name = withoutLikelySecrets(span.name);
    m_sink(std::move(span));
}

void RunSpans::take(const engine::TaskInfo& task, const ToolUse& use)
{
    noteAgent(task.run, task.checkpointNs);
    const std::string tool = withoutLikelySecrets(use.tool);
    Span span{ traceOf(task.run), spanOf(task.run, task.task.value + " tool " + use.call),
               spanOf(task.run, task.task.value), "execute_tool " + tool };
    span.end = m_clock.now();
    span.begin = span.end - std::chrono::duration_cast<WallTime::duration>(use.took);
    span.attributes = {
        { "gen_ai.operation.name", "execute_tool" },     { "gen_ai.tool.name", tool },
        { "gen_ai.tool.call.id", textOrNone(use.call) }, { "gen_ai.tool.type", "function" },
        { "gen_ai.agent.name", textOrNone(use.agent) },  { "gen_ai.conversation.id", task.thread.value }
    };
    if (!use.error.empty()) {
        span.error = withoutLikelySecrets(use.error);
        span.attributes.emplace_back("error.type", textOrNone(typeOf(use.error)));
    }
    m_sink(std::move(span));
}

} // namespace sg::telemetry
