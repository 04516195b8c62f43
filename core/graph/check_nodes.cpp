#include "core/base/relative_path.h"
#include "core/graph/checks.h"
#include "core/graph/near_name.h"
#include "core/graph/own_secrets.h"
#include "core/graph/requirement.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sg::graph {

namespace {

constexpr std::array<std::string_view, 9> kKinds{ "jq",    "python", "human", "subgraph", "llm",
                                                  "agent", "http",   "tool",  "dataset" };
constexpr int kMostAttempts = 1000;
constexpr double kLongestSeconds = 30.0 * 24 * 3600;

bool isIdentifier(std::string_view text)
{
    if (text.empty() || (text.front() >= '0' && text.front() <= '9'))
        return false;
    for (const char c : text) // letters beyond ASCII may stand in Python's names
        if (!(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'
              || static_cast<unsigned char>(c) >= 0x80))
            return false;
    return true;
}

void checkSeconds(const GraphScope& scope, double seconds, const Place& place, const char* what,
                  bool mayBeZero)
{
    if (!(seconds >= 0 && seconds <= kLongestSeconds) || (seconds == 0 && !mayBeZero))
        scope.error(place, "bad-number",
                    std::string(what) + " is a number of seconds, " + (mayBeZero ? "0" : "more than 0")
                        + " to 30 days");
}

void checkFile(const GraphScope& scope, const Value& file, const Place& place)
{
    if (file.isString())
        findFile(scope, file.asString(), place, "code file");
    else
        scope.error(place, "wrong-type", "\"file\" is the path of a code file");
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
    const auto& isKnown = scope.checking.host.isKnownKind;
    if (!isKnown || isKnown(node.kind))
        return;
    std::vector<std::string_view> known;
    for (const auto kind : kKinds)
        if (isKnown(std::string(kind)))
            known.push_back(kind);
    std::string message = "unknown kind of node '" + node.kind + "'" + didYouMean(node.kind, known);
    if (!nearName(node.kind, known)) {
        message += "; known:";
        for (const auto kind : known)
            message += " " + std::string(kind);
    }
    scope.error(Place(place, "kind"), "unknown-kind", std::move(message));
}

// Sandboxes have the packages that they were started with: who wants others needs one of its own.
void checkOwnRequirements(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* wanted = node.settings.find("requirements");
    if (wanted == nullptr || node.kind != "python")
        return;
    const auto lines = parseRequirementList(*wanted);
    if (!lines)
        return scope.error(place, "bad-requirement", lines.error().message);
    const SandboxSettings& sandbox = scope.graph.sandbox;
    const auto& own = sandbox.ownSessions;
    if (!lines->empty() && !scope.isNested && sandbox.scope != "node"
        && std::ranges::find(own, node.name.value) == own.end())
        scope.error(
            place, "shared-session",
            "'" + node.name.value
                + "' names requirements of its own, but shares its session: add it to "
                  "\"own_sessions\" of the graph's sandbox, or move them to the graph's \"requirements\"");
}

// A session's code can read all its secrets: what one node may know alone needs a session of its own.
void checkOwnSecrets(const GraphScope& scope, const Node& node, const Place& place)
{
    const SandboxSettings& sandbox = scope.graph.sandbox;
    const bool isOwn = scope.isNested || sandbox.scope == "node"
        || std::ranges::find(sandbox.ownSessions, node.name.value) != sandbox.ownSessions.end();
    const auto names = parseSecretList(node.settings);
    if (!names)
        scope.error(place, "bad-setting", names.error().message);
    else if (!names->empty() && !isOwn)
        scope.error(
            place, "shared-session",
            "'" + node.name.value
                + "' names secrets of its own, but shares its session: add it to \"own_sessions\" of the "
                  "graph's sandbox, or move them to the sandbox's \"secrets\"");
    else if (names->empty() && isOwn && !scope.isNested && node.kind == "python" && !sandbox.secrets.empty()
             && !node.settings.contains("secrets"))
        scope.warning(
            place, "no-secrets",
            "'" + node.name.value
                + "' has a session of its own and gets none of the graph's secrets: list its own in its "
                  "\"secrets\" ([] where it needs none)");
}

// What each kind cannot do without.
void checkNeeds(const GraphScope& scope, const Node& node, const Place& place)
{
    const auto need = [&](const char* key, const char* what) {
        if (!node.source.contains(key) && !node.settings.contains(key))
            scope.error(place, "missing-setting",
                        "node '" + node.name.value + "' of kind " + node.kind + " needs \"" + key
                            + "\": " + what);
    };
    if (node.kind == "jq")
        need("jq", "its program");
    else if (node.kind == "python")
        need("file", "its code file");
    else if (node.kind == "subgraph" && !node.subgraph)
        need("graph", "the graph that it runs");
    else if (node.kind != "subgraph" && node.subgraph)
        scope.warning(Place(place, "graph"), "unused-key",
                      "\"graph\" has no effect in a node of kind " + node.kind);
    if (const Value* channel = node.settings.find("channel");
        channel != nullptr && node.kind == "human" && !channel->isNull()) {
        const Place at(place, "channel");
        if (!channel->isString())
            scope.error(at, "wrong-type", "\"channel\" names the channel that takes the answer");
        else if (!scope.channels.contains(channel->asString()))
            scope.error(at, "unknown-channel",
                        "the state has no channel '" + channel->asString() + "'"
                            + didYouMean(channel->asString(), scope.channelNames));
    }
    for (const char* key : { "in", "out" })
        if (const Value* program = node.settings.find(key); program != nullptr && node.kind == "subgraph")
            checkProgram(scope, *program, Place(place, key));
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
        checkSeconds(scope, policy.initialInterval, Place(at, "initial_interval"), "\"initial_interval\"",
                     true);
        checkSeconds(scope, policy.maxInterval, Place(at, "max_interval"), "\"max_interval\"", true);
    }
    if (node.cache && node.cache->ttl)
        checkSeconds(scope, *node.cache->ttl, Place(Place(place, "cache"), "ttl"), "\"ttl\"", false);
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

void checkEnds(const GraphScope& scope, const Node& node, const Place& place)
{
    const Value* ends = node.settings.find("ends");
    if (ends == nullptr || !ends->isList())
        return;
    for (std::size_t i = 0; i < ends->asList().size(); ++i) {
        const Value& end = (*ends)[i];
        if (end.isString() && end.asString() != kEnd && !scope.nodes.contains(end.asString()))
            scope.error(Place(Place(place, "ends"), i), "unknown-node",
                        "there is no node '" + end.asString() + "' to go to"
                            + didYouMean(end.asString(), scope.nodeNames));
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
    checkNeeds(scope, node, place);
    checkCode(scope, node.settings, place);
    checkOwnRequirements(scope, node, Place(place, "requirements"));
    checkOwnSecrets(scope, node, Place(place, "secrets"));
    checkRetry(scope, node, place);
    checkSlices(scope, node, place);
    checkEnds(scope, node, place);
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

void checkCode(const GraphScope& scope, const ValueMap& settings, const Place& place)
{
    if (const Value* program = settings.find("jq"))
        checkProgram(scope, *program, Place(place, "jq"));
    if (const Value* file = settings.find("file"))
        checkFile(scope, *file, Place(place, "file"));
    if (const Value* function = settings.find("function"); function != nullptr)
        if (!function->isString() || !isIdentifier(function->asString()))
            scope.error(Place(place, "function"), "bad-function",
                        "\"function\" is the name of a function in the code file");
    if (const Value* timeout = settings.find("timeout_s")) {
        if (timeout->isNumber())
            checkSeconds(scope, timeout->asDouble(), Place(place, "timeout_s"), "\"timeout_s\"", false);
        else
            scope.error(Place(place, "timeout_s"), "wrong-type", "\"timeout_s\" is a number of seconds");
    }
    if (const Value* onRetry = settings.find("on_retry"))
        if (*onRetry != Value("rollback") && *onRetry != Value("keep"))
            scope.error(Place(place, "on_retry"), "bad-value",
                        "\"on_retry\" is \"rollback\" (what a failed attempt changed in the sandbox is "
                        "undone) or \"keep\"");
}

void checkNodes(const GraphScope& scope)
{
    const Place nodes(scope.place, "nodes");
    for (std::size_t i = 0; i < scope.graph.nodes.size(); ++i)
        checkNode(scope, i, Place(nodes, scope.nodePlaces[i]));
}

} // namespace sg::graph
