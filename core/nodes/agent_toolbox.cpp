#include "core/nodes/agent_toolbox.h"

#include "core/base/json.h"
#include "core/graph/near_name.h"
#include "core/nodes/agent_graphs.h"
#include "core/nodes/agent_results.h"
#include "core/nodes/agent_services.h"
#include "core/nodes/agent_tools.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace sg::nodes {
namespace {

using agents::Tool;
using agents::ToolCall;
using agents::ToolOutcome;
using engine::failed;
using engine::Failure;
using engine::TaskContext;

constexpr std::size_t kMostTools = 512;
constexpr std::size_t kLongestToolName = 64; // of what models take
constexpr std::size_t kLongestDescription = 20'000;
constexpr std::size_t kMostBytes = 2U << 20; // of all descriptions and schemas

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

std::vector<std::string> namesOf(const std::vector<Tool>& tools)
{
    std::vector<std::string> names;
    for (const Tool& tool : tools)
        names.push_back(tool.name);
    return names;
}

std::string noneOf(const std::vector<std::string>& names, const std::string& tool)
{
    const std::string meant = graph::didYouMean(tool, { names.begin(), names.end() });
    std::string text = "the agent has none of that name" + (meant.empty() ? "." : meant) + " Its tools:";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? " " : ", ") + names[i];
    return text + (names.empty() ? " none" : "");
}

} // namespace

AgentToolbox::AgentToolbox(std::shared_ptr<const NodeWorld> world,
                           const std::shared_ptr<JqPrograms>& programs, const graph::Node& agent,
                           const AgentSettings& settings)
    : m_world(std::move(world))
    , m_agent(agent.name)
    , m_permissions(settings.permissions)
    , m_review(settings.review)
    , m_reserved(sandboxToolNames())
{
    if (!settings.output.schema.isNull() && settings.output.way == agents::OutputWay::Tool) {
        m_outputTool = settings.output.name;
        m_reserved.insert(m_outputTool);
    }
    const auto isOfSession = [](const ToolEntry& entry) {
        return std::holds_alternative<PythonTools>(entry.from)
            || std::holds_alternative<SandboxTool>(entry.from);
    };
    const auto results = std::make_shared<const AgentResults>(
        m_world, settings.mostResult, std::ranges::any_of(settings.tools, isOfSession));
    for (const ToolEntry& entry : settings.tools) {
        if (std::holds_alternative<PythonTools>(entry.from))
            m_sources.push_back(makePythonTools(m_world, entry, settings));
        else if (std::holds_alternative<SandboxTool>(entry.from))
            m_sources.push_back(makeSandboxTool(m_world, entry, settings));
        else if (std::holds_alternative<ServerTools>(entry.from))
            m_sources.push_back(makeServerTools(m_world, results, entry));
        else if (std::holds_alternative<GraphFileTool>(entry.from))
            m_sources.push_back(makeGraphTool(results, entry, agent.subgraph.get()));
        else
            m_sources.push_back(makeHttpTool(m_world, programs, results, entry, m_permissions));
    }
    std::stable_partition(m_sources.begin(), m_sources.end(),
                          [](const auto& source) { return !source->isNamedByOthers(); });
}

std::optional<Failure> AgentToolbox::load(TaskContext& task)
{
    const std::lock_guard lock(m_mutex);
    if (m_isLoaded)
        return std::nullopt;
    if (auto failed = ask(task)) {
        m_tools.clear();
        m_owners.clear();
        m_forbidden.clear();
        m_bytes = 0;
        return failed;
    }
    m_isLoaded = true;
    return std::nullopt;
}

std::optional<Failure> AgentToolbox::ask(TaskContext& task)
{
    std::set<std::string> names;
    for (const auto& source : m_sources) {
        std::set<std::string> taken = m_reserved;
        taken.insert(names.begin(), names.end());
        auto listed = source->list(task, taken);
        if (auto* failed = std::get_if<Failure>(&listed)) {
            failed->message = "agent '" + m_agent.value + "': " + failed->message;
            return std::move(*failed);
        }
        for (Tool& tool : std::get<std::vector<Tool>>(listed))
            if (auto failed = take(std::move(tool), *source, names))
                return failed;
    }
    return reviewFault();
}

std::optional<Failure> AgentToolbox::reviewFault() const
{
    std::vector<std::string> names = namesOf(m_tools);
    for (const auto& [name, why] : m_forbidden)
        names.push_back(name);
    for (const auto& [tool, rule] : m_review.byTool)
        if (tool != graph::kEveryOtherTool && tool != m_outputTool
            && std::ranges::find(names, tool) == names.end())
            return failed("ValueError",
                          "agent '" + m_agent.value + "': its \"review\" names the tool '" + tool + "', and "
                              + noneOf(names, tool));
    return std::nullopt;
}

std::string AgentToolbox::noSuchTool(const std::string& tool) const
{
    return noneOf(namesOf(m_tools), tool);
}

std::optional<Failure> AgentToolbox::take(Tool tool, agents::ToolSource& source, std::set<std::string>& names)
{
    const auto wrong = [this](const std::string& what) {
        return failed("ValueError", "agent '" + m_agent.value + "'" + what);
    };
    if (!isToolName(tool.name))
        return wrong(": a tool's name has 1 to 64 letters, digits, _ or -; \"" + cut(tool.name, 100)
                     + "\" is none");
    if (tool.name == m_outputTool)
        return wrong(
            " has a tool '" + tool.name
            + "', and answers by a tool of that name, which is the \"title\" of its output's schema: "
              "give one another name");
    if (!names.insert(tool.name).second)
        return wrong(" has two tools named '" + tool.name + "': give one another \"name\"");
    if (names.size() > kMostTools)
        return wrong(" has more than 512 tools: name the ones that it needs");
    if (auto why = agents::toolRefusal(m_permissions, m_agent.value, tool.name)) {
        m_forbidden[tool.name] = { tool.name, std::move(*why) };
        return std::nullopt;
    }
    if (!tool.reaches.empty())
        if (auto why = agents::hostRefusal(m_permissions, m_agent.value, tool.reaches)) {
            m_forbidden[tool.name] = { tool.reaches, std::move(*why) };
            return std::nullopt;
        }
    tool.description = cut(std::move(tool.description), kLongestDescription);
    m_bytes += tool.description.size() + toJson(tool.parameters).size();
    if (m_bytes > kMostBytes)
        return wrong(
            "'s tools are described by more than 2 MiB, which the model is sent with each call: name "
            "the ones that it needs");
    m_tools.push_back(std::move(tool));
    m_owners.push_back(&source);
    return std::nullopt;
}

const Tool* AgentToolbox::find(const std::string& tool) const
{
    const auto found = std::ranges::find(m_tools, tool, &Tool::name);
    return found == m_tools.end() ? nullptr : &*found;
}

ToolOutcome AgentToolbox::call(const ToolCall& call, TaskContext& task)
{
    if (const auto forbidden = m_forbidden.find(call.name); forbidden != m_forbidden.end())
        return refused(call, task, forbidden->second);
    const Tool* tool = find(call.name);
    if (tool == nullptr) {
        return agents::ToolResult{ agents::unknownToolText(call.name, namesOf(m_tools)),
                                   agents::ToolStatus::Error };
    }
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
