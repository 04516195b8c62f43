#include "core/base/file.h"
#include "core/base/json.h"
#include "core/graph/node_kinds.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <set>

using namespace sg;

namespace {

// Follows "$ref": "#/$defs/…".
const Value& resolved(const Value& root, const Value& schema)
{
    const Value* at = &schema;
    while (at->find("$ref") && (*at)["$ref"].isString())
        at = &root["$defs"][(*at)["$ref"].asString().substr(8)];
    return *at;
}

// Keys of `value` that no part of `schema` names, as pointers; "x-…" stands for keys unknown on purpose.
void collectUnknown(const Value& root, const Value& schema, const Value& value, const std::string& at,
                    std::string& found)
{
    const Value& rule = resolved(root, schema);
    for (const char* either : { "anyOf", "allOf" })
        if (const Value* parts = rule.find(either))
            for (const Value& part : parts->asList())
                if (part.find("$ref") || part.find("type"))
                    collectUnknown(root, part, value, at, found);
    if (value.isList() && rule.find("items"))
        for (std::size_t i = 0; i < value.asList().size(); ++i)
            collectUnknown(root, rule["items"], value[i], at + "/" + std::to_string(i), found);
    if (!value.isMap())
        return;
    for (const auto& [key, entry] : value.asMap()) {
        const std::string& name = key.asString();
        const std::string pointer = at + "/" + name;
        if (const Value* known = rule["properties"].find(name))
            collectUnknown(root, *known, entry, pointer, found);
        else if (const Value* any = rule.find("additionalProperties"))
            collectUnknown(root, *any, entry, pointer, found);
        else if (rule.find("properties") && !name.starts_with("x-"))
            found += pointer + "\n";
    }
}

} // namespace

class TestGraphSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesEveryKeyOfTheFormat()
    {
        const auto schema = load(SG_SOURCE_DIR "/resources/schemas/graph.schema.json");
        const auto full = load(SG_SOURCE_DIR "/tests/data/graph/full.graph.json");
        std::string unknown;
        collectUnknown(schema, schema, full, "", unknown);
        QCOMPARE(unknown, std::string());
    }

    // Both ways: a key of a kind that stands in one of the two alone is named here.
    void namesEverySettingOfEveryKind()
    {
        const auto schema = load(SG_SOURCE_DIR "/resources/schemas/graph.schema.json");
        const Value& properties = schema["$defs"]["node"]["properties"];
        std::set<std::string> told{ "name",  "kind",  "graph", "defer",  "retry",
                                    "cache", "input", "reads", "writes", "error_handler" };
        std::string missing;
        const auto check = [&](std::span<const graph::NodeSetting> settings) {
            for (const graph::NodeSetting& setting : settings) {
                const std::string key(setting.key);
                told.insert(key);
                const Value* known = properties.find(key);
                if (known == nullptr) {
                    missing += key + " is not in the schema\n";
                    continue;
                }
                const Value& rule = resolved(schema, *known);
                for (const graph::SettingWord& word : setting.words)
                    if (std::ranges::find(rule["enum"].asList(), Value(word.word))
                        == rule["enum"].asList().end())
                        missing += key + ": the schema lacks " + std::string(word.word) + "\n";
                if (setting.most > setting.least && rule["maximum"] != Value(static_cast<int>(setting.most)))
                    missing += key + ": the schema has another maximum\n";
            }
        };
        check(graph::commonSettings());
        std::set<std::string> kinds;
        for (const graph::NodeKind& kind : graph::nodeKinds()) {
            check(kind.settings);
            kinds.emplace(kind.id);
        }
        for (const auto& [key, rule] : properties.asMap())
            if (!told.contains(key.asString()))
                missing += key.asString() + " is no setting of any kind\n";
        QCOMPARE(missing, std::string());
        std::set<std::string> inSchema;
        for (const Value& kind : properties["kind"]["enum"].asList())
            inSchema.insert(kind.asString());
        QVERIFY(kinds == inSchema);
    }

    // Guards the walk over the file: it must be able to find something.
    void noticesAKeyThatTheSchemaLacks()
    {
        const auto schema = load(SG_SOURCE_DIR "/resources/schemas/graph.schema.json");
        auto file = parseJson(
            R"({"nodez": 1, "nodes": [{"retry": [{"attempts": 1}]}], "sandbox": {"limits": {"ram": 1}}})");
        std::string unknown;
        collectUnknown(schema, schema, *file, "", unknown);
        QCOMPARE(unknown, std::string("/nodez\n/nodes/0/retry/0/attempts\n/sandbox/limits/ram\n"));
    }

private:
    static Value load(const char* path)
    {
        auto text = readFile(path);
        auto value = text ? parseJson(*text) : Result<Value>(std::move(text.error()));
        if (!value)
            qFatal("%s: %s", path, value.error().message.c_str());
        return std::move(*value);
    }
};

SG_TEST(TestGraphSchema)
#include "tst_graph_schema.moc"
