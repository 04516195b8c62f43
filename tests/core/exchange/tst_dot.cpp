#include "core/base/file.h"
#include "core/exchange/dot.h"
#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg::graph;
using sg::exchange::toDot;

class TestDot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsEveryPart()
    {
        auto file = loadGraph(SG_SOURCE_DIR "/tests/data/graph/drawn.graph.json");
        SG_VERIFY_OK(file);
        auto expected = sg::readFile(SG_SOURCE_DIR "/tests/data/graph/drawn.dot");
        SG_VERIFY_OK(expected);
        QCOMPARE(toDot(file->graph), *expected);
    }

    void drawsWhereCommandsMayGo()
    {
        auto file = loadGraph(SG_SOURCE_DIR "/resources/examples/supervisor/supervisor.graph.json");
        SG_VERIFY_OK(file);
        SG_VERIFY_CONTAINS(toDot(file->graph), "\"supervisor\" -> \"mathematician\" [style=dotted];");
    }
};

SG_TEST(TestDot)
#include "tst_dot.moc"
