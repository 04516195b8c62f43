// The form of a run asks for channels of the graph with types and defaults.

#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/graph/input_fields.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace sg;

class TestInputFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A first run begins with the example: it must be one that the form takes.
    void examplesFitTheirFields()
    {
        int seen = 0;
        for (const auto& entry : std::filesystem::directory_iterator(SG_EXAMPLES)) {
            const auto text = readFile(entry.path() / (entry.path().filename().string() + ".graph.json"));
            const auto file = text ? graph::parseGraph(*text) : Result<graph::GraphFile>(text.error());
            QVERIFY2(file, entry.path().c_str());
            for (const graph::InputField& field : graph::inputFields(file->graph)) {
                if (!field.hasExample)
                    continue;
                ++seen;
                const auto type = graph::inputTypeOf(field.example);
                const bool isFit = field.type == graph::InputType::Any || field.type == type
                    || (field.type == graph::InputType::Number && type == graph::InputType::Integer);
                QVERIFY2(isFit, (entry.path().filename().string() + ": " + field.channel).c_str());
            }
        }
        QVERIFY(seen > 5);
    }

    void namesTypesAndDefaults()
    {
        const auto file = graph::parseGraph(R"({
            "state": {
                "report": {"type": "last_value"},
                "threshold": {"type": "last_value", "default": 0.9},
                "limit": {"type": "last_value", "default": 3},
                "send": {"type": "last_value", "default": false},
                "messages": {"type": "reduce", "reducer": "add_messages"},
                "total": {"type": "reduce", "reducer": "add", "default": 0},
                "facts": {"type": "reduce", "reducer": "merge"},
                "left": {"type": "remaining_steps"},
                "once": {"type": "ephemeral"},
                "question": {"type": "last_value"}
            },
            "input": ["question", "threshold"], "nodes": [], "edges": []})");
        QVERIFY(file);
        std::string told;
        for (const graph::InputField& field : graph::inputFields(file->graph))
            told += field.channel + ":" + std::to_string(static_cast<int>(field.type))
                + (field.isDeclared ? "!" : "") + (field.collects ? "+" : "")
                + (field.hasDefault ? "=" + toJson(field.defaultValue) : "") + " ";
        // Any 0, Text 1, Number 2, Integer 3, Flag 4, List 5, Object 6
        QCOMPARE(told,
                 std::string("threshold:2! question:0! report:0 limit:3 send:4 messages:0+ total:2+=0 "
                             "facts:6+ "));
    }

    void anExampleBelongsToItsField()
    {
        const auto file = graph::parseGraph(R"({"state": {"a": {}, "b": {}}, "input": ["b"],
            "input_example": {"b": [1], "c": 2}, "nodes": [], "edges": []})");
        QVERIFY(file);
        const auto fields = graph::inputFields(file->graph);
        QCOMPARE(fields.size(), std::size_t(2));
        QCOMPARE(toJson(fields[0].example), std::string("[1]"));
        QVERIFY(!fields[1].hasExample);
        QVERIFY(graph::lacksInput(file->graph, {}));
        QVERIFY(!graph::lacksInput(file->graph, Value::map({ { "a", 1 } }).asMap()));
        const bool isNamed =
            std::ranges::any_of(graph::validate(*file, {}), [](const graph::Problem& problem) {
                return problem.code == "unknown-channel" && problem.message.find("'c'") != std::string::npos;
            });
        QVERIFY(isNamed);
    }
};

SG_TEST(TestInputFields)
#include "tst_input_fields.moc"
