#include "core/graph/node_kinds.h"

#include <algorithm>

namespace sg::graph {
namespace {

bool isListOfText(const Value& value)
{
    return value.isList() && std::ranges::all_of(value.asList(), &Value::isString);
}

bool isWithin(const NodeSetting& setting, double number)
{
    return setting.most <= setting.least || (number >= setting.least && number <= setting.most);
}

// Writes the number without trailing zeros in its fraction.
std::string numberText(double number)
{
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

bool hasEffect(const Node& node, SideEffect effect)
{
    const NodeKind* kind = findNodeKind(node.kind);
    return kind != nullptr && kind->effect == effect;
}

std::string boundsText(const NodeSetting& setting)
{
    return setting.most <= setting.least
        ? std::string()
        : " from " + numberText(setting.least) + " to " + numberText(setting.most);
}

} // namespace

const NodeKind* findNodeKind(std::string_view id)
{
    const std::span<const NodeKind> kinds = nodeKinds();
    const auto found = std::ranges::find(kinds, id, &NodeKind::id);
    return found == kinds.end() ? nullptr : &*found;
}

const NodeSetting* findSetting(const NodeKind* kind, std::string_view key)
{
    const auto in = [key](std::span<const NodeSetting> settings) {
        const auto found = std::ranges::find(settings, key, &NodeSetting::key);
        return found == settings.end() ? nullptr : &*found;
    };
    const NodeSetting* own = kind == nullptr ? nullptr : in(kind->settings);
    return own != nullptr ? own : in(commonSettings());
}

const NodeSetting* findSetting(const NodeKind* kind, SettingType type)
{
    if (kind == nullptr)
        return nullptr;
    const auto found = std::ranges::find(kind->settings, type, &NodeSetting::type);
    return found == kind->settings.end() ? nullptr : &*found;
}

bool isSettingOfAnyKind(std::string_view key)
{
    return std::ranges::any_of(nodeKinds(), [key](const NodeKind& kind) {
        return std::ranges::find(kind.settings, key, &NodeSetting::key) != kind.settings.end();
    });
}

bool usesSandbox(const Node& node)
{
    const NodeKind* kind = findNodeKind(node.kind);
    return kind != nullptr && kind->usesSandbox;
}

bool asksPerson(const Node& node)
{
    return hasEffect(node, SideEffect::AsksPerson);
}

bool fetchesData(const Node& node)
{
    return hasEffect(node, SideEffect::FetchesData);
}

bool reachesOut(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes, [](const Node& node) {
        return hasEffect(node, SideEffect::ReachesOut) || (node.subgraph && reachesOut(*node.subgraph));
    });
}

const std::string* codeFileOf(const Node& node)
{
    const NodeSetting* setting = findSetting(findNodeKind(node.kind), SettingType::CodeFile);
    const Value* file = setting == nullptr ? nullptr : node.settings.find(setting->key);
    return file != nullptr && file->isString() ? &file->asString() : nullptr;
}

std::string textOr(const ValueMap& settings, const NodeSetting& setting)
{
    const Value* value = settings.find(setting.key);
    return value != nullptr && value->isString() ? value->asString() : std::string(setting.fallback);
}

ValueMap firstSettings(const NodeKind& kind, const NodeId& name)
{
    constexpr std::string_view kName = "{name}";
    ValueMap settings;
    for (const NodeSetting& setting : kind.settings) {
        if (setting.first.empty())
            continue;
        std::string text(setting.first);
        if (const std::size_t at = text.find(kName); at != std::string::npos)
            text.replace(at, kName.size(), name.value);
        settings.set(setting.key, Value(std::move(text)));
    }
    return settings;
}

bool isFit(const NodeSetting& setting, const Value& value)
{
    using enum SettingType;
    switch (setting.type) {
    case Text:
    case LongText:
    case Program:
    case CodeFile:
    case Function:
    case ChannelName:
    case Secret: return value.isString();
    case TextOrValue:
    case Json: return true;
    case Count: return value.isInt() && isWithin(setting, value.asDouble());
    case Number: return value.isNumber() && isWithin(setting, value.asDouble());
    case Seconds: return value.isNumber() && value.asDouble() > 0 && value.asDouble() <= kLongestSeconds;
    case Flag: return value.isBool();
    case Word:
        return value.isString()
            && std::ranges::find(setting.words, value.asString(), &SettingWord::word) != setting.words.end();
    case Names:
    case ChannelNames:
    case NodeNames:
    case Secrets:
    case Packages: return isListOfText(value);
    }
    return false;
}

std::string demandOf(const NodeSetting& setting, bool explained)
{
    using enum SettingType;
    switch (setting.type) {
    case Text:
    case LongText:
    case TextOrValue:
    case Program:
    case CodeFile:
    case Function:
    case ChannelName:
    case Secret: return "text";
    case Count:
        return setting.says.empty() ? "a whole number" + boundsText(setting) : std::string(setting.says);
    case Number: return setting.says.empty() ? "a number" + boundsText(setting) : std::string(setting.says);
    case Seconds: return "a number of seconds above 0";
    case Flag: return "true or false";
    case Word: {
        std::string text;
        for (std::size_t i = 0; i < setting.words.size(); ++i) {
            const SettingWord& word = setting.words[i];
            text += i == 0 ? "\"" : i + 1 == setting.words.size() ? " or \"" : ", \"";
            text += std::string(word.word) + "\"";
            if (explained && !word.means.empty())
                text += " (" + std::string(word.means) + ")";
        }
        return text;
    }
    case Names: return "a list of names";
    case ChannelNames: return "a list of channels";
    case NodeNames: return "a list of nodes";
    case Secrets: return "a list of names of secrets";
    case Packages: return "a list of Python packages";
    case Json: return "JSON";
    }
    return {};
}

} // namespace sg::graph
