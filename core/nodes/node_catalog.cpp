#include "core/nodes/node_catalog.h"

#include "core/graph/node_kinds.h"
#include "core/graph/requirement.h"
#include "core/nodes/dataset_node.h"
#include "core/nodes/human_node.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/llm_node.h"
#include "core/nodes/llm_settings.h"
#include "core/nodes/python_node.h"
#include "core/nodes/subgraph_node.h"

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

// Reads the settings of a node, branch or error handler, with types and defaults of their kind.
class SettingReader {
public:
    SettingReader(std::string_view kind, const ValueMap& settings)
        : m_kind(graph::findNodeKind(kind))
        , m_settings(settings)
    {
    }

    // Returns the fallback for an absent setting. The first one that does not fit is the reader's error.
    std::string text(std::string_view key)
    {
        const Value* value = fit(key);
        return value == nullptr ? std::string(setting(key).fallback) : value->asString();
    }
    std::optional<double> number(std::string_view key)
    {
        const Value* value = fit(key);
        return value == nullptr ? std::nullopt : std::optional(value->asDouble());
    }
    bool flag(std::string_view key)
    {
        const Value* value = fit(key);
        return value != nullptr && value->asBool();
    }
    Value value(std::string_view key) const
    {
        const Value* found = m_settings.find(key);
        return found == nullptr ? Value() : *found;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const graph::NodeSetting& setting(std::string_view key) const
    {
        const graph::NodeSetting* found = graph::findSetting(m_kind, key);
        assert(found != nullptr); // makers only read settings that their kind has
        return *found;
    }

    // Null: it is absent or does not fit.
    const Value* fit(std::string_view key)
    {
        const Value* value = m_settings.find(key);
        if (value == nullptr || value->isNull())
            return nullptr;
        if (graph::isFit(setting(key), *value))
            return value;
        if (!m_error)
            m_error = wrong("\"" + std::string(key) + "\" must be " + graph::demandOf(setting(key)));
        return nullptr;
    }

    const graph::NodeKind* m_kind;
    const ValueMap& m_settings;
    std::optional<Error> m_error;
};

class FileCatalog final : public NodeCatalog {
public:
    explicit FileCatalog(NodeWorld world)
        : m_world(std::make_shared<const NodeWorld>(std::move(world)))
        , m_programs(std::make_shared<JqPrograms>(m_world->jqHelper, m_world->jqLimits))
    {
    }

    Result<Body> makeNode(const graph::Node& node) override
    {
        if (node.kind == graph::kPythonKind)
            m_world->pythonNodes->insert(node.name.value);
        for (const auto& [kind, make] : kMakers)
            if (node.kind == kind)
                return (this->*make)(node.settings);
        std::vector<std::string> known;
        for (const auto& [kind, make] : kMakers)
            known.emplace_back(kind);
        std::ranges::sort(known);
        std::string message = "nodes of kind \"" + node.kind + "\" cannot run here; there are:";
        for (std::size_t i = 0; i < known.size(); ++i)
            message += (i == 0 ? " " : ", ") + known[i];
        return Error{ Errc::Unsupported, std::move(message) };
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
        const std::string word = settings.contains("parallel") ? reader.text("parallel")
            : m_world->runsBeside                              ? "fork"
                                                               : "serial";
        const bool keepsNames = reader.flag("keep_names");
        if (reader.error())
            return *reader.error();
        using enum PythonFunction::Parallel;
        return pythonFunction(settings, word != "fork" ? Alone : keepsNames ? ForkKeepingNames : Fork);
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
        return makePythonBody(m_world,
                              { std::move(*path), std::move(function), timeout, keepsFailed, parallel,
                                std::move(*requirements) });
    }

    Result<Body> human(const ValueMap& settings)
    {
        SettingReader reader("human", settings);
        std::string channel = reader.text("channel");
        std::string program = reader.text("jq");
        if (reader.error())
            return *reader.error();
        return makeHumanBody(m_programs,
                             { reader.value("question"), std::move(program), std::move(channel) });
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

    Result<Body> llm(const ValueMap& settings)
    {
        // The run may yet say which model is asked where.
        ValueMap fallback{ { "model", "-" }, { "base_url", "http://localhost" } };
        if (m_world->llmDefaults.isMap())
            for (const auto& [key, value] : m_world->llmDefaults.asMap())
                fallback.set(key, value);
        if (const auto choice = readLlmChoice({}, settings, Value(std::move(fallback))); !choice)
            return choice.error();
        return makeLlmBody(m_world, m_programs, settings);
    }

    struct Maker {
        std::string_view kind;
        Result<Body> (FileCatalog::*make)(const ValueMap& settings);
    };
    static constexpr std::array kMakers{
        Maker{ "jq", &FileCatalog::jq },           Maker{ "python", &FileCatalog::python },
        Maker{ "human", &FileCatalog::human },     Maker{ "subgraph", &FileCatalog::subgraph },
        Maker{ "dataset", &FileCatalog::dataset }, Maker{ "llm", &FileCatalog::llm },
    };

    const std::shared_ptr<const NodeWorld> m_world;
    const std::shared_ptr<JqPrograms> m_programs;
};

} // namespace

std::unique_ptr<NodeCatalog> makeNodeCatalog(NodeWorld world)
{
    return std::make_unique<FileCatalog>(std::move(world));
}

} // namespace sg::nodes
