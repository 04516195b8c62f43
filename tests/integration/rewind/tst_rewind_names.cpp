#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;
using rewind::SnapshotMark;

// A run keeps its names where no copy of its interpreter can be made, and whatever is printed or shown
// meanwhile; where it cannot, its step fails.
class TestRewindNames final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunKeepsItsNames_data();
    void aRunKeepsItsNames();
    void namesThatAreLostInARunFailItsStep();
    void aModuleThatPrintsComesBack();
    void aNameThatKillsCostsNoOther_data();
    void aNameThatKillsCostsNoOther();
    void whatNamesHoldComesBackAsItWas();
};

namespace {

RunInput how(const std::string& name)
{
    return RunInput::input(Value::map({ { "how", name } }));
}

std::string seen(const RunResult& result)
{
    return result.error + listText(result.values["seen"]);
}

const std::string kWhole = "1 of 1\n2 of 2\n3 of 3\n4 of 4\n5 of 5\n6 of 6\n";

} // namespace

void TestRewindNames::aRunKeepsItsNames_data()
{
    QTest::addColumn<QString>("hindrance");
    QTest::addColumn<bool>("isKept"); // what the last step left
    QTest::newRow("descriptors up to the limit") << "descriptors" << false;
    QTest::newRow("processes up to the limit") << "processes" << true;
    QTest::newRow("descriptors in flight") << "in_flight" << true;
    QTest::newRow("a thread that prints") << "prints" << true;
    QTest::newRow("a thread that shows") << "shows" << true;
    QTest::newRow("a child that prints") << "child" << true;
}

void TestRewindNames::aRunKeepsItsNames()
{
    QFETCH(const QString, hindrance);
    QFETCH(const bool, isKept);
    SG_PROJECT(project, "hindered");
    QCOMPARE(seen(project.run(how(hindrance.toStdString()))), kWhole);
    const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", project.atStep(5) });
    SG_VERIFY_OK(mark);
    const std::string said = std::string(rewind::markName(mark->kind)) + ": " + mark->note;
    QVERIFY2(isKept == (mark->kind != SnapshotMark::Kind::None), said.c_str());
    QVERIFY2(isKept || !mark->note.empty(), said.c_str());
    const std::string log = project.takeLog();
    QVERIFY2(isKept || log.find("they can neither be copied nor written out") != std::string::npos,
             log.c_str());
}

void TestRewindNames::namesThatAreLostInARunFailItsStep()
{
    SG_PROJECT(project, "hindered");
    const RunResult lost = project.run(how("retried"));
    QVERIFY(lost.status == RunStatus::Failed);
    QCOMPARE(lost.errorType, std::string("NamesLost"));
    SG_VERIFY_CONTAINS(lost.error, "series");
    SG_VERIFY_CONTAINS(lost.error, "an earlier attempt of the node has changed the session");
    // Whoever goes on knows.
    project.takeLog();
    QCOMPARE(seen(project.run(RunInput::goOn())), kWhole);
    SG_VERIFY_CONTAINS(project.takeLog(), "series");
}

void TestRewindNames::aModuleThatPrintsComesBack()
{
    SG_PROJECT(project, "hindered");
    QCOMPARE(seen(project.run(how("imports"))), kWhole);
    project.takeLog();
    const CheckpointId third = project.atStep(3);
    const RunResult again = project.run(RunInput::goOn(), third, rewind::SandboxChoice::Stored);
    QCOMPARE(seen(again), kWhole);
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "brought back: restored");
    SG_VERIFY_CONTAINS(log, "The Zen of Python");
}

void TestRewindNames::aNameThatKillsCostsNoOther_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("reason");
    QTest::newRow("exit") << "exits"
                          << "it killed the process that pickled it: exit code 1";
    QTest::newRow("crash") << "crashes"
                           << "it killed the process that pickled it: signal 11 (SIGSEGV)";
    QTest::newRow("crash of who reads it") << "crashes_later"
                                           << "it killed the process that read it back: signal 11 (SIGSEGV)";
    QTest::newRow("memory") << "takes_memory"
                            << "memory"; // MemoryError, or killed, "perhaps for memory"
}

void TestRewindNames::aNameThatKillsCostsNoOther()
{
    QFETCH(const QString, how);
    QFETCH(const QString, reason);
    SG_PROJECT(project, "hindered");
    QCOMPARE(seen(project.run(::how(how.toStdString()))), kWhole);
    const CheckpointId third = project.atStep(3);
    project.reopen();
    project.takeLog();
    QCOMPARE(seen(project.run(RunInput::goOn(), third, rewind::SandboxChoice::Stored)), kWhole);
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "brought back: restored, without name hindrance (");
    QVERIFY2(QString::fromStdString(log).contains(reason, Qt::CaseInsensitive), log.c_str());
}

// Identity, modules of the session, variables of the environment, settings and what was set in libraries, by
// another program that has nothing but what was stored.
void TestRewindNames::whatNamesHoldComesBackAsItWas()
{
    const auto line = [](int n) {
        const std::string count = std::to_string(n);
        return count + ' ' + count + ' ' + count + ' ' + count + ' ' + count + " here False 10 0.3333 "
            + count + " ? x/own 2\n";
    };
    const std::string whole = line(1) + line(2) + line(3) + line(4);
    SG_PROJECT(project, "kinds");
    QCOMPARE(seen(project.run(RunInput::input(Value::map()))), whole);
    const CheckpointId second = project.atStep(2);
    project.reopen();
    project.takeLog();
    QCOMPARE(seen(project.run(RunInput::goOn(), second, rewind::SandboxChoice::Stored)), whole);
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "brought back: restored");
    QVERIFY2(log.find("missing") == std::string::npos, log.c_str());
}

SG_CORE_TEST(TestRewindNames)
#include "tst_rewind_names.moc"
