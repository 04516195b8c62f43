#include "core/base/relative_path.h"
#include "core/graph/checks/checks.h"
#include "core/graph/near_name.h"
#include "core/graph/own_secrets.h"
#include "core/graph/requirement.h"

#include <algorithm>
#include <cctype>

namespace sg::graph {

namespace {

constexpr int kMostAttempts = 1000;

std::string quotedKey(std::string_view key)
{
    return "\"" + std::string(key) + "\"";
}

bool isIdentifier(std::string_view text)
{
    if (text.empty() || (text.front() >= '0' && text.front() <= '9'))
        return false;
    for (const char c : text) // Python's names may have letters beyond ASCII
        if (!(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'
              || static_cast<unsigned char>(c) >= 0x80))
            return false;
    return true;
}

void checkSeconds(const GraphScope& scope, double seconds, const Place& place, std::string_view key,
                  bool mayBeZero)
{
    if (!(seconds >= 0 && seconds <= kLongestSeconds) || (seconds == 0 && !mayBeZero))
        scope.error(place, "bad-number",
                    quotedKey(key) + " is a number of seconds, " + (mayBeZero ? "0" : "more than 0")
                        + " to 30 days");
}

void checkKind(const GraphScope& scope, const Node& node, const Place& place)
{
    if (node.kind.empty()) {
        if (!node.source.contains("kind"))
            scope.error(
                place, "missing-kind",
                "node '" + node.name.value
                    + "' has no \"kind\", and none of \"jq\", \"file\" or \"graph\" that would say it");
        return;
    }
    if (findNodeKind(node.kind) != nullptr)
        return;
    std::vector<std::string_view> known;
    for (const NodeKind& kind : nodeKinds())
        known.push_back(kind.id);
    std::string message = "unknown kind of node '" + node.kind + "'" + didYouMean(node.kind, known);
    if (!nearName(node.kind, known)) {
        message += "; known:";
        for (const auto kind : known)
            message += " " + std::string(kind);
    }
    scope.error(Place(place, "kind"), "unknown-kind", std::move(message));
}

bool isCodeKey(std::string_view key)
{
    return std::ranges::find(codeSettings(), key, &NodeSetting::key) != codeSettings().end();
}

// A subgraph's nodes may share the outer session, which is unknown here: they count as having their own.
bool hasOwnSession(const GraphScope& scope, const Node& node)
{
    const SandboxSettings& sandbox = scope.graph.sandbox;
    return scope.isNested || sandbox.scope == "node"
        || std::ranges::find(sandbox.ownSessions, node.name.value) != sandbox.ownSessions.end();
}

bool mayOwnSession(std::string_view kind)
{
    const NodeKind* known = findNodeKind(kind);
    return known != nullptr && known->mayOwnSession;
}

// Code in a session can read all of its secrets, so a secret of one node needs a session of its own.
void checkOwnSecrets(const GraphScope& scope, const Node& node, const Place& place)
{
    const SandboxSettings& sandbox = scope.graph.sandbox;
    const bool isOwn = hasOwnSession(scope, node);
    const auto names = parseSecretList(node.settings);
    if (!names)
        scope.error(Place(place, "secrets"), "bad-setting", names.error().message);
    else if (!names->empty() && !isOwn)
        scope.error(
            Place(place, "secrets"), "shared-session",
            "'" + node.name.value
                + "' names secrets of its own, but shares its session: add it to \"own_sessions\" of the "
                  "graph's sandbox, or move them to the sandbox's \"secrets\"");
    else if (names->empty() && isOwn && !scope.isNested && mayOwnSession(node.kind)
             && !sandbox.secrets.empty() && !node.settings.contains("secrets"))
        scope.warning(
            Place(place, "secrets"), "no-secrets",
            "'" + node.name.value
                + "' has a session of its own and gets none of the graph's secrets: list its own in its "
                  "\"secrets\" ([] where it needs none)");
    const auto headers = parseSecretList(node.settings, kSecretHeadersKey);
    if (!headers)
        scope.error(Place(place, "secret_headers"), "bad-setting", headers.error().message);
    else if (!headers->empty() && !isOwn)
        scope.error(Place(place, "secret_headers"), "shared-session",
                    "'" + node.name.value
                        + "' names headers of its own, but shares its session: add it to \"own_sessions\" "
                          "of the graph's sandbox");
}

// Checks settings that the kind describes. Those of code, which branches have, too, are left to checkCode().
void checkSettings(const GraphScope& scope, const Node& node, const NodeKind& kind, const Place& place)
{
    const auto need = [&](std::string_view key, std::string_view what) {
        if (!node.source.contains(key) && !node.settings.contains(key))
            scope.error(place, "missing-setting",
                        "node '" + node.name.value + "' of kind " + node.kind + " needs " + quotedKey(key)
                            + ": " + std::string(what));
    };
    for (const NodeSetting& setting : kind.settings) {
        if (!setting.needed.empty())
            need(setting.key, setting.needed);
        const Value* value = node.settings.find(setting.key);
        if (value != nullptr && !setting.checkedByRun && !isCodeKey(setting.key))
            checkSetting(scope, setting, *value, Place(place, setting.key));
    }
    if (kind.holdsGraph && !node.subgraph && !checkGraphFile(scope, node, place))
        need("graph", "the graph that it runs");
    if (kind.check != nullptr)
        kind.check(scope, node, place);
}

void checkRetry(const GraphScope& scope, const Node& node, const Place& place)
{
    const Place retry(place, "retry");
    const bool isList = node.source.find("retry") != nullptr && node.source.find("retry")->isList();
    for (std::size_t i = 0; i < node.retry.size(); ++i) {
        const RetryPolicy& policy = node.retry[i];
        const Place item(retry, i);
        const Place& at = isList ? item : retry;
        if (policy.maxAttempts < 1 || policy.maxAttempts > kMostAttempts)
            scope.error(Place(at, "max_attempts"), "bad-retry",
                        "\"max_attempts\" counts the first attempt too: from 1 to 1000");
        if (!(policy.backoffFactor > 0 && policy.backoffFactor <= 1000))
            scope.error(Place(at, "backoff_factor"), "bad-retry",
                        "\"backoff_factor\" is more than 0 and at most 1000");
        checkSeconds(scope, policy.initialInterval, Place(at, "initial_interval"), "initial_interval", true);
        checkSeconds(scope, policy.maxInterval, Place(at, "max_interval"), "max_interval", true);
    }
    if (node.cache && node.cache->ttl)
        checkSeconds(scope, *node.cache->ttl, Place(Place(place, "cache"), "ttl"), "ttl", false);
}

void checkSlices(const GraphScope& scope, const Node& node, const Place& place)
{
    checkChannelNames(scope, node.input, Place(place, "input"));
    checkChannelNames(scope, node.reads, Place(place, "reads"));
    checkChannelNames(scope, node.writes, Place(place, "writes"));
    for (std::size_t i = 0; node.writes && i < node.writes->size(); ++i) {
        const auto channel = scope.channels.find((*node.writes)[i]);
        if (channel == scope.channels.end())
            continue;
        const ChannelType type = channel->second->type;
        if (type == ChannelType::RemainingSteps || type == ChannelType::IsLastStep)
            scope.error(Place(Place(place, "writes"), i), "read-only-channel",
                        "the channel '" + (*node.writes)[i]
                            + "' is kept by the engine and cannot be written");
    }
}

void checkNodeNames(const GraphScope& scope, const Value& names, const Place& place)
{
    for (std::size_t i = 0; i < names.asList().size(); ++i) {
        const Value& name = names[i];
        if (name.isString() && name.asString() != kEnd && !scope.nodes.contains(name.asString()))
            scope.error(Place(place, i), "unknown-node",
                        "there is no node '" + name.asString() + "' to go to"
                            + didYouMean(name.asString(), scope.nodeNames));
    }
}

void checkNode(const GraphScope& scope, std::size_t index, const Place& place)
{
    const Node& node = scope.graph.nodes[index];
    const Place name(place, "name");
    if (const std::string fault = nameFault(node.name.value); !fault.empty())
        scope.error(name, "bad-name", "the node name '" + node.name.value + "' " + fault);
    if (const auto first = scope.nodes.find(node.name.value);
        first != scope.nodes.end() && first->second != index)
        scope.error(name, "duplicate-node",
                    "there is another node '" + node.name.value + "'; names must differ");
    checkKind(scope, node, place);
    const NodeKind* kind = findNodeKind(node.kind);
    if (kind != nullptr)
        checkSettings(scope, node, *kind, place);
    if (node.subgraph && (kind == nullptr || !kind->holdsGraph))
        scope.warning(Place(place, "graph"), "unused-key",
                      "\"graph\" has no effect in a node of kind " + node.kind);
    checkCode(scope, node.settings, place);
    checkOwnSecrets(scope, node, place);
    checkRetry(scope, node, place);
    checkSlices(scope, node, place);
    if (const Value* ends = node.settings.find("ends"); ends != nullptr && ends->isList())
        checkNodeNames(scope, *ends, Place(place, "ends"));
    if (node.errorHandler.isMap()) {
        const Place handler(place, "error_handler");
        if (!node.errorHandler.find("jq") && !node.errorHandler.find("file"))
            scope.error(handler, "missing-setting",
                        "an error handler needs \"jq\", or \"file\" and \"function\"");
        checkCode(scope, node.errorHandler.asMap(), handler);
    }
}

} // namespace

std::optional<std::filesystem::path> findFile(const GraphScope& scope, const std::string& file,
                                              const Place& place, const std::string& what)
{
    auto target = findPath(scope, file, place, what);
    std::error_code error;
    if (target && !std::filesystem::is_regular_file(*target, error)) {
        scope.error(place, "missing-file", "'" + file + "' is not a file");
        return std::nullopt;
    }
    return target;
}

std::optional<std::filesystem::path> findPath(const GraphScope& scope, const std::string& file,
                                              const Place& place, const std::string& what)
{
    const auto refuse = [&](const char* code, std::string message) {
        scope.error(place, code, std::move(message));
        return std::nullopt;
    };
    auto path = RelativePath::parse(file);
    if (!path)
        return refuse("bad-path",
                      "the " + what + " must stand in the graph's folder: " + path.error().message);
    if (scope.checking.host.folder.empty())
        return std::nullopt;
    std::error_code error;
    const auto folder = std::filesystem::weakly_canonical(scope.checking.host.folder, error);
    const auto target = std::filesystem::weakly_canonical(folder / path->text(), error);
    const auto inside = target.lexically_relative(folder);
    if (error || inside.empty() || *inside.begin() == "..")
        return refuse("bad-path",
                      "the " + what + " '" + path->text()
                          + "' is a link that leads out of the graph's folder");
    if (!std::filesystem::exists(target, error))
        return refuse("missing-file",
                      "the " + what + " '" + path->text() + "' does not exist in " + folder.string()
                          + "; create it or correct the path");
    return target;
}

void checkProgram(const GraphScope& scope, const Value& program, const Place& place)
{
    if (program.isString())
        scope.checking.programs.push_back({ program.asString(), place.pointer() });
    else
        scope.error(place, "wrong-type", "a jq program is a string");
}

void checkSetting(const GraphScope& scope, const NodeSetting& setting, const Value& value, const Place& place)
{
    const std::string key = quotedKey(setting.key);
    switch (setting.type) {
    case SettingType::Program: return checkProgram(scope, value, place);
    case SettingType::CodeFile:
        if (value.isString())
            findFile(scope, value.asString(), place, "code file");
        else
            scope.error(place, "wrong-type", key + " is the path of a code file");
        return;
    case SettingType::Function:
        if (!value.isString() || !isIdentifier(value.asString()))
            scope.error(place, "bad-function", key + " is the name of a function in the code file");
        return;
    case SettingType::Seconds:
        if (value.isNumber())
            checkSeconds(scope, value.asDouble(), place, setting.key, false);
        else
            scope.error(place, "wrong-type", key + " is a number of seconds");
        return;
    case SettingType::Word:
        if (!isFit(setting, value))
            scope.error(place, "bad-value", key + " is " + demandOf(setting, true));
        return;
    case SettingType::ChannelName:
        if (value.isNull())
            return;
        if (!value.isString())
            scope.error(place, "wrong-type", key + " names " + std::string(setting.says));
        else if (!scope.channels.contains(value.asString()))
            scope.error(place, "unknown-channel",
                        "the state has no channel '" + value.asString() + "'"
                            + didYouMean(value.asString(), scope.channelNames));
        return;
    case SettingType::ChannelNames:
        if (isFit(setting, value)) {
            std::vector<std::string> names;
            for (const Value& name : value.asList())
                names.push_back(name.asString());
            checkChannelNames(scope, names, place);
        }
        break;
    case SettingType::NodeNames:
        if (isFit(setting, value))
            checkNodeNames(scope, value, place);
        break;
    case SettingType::Secrets: // parsed where their session is checked
    case SettingType::Packages: return;
    case SettingType::Text:
    case SettingType::LongText:
    case SettingType::TextOrValue:
    case SettingType::Count:
    case SettingType::Number:
    case SettingType::Flag:
    case SettingType::Names:
    case SettingType::Secret:
    case SettingType::Json: break;
    }
    if (!value.isNull() && !isFit(setting, value))
        scope.error(place, "bad-setting", key + " must be " + demandOf(setting));
}

void checkCode(const GraphScope& scope, const ValueMap& settings, const Place& place)
{
    for (const NodeSetting& setting : codeSettings())
        if (const Value* value = settings.find(setting.key))
            checkSetting(scope, setting, *value, Place(place, setting.key));
}

// A sandbox has the packages it was started with, so a node with other packages needs its own.
void checkOwnRequirements(const GraphScope& scope, const Node& node, const Place& place)
{
    const NodeSetting* setting = findSetting(findNodeKind(node.kind), SettingType::Packages);
    const Value* wanted = setting == nullptr ? nullptr : node.settings.find(setting->key);
    if (wanted == nullptr)
        return;
    const Place at(place, setting->key);
    const auto lines = parseRequirementList(*wanted);
    if (!lines)
        return scope.error(at, "bad-requirement", lines.error().message);
    if (!lines->empty() && !hasOwnSession(scope, node))
        scope.error(
            at, "shared-session",
            "'" + node.name.value
                + "' names requirements of its own, but shares its session: add it to "
                  "\"own_sessions\" of the graph's sandbox, or move them to the graph's \"requirements\"");
}

void checkNodes(const GraphScope& scope)
{
    const Place nodes(scope.place, "nodes");
    for (std::size_t i = 0; i < scope.graph.nodes.size(); ++i)
        checkNode(scope, i, Place(nodes, scope.nodePlaces[i]));
    if (!scope.checking.skipped.empty()) // one of them may be the node
        return;
    const Place layout(scope.place, "layout");
    for (const auto& [name, position] : scope.graph.layout)
        if (name.value != kStart && name.value != kEnd && !scope.nodes.contains(name.value))
            scope.hint(Place(layout, name.value), "unknown-node",
                       "the layout has a place for '" + name.value + "', which is no node"
                           + didYouMean(name.value, scope.nodeNames));
}

} // namespace sg::graph
