#include "ui/macro/macro_file.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/value_map.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

// { "format": 1, "name": "…", "steps": [ { "thread": "…", "checkpoint": 2, "node": "…", "input": …,
//   "command": "run.start", "wait": "run", "expect": "done", "timeout_s": 600 } ] }
namespace sg::ui {
namespace {

constexpr std::size_t kLargestFile = 1U << 20;
constexpr std::size_t kDeepest = 64; // of a run's input
constexpr std::size_t kMostSteps = 10'000;
constexpr std::size_t kLongestName = 500;
constexpr std::int64_t kLongestWait = 86'400;
constexpr std::int64_t kLastStep = 1'000'000'000;

constexpr std::array<std::string_view, 4> kMacroKeys{ "$schema", "format", "name", "steps" };
constexpr std::array<std::string_view, 8> kStepKeys{ "thread",  "checkpoint", "node",   "input",
                                                     "command", "wait",       "expect", "timeout_s" };
constexpr std::array<std::string_view, 5> kEnds{ "done", "interrupted", "failed", "stopped",
                                                 "recursion_limit" };

template<std::size_t N>
std::string listed(const std::array<std::string_view, N>& words)
{
    std::string list;
    for (const std::string_view word : words)
        list += (list.empty() ? "" : ", ") + std::string(word);
    return list;
}

class Reader {
public:
    explicit Reader(const JsonSource& source)
        : m_source(source)
    {
    }

    Result<Macro> read()
    {
        const Value& root = m_source.value;
        if (!root.isMap())
            return fault("", "a macro is an object: {\"format\": 1, \"steps\": [...]}");
        if (auto error = unknownKey(root, "", kMacroKeys, "a macro"))
            return *std::move(error);
        const Value& format = root["format"];
        if (!format.isInt() || format.asInt() != 1)
            return fault("/format", "\"format\": 1 is what this version reads");
        const Value& name = root["name"];
        if (!name.isNull() && !isText(name, true))
            return fault("/name", "a name is text of at most 500 bytes");
        const Value& steps = root["steps"];
        if (!steps.isList())
            return fault("/steps", "\"steps\" is to be a list");
        if (steps.asList().size() > kMostSteps)
            return fault("/steps", "there are more than 10,000 steps: split the macro");
        Macro macro{ root.stringOr("name", ""), {} };
        for (std::size_t i = 0; i < steps.asList().size(); ++i) {
            auto step = readStep(steps[i], "/steps/" + std::to_string(i));
            if (!step)
                return std::move(step.error());
            macro.steps.push_back(*std::move(step));
        }
        return macro;
    }

private:
    Result<MacroStep> readStep(const Value& value, const std::string& at) const
    {
        if (!value.isMap())
            return fault(at, "a step is an object: {\"command\": \"run.start\"}");
        if (auto error = unknownKey(value, at, kStepKeys, "a step"))
            return *std::move(error);
        MacroStep step;
        for (const auto& [key, text, mayBeEmpty] :
             { std::tuple{ "command", &step.command, false }, std::tuple{ "expect", &step.expect, false } })
            if (const Value* given = value.find(key)) {
                if (!isText(*given, mayBeEmpty))
                    return fault(at + "/" + key, "text of 1 to 500 bytes is wanted");
                *text = given->asString();
            }
        for (const auto& [key, text, mayBeEmpty] :
             { std::tuple{ "thread", &step.thread, false }, std::tuple{ "node", &step.node, true } })
            if (const Value* given = value.find(key)) {
                if (!isText(*given, mayBeEmpty))
                    return fault(at + "/" + key, "a name of at most 500 bytes is wanted");
                *text = given->asString();
            }
        if (auto error = readPlace(value, at, step))
            return *std::move(error);
        if (auto error = readWait(value, at, step))
            return *std::move(error);
        if (const Value* input = value.find("input"))
            step.input = toJson(*input);
        if (step.command.empty() && !step.waitsForRun && !step.thread && !step.checkpoint && !step.node
            && !step.input)
            return fault(at, "the step does nothing: give it a command, or something to choose or wait for");
        return step;
    }

    std::optional<Error> readPlace(const Value& value, const std::string& at, MacroStep& step) const
    {
        const Value* place = value.find("checkpoint");
        if (place == nullptr)
            return std::nullopt;
        if (place->isInt() && place->asInt() >= -1 && place->asInt() <= kLastStep)
            step.checkpoint = static_cast<int>(place->asInt());
        else if (isText(*place, false) && place->asString() == "head")
            step.checkpoint = MacroHead();
        else if (isText(*place, false))
            step.checkpoint = place->asString();
        else
            return fault(at + "/checkpoint", "a step's number, a checkpoint's id or \"head\" is wanted");
        return std::nullopt;
    }

