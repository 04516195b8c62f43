#include "core/base/file.h"
#include "core/exchange/langgraph_json.h"
#include "core/graph/graph_file.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::exchange;

class TestLangGraphJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAGraph()
    {
        const auto json = readFile(SG_SOURCE_DIR "/tests/data/exchange/langgraph.json");
        SG_VERIFY_OK(json);
        const auto skeleton = skeletonOf(*json, "taken");
        SG_VERIFY_OK(skeleton);
        const auto expected = readFile(SG_SOURCE_DIR "/tests/data/exchange/taken.graph.json");
        SG_VERIFY_OK(expected);
        QCOMPARE(graph::graphText(skeleton->graph), *expected);
        QCOMPARE(skeleton->code.size(), std::size_t(5));
        QVERIFY(skeleton->code[4].content.find("# Return one of the labels") != std::string::npos);
        QCOMPARE(skeleton->notes.size(), std::size_t(2)); // names of subgraphs; no state
    }

    void whatItReadsIsValid()
    {
        const auto json = readFile(SG_SOURCE_DIR "/tests/data/exchange/langgraph.json");
        SG_VERIFY_OK(json);
        const auto skeleton = skeletonOf(*json, "taken");
        SG_VERIFY_OK(skeleton);
        const auto file = graph::parseGraph(graph::graphText(skeleton->graph));
        SG_VERIFY_OK(file);
        for (const graph::Problem& problem : graph::validate(*file, {}))
            QVERIFY2(problem.severity != graph::Problem::Severity::Error, problem.message.c_str());
    }

    void refusesOtherJson_data()
    {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<std::string>("why");
        const auto row = [](const char* json, const char* why) {
            QTest::newRow(json) << std::string(json) << std::string(why);
        };
        row("", "line 1");
        row("[1]", "\"nodes\" and \"edges\"");
        row("{\"nodes\": {}}", "\"nodes\" and \"edges\"");
        row("{\"nodes\": [{}], \"edges\": []}", "no \"id\"");
        row("{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"a\"}], \"edges\": []}", "the id 'a'");
        row("{\"nodes\": [], \"edges\": [{\"source\": \"__start__\", \"target\": \"x\"}]}", "not there");
        row("{\"nodes\": [], \"edges\": [null]}", "not there");
    }
    void refusesOtherJson()
    {
        QFETCH(std::string, json);
        QFETCH(std::string, why);
        const auto skeleton = skeletonOf(json, "g");
        QVERIFY(!skeleton);
        QCOMPARE(skeleton.error().code, Errc::InvalidArgument);
        QVERIFY2(skeleton.error().message.find(why) != std::string::npos, skeleton.error().message.c_str());
    }
};

SG_TEST(TestLangGraphJson)
#include "tst_langgraph_json.moc"
