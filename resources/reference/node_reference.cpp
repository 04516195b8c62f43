#include "resources/reference/node_reference.h"

#include "core/base/json.h"
#include "core/graph/node_kinds.h"
#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <cctype>

namespace sg::reference {
namespace {

using graph::NodeKind;
using graph::NodeSetting;
using Type = graph::SettingType;

constexpr std::string_view kOfKind = "Node"; // ends the name of a kind's definition
constexpr std::size_t kLineWidth = 150;

std::string sentence(std::string_view text)
{
    std::string whole(text);
    if (whole.empty())
        return whole;
    whole.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(whole.front())));
    return whole.ends_with('.') ? whole : whole + ".";
}

std::string helpOf(const NodeSetting& setting)
{
    if (!setting.help.empty())
        return std::string(setting.help);
    return setting.type == Type::ChannelName ? sentence(setting.says) : std::string();
}

Value reference(std::string_view definition)
{
    return Value::map({ { "$ref", "#/$defs/" + std::string(definition) } });
}

Value listOf(Value items)
{
    return Value::map({ { "type", Value::list({ "array", "null" }) }, { "items", std::move(items) } });
}

Value number(const NodeSetting& setting, const char* type)
{
    Value rule = Value::map({ { "type", Value::list({ type, "null" }) } });
    if (setting.most > setting.least) {
        rule.editMap().set("minimum", static_cast<std::int64_t>(setting.least));
        rule.editMap().set("maximum", static_cast<std::int64_t>(setting.most));
    }
    return rule;
}

// Allows the same as validation, see checkSetting() in core/graph.
Value ruleOf(const NodeSetting& setting)
{
    const Value text = Value::map({ { "type", "string" } });
    switch (setting.type) {
    case Type::Text:
    case Type::LongText:
    case Type::ChannelName:
    case Type::Secret: return Value::map({ { "type", Value::list({ "string", "null" }) } });
    case Type::TextOrValue:
    case Type::Json: return Value::map();
    case Type::Program: return reference("program");
    case Type::CodeFile: return reference("codeFile");
    case Type::Function: return reference("function");
    case Type::Count: return number(setting, "integer");
    case Type::Number: return number(setting, "number");
    case Type::Seconds: {
        Value rule = reference("seconds");
        rule.editMap().set("exclusiveMinimum", 0);
        return rule;
    }
    case Type::Flag: return Value::map({ { "type", Value::list({ "boolean", "null" }) } });
    case Type::Word: {
        ValueList words;
        for (const graph::SettingWord& word : setting.words)
            words.emplace_back(word.word);
        return Value::map({ { "enum", Value(std::move(words)) } });
    }
    case Type::Names:
    case Type::ChannelNames: return listOf(text);
    case Type::NodeNames: return listOf(reference("nodeName"));
    case Type::Secrets: return listOf(reference("secretName"));
    case Type::Packages: {
        Value rule = listOf(reference("package"));
        rule.editMap().set("maxItems", 1000);
        return rule;
    }
    }
    return {};
}

Value settingRule(const NodeSetting& setting)
{
    Value rule = Value::map({ { "title", setting.label } });
    const Value typed = ruleOf(setting);
    const auto shape = parseJson(setting.shape.empty() ? "{}" : setting.shape);
    for (const Value* part : { &typed, shape ? &*shape : nullptr })
        if (part != nullptr)
            for (const auto& [key, value] : part->asMap())
                rule.editMap().set(key, value);
    if (!setting.fallback.empty())
        rule.editMap().set("default",
                           setting.type == Type::Flag ? Value(setting.fallback == "true")
                                                      : Value(setting.fallback));
    if (std::string help = helpOf(setting); !help.empty())
        rule.editMap().set("description", std::move(help));
    return rule;
}

std::string definitionName(const NodeKind& kind)
{
    return std::string(kind.id) + std::string(kOfKind);
}

Value kindRule(const NodeKind& kind)
{
    ValueMap properties;
    ValueList needed;
    for (const NodeSetting& setting : kind.settings) {
        properties.set(setting.key, settingRule(setting));
        if (!setting.needed.empty())
            needed.emplace_back(setting.key);
    }
    if (kind.holdsGraph) {
        properties.set("graph", reference("graph"));
        needed.emplace_back("graph");
    }
    Value rule = Value::map({ { "title", kind.title }, { "description", sentence(kind.does) } });
    if (!needed.empty())
        rule.editMap().set("required", Value(std::move(needed)));
    rule.editMap().set("properties", Value(std::move(properties)));
    return rule;
}

Value hasKey(std::string_view key)
{
    return Value::map({ { "required", Value::list({ key }) } });
}

// Holds for a node that names the kind, and for one without "kind" whose first known key says it.
Value conditionOf(const NodeKind& kind)
{
    Value named = hasKey("kind");
    named.editMap().set("properties", Value::map({ { "kind", Value::map({ { "const", kind.id } }) } }));
    ValueList earlier{ hasKey("kind") };
    for (const graph::KindOfKey& implied : graph::kKindsOfKeys) {
        if (implied.kind == kind.id) {
            Value unnamed = hasKey(implied.key);
            unnamed.editMap().set("not", Value::map({ { "anyOf", Value(earlier) } }));
            return Value::map({ { "anyOf", Value::list({ std::move(named), std::move(unnamed) }) } });
        }
        earlier.push_back(hasKey(implied.key));
    }
    return named;
}

Value kindWord()
{
    ValueList ids;
    for (const NodeKind& kind : graph::nodeKinds())
        ids.emplace_back(kind.id);
    std::string absent;
    for (const graph::KindOfKey& implied : graph::kKindsOfKeys)
        absent += (absent.empty() ? "Absent: " : ", ") + std::string(implied.kind) + " where there is \""
            + std::string(implied.key) + "\"";
    return Value::map({ { "enum", Value(std::move(ids)) }, { "description", absent + "." } });
}

