#pragma once

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/models/reply_fold.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sg::test {

// One file of tests/data/models: what a server said, what LangChain asked it and what LangGraph then stored.
struct RecordedScenario {
    Value file;
    models::Wire wire = models::Wire::OpenAi;
    models::ChatRequest request;

    [[nodiscard]] std::string replyBody() const
    {
        const Value& body = file["reply"]["body"];
        if (body.isString())
            return body.asString();
        std::string text;
        for (const Value& piece : body.asList())
            text += piece.asString();
        return text;
    }

    static std::vector<std::string> names()
    {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(SG_SOURCE_DIR "/tests/data/models"))
            if (entry.path().extension() == ".json")
                found.push_back(entry.path().stem().string());
        std::ranges::sort(found);
        return found;
    }

    static RecordedScenario read(const std::string& name)
    {
        RecordedScenario scenario;
        const auto text = readFile(SG_SOURCE_DIR "/tests/data/models/" + name + ".json", 1U << 20);
        auto value = text ? parseJson(*text) : Result<Value>(text.error());
        if (!value)
            return scenario;
        scenario.file = std::move(*value);
        scenario.wire =
            scenario.file["wire"] == Value("openai") ? models::Wire::OpenAi : models::Wire::Anthropic;
        const Value& settings = scenario.file["settings"];
        models::ChatRequest& request = scenario.request;
        request.model = settings.stringOr("model", "");
        request.streams = scenario.file["stream"].asBool();
        request.namesCompletionTokens = true;
        request.toolChoice = settings["tool_choice"];
        if (settings["temperature"].isNumber())
            request.temperature = settings["temperature"].asDouble();
        if (settings["max_tokens"].isInt())
            request.maxTokens = settings["max_tokens"].asInt();
        if (settings["options"].isMap())
            request.options = settings["options"].asMap();
        if (settings["tools"].isList())
            for (const Value& tool : settings["tools"].asList())
                request.tools.push_back(
                    { tool.stringOr("name", ""), tool.stringOr("description", ""), tool["parameters"] });
        for (const Value& message : scenario.file["messages"].asList())
            request.messages.push_back(message);
        return scenario;
    }
};

// The reply of a body that comes in cuts of `size` bytes.
inline models::ChatOutcome folded(const RecordedScenario& scenario, const std::string& body, std::size_t size,
                                  models::ChunkSink sink = {})
{
    const models::WireFormat& wire = models::wireFormat(scenario.wire);
    if (!scenario.request.streams)
        return wire.whole(scenario.request, body);
    const auto fold = wire.fold(scenario.request, std::move(sink));
    net::SseParser parser;
    std::optional<models::ChatFault> fault;
    for (std::size_t at = 0; at < body.size() && !fault; at += size)
        static_cast<void>(
            parser.push(std::string_view(body).substr(at, size), [&](const net::SseEvent& event) {
                fault = fold->take(event);
                return !fault.has_value();
            }));
    return fault ? models::ChatOutcome(*std::move(fault)) : fold->finish();
}

} // namespace sg::test
