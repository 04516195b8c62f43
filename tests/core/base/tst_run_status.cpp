// The words of runs and tasks in databases and JSON.

#include "core/base/run_status.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

class TestRunStatus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsComeBack()
    {
        std::string words;
        for (int i = 0; i <= static_cast<int>(RunStatus::Damaged); ++i) {
            const auto status = static_cast<RunStatus>(i);
            QVERIFY(runStatusNamed(runStatusName(status)) == status);
            words += runStatusName(status) + " ";
        }
        QCOMPARE(words,
                 std::string(" running done interrupted failed stopped recursion_limit unfinished damaged "));
        words.clear();
        for (int i = 0; i <= static_cast<int>(TaskOutcome::Pending); ++i) {
            const auto outcome = static_cast<TaskOutcome>(i);
            QVERIFY(taskOutcomeNamed(taskOutcomeName(outcome)) == outcome);
            words += taskOutcomeName(outcome) + " ";
        }
        QCOMPARE(words, std::string(" running done cached failed interrupted stopped paused pending "));
    }

    void anotherProgramsWordIsUnknown()
    {
        QVERIFY(runStatusNamed("success") == RunStatus::Unknown);
        QVERIFY(taskOutcomeNamed("Done") == TaskOutcome::Unknown);
    }
};

SG_TEST(TestRunStatus)
#include "tst_run_status.moc"
