#include "core/base/file.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;
using rewind::SandboxChoice;

// Sessions that nodes or runs have for themselves go back with their checkpoints too; what subgraphs and
// their neighbours do in one sandbox is kept apart; a fork chooses its sandbox.
class TestRewindSessions final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nodesWithSessionsOfTheirOwnGoBackTogether();
    void theirsAreStoredWhenTheyEnd();
    void aRunsOwnSessionComesBackInItsReplay();
    void aSubgraphsFinishedNodeIsKeptWhileItsNextRunsAgain();
    void aQuestionInsideASubgraphWaitsWithItsSandbox_data();
    void aQuestionInsideASubgraphWaitsWithItsSandbox();
    void aForkHasTheSandboxThatIsChosen();
    void whatSleepsIsTold();
};

namespace {

RunInput nothing()
{
    return RunInput::input(Value::map());
}

// Nodes side by side are told in the graph's order, whatever the order they ran in.
std::string told(const RunResult& result)
{
    return result.error + listText(result.values["told"]);
}

const std::string kAgents = "left 1 1\nright 1 1\nleft 2 2\nright 2 2\nleft 3 3\nright 3 3\n";

} // namespace

void TestRewindSessions::nodesWithSessionsOfTheirOwnGoBackTogether()
{
    SG_PROJECT(project, "agents");
    QCOMPARE(told(project.run(nothing())), kAgents);
    std::vector<CheckpointId> first;
    for (const int step : { 1, 2, 3, 4 })
        first.push_back(project.atStep(step));
    for (const std::size_t at : { 3U, 0U, 2U, 1U, 3U }) {
        project.takeLog();
        QCOMPARE(told(project.run(RunInput::goOn(), first[at])), kAgents);
        const std::string log = project.takeLog();
        QVERIFY2(log.find("brought back: restored") == std::string::npos, log.c_str());
        SG_VERIFY_CONTAINS(log, "brought back: exact");
    }
    const auto marks = project.workbench->snapshots()->marksAt({ ThreadId("t"), "", first[1] });
    SG_VERIFY_OK(marks);
    std::vector<std::string> parts;
    for (const rewind::SnapshotMark& mark : *marks) // names may be written ahead while it sleeps
        if (mark.kind == rewind::SnapshotMark::Kind::Live || mark.kind == rewind::SnapshotMark::Kind::Stored)
            parts.push_back(mark.part.text());
    QCOMPARE(parts, (std::vector<std::string>{ "node left", "node right" }));
}

void TestRewindSessions::theirsAreStoredWhenTheyEnd()
{
    SG_PROJECT(project, "agents");
    QCOMPARE(told(project.run(nothing())), kAgents);
    const CheckpointId second = project.atStep(2);
    project.reopen();
    project.run(RunInput::goOn(), second); // its generators are gone, and it begins new ones
    SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored, without name series");
    const auto left = project.workbench->snapshots()->at({ ThreadId("t"), "", second }, "node left");
    SG_VERIFY_OK(left);
    QCOMPARE(left->files->at("mine.txt").size, std::int64_t(1));
    const auto unnamed = project.workbench->snapshots()->at({ ThreadId("t"), "", second });
    QVERIFY(!unnamed);
    SG_VERIFY_CONTAINS(unnamed.error().message, "several sessions: 'node left', 'node right'");
}

void TestRewindSessions::aRunsOwnSessionComesBackInItsReplay()
{
    SG_PROJECT(project, "runs");
    const std::string whole = "1 1\n2 2\n3 3\n4 4\n";
    QCOMPARE(told(project.run(nothing())), whole);
    const CheckpointId second = project.atStep(2);
    QCOMPARE(told(project.run(nothing())), whole + whole); // a new run, a new session
    project.takeLog();
    QCOMPARE(told(project.run(RunInput::goOn(), second)), whole);
    SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored");
}

