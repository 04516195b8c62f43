#include "core/nodes/agent_tools.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/nodes/agent_python.h"
#include "core/nodes/python_node.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace sg::nodes {
namespace {

using agents::Tool;
using agents::ToolCall;
using agents::ToolOutcome;
using engine::failed;
using engine::Failure;
using engine::TaskContext;

ToolOutcome outcomeOf(engine::NodeOutcome outcome)
{
    if (auto* failure = std::get_if<Failure>(&outcome))
        return failedTool(std::move(*failure));
    if (std::holds_alternative<engine::Interrupted>(outcome))
        return engine::Interrupted{};
    Value returned = std::move(std::get<engine::Returned>(outcome).value);
    if (checkpoint::asCommand(returned))
        return agents::ToolCommand{ std::move(returned) };
    if (returned["invalid"].isString())
        return agents::ToolResult{ returned["invalid"], agents::ToolStatus::Error };
    return agents::ToolResult{ returned["content"],
                               returned.stringOr("status", "success") == "error"
                                   ? agents::ToolStatus::Error
                                   : agents::ToolStatus::Success };
}

Tool toolOf(const Value& told, const ToolEntry& entry)
{
    Tool tool{ told.stringOr("name", ""), told.stringOr("description", ""), told["parameters"],
               told.boolOr("direct", false) };
    if (!entry.description.empty())
        tool.description = entry.description;
    if (entry.returnsDirectly)
        tool.returnsDirectly = *entry.returnsDirectly;
    return tool;
}

class PythonToolSource final : public agents::ToolSource {
public:
    PythonToolSource(const std::shared_ptr<const NodeWorld>& world, const ToolEntry& entry,
                     const AgentSettings& agent)
        : m_entry(entry)
        , m_mostResult(agent.mostResult)
        , m_describe(body(world, "__sg_tools__", agent.permissions))
        , m_call(body(world, "__sg_call__", agent.permissions))
    {
    }

    agents::ListedTools list(TaskContext& task, const std::set<std::string>& /*taken*/) override
    {
        const PythonTools& from = std::get<PythonTools>(m_entry.from);
        ValueList functions;
        if (!from.function.empty())
            functions.emplace_back(from.function);
        CallContext context(task, task.info().node,
                            Value::map({ { "file", from.file.text() }, { "functions", Value(functions) } }));
        auto outcome = m_describe->run(context);
        if (auto* failure = std::get_if<Failure>(&outcome))
            return failed(failure->type == "SandboxUnavailable" ? failure->type : "ValueError",
                          "the tools of " + from.file.text() + ": " + failure->type + ": "
                              + failure->message);
        if (!std::holds_alternative<engine::Returned>(outcome))
            return failed("ValueError", from.file.text() + " asks a question while it is imported");
        std::vector<Tool> tools;
        const Value returned = std::move(std::get<engine::Returned>(outcome).value);
        if (!returned["tools"].isList() || returned["tools"].asList().empty())
            return failed("ValueError", from.file.text() + " has no public function for the agent");
        const std::lock_guard lock(m_mutex);
        for (const Value& told : returned["tools"].asList()) {
            Tool tool = toolOf(told, m_entry);
            if (!m_entry.name.empty() && !from.function.empty())
                tool.name = m_entry.name;
            m_functions[tool.name] = told.stringOr("function", "");
            tools.push_back(std::move(tool));
        }
        return tools;
    }

    ToolOutcome call(const ToolCall& call, TaskContext& task) override
    {
        CallContext context(task, task.info().node,
                            Value::map({ { "tool", call.name },
                                         { "function", functionOf(call.name) },
                                         { "args", call.args },
                                         { "id", call.id },
                                         { "most", m_mostResult } }));
        return outcomeOf(m_call->run(context));
    }

private:
    [[nodiscard]] std::unique_ptr<engine::NodeBody> body(const std::shared_ptr<const NodeWorld>& world,
                                                         const char* function,
                                                         const agents::Permissions& permissions) const
    {
        PythonFunction made{ std::get<PythonTools>(m_entry.from).file, function, m_entry.timeout };
        made.tool = made.file.text();
        made.permissions = permissions;
        made.appended = agentToolsCode();
        return makePythonBody(world, std::move(made));
    }

    std::string functionOf(const std::string& tool)
    {
        const std::lock_guard lock(m_mutex);
        return m_functions[tool];
    }

