// A history says where its thread stands between two steps.

#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "ui/bridge/history/history_query.h"

using namespace sg;
using namespace sg::ui;

namespace {

const ThreadId kThread("t");

constexpr const char* kBroken = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "a", "kind": "jq", "jq": "{value: 1}"}, {"name": "b", "kind": "jq", "jq": "{value: 2}"}],
 "edges": [["__start__", "a"], ["a", "b"], ["b", "__end__"]], "interrupt_before": ["b"]})";

QString heldOf(const HistoryRows& rows)
{
    QStringList held;
    for (const TaskRow& task : rows.tasks)
        if (task.checkpoint == rows.checkpoints.back().id)
            held << QStringLiteral("%1 %2 at %3")
                        .arg(task.node, QString::fromStdString(sg::taskOutcomeName(task.outcome)))
                        .arg(task.step);
    return held.join(QLatin1Char(','));
}

} // namespace

class TestThreadEnd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatABreakpointHolds()
    {
        sg::test::ExampleProject project(kBroken);
        project.run(kThread, Value::map());
        const HistoryRows paused = readHistory(*project, QStringLiteral("t"), 100).value;
        QCOMPARE(heldOf(paused), QStringLiteral("b paused at 2"));
        QCOMPARE(paused.nodes.join(QLatin1Char(' ')), QStringLiteral("a b"));
        QVERIFY(project->runs().stopPaused(kThread));
        QCOMPARE(heldOf(readHistory(*project, QStringLiteral("t"), 100).value),
                 QStringLiteral("b stopped at 2"));
        runs::RunRequest on;
        on.thread = kThread;
        on.input = engine::RunInput::goOn();
        project->runs().wait(*project->runs().start(on));
        QCOMPARE(heldOf(readHistory(*project, QStringLiteral("t"), 100).value), QString());
    }
};

SG_CORE_TEST(TestThreadEnd)
#include "tst_thread_end.moc"
