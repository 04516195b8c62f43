// The schema of graph files and the guide's chapter of nodes say what the descriptors say, and what is valid.
// Both are made by the build: nothing of a kind is written by hand a second time.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/graph/graph_file.h"
#include "core/graph/node_kinds.h"
#include "core/graph/validate.h"
#include "tests/core/graph/json_schema.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <filesystem>

#include "resources/reference/node_reference.h"

using namespace sg;

namespace {

namespace fs = std::filesystem;

const fs::path kSource = SG_SOURCE_DIR;
const fs::path kShare = fs::path(SG_BIN_DIR).parent_path() / "share/sandglass";

std::string textOf(const fs::path& path)
{
    auto text = readFile(path);
    if (!text)
        qFatal("%s: %s", path.c_str(), text.error().message.c_str());
    return std::move(*text);
}

Value load(const fs::path& path)
{
    auto value = parseJson(textOf(path));
    if (!value)
        qFatal("%s: %s", path.c_str(), value.error().message.c_str());
    return std::move(*value);
}

test::JsonSchema graphSchema()
{
    return test::JsonSchema(load(kShare / "schemas/graph.schema.json"));
}

} // namespace

class TestGraphSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isMadeFromTheDescriptors()
    {
        const Value made = reference::completed(load(kSource / "resources/reference/graph.schema.json"));
        QCOMPARE(textOf(kShare / "schemas/graph.schema.json"), reference::schemaText(made));
        QCOMPARE(textOf(kShare / "guide/nodes.md"), reference::nodeChapter(made));
        QVERIFY(reference::completed(made) == made);
    }

    void theSourceDescribesNoKind()
    {
        const Value source = load(kSource / "resources/reference/graph.schema.json");
        const Value made = graphSchema().root();
        const std::string chapter = textOf(kShare / "guide/nodes.md");
        for (const graph::NodeKind& kind : graph::nodeKinds()) {
            const std::string definition = std::string(kind.id) + "Node";
            QVERIFY2(source["$defs"].find(definition) == nullptr, definition.c_str());
            QVERIFY2(made["$defs"].find(definition) != nullptr, definition.c_str());
            QVERIFY2(chapter.find("## " + std::string(kind.title) + "\n") != std::string::npos,
                     definition.c_str());
        }
        QCOMPARE(source["$defs"]["node"]["properties"]["kind"], Value::map());
    }

    void everythingASettingSaysIsWritten()
    {
        const Value schema = graphSchema().root();
        for (const graph::NodeKind& kind : graph::nodeKinds())
            for (const graph::NodeSetting& setting : kind.settings) {
                const Value& rule = schema["$defs"][std::string(kind.id) + "Node"]["properties"][setting.key];
                const std::string where = std::string(kind.id) + "." + std::string(setting.key);
                QCOMPARE(rule["title"], Value(setting.label));
                SG_VERIFY_CONTAINS(rule.stringOr("description", ""), std::string(setting.help));
                QVERIFY2(setting.shape.empty() || parseJson(setting.shape), where.c_str());
            }
    }

    void namesEveryKeyOfTheFormat()
    {
        QCOMPARE(graphSchema().unknownKeys(load(kSource / "tests/data/graph/full.graph.json")),
                 std::string());
    }

    // Guards the walk over the file: it must be able to find something.
    void noticesAKeyThatTheSchemaLacks()
    {
        const auto file =
            parseJson(R"({"nodez": 1, "nodes": [{"retry": [{"attempts": 1}], "jq": ".", "model": ""}],
                                        "sandbox": {"limits": {"ram": 1}}})");
        QCOMPARE(graphSchema().unknownKeys(*file),
                 std::string("/nodez\n/nodes/0/retry/0/attempts\n/nodes/0/model\n/sandbox/limits/ram\n"));
    }

    void takesEveryExample()
    {
        const test::JsonSchema schema = graphSchema();
        int count = 0;
        for (const char* folder : { "resources/examples", "resources/templates" })
            for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
                if (entry.path().native().ends_with(".graph.json")) {
                    ++count;
                    QCOMPARE(schema.fault(load(entry.path())), std::string());
                }
        QVERIFY(count > 10);
    }

    // One value of each type in each setting: what the schema refuses is a problem to validation, and the
    // other way.
    void refusesWhatValidationRefuses()
    {
        const test::JsonSchema schema = graphSchema();
        const std::vector<Value> values{ Value(),
                                         Value(true),
                                         Value(-1),
                                         Value(1),
                                         Value(20'000'000),
                                         Value(0.5),
                                         Value("a"),
                                         Value("http://a"),
                                         Value::list(),
                                         Value::list({ Value(1) }),
                                         Value::list({ Value("a") }),
                                         Value::map({ { "name", 1 } }) };
        std::string differing;
        for (const graph::NodeKind& kind : graph::nodeKinds())
            for (const graph::NodeSetting& setting : kind.settings)
                for (const Value& value : values) {
                    if (setting.checkedByRun)
                        continue;
                    Value node = wholeNode(kind);
                    node.editMap().set(setting.key, value);
                    const Value file = fileOf(node);
                    const std::string pointer = "/nodes/0/" + std::string(setting.key);
                    const std::string fault = schema.fault(file);
                    if (fault.empty() == isProblem(file, pointer))
                        differing += std::string(kind.id) + ": " + pointer + " = " + toJson(value)
                            + (fault.empty() ? " is taken by the schema alone\n"
                                             : ", only the schema: " + fault + "\n");
                }
        QCOMPARE(differing, std::string());
    }

private:
    static Value wholeNode(const graph::NodeKind& kind)
    {
        Value node = Value::map({ { "name", "a" }, { "kind", kind.id } });
        for (const auto& [key, value] : graph::firstSettings(kind, NodeId("a")))
            node.editMap().set(key, value);
        if (kind.holdsGraph)
            node.editMap().set("graph", Value::map());
        return node;
    }

    static Value fileOf(const Value& node)
    {
        return Value::map({ { "state", Value::map({ { "a", Value::map() } }) },
                            { "nodes", Value::list({ node }) },
                            { "sandbox", Value::map({ { "scope", "node" } }) } });
    }

    static bool isProblem(const Value& file, const std::string& pointer)
    {
        const auto read = graph::parseGraph(toJson(file));
        if (!read)
            return true;
        for (const graph::Problem& problem : graph::validate(*read, {}))
            if (problem.severity == graph::Problem::Severity::Error && problem.code != "unknown-channel"
                && problem.code != "unknown-server" && problem.pointer.starts_with(pointer))
                return true;
        return false;
    }
};

SG_TEST(TestGraphSchema)
#include "tst_graph_schema.moc"
