#include "tests/fault/fault_run.h"
#include "tests/fault/unreliable_disk.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::fault;
using sg::test::TempDir;

class TestDiskFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losesNothingAndSaysWhy_data();
    void losesNothingAndSaysWhy();
};

void TestDiskFaults::losesNothingAndSaysWhy_data()
{
    QTest::addColumn<int>("fault");
    QTest::addColumn<bool>("forEver");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("full disk") << int(DiskFault::Full) << true << QByteArray("is full; free some space");
    QTest::newRow("full for a moment")
        << int(DiskFault::Full) << false << QByteArray("is full; free some space");
    QTest::newRow("writing fails") << int(DiskFault::WriteError) << true
                                   << QByteArray("disk I/O error; check the disk");
    QTest::newRow("one write fails") << int(DiskFault::WriteError) << false
                                     << QByteArray("disk I/O error; check the disk");
    QTest::newRow("syncing fails") << int(DiskFault::SyncError) << true
                                   << QByteArray("disk I/O error; check the disk");
    QTest::newRow("one sync fails") << int(DiskFault::SyncError) << false
                                    << QByteArray("disk I/O error; check the disk");
    QTest::newRow("reading fails") << int(DiskFault::ReadError) << true
                                   << QByteArray("disk I/O error; check the disk");
    QTest::newRow("one read fails") << int(DiskFault::ReadError) << false
                                    << QByteArray("disk I/O error; check the disk");
}

// The n-th operation fails, for every n that a run gets to.
void TestDiskFaults::losesNothingAndSaysWhy()
{
    QFETCH(int, fault);
    QFETCH(bool, forEver);
    QFETCH(QByteArray, says);
    const bool full = qEnvironmentVariableIntValue("SG_FULL") > 0;
    const Workflow workflow = randomWorkflow(11);
    const History whole = undisturbed(workflow);
    QVERIFY(!whole.namespaces.empty());
    int failed = 0;
    for (std::int64_t n = 1;; n += full || n < 12 ? 1 : 7) {
        const TempDir folder;
        UnreliableDisk disk;
        disk.failAt(n, static_cast<DiskFault>(fault), forEver);
        const FaultRun ran = runOn(folder / "a", workflow, true);
        if (!disk.hasFailed())
            break;
        disk.work();
        if (!ran.done) { // (writing the log back may fail without harm)
            ++failed;
            SG_VERIFY_CONTAINS(ran.error, (folder / "a").string());
            SG_VERIFY_CONTAINS(ran.error, says.toStdString());
        }
        const std::string problem = problemOf(folder / "a", whole, ran.confirmed);
        QVERIFY2(problem.empty(), ("operation " + std::to_string(n) + ": " + problem).c_str());
        const FaultRun again = runOn(folder / "a", workflow, true);
        QVERIFY2(again.done, again.error.c_str());
        QCOMPARE(problemAtEnd(folder / "a", whole), std::string());
    }
    QVERIFY(failed > 0);
}

SG_TEST(TestDiskFaults)
#include "tst_disk_faults.moc"