    std::optional<Error> readWait(const Value& value, const std::string& at, MacroStep& step) const
    {
        if (const Value* wait = value.find("wait")) {
            if (!wait->isString() || wait->asString() != "run")
                return fault(at + "/wait", "the only thing to wait for is \"run\"");
            step.waitsForRun = true;
        }
        if (!step.expect.empty() && std::ranges::find(kEnds, step.expect) == kEnds.end())
            return fault(at + "/expect", "a run ends as one of: " + listed(kEnds));
        const Value* seconds = value.find("timeout_s");
        if (seconds != nullptr
            && (!seconds->isInt() || seconds->asInt() < 1 || seconds->asInt() > kLongestWait))
            return fault(at + "/timeout_s", "a whole number of seconds from 1 to 86400 is wanted");
        if (seconds != nullptr)
            step.timeoutSeconds = static_cast<int>(seconds->asInt());
        if (!step.waitsForRun && (seconds != nullptr || !step.expect.empty()))
            return fault(at, "\"expect\" and \"timeout_s\" belong to \"wait\": \"run\", which is missing");
        return std::nullopt;
    }

    static bool isText(const Value& value, bool mayBeEmpty)
    {
        return value.isString() && value.asString().size() <= kLongestName
            && (mayBeEmpty || !value.asString().empty());
    }

    template<std::size_t N>
    std::optional<Error> unknownKey(const Value& map, const std::string& at,
                                    const std::array<std::string_view, N>& known,
                                    const std::string& what) const
    {
        for (const auto& [key, value] : map.asMap())
            if (!key.isString() || std::ranges::find(known, key.asString()) == known.end())
                return fault(at + "/" + jsonPointerToken(key.isString() ? key.asString() : ""),
                             "this key is not known; " + what + " has " + listed(known));
        return std::nullopt;
    }

    [[nodiscard]] Error fault(const std::string& pointer, const std::string& what) const
    {
        auto at = m_source.positions.find(pointer);
        if (at == m_source.positions.end()) // a missing value has no position, so its parent's is used
            at = m_source.positions.find(pointer.substr(0, pointer.rfind('/')));
        const JsonPosition position = at == m_source.positions.end() ? JsonPosition{ 1, 1 } : at->second;
        return { Errc::InvalidArgument,
                 "line " + std::to_string(position.line) + ", column " + std::to_string(position.column)
                     + (pointer.empty() ? "" : " (" + pointer + ")") + ": " + what };
    }

    const JsonSource& m_source;
};

std::string quoted(const std::string& text)
{
    return toJson(Value(text));
}

std::string placeText(const MacroPlace& place)
{
    if (const int* step = std::get_if<int>(&place))
        return std::to_string(*step);
    const std::string* id = std::get_if<std::string>(&place);
    return quoted(id != nullptr ? *id : "head");
}

std::string stepText(const MacroStep& step)
{
    std::string text;
    const auto add = [&text](const char* key, const std::string& value) {
        text += (text.empty() ? "{ \"" : ", \"") + std::string(key) + "\": " + value;
    };
    if (step.thread)
        add("thread", quoted(*step.thread));
    if (step.checkpoint)
        add("checkpoint", placeText(*step.checkpoint));
    if (step.node)
        add("node", quoted(*step.node));
    if (step.input)
        add("input", *step.input);
    if (!step.command.empty())
        add("command", quoted(step.command));
    if (step.waitsForRun) {
        add("wait", "\"run\"");
        if (!step.expect.empty())
            add("expect", quoted(step.expect));
        if (step.timeoutSeconds != MacroStep().timeoutSeconds)
            add("timeout_s", std::to_string(step.timeoutSeconds));
    }
    return text + " }";
}

} // namespace

Result<Macro> parseMacro(std::string_view text)
{
    auto source = parseJsonSource(text, { .bytes = kLargestFile, .depth = kDeepest });
    if (!source)
        return std::move(source.error());
    return Reader(*source).read();
}

Result<Macro> loadMacro(const std::filesystem::path& file)
{
    auto text = readFile(file, kLargestFile);
    if (!text)
        return std::move(text.error());
    auto macro = parseMacro(*text);
    if (!macro)
        return std::move(macro.error()).during(file.filename().string());
    if (macro->name.empty()) {
        macro->name = file.filename().string();
        if (macro->name.ends_with(kMacroEnding))
            macro->name.resize(macro->name.size() - kMacroEnding.size());
    }
    return macro;
}

std::string macroText(const Macro& macro)
{
    std::string text = "{\n  \"format\": 1,\n  \"name\": " + quoted(macro.name) + ",\n  \"steps\": [";
    for (std::size_t i = 0; i < macro.steps.size(); ++i)
        text += (i == 0 ? "\n    " : ",\n    ") + stepText(macro.steps[i]);
    return text + (macro.steps.empty() ? "" : "\n  ") + "]\n}\n";
}

} // namespace sg::ui