Value nodeRule(const Value& old)
{
    Value node = old;
    ValueList ways{ hasKey("kind") };
    for (const graph::KindOfKey& implied : graph::kKindsOfKeys)
        ways.push_back(hasKey(implied.key));
    ValueList kinds;
    for (const NodeKind& kind : graph::nodeKinds())
        kinds.push_back(
            Value::map({ { "if", conditionOf(kind) }, { "then", reference(definitionName(kind)) } }));
    Value properties = old["properties"];
    properties.editMap().set("kind", kindWord());
    for (const NodeSetting& setting : graph::commonSettings())
        properties.editMap().set(setting.key, settingRule(setting));
    node.editMap().set("anyOf", Value(std::move(ways)));
    node.editMap().set("properties", std::move(properties));
    node.editMap().set("allOf", Value(std::move(kinds)));
    return node;
}

Value sandboxRule(const Value& old)
{
    ValueList backends{ "", sandbox::kAutoBackend };
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        backends.emplace_back(kind.name);
    Value properties = old["properties"];
    properties.editMap().set("backend", Value::map({ { "enum", Value(std::move(backends)) } }));
    Value rule = old;
    rule.editMap().set("properties", std::move(properties));
    return rule;
}

class Writer {
public:
    std::string text(const Value& value)
    {
        write(value, 0);
        return std::move(m_text) + "\n";
    }

private:
    void write(const Value& value, std::size_t reserved)
    {
        std::string flat = toJson(value, JsonStyle::Spaced);
        if (m_depth > 0 && m_depth * 2 + reserved + flat.size() < kLineWidth)
            m_text += flat;
        else if (value.isMap())
            block('{', '}', value.asMap(), [this](const ValueMap::Entry& entry) {
                const std::string key = toJson(entry.first) + ": ";
                m_text += key;
                write(entry.second, key.size());
            });
        else if (value.isList())
            block('[', ']', value.asList(), [this](const Value& entry) { write(entry, 0); });
        else
            m_text += flat;
    }

    template<typename Range, typename Write>
    void block(char open, char close, const Range& range, Write writeOne)
    {
        m_text += open;
        ++m_depth;
        const char* separator = "\n";
        for (const auto& entry : range) {
            m_text += separator + std::string(m_depth * 2, ' ');
            writeOne(entry);
            separator = ",\n";
        }
        --m_depth;
        m_text += "\n" + std::string(m_depth * 2, ' ') + close;
    }

    std::string m_text;
    std::size_t m_depth = 0;
};

std::string valueText(const NodeSetting& setting)
{
    switch (setting.type) {
    case Type::TextOrValue: return "text, or any JSON";
    case Type::Program: return "a jq program";
    case Type::CodeFile: return "a path below the graph's folder";
    case Type::Function: return "a function's name";
    case Type::ChannelName: return "a channel's name";
    case Type::Secret: return "a secret's name";
    case Type::Count: {
        NodeSetting bounds = setting;
        bounds.says = {};
        return graph::demandOf(bounds);
    }
    default: return graph::demandOf(setting);
    }
}

std::string code(std::string_view text)
{
    return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

std::string settingTable(std::span<const NodeSetting> settings)
{
    std::string text = "| key | value | absent | what |\n| --- | --- | --- | --- |\n";
    for (const NodeSetting& setting : settings) {
        const std::string absent = setting.needed.empty() ? code(setting.fallback) : "needed";
        const std::string help = helpOf(setting);
        text += "| " + code(setting.key) + " | " + valueText(setting) + " | " + absent + " | "
            + (help.empty() ? sentence(setting.label) : help) + " |\n";
    }
    return text;
}

std::string kindSection(const NodeKind& kind)
{
    std::string text = "## " + std::string(kind.title) + "\n" + sentence(kind.does) + " `\"kind\": \""
        + std::string(kind.id) + "\"`";
    for (const graph::KindOfKey& implied : graph::kKindsOfKeys)
        if (implied.kind == kind.id)
            text += ", or " + code(implied.key) + " without a kind";
    return text + ".\n\n" + settingTable(kind.settings)
        + (kind.holdsGraph ? "| `graph` | a graph | needed | What it runs. |\n" : "") + "\n";
}

} // namespace

Value completed(const Value& schema)
{
    ValueMap definitions;
    for (const auto& [name, rule] : schema["$defs"].asMap())
        if (!name.asString().ends_with(kOfKind)) {
            definitions.set(name,
                            name.asString() == "node"          ? nodeRule(rule)
                                : name.asString() == "sandbox" ? sandboxRule(rule)
                                                               : rule);
            if (name.asString() == "node")
                for (const NodeKind& kind : graph::nodeKinds())
                    definitions.set(definitionName(kind), kindRule(kind));
        }
    Value made = schema;
    made.editMap().set("$defs", Value(std::move(definitions)));
    return made;
}

std::string schemaText(const Value& schema)
{
    return Writer().text(schema);
}

std::string nodeChapter(const Value& schema)
{
    std::string text =
        "# Kinds of nodes\n\n"
        "What each kind of node does, and which keys it has in the graph file; the form shows the "
        "same settings.\n\n";
    for (const NodeKind& kind : graph::nodeKinds())
        text += kindSection(kind);
    text += "## Every node\n| key | what |\n| --- | --- |\n";
    for (const auto& [key, rule] : schema["$defs"]["node"]["properties"].asMap())
        text += "| " + code(key.asString()) + " | " + rule.stringOr("description", "") + " |\n";
    return text;
}

} // namespace sg::reference
