#include "core/base/file.h"
#include "core/graph/dot.h"
#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg::graph;

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
};

SG_TEST(TestDot)
#include "tst_dot.moc"
