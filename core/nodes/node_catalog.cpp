#include "core/nodes/node_catalog.h"

#include "core/agents/agent_loop.h"
#include "core/audit/audit_log.h"
#include "core/graph/node_kinds.h"
#include "core/graph/requirement.h"
#include "core/nodes/agent_node.h"
#include "core/nodes/dataset_node.h"
#include "core/nodes/http_node.h"
#include "core/nodes/human_node.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/llm_node.h"
#include "core/nodes/llm_settings.h"
#include "core/nodes/map_node.h"
#include "core/nodes/python_node.h"
#include "core/nodes/setting_reader.h"
#include "core/nodes/subgraph_node.h"
#include "core/nodes/tool_node.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace sg::nodes {
namespace {

using Body = std::unique_ptr<engine::NodeBody>;

Error wrong(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

class FileCatalog final : public NodeCatalog {
public:
    explicit FileCatalog(NodeWorld world)
        : m_world(std::make_shared<const NodeWorld>(std::move(world)))
        , m_programs(std::make_shared<JqPrograms>(m_world->jqHelper, m_world->jqLimits))
    {
    }

    // An agent's loop is compiled right after this, with the agents in the graphs that it calls, and before
    // the agent's own node is made.
    Result<std::shared_ptr<const graph::Graph>> graphIn(const graph::Node& node) override
    {
        if (node.kind == agents::kLoopKind)
            return graphsOfTools(node.settings);
        if (node.kind != graph::kAgentKind)
            return node.subgraph;
        if (auto fits = checkModelSettings(node.settings); !fits)
            return std::move(fits.error());
        auto agent = makeAgent(m_world, m_programs, node);
        if (!agent)
            return std::move(agent.error());
        m_agents.push_back(*agent);
        m_begun.push_back(*agent);
        return agents::loopGraph(loopShapeOf(**agent), std::to_string(m_agents.size() - 1));
    }

    Result<Body> makeNode(const graph::Node& node) override
    {
        if (node.kind == graph::kPythonKind)
            m_world->pythonNodes->insert(node.name.value);
        if (node.kind == agents::kLoopKind)
            return loopPart(node.settings);
        for (const auto& [kind, make] : kMakers)
            if (node.kind == kind) {
                auto body = (this->*make)(node.settings);
                if (!body)
                    return body;
                if (const Value* role = node.settings.find(graph::kRoleKey);
                    role != nullptr && node.kind == graph::kPythonKind && m_world->ofRole)
                    body = m_world->ofRole(node);
                return withLimits(std::move(*body), node.name.value, m_limits);
            }
        if (node.kind == graph::kAgentKind)
            return agentNode(node);
        std::vector<std::string> known{ std::string(graph::kAgentKind) };
        for (const auto& [kind, make] : kMakers)
            known.emplace_back(kind);
        std::ranges::sort(known);
        std::string message = "nodes of kind \"" + node.kind + "\" cannot run here; there are:";
        for (std::size_t i = 0; i < known.size(); ++i)
            message += (i == 0 ? " " : ", ") + known[i];
        return Error{ Errc::Unsupported, std::move(message) };
    }

    Result<Body> makeBranch(const graph::Branch& branch) override
    {
        if (branch.settings.contains(agents::kPartKey) && branch.settings.contains(agents::kAgentKey))
            return loopPart(branch.settings);
        return code(branch.settings);
    }

    Result<Body> makeErrorHandler(const graph::Node& node) override
    {
        if (!node.errorHandler.isMap())
            return wrong("\"error_handler\" must be an object");
        return code(node.errorHandler.asMap());
    }

    Result<void> checkPrograms() override { return m_programs->check(); }

private:
    Result<Body> code(const ValueMap& settings)
    {
        if (settings.contains("jq"))
            return jq(settings);
        if (settings.contains("file"))
            return pythonFunction(settings, PythonFunction::Parallel::Alone);
        return wrong("it needs a \"jq\" program or a code \"file\"");
    }

    Result<Body> jq(const ValueMap& settings)
    {
        SettingReader reader(graph::kJqKind, settings);
        std::string program = reader.text("jq");
        if (reader.error())
            return *reader.error();
        if (program.empty())
            return wrong("it needs a program in \"jq\"");
        return makeJqBody(m_programs, std::move(program));
    }

    Result<Body> python(const ValueMap& settings)
    {
        SettingReader reader(graph::kPythonKind, settings);
        const bool isBeside = settings.contains("parallel")
            ? kindNamed<graph::Parallel>(reader.text("parallel")) == graph::Parallel::Fork
            : m_world->runsBeside;
        const bool keepsNames = reader.flag("keep_names");
        if (reader.error())
            return *reader.error();
        using enum PythonFunction::Parallel;
        return pythonFunction(settings, !isBeside ? Alone : keepsNames ? ForkKeepingNames : Fork);
    }

    Result<Body> pythonFunction(const ValueMap& settings, PythonFunction::Parallel parallel)
    {
        SettingReader reader(graph::kPythonKind, settings);
        const std::string file = reader.text("file");
        std::string function = reader.text("function");
        if (reader.error())
            return *reader.error();
        if (file.empty())
            return wrong("it needs its code file in \"file\"");
        auto path = RelativePath::parse(file);
        if (!path)
            return path.error();
        std::optional<std::chrono::milliseconds> timeout;
        if (const auto seconds = reader.number("timeout_s"))
            timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*seconds * 1000)));
        const bool keepsFailed = reader.text("on_retry") == "keep";
        if (reader.error())
            return *reader.error();
        auto requirements = graph::parseRequirementList(reader.value("requirements"));
        if (!requirements)
            return std::move(requirements.error());
        PythonFunction made{ std::move(*path), std::move(function),     timeout, keepsFailed,
                             parallel,         std::move(*requirements) };
        made.role = reader.text(graph::kRoleKey);
        if (reader.error())
            return *reader.error();
        return makePythonBody(m_world, std::move(made));
    }

    Result<Body> human(const ValueMap& settings)
    {
        SettingReader reader("human", settings);
        std::string channel = reader.text("channel");
        std::string program = reader.text("jq");
        if (reader.error())
            return *reader.error();
        HumanQuestion question{ reader.value("question"), std::move(program), std::move(channel) };
        const std::string form = reader.text("form");
        question.edits = reader.text("edits");
        question.schema = reader.value("schema");
        if (const Value answers = reader.value("answers"); answers.isList())
            question.answers = answers.asList();
        if (reader.error())
            return *reader.error();
        using Asked = HumanQuestion::Form;
        question.form = form == "approve" ? Asked::Approve
            : form == "choose"            ? Asked::Choose
            : form == "edit"              ? Asked::Edit
            : form == "form"              ? Asked::Form
                                          : Asked::Any;
        if (question.form == Asked::Choose && question.answers.empty())
            return wrong("it needs the answers that may be chosen in \"answers\"");
        if (question.form == Asked::Edit && question.edits.empty())
            return wrong("it needs the channel that is edited in \"edits\"");
        if (question.form == Asked::Edit && question.channel.empty())
            question.channel = question.edits;
        if (question.form == Asked::Form && !question.schema.isMap())
            return wrong("it needs the form's JSON Schema in \"schema\"");
        if (question.form == Asked::Approve && question.channel.empty())
            return wrong("it needs the channel that takes the answer in \"channel\"");
        return makeHumanBody(m_programs, std::move(question));
    }

    Result<Body> http(const ValueMap& settings)
    {
        auto choice = readHttpChoice(settings);
        if (!choice)
            return std::move(choice.error());
        return makeHttpBody(m_world, m_programs, std::move(*choice));
    }

    Result<Body> tool(const ValueMap& settings)
    {
        SettingReader reader("tool", settings);
        ToolChoice choice{
            reader.text("server"), reader.text("tool"), reader.text("arguments"), reader.text("channel"), {}
        };
        if (const auto seconds = reader.number("timeout_s"))
            choice.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*seconds * 1000)));
        if (reader.error())
            return *reader.error();
        if (choice.server.empty() || choice.tool.empty())
            return wrong("it needs an MCP server of the graph in \"server\" and its tool in \"tool\"");
        return makeToolBody(m_world, m_programs, std::move(choice));
    }

    Result<Body> map(const ValueMap& settings)
    {
        SettingReader reader("map", settings);
        std::string items = reader.text("items");
        const Value ends = reader.value("ends");
        const auto limit = reader.number("limit");
        if (reader.error())
            return *reader.error();
        if (items.empty())
            return wrong("it needs a program in \"items\" that gives the list");
        if (!ends.isList() || ends.asList().size() != 1 || !ends[std::size_t{ 0 }].isString())
            return wrong("it needs the one node that takes each item in \"ends\"");
        std::string node = ends[std::size_t{ 0 }].asString();
        if (limit)
            m_limits->set(node, static_cast<std::size_t>(*limit));
        return makeMapBody(m_programs, std::move(items), std::move(node));
    }

    Result<Body> subgraph(const ValueMap& settings)
    {
        SettingReader reader(graph::kSubgraphKind, settings);
        SubgraphMapping mapping{ reader.text("in"), reader.text("out"), {} };
        if (const auto calls = reader.number("calls"))
            mapping.calls = static_cast<std::int64_t>(*calls);
        if (reader.error())
            return *reader.error();
        return makeSubgraphBody(m_programs, std::move(mapping));
    }

    Result<Body> dataset(const ValueMap& settings)
    {
        SettingReader reader("dataset", settings);
        std::string name = reader.text("dataset");
        std::string from = reader.text("from");
        std::string channel = reader.text("channel");
        if (reader.error())
            return *reader.error();
        if (name.empty() == from.empty())
            return wrong(
                "it needs the dataset's name in \"dataset\", or in \"from\" the channel that holds it");
        if (channel.empty())
            return wrong("it needs the channel that takes the dataset's path in \"channel\"");
        return makeDatasetBody(m_world, { std::move(name), std::move(from), std::move(channel) });
    }

    // The run may yet say which model is asked where.
    Result<void> checkModelSettings(const ValueMap& settings) const
    {
        ValueMap fallback{ { "model", "-" }, { "base_url", "http://localhost" } };
        if (m_world->llmDefaults.isMap())
            for (const auto& [key, value] : m_world->llmDefaults.asMap())
                fallback.set(key, value);
        if (const auto choice = readLlmChoice({}, settings, Value(std::move(fallback))); !choice)
            return choice.error();
        return {};
    }

    Result<Body> llm(const ValueMap& settings)
    {
        if (auto fits = checkModelSettings(settings); !fits)
            return std::move(fits.error());
        return makeLlmBody(m_world, m_programs, settings);
    }

    Result<Body> agentNode(const graph::Node& node)
    {
        if (m_begun.empty())
            if (auto loop = graphIn(node); !loop)
                return std::move(loop.error());
        auto agent = std::move(m_begun.back());
        m_begun.pop_back();
        return makeAgentBody(std::move(agent));
    }

    // Null: the settings are of no part of an agent's loop.
    [[nodiscard]] std::shared_ptr<Agent> agentOf(const ValueMap& settings) const
    {
        const Value* index = settings.find(agents::kAgentKey);
        for (std::size_t i = 0; index != nullptr && i < m_agents.size(); ++i)
            if (*index == Value(std::to_string(i)))
                return m_agents[i];
        return nullptr;
    }

    [[nodiscard]] std::shared_ptr<const graph::Graph> graphsOfTools(const ValueMap& settings) const
    {
        const Value* part = settings.find(agents::kPartKey);
        const auto agent = agentOf(settings);
        const bool isTools = part != nullptr && *part == Value(agents::loopPartName(agents::LoopPart::Tools));
        return agent && isTools ? toolGraphOf(*agent) : nullptr;
    }

    // A file cannot name these: its kinds are those of the makers.
    Result<Body> loopPart(const ValueMap& settings)
    {
        const Value* part = settings.find(agents::kPartKey);
        if (auto agent = agentOf(settings); agent && part != nullptr)
            for (const agents::LoopPart each : agents::kLoopParts)
                if (*part == Value(agents::loopPartName(each)))
                    return makeLoopBody(std::move(agent), each);
        return wrong("it is a part of no agent");
    }

    struct Maker {
        std::string_view kind;
        Result<Body> (FileCatalog::*make)(const ValueMap& settings);
    };
    static constexpr std::array kMakers{
        Maker{ "jq", &FileCatalog::jq },           Maker{ "python", &FileCatalog::python },
        Maker{ "human", &FileCatalog::human },     Maker{ "subgraph", &FileCatalog::subgraph },
        Maker{ "dataset", &FileCatalog::dataset }, Maker{ "llm", &FileCatalog::llm },
        Maker{ "http", &FileCatalog::http },       Maker{ "tool", &FileCatalog::tool },
        Maker{ "map", &FileCatalog::map },
    };

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
    const std::shared_ptr<NodeLimits> m_limits = std::make_shared<NodeLimits>();
    std::vector<std::shared_ptr<Agent>> m_begun; // their loops were asked for, and their nodes not yet
    std::vector<std::shared_ptr<Agent>> m_agents; // of the graph and its subgraphs, as they are compiled
};

} // namespace

audit::AuditEntry auditEntryOf(const engine::TaskInfo& task, const RefusedCall& call)
{
    audit::AuditEntry entry;
    entry.kind = audit::Kind::Tool;
    entry.thread = task.thread;
    entry.run = task.run;
    entry.agent = task.node.value;
    entry.subject = call.subject;
    entry.outcome = audit::Outcome::Denied;
    entry.details = Value::map({ { "tool", call.tool }, { "why", call.why } });
    return entry;
}

std::unique_ptr<NodeCatalog> makeNodeCatalog(NodeWorld world)
{
    return std::make_unique<FileCatalog>(std::move(world));
}

} // namespace sg::nodes
