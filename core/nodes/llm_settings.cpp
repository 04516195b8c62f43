#include "core/nodes/llm_settings.h"

#include "core/graph/node_kinds.h"

#include <utility>

namespace sg::nodes {
namespace {

using models::Endpoint;
using models::Wire;

// The first of the three that says something.
class LlmReader {
public:
    LlmReader(const Value& ofRun, const ValueMap& ofNode, const Value& ofGraph)
        : m_ofRun(ofRun)
        , m_ofNode(ofNode)
        , m_ofGraph(ofGraph)
    {
    }

    Value value(std::string_view key)
    {
        for (const Value* found : { m_ofRun.find(key), m_ofNode.find(key), m_ofGraph.find(key) }) {
            if (found == nullptr || found->isNull())
                continue;
            const graph::NodeSetting* setting = graph::findSetting(graph::findNodeKind(graph::kLlmKind), key);
            if (setting != nullptr && !graph::isFit(*setting, *found) && !m_error)
                m_error = Error{ Errc::InvalidArgument,
                                 "\"" + std::string(key) + "\" must be " + graph::demandOf(*setting) };
            else
                return *found;
        }
        return {};
    }
    std::string text(std::string_view key, std::string_view fallback = {})
    {
        const Value found = value(key);
        return found.isString() ? found.asString() : std::string(fallback);
    }
    std::optional<double> number(std::string_view key)
    {
        const Value found = value(key);
        return found.isNumber() ? std::optional(found.asDouble()) : std::nullopt;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const Value& m_ofRun;
    const ValueMap& m_ofNode;
    const Value& m_ofGraph;
    std::optional<Error> m_error;
};

std::chrono::milliseconds milliseconds(double seconds)
{
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

Result<void> readEndpoint(LlmReader& reader, Endpoint& endpoint)
{
    const std::string url = reader.text("base_url");
    if (url.empty())
        return Error{
            Errc::InvalidArgument,
            "it needs \"base_url\", where the model is asked: in the node, or in the graph's \"llm\""
        };
    auto base = models::parseBaseUrl(url);
    if (!base)
        return std::move(base.error());
    endpoint.base = std::move(*base);
    endpoint.wire = reader.text("wire") == "anthropic" ? Wire::Anthropic : Wire::OpenAi;
    const std::string auth = reader.text("auth", endpoint.wire == Wire::Anthropic ? "x-api-key" : "bearer");
    endpoint.auth = auth == "none" ? Endpoint::Auth::None
        : auth == "x-api-key"      ? Endpoint::Auth::ApiKey
                                   : Endpoint::Auth::Bearer;
    if (const auto seconds = reader.number("timeout_s"))
        endpoint.timeout = milliseconds(*seconds);
    if (const auto seconds = reader.number("idle_s"))
        endpoint.idle = milliseconds(*seconds);
    if (const auto count = reader.number("max_retries"))
        endpoint.retries = static_cast<int>(*count);
    return {};
}

void readTools(const Value& tools, models::ChatRequest& request)
{
    if (tools.isList())
        for (const Value& tool : tools.asList())
            request.tools.push_back(
                { tool.stringOr("name", ""), tool.stringOr("description", ""), tool["parameters"] });
}

} // namespace

Result<LlmChoice> readLlmChoice(const Value& ofRun, const ValueMap& ofNode, const Value& ofGraph)
{
    LlmReader reader(ofRun, ofNode, ofGraph);
    LlmChoice choice;
    models::ChatRequest& request = choice.request;
    request.model = reader.text("model");
    if (auto read = readEndpoint(reader, choice.endpoint); !read)
        return std::move(read.error());
    if (const Value* own = ofNode.find("timeout_s"); own != nullptr && own->isNumber())
        choice.limit = choice.endpoint.timeout;
    choice.key = reader.text("key");
    choice.system = reader.text("system");
    choice.messages = reader.text("messages");
    choice.channel = reader.text("channel");
    request.temperature = reader.number("temperature");
    if (const auto count = reader.number("max_tokens"))
        request.maxTokens = static_cast<std::int64_t>(*count);
    request.schema = reader.value("schema");
    request.schemaName = request.schema.stringOr("title", "answer");
    request.streams = reader.value("in_one_piece") != Value(true);
    readTools(reader.value("tools"), request);
    if (const std::string word = reader.text("tool_choice"); !word.empty())
        request.toolChoice = word;
    if (const Value options = reader.value("options"); options.isMap())
        request.options = options.asMap();
    // Some of OpenAI's own models take this name alone; other servers know the older one.
    request.namesCompletionTokens = choice.endpoint.base.host == "api.openai.com";
    if (reader.error())
        return *reader.error();
    if (request.model.empty())
        return Error{ Errc::InvalidArgument,
                      "it needs \"model\", the model's name: in the node, or in the graph's \"llm\"" };
    return choice;
}

} // namespace sg::nodes
