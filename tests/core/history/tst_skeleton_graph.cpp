// A graph as far as the checkpoints of its runs tell it.

#include "core/history/history.h"
#include "core/workbench/workbench.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using namespace sg::projects;
using namespace sg::runs;
using namespace sg::workbench;

namespace {

const ThreadId kThread("t");

// "a b: __start__>a a>b", each half in order.
QString asText(const graph::Graph& graph)
{
    QStringList nodes;
    for (const graph::Node& node : graph.nodes)
        nodes << QString::fromStdString(node.name.value);
    QStringList edges;
    for (const graph::Edge& edge : graph.edges) {
        QStringList from;
        for (const NodeId& id : edge.from)
            from << QString::fromStdString(id.value);
        edges << from.join(QLatin1Char('+')) + QLatin1Char('>') + QString::fromStdString(edge.to.value);
    }
    nodes.sort();
    edges.sort();
    return nodes.join(QLatin1Char(' ')) + QStringLiteral(": ") + edges.join(QLatin1Char(' '));
}

} // namespace

class TestSkeletonGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatRan_data()
    {
        QTest::addColumn<QString>("example");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("known");
        QTest::newRow("in a row") << "counter"
                                  << "1"
                                  << "doubler incrementer: __start__>incrementer doubler>__end__ "
                                     "incrementer>doubler";
        QTest::newRow("packets") << "fan-out"
                                 << "words"
                                 << "audit check count split sum: __start__>split audit>sum check>audit "
                                    "count>sum split>check split>count sum>__end__";
    }
    void tellsWhatRan()
    {
        QFETCH(QString, example);
        QFETCH(QString, input);
        QFETCH(QString, known);
        const test::TempDir folder;
        std::filesystem::copy(std::filesystem::path(QTEST_SOURCE_EXAMPLES) / example.toStdString(),
                              folder / "p", std::filesystem::copy_options::recursive);
        WorkbenchOptions options;
        options.project = *locateProject(folder / "p");
        auto project = Workbench::open(std::move(options));
        SG_VERIFY_OK(project);
        SG_VERIFY_OK((*project)->history().skeleton(kThread));
        QVERIFY((*project)->history().skeleton(kThread)->nodes.empty()); // nothing ran yet
        RunRequest request;
        request.thread = kThread;
        request.input = engine::RunInput::input(
            input == QLatin1String("1") ? Value::map({ { "value", 1 } })
                                        : Value::map({ { "words", Value::list({ "one", "three" }) } }));
        auto run = (*project)->runs().start(request);
        SG_VERIFY_OK(run);
        (*project)->runs().wait(*run);
        const auto skeleton = (*project)->history().skeleton(kThread);
        SG_VERIFY_OK(skeleton);
        QCOMPARE(asText(*skeleton), known);
        QCOMPARE(QString::fromStdString(skeleton->nodes.front().name.value),
                 example == QLatin1String("counter") ? QStringLiteral("incrementer")
                                                     : QStringLiteral("split"));
    }
};

SG_TEST(TestSkeletonGraph)
#include "tst_skeleton_graph.moc"
