#include "core/nodes/agent_toolbox.h"

#include "core/nodes/agent_tools.h"

#include <algorithm>
#include <utility>

namespace sg::nodes {
namespace {

using agents::Tool;
using agents::ToolCall;
using agents::ToolOutcome;
using engine::Failure;
using engine::TaskContext;

constexpr std::size_t kMostTools = 512;
constexpr std::size_t kLongestToolName = 64; // of what models take
constexpr std::size_t kLongestDescription = 20'000;

Failure failure(std::string type, std::string message)
{
    return { std::move(type), std::move(message), {}, false, {}, {} };
}

// Models refuse other names, and a name is shown to people.
bool isToolName(const std::string& name)
{
    return !name.empty() && name.size() <= kLongestToolName && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '-';
    });
}

std::string cut(std::string text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    text.resize(most);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80)
        text.pop_back();
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0)
        text.pop_back();
    return text;
}

} // namespace

AgentToolbox::AgentToolbox(std::shared_ptr<const NodeWorld> world, NodeId agent,
                           const AgentSettings& settings)
    : m_world(std::move(world))
    , m_agent(std::move(agent))
    , m_permissions(settings.permissions)
    , m_mostResult(settings.mostResult)
{
    for (const ToolEntry& entry : settings.tools)
        m_sources.push_back(std::holds_alternative<PythonTools>(entry.from)
                                ? makePythonTools(m_world, entry, settings.mostResult)
                                : makeSandboxTool(m_world, entry, settings));
}

std::optional<Failure> AgentToolbox::load(TaskContext& task)
{
    const std::lock_guard lock(m_mutex);
    if (m_isLoaded)
        return std::nullopt;
    if (auto failed = ask(task)) {
        m_tools.clear();
        m_owners.clear();
        return failed;
    }
    m_isLoaded = true;
    return std::nullopt;
}

std::optional<Failure> AgentToolbox::ask(TaskContext& task)
{
    std::set<std::string> names;
    for (const auto& source : m_sources) {
        auto listed = source->list(task);
        if (!listed)
            return failure(listed.error().code == Errc::Unavailable ? "SandboxUnavailable" : "ValueError",
                           "agent '" + m_agent.value + "': " + listed.error().message);
        for (Tool& tool : *listed) {
            if (!isToolName(tool.name))
                return failure("ValueError",
                               "agent '" + m_agent.value
                                   + "': a tool's name has 1 to 64 letters, digits, _ or -; \""
                                   + cut(tool.name, 100) + "\" is none");
            if (!names.insert(tool.name).second)
                return failure("ValueError",
                               "agent '" + m_agent.value + "' has two tools named '" + tool.name
                                   + "': give one another \"name\"");
            if (names.size() > kMostTools)
                return failure("ValueError",
                               "agent '" + m_agent.value
                                   + "' has more than 512 tools: name the ones that it needs");
            if (agents::toolRefusal(m_permissions, m_agent.value, tool.name)) {
                m_forbidden.insert(tool.name);
                continue;
            }
            tool.description = cut(std::move(tool.description), kLongestDescription);
            m_tools.push_back(std::move(tool));
            m_owners.push_back(source.get());
        }
    }
    return std::nullopt;
}

const Tool* AgentToolbox::find(const std::string& tool) const
{
    const auto found = std::ranges::find(m_tools, tool, &Tool::name);
    return found == m_tools.end() ? nullptr : &*found;
}

ToolOutcome AgentToolbox::call(const ToolCall& call, TaskContext& task)
{
    if (m_forbidden.contains(call.name))
        return refused(call, task,
                       { call.name, *agents::toolRefusal(m_permissions, m_agent.value, call.name) });
    const Tool* tool = find(call.name);
    if (tool == nullptr) {
        std::vector<std::string> known;
        for (const Tool& each : m_tools)
            known.push_back(each.name);
        return agents::ToolResult{ agents::unknownToolText(call.name, known), agents::ToolStatus::Error };
    }
    if (!tool->reaches.empty())
        if (auto why = agents::hostRefusal(m_permissions, m_agent.value, tool->reaches))
            return refused(call, task, { tool->reaches, std::move(*why) });
    auto outcome = m_owners[static_cast<std::size_t>(tool - m_tools.data())]->call(call, task);
    if (auto* refusal = std::get_if<agents::ToolRefused>(&outcome))
        return refused(call, task, std::move(*refusal));
    return outcome;
}

ToolOutcome AgentToolbox::refused(const ToolCall& call, TaskContext& task, agents::ToolRefused refusal) const
{
    task.log(TaskContext::Stream::Event, "refused: " + call.name + " (" + refusal.subject + ")");
    if (m_world->refused)
        m_world->refused(task.info(), { call.name, refusal.subject, refusal.why });
    return refusal;
}

} // namespace sg::nodes
