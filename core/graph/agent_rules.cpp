#include "core/graph/agent_rules.h"

#include "core/base/json.h"
#include "core/graph/near_name.h"
#include "core/graph/node_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace sg::graph {
namespace {

using Keys = std::vector<std::string_view>;
using Names = std::optional<std::vector<std::string>>;

constexpr std::array<std::string_view, 4> kDecisions{ "approve", "edit", "reject", "respond" };

Error wrongRule(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

// Refuses the first key that is neither known nor the user's own.
Result<void> checkKeys(const ValueMap& object, const Keys& known, const std::string& what)
{
    for (const auto& [key, value] : object) {
        const std::string name = key.isString() ? key.asString() : toJson(key);
        if (name.starts_with("x-") || std::ranges::find(known, name) != known.end())
            continue;
        std::string message = what + " has no \"" + name + "\": it has ";
        for (std::size_t i = 0; i < known.size(); ++i)
            message += (i == 0 ? "" : i + 1 < known.size() ? ", " : " and ") + std::string(known[i]);
        return wrongRule(message + didYouMean(name, known));
    }
    return {};
}

// The text under a key that may be absent.
Result<std::string> textUnder(const Value& object, std::string_view key, const std::string& what)
{
    const Value* found = object.find(key);
    if (found == nullptr || found->isNull())
        return std::string();
    if (!found->isString())
        return wrongRule("\"" + std::string(key) + "\" of " + what + " is text");
    return found->asString();
}

Result<std::vector<std::string>> readDecisions(const Value& allowed, const std::string& place)
{
    if (allowed.isNull())
        return std::vector<std::string>(kDecisions.begin(), kDecisions.end());
    if (!allowed.isList() || allowed.asList().empty())
        return wrongRule(place + ": \"allowed_decisions\" is a list of approve, edit, reject, respond");
    std::vector<std::string> read;
    for (const Value& each : allowed.asList()) {
        if (!each.isString() || std::ranges::find(kDecisions, each.asString()) == kDecisions.end())
            return wrongRule(place + ": there is no decision " + toJson(each)
                             + "; there are approve, edit, reject, respond");
        read.push_back(each.asString());
    }
    return read;
}

Result<ReviewRule> readRule(const std::string& tool, const Value& value)
{
    ReviewRule rule;
    if (value == Value(false) || value.isNull())
        return rule; // no decision is allowed: it is not reviewed
    const std::string place = "\"" + tool + "\" of \"review\"";
    if (value != Value(true) && !value.isMap())
        return wrongRule(place + " is true, false or {\"allowed_decisions\", \"description\", \"when\"}");
    if (value.isMap())
        if (auto known = checkKeys(value.asMap(), { "allowed_decisions", "description", "when" }, place);
            !known)
            return std::move(known.error());
    auto allowed = readDecisions(value["allowed_decisions"], place);
    if (!allowed)
        return std::move(allowed.error());
    rule.allowed = std::move(*allowed);
    for (auto [key, text] :
         { std::pair{ "description", &rule.description }, std::pair{ "when", &rule.when } }) {
        auto read = textUnder(value, key, place);
        if (!read)
            return std::move(read.error());
        *text = std::move(*read);
    }
    return rule;
}

// One of two words; absent: the first.
Result<bool> isSecond(const Value& object, std::string_view key, std::string_view first,
                      std::string_view second)
{
    const Value* found = object.find(key);
    if (found == nullptr || *found == Value(first))
        return false;
    if (*found == Value(second))
        return true;
    return wrongRule("\"" + std::string(key) + "\" of \"review\" is \"" + std::string(first) + "\" or \""
                     + std::string(second) + "\"");
}

} // namespace

const ReviewRule* ReviewRules::find(const std::string& tool) const
{
    auto found = byTool.find(tool);
    if (found == byTool.end())
        found = byTool.find(kEveryOtherTool);
    return found == byTool.end() || found->second.allowed.empty() ? nullptr : &found->second;
}

Result<ReviewRules> ReviewRules::read(const Value& value)
{
    ReviewRules rules;
    if (value.isNull())
        return rules;
    if (value.isMap())
        if (auto known = checkKeys(value.asMap(), { "mode", "on_wrong_answer", "tools" }, "\"review\"");
            !known)
            return std::move(known.error());
    if (!value.isMap() || !value["tools"].isMap())
        return wrongRule("\"review\" is {\"tools\": {name: true}, \"mode\": \"batched\" or \"per_call\"}");
    const auto isPerCall = isSecond(value, "mode", "batched", "per_call");
    const auto raises = isSecond(value, "on_wrong_answer", "ask", "raise");
    for (const auto* read : { &isPerCall, &raises })
        if (!*read)
            return read->error();
    rules.isPerCall = *isPerCall;
    rules.raisesWrongAnswers = *raises;
    for (const auto& [key, entry] : value["tools"].asMap()) {
        const std::string tool = key.isString() ? key.asString() : std::string();
        auto rule = readRule(tool, entry);
        if (!rule)
            return std::move(rule.error());
        rules.byTool[tool] = std::move(*rule);
    }
    return rules;
}

Result<Permissions> Permissions::read(const Value& value)
{
    Permissions permissions;
    if (value.isNull())
        return permissions;
    if (!value.isMap())
        return wrongRule("\"permissions\" is an object of \"tools\", \"datasets\" and \"hosts\"");
    if (auto known = checkKeys(value.asMap(), { "tools", "datasets", "hosts" }, "\"permissions\""); !known)
        return std::move(known.error());
    for (auto [key, names] :
         { std::pair{ "tools", &permissions.tools }, std::pair{ "datasets", &permissions.datasets },
           std::pair{ "hosts", &permissions.hosts } }) {
        const Value& entry = value[key];
        if (entry.isNull())
            continue;
        if (!entry.isList() || !std::ranges::all_of(entry.asList(), &Value::isString))
            return wrongRule("\"" + std::string(key) + "\" of \"permissions\" is a list of names");
        names->emplace();
        for (const Value& each : entry.asList())
            (*names)->push_back(each.asString());
    }
    return permissions;
}

Result<AgentBudget> AgentBudget::read(const Value& value)
{
    AgentBudget budget;
    if (value.isNull())
        return budget;
    if (!value.isMap())
        return wrongRule("\"budget\" is an object of \"turns\", \"tokens\", \"cost\" and \"seconds\"");
    if (auto known = checkKeys(value.asMap(), { "turns", "tokens", "cost", "seconds", "then" }, "\"budget\"");
        !known)
        return std::move(known.error());
    if (const Value* then = value.find("then")) {
        if (*then != Value("fail") && *then != Value("end"))
            return wrongRule("\"then\" of \"budget\" is \"fail\" or \"end\"");
        budget.endsQuietly = *then == Value("end");
    }
    const auto number = [&value](std::string_view key, std::int64_t most) -> Result<std::optional<double>> {
        const Value* found = value.find(key);
        if (found == nullptr)
            return std::optional<double>();
        if (!found->isNumber() || !(found->asDouble() >= 0 && found->asDouble() <= static_cast<double>(most)))
            return wrongRule("\"" + std::string(key) + "\" of \"budget\" is a number from 0 to "
                             + toJson(Value(most)));
        return std::optional(found->asDouble());
    };
    const auto turns = number("turns", kMostBudget);
    const auto tokens = number("tokens", kMostBudget);
    const auto cost = number("cost", kMostBudget);
    const auto seconds = number("seconds", static_cast<std::int64_t>(kLongestSeconds));
    for (const auto* read : { &turns, &tokens, &cost, &seconds })
        if (!*read)
            return read->error();
    if (*turns && (**turns < 1 || **turns != std::floor(**turns)))
        return wrongRule("\"turns\" of \"budget\" is a whole number from 1 to " + toJson(Value(kMostBudget))
                         + ": an agent without a turn answers nothing");
    if (*turns)
        budget.turns = static_cast<std::int64_t>(**turns);
    if (*tokens)
        budget.tokens = static_cast<std::int64_t>(**tokens);
    budget.cost = *cost;
    budget.seconds = *seconds;
    return budget;
}

} // namespace sg::graph
