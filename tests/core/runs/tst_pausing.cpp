// A run that is paused ends before its next superstep and goes on from there; a thread that stands so can be
// given up.

#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::test;

namespace {

const ThreadId kThread("t");

constexpr const char* kChain = R"({"format": 1, "name": "g", "state": {"value": {"type": "last_value"}},
 "nodes": [{"name": "a", "kind": "jq", "jq": "{value: 1}"}, {"name": "b", "kind": "jq", "jq": "{value: 2}"}],
 "edges": [["__start__", "a"], ["a", "b"], ["b", "__end__"]]})";

std::string statusOf(ExampleProject& project)
{
    return runStatusName(project->history().threads()->front().status);
}

} // namespace

class TestPausing : public QObject {
    Q_OBJECT

    // The run of "a", paused while it goes on.
    static engine::RunResult pausedRun(ExampleProject& project)
    {
        const auto pauses = project->runs().events().subscribe([&](const engine::RunEvent& event) {
            const auto* started = std::get_if<engine::TaskStarted>(&event.body);
            if (started != nullptr && started->node.value == "a")
                project->runs().pause(event.run);
        });
        return project.run(kThread, Value::map());
    }

private Q_SLOTS:
    void endsBeforeTheNextStepAndGoesOn()
    {
        ExampleProject project(kChain);
        const engine::RunResult paused = pausedRun(project);
        QVERIFY(paused.status == RunStatus::Interrupted);
        QCOMPARE(statusOf(project), std::string("interrupted"));
        const auto state = project->history().state(kThread);
        QCOMPARE(state->values["value"].asInt(), std::int64_t(1)); // what ran is stored
        QCOMPARE(state->next.front().value, std::string("b"));
        runs::RunRequest on;
        on.thread = kThread;
        on.input = engine::RunInput::goOn();
        const auto result = project->runs().wait(*project->runs().start(on));
        QVERIFY(result.status == RunStatus::Done);
        QCOMPARE(project->history().state(kThread)->values["value"].asInt(), std::int64_t(2));
    }

    void isStoppedWhereItStands()
    {
        ExampleProject project(kChain);
        QVERIFY(!project->runs().stopPaused(kThread)); // nothing ran
        pausedRun(project);
        QVERIFY(project->runs().stopPaused(kThread));
        QCOMPARE(statusOf(project), std::string("stopped"));
        QVERIFY(project->runs().stopPaused(kThread).error().code == Errc::NotFound);
    }
};

SG_TEST(TestPausing)
#include "tst_pausing.moc"