void TestRewindSessions::aSubgraphsFinishedNodeIsKeptWhileItsNextRunsAgain()
{
    SG_PROJECT(project, "nested");
    const RunResult failed = project.run(nothing());
    QVERIFY(failed.status == RunStatus::Failed);
    QCOMPARE(failed.errorType, std::string("ValueError"));
    QVERIFY(project.run(RunInput::goOn()).status == RunStatus::Failed);
    const auto file = project.folder() / "nodes/nested.py";
    auto code = readFile(file, 1 << 20);
    SG_VERIFY_OK(code);
    code->replace(code->find("ALLOWED = False"), 15, "ALLOWED = True");
    SG_VERIFY_OK(writeFileAtomically(file, *code));
    const RunResult done = project.run(RunInput::goOn());
    QCOMPARE(done.error, std::string());
    SG_VERIFY_CONTAINS(told(done), "look [('one', 1), ('side', 1), ('two', 1)]");
}

void TestRewindSessions::aQuestionInsideASubgraphWaitsWithItsSandbox_data()
{
    QTest::addColumn<bool>("later");
    QTest::newRow("answered at once") << false;
    QTest::newRow("answered days later, by another process") << true;
}

// The work of its first node and of the node beside it is there once; the work of the asking node before is
// undone.
void TestRewindSessions::aQuestionInsideASubgraphWaitsWithItsSandbox()
{
    QFETCH(bool, later);
    SG_PROJECT(project, "nested_ask");
    QVERIFY(project.run(nothing()).status == RunStatus::Interrupted);
    if (later)
        project.reopen();
    const RunResult answered = project.run(RunInput::resume("yes"));
    QCOMPARE(answered.error, std::string());
    QCOMPARE(told(answered), std::string("side 1\nprepared\nyes 1 4 3\nlook [('side', 1)]\n"));
}

void TestRewindSessions::aForkHasTheSandboxThatIsChosen()
{
    SG_PROJECT(project, "train");
    project.run(RunInput::input(Value::map({ { "rate", 1 } })));
    const CheckpointId second = project.atStep(2);
    const auto steps = [&](SandboxChoice choice) -> std::string {
        const auto forked = project.workbench->states().fork({ ThreadId("t"), "", second }, {}, choice);
        if (!forked)
            return forked.error().message;
        const RunResult result = project.run(RunInput::goOn());
        return result.error + listText(Value::list({ result.values["step"] }));
    };
    QCOMPARE(steps(SandboxChoice::Restore), std::string("6\n"));
    QCOMPARE(steps(SandboxChoice::Exact), std::string("6\n"));
    QCOMPARE(steps(SandboxChoice::Keep), std::string("7\n")); // as the last run left it
    QCOMPARE(steps(SandboxChoice::Stored), std::string("6\n")); // it sleeps: that can be written out
    const auto fresh =
        project.workbench->states().fork({ ThreadId("t"), "", second }, {}, SandboxChoice::Fresh);
    SG_VERIFY_OK(fresh);
    const RunResult result = project.run(RunInput::goOn());
    QCOMPARE(result.values["seen"].asList().size(), std::size_t(8)); // counts from one again
}

void TestRewindSessions::whatSleepsIsTold()
{
    SG_PROJECT(project, "train");
    project.run(RunInput::input(Value::map({ { "rate", 1 } })));
    const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", project.atStep(3) });
    SG_VERIFY_OK(mark);
    const auto isAsleep = [&] {
        const auto session = project.workbench->sessions().find(ThreadId("t"));
        if (!session)
            return false;
        const std::vector<SnapshotId> asleep = session->info().asleep;
        return std::ranges::find(asleep, mark->snapshot) != asleep.end();
    };
    QVERIFY(isAsleep());
    project.workbench->sessions().find(ThreadId("t"))->end();
    QVERIFY(!isAsleep());
}

SG_CORE_TEST(TestRewindSessions)
#include "tst_rewind_sessions.moc"
