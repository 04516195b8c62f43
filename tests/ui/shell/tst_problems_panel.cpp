// Problems are walked and clicked: each time it is told which one, also where it is the only one.

#include "tests/support/window_style.h"
#include "ui/shell/problems_panel.h"

#include <QSignalSpy>
#include <QTreeWidget>

using namespace sg;
using namespace sg::ui;

namespace {

std::vector<graph::Problem> problemsOf(std::initializer_list<const char*> codes)
{
    std::vector<graph::Problem> problems;
    for (const char* code : codes) {
        graph::Problem problem;
        problem.code = problem.message = code;
        problems.push_back(problem);
    }
    return problems;
}

} // namespace

class TestProblemsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void theOnlyOneIsToldAgain()
    {
        ProblemsPanel panel;
        panel.resize(600, 200);
        panel.show();
        QSignalSpy told(&panel, &ProblemsPanel::activated);
        panel.setProblems(problemsOf({ "a" }), QStringLiteral("f"), {});
        panel.step(1);
        QCOMPARE(told.count(), 1);
        panel.step(1);
        panel.step(-1);
        QCOMPARE(told.count(), 3);
        auto* list = panel.findChild<QTreeWidget*>();
        const QRect row = list->visualItemRect(list->topLevelItem(0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(told.count(), 4);
    }

    // A failed run comes before the problems of the file, and leads to the line.
    void aFailedRunIsTheFirstProblem()
    {
        ProblemsPanel panel;
        panel.resize(700, 200);
        panel.show();
        auto* list = panel.findChild<QTreeWidget*>();
        QSignalSpy told(&panel, &ProblemsPanel::activated);
        QSignalSpy failure(&panel, &ProblemsPanel::failureActivated);
        QSignalSpy line(&panel, &ProblemsPanel::failedLineRequested);
        TaskRow failed;
        failed.node = QStringLiteral("compute");
        failed.error = QStringLiteral("KeyError: 'x'");
        failed.detail = QStringLiteral("Traceback (most recent call last):\n"
                                       "  File \"nodes/compute.py\", line 12, in node\n"
                                       "    x()\n"
                                       "KeyError: 'x'");
        panel.setFailure(failed);
        QCOMPARE(list->topLevelItemCount(), 1);
        QVERIFY(list->isVisible());
        panel.setProblems(problemsOf({ "a" }), QStringLiteral("f"), {});
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("compute failed: KeyError: 'x'"));
        QCOMPARE(list->topLevelItem(0)->text(2), QStringLiteral("Open line 12"));
        panel.step(1);
        QCOMPARE(failure.count(), 1);
        panel.step(1);
        QCOMPARE(told.count(), 1);
        const QRect fix = list->visualRect(list->model()->index(0, 2));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, fix.center());
        QCOMPARE(line.count(), 1);
        QCOMPARE(line[0][2].toInt(), 12);
        panel.setFailure(std::nullopt);
        QCOMPARE(list->topLevelItemCount(), 1);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("a"));
    }

    void theWalkGoesOnWhereOneWasMended()
    {
        ProblemsPanel panel;
        QSignalSpy told(&panel, &ProblemsPanel::activated);
        const auto last = [&] { return told.back()[0].value<graph::Problem>().code; };
        panel.setProblems(problemsOf({ "a", "b", "c" }), QStringLiteral("f"), {});
        panel.step(1);
        panel.step(1);
        QCOMPARE(last(), std::string("b"));
        panel.setProblems(problemsOf({ "x", "a", "b", "c" }), QStringLiteral("f"), {});
        panel.step(1); // b is still the current one
        QCOMPARE(last(), std::string("c"));
        panel.setProblems(problemsOf({ "x", "a", "b" }), QStringLiteral("f"), {}); // it was the last
        panel.step(1);
        QCOMPARE(last(), std::string("x"));
        panel.setProblems(problemsOf({ "a", "b" }), QStringLiteral("f"), {});
        panel.step(1);
        QCOMPARE(last(), std::string("a"));
    }
};

SG_WINDOW_TEST(TestProblemsPanel)
#include "tst_problems_panel.moc"