    const ToolEntry m_entry;
    const std::size_t m_mostResult;
    const std::unique_ptr<engine::NodeBody> m_describe;
    const std::unique_ptr<engine::NodeBody> m_call;
    std::mutex m_mutex;
    std::map<std::string, std::string> m_functions; // by name of the tool; guarded by m_mutex
};

struct OwnTool {
    std::string_view name;
    std::string_view description;
    std::string_view argument; // text; empty: none
    std::string_view function; // of agent_tools.py
};
constexpr std::array kOwnTools{
    OwnTool{
        "code_sandbox",
        "Runs Python code in this thread's sandbox and returns what it prints and the value of its last "
        "expression. Names stay for the next call. Files below /session/artifacts are kept for the user.",
        "code", "__sg_run__" },
    OwnTool{ "select_dataset",
             "Brings a dataset into the sandbox and returns its path there. The code can then read it.",
             "dataset_id", "__sg_dataset__" },
    OwnTool{ "list_datasets", "Lists the datasets that can be selected.", "", "__sg_dataset__" },
    OwnTool{ "export_datasets", "Gives a file of the sandbox to the user, under a name with the time.",
             "path", "__sg_dataset__" },
};

class SandboxToolSource final : public agents::ToolSource {
public:
    SandboxToolSource(const std::shared_ptr<const NodeWorld>& world, const ToolEntry& entry,
                      const OwnTool& own, const AgentSettings& agent)
        : m_entry(entry)
        , m_own(own)
        , m_mostResult(agent.mostResult)
        , m_permissions(agent.permissions)
        , m_missing(world->missingPackages.begin(), world->missingPackages.end())
    {
        PythonFunction made{ *RelativePath::parse("sandbox_tools.py"), std::string(own.function),
                             entry.timeout };
        made.appended = agentToolsCode();
        made.isFileless = true;
        made.tool = own.name;
        made.permissions = agent.permissions;
        m_body = makePythonBody(world, std::move(made));
    }

    agents::ListedTools list(TaskContext& /*task*/, const std::set<std::string>& /*taken*/) override
    {
        ValueMap properties;
        ValueList required;
        if (!m_own.argument.empty()) {
            properties.set(m_own.argument, Value::map({ { "type", "string" } }));
            required.emplace_back(m_own.argument);
        }
        ValueMap schema{ { "type", "object" }, { "properties", Value(std::move(properties)) } };
        if (!required.empty())
            schema.set("required", Value(std::move(required)));
        return std::vector{ toolOf(Value::map({ { "name", m_entry.name.empty() ? m_own.name : m_entry.name },
                                                { "description", m_own.description },
                                                { "parameters", Value(std::move(schema)) } }),
                                   m_entry) };
    }

    ToolOutcome call(const ToolCall& call, TaskContext& task) override
    {
        const std::string argument(m_own.argument);
        if (!argument.empty() && !call.args[argument].isString())
            return agents::ToolResult{ "Error: " + call.name + " needs \"" + argument + "\", a text.",
                                       agents::ToolStatus::Error };
        if (m_own.name == "select_dataset")
            if (auto refused = agents::datasetRefusal(m_permissions, task.info().node.value,
                                                      call.args[argument].asString()))
                return agents::ToolRefused{ call.args[argument].asString(), std::move(*refused) };
        CallContext context(task, task.info().node,
                            Value::map({ { "tool", m_own.name },
                                         { "args", call.args },
                                         { "id", call.id },
                                         { "most", m_mostResult },
                                         { "missing", Value(m_missing) } }));
        return outcomeOf(m_body->run(context));
    }

private:
    const ToolEntry m_entry;
    const OwnTool& m_own;
    const std::size_t m_mostResult;
    const agents::Permissions m_permissions;
    const ValueList m_missing; // packages of the sandbox that are not built yet
    std::unique_ptr<engine::NodeBody> m_body; // constant after construction
};

} // namespace

ToolOutcome failedTool(Failure failure)
{
    constexpr std::array<std::string_view, 6> kNotOfTheTool{
        "SandboxUnavailable", "SessionError", "Stopped", "NamesLost", "ArtifactError", "GraphRecursionError"
    };
    if (std::ranges::find(kNotOfTheTool, failure.type) != kNotOfTheTool.end())
        return failure;
    return agents::ToolException{ std::move(failure) };
}

std::unique_ptr<agents::ToolSource> makePythonTools(const std::shared_ptr<const NodeWorld>& world,
                                                    const ToolEntry& entry, const AgentSettings& agent)
{
    return std::make_unique<PythonToolSource>(world, entry, agent);
}

std::unique_ptr<agents::ToolSource> makeSandboxTool(const std::shared_ptr<const NodeWorld>& world,
                                                    const ToolEntry& entry, const AgentSettings& agent)
{
    const auto own = std::ranges::find(kOwnTools, std::get<SandboxTool>(entry.from).name, &OwnTool::name);
    return std::make_unique<SandboxToolSource>(world, entry, *own, agent);
}

} // namespace sg::nodes
