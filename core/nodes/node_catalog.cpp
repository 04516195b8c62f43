#include "core/nodes/node_catalog.h"

#include "core/graph/requirement.h"
#include "core/nodes/dataset_node.h"
#include "core/nodes/human_node.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/python_node.h"
#include "core/nodes/subgraph_node.h"

#include <cmath>
#include <utility>

namespace sg::nodes {
namespace {

using Body = std::unique_ptr<engine::NodeBody>;

constexpr double kMostSeconds = 10.0 * 365 * 24 * 3600;
constexpr std::int64_t kMostCalls = 10'000;

Error wrong(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

Result<std::string> textSetting(const ValueMap& settings, const char* key, std::string fallback)
{
    const Value* value = settings.find(std::string_view(key));
    if (value == nullptr || value->isNull())
        return fallback;
    if (!value->isString())
        return wrong(std::string("\"") + key + "\" must be text");
    return value->asString();
}

class FileCatalog final : public NodeCatalog {
public:
    explicit FileCatalog(NodeWorld world)
        : m_world(std::make_shared<const NodeWorld>(std::move(world)))
        , m_programs(std::make_shared<JqPrograms>(m_world->jqHelper, m_world->jqLimits))
    {
    }

    Result<Body> makeNode(const graph::Node& node) override
    {
        if (node.kind == "jq")
            return jq(node.settings);
        if (node.kind == "python")
            return python(node.settings);
        if (node.kind == "human")
            return human(node.settings);
        if (node.kind == "subgraph")
            return subgraph(node.settings);
        if (node.kind == "dataset")
            return dataset(node.settings);
        return Error{ Errc::Unsupported,
                      "nodes of kind \"" + node.kind
                          + "\" cannot run here; there are: dataset, human, jq, python, subgraph" };
    }

    Result<Body> makeBranch(const graph::Branch& branch) override { return code(branch.settings); }

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
            return python(settings);
        return wrong("it needs a \"jq\" program or a code \"file\"");
    }

    Result<Body> jq(const ValueMap& settings)
    {
        auto program = textSetting(settings, "jq", {});
        if (!program)
            return program.error();
        if (program->empty())
            return wrong("it needs a program in \"jq\"");
        return makeJqBody(m_programs, std::move(*program));
    }

    Result<Body> python(const ValueMap& settings)
    {
        const auto file = textSetting(settings, "file", {});
        auto function = textSetting(settings, "function", "node");
        if (!file || !function)
            return file ? function.error() : file.error();
        if (file->empty())
            return wrong("it needs its code file in \"file\"");
        auto path = RelativePath::parse(*file);
        if (!path)
            return path.error();
        std::optional<std::chrono::milliseconds> timeout;
        if (const Value* seconds = settings.find("timeout_s"); seconds != nullptr && !seconds->isNull()) {
            if (!seconds->isNumber() || !(seconds->asDouble() > 0) || seconds->asDouble() > kMostSeconds)
                return wrong("\"timeout_s\" must be a number of seconds above 0");
            timeout =
                std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds->asDouble() * 1000)));
        }
        const auto onRetry = textSetting(settings, "on_retry", "rollback");
        if (!onRetry)
            return onRetry.error();
        if (*onRetry != "rollback" && *onRetry != "keep")
            return wrong("\"on_retry\" must be \"rollback\" or \"keep\"");
        const Value* wanted = settings.find("requirements");
        auto requirements = graph::parseRequirementList(wanted == nullptr ? Value() : *wanted);
        if (!requirements)
            return std::move(requirements.error());
        return makePythonBody(m_world,
                              { std::move(*path), std::move(*function), timeout, *onRetry == "keep",
                                std::move(*requirements) });
    }

    Result<Body> human(const ValueMap& settings)
    {
        auto channel = textSetting(settings, "channel", {});
        auto program = textSetting(settings, "jq", {});
        if (!channel || !program)
            return channel ? program.error() : channel.error();
        const Value* question = settings.find("question");
        return makeHumanBody(
            m_programs,
            { question != nullptr ? *question : Value(), std::move(*program), std::move(*channel) });
    }

    Result<Body> subgraph(const ValueMap& settings)
    {
        SubgraphMapping mapping;
        auto in = textSetting(settings, "in", mapping.in);
        auto out = textSetting(settings, "out", mapping.out);
        if (!in || !out)
            return in ? out.error() : in.error();
        mapping.in = std::move(*in);
        mapping.out = std::move(*out);
        if (const Value* calls = settings.find("calls"); calls != nullptr && !calls->isNull()) {
            if (!calls->isInt() || calls->asInt() < 0 || calls->asInt() > kMostCalls)
                return wrong("\"calls\" must be a number of runs");
            mapping.calls = calls->asInt();
        }
        return makeSubgraphBody(m_programs, std::move(mapping));
    }

    Result<Body> dataset(const ValueMap& settings)
    {
        auto name = textSetting(settings, "dataset", {});
        auto from = textSetting(settings, "from", {});
        auto channel = textSetting(settings, "channel", {});
        for (const auto* text : { &name, &from, &channel })
            if (!*text)
                return text->error();
        if (name->empty() == from->empty())
            return wrong(
                "it needs the dataset's name in \"dataset\", or in \"from\" the channel that holds it");
        if (channel->empty())
            return wrong("it needs the channel that takes the dataset's path in \"channel\"");
        return makeDatasetBody(m_world, { std::move(*name), std::move(*from), std::move(*channel) });
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
};

} // namespace

std::unique_ptr<NodeCatalog> makeNodeCatalog(NodeWorld world)
{
    return std::make_unique<FileCatalog>(std::move(world));
}

} // namespace sg::nodes
