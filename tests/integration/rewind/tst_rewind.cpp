#include "core/base/file.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

#include <QScopeGuard>

#include <algorithm>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;
using rewind::SandboxChoice;

// Going back to a checkpoint brings the sandbox back with it: names, open files, what lies in /session.
class TestRewind final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void replayIsAsIfNothingHadHappened();
    void branchesAreSwitchedInAnyOrder();
    void aNewRateFromTheMiddle();
    void goesOnFromTheHeadWhateverCameBetween();
    void freshAndKeep();
    void whatSleepsComesBackAsItWouldLater();
    void theLogOfABindSessionIsNotTakenBack();
    void failedAttemptsAreRolledBack();
    void finishedTasksKeepWhatTheyDidWhileOthersRunAgain();
    void anInterruptedNodeFindsTheSandboxAsItWasAtItsBegin();
    void comesBackInAnotherProcessAndSaysWhatIsMissing();
    void aPersonMayAnswerDaysLater();
    void evictedOnesAreReadBack();
    void handMadeChangesStayForTheNextRun();
};

namespace {

RunInput rate(double value)
{
    return RunInput::input(Value::map({ { "rate", value } }));
}

std::string seen(const RunResult& result)
{
    return result.error + listText(result.values["seen"]);
}

} // namespace

void TestRewind::replayIsAsIfNothingHadHappened()
{
    SG_PROJECT(project, "train");
    const std::string whole = seen(project.run(rate(1)));
    QCOMPARE(std::count(whole.begin(), whole.end(), '\n'), 6);
    for (const int step : { 3, 1, 5, 2 }) {
        project.takeLog();
        QCOMPARE(seen(project.run(RunInput::goOn(), project.atStep(step))), whole);
        SG_VERIFY_CONTAINS(project.takeLog(), "brought back: exact");
    }
}

void TestRewind::branchesAreSwitchedInAnyOrder()
{
    SG_PROJECT(project, "train");
    const std::string whole = seen(project.run(rate(1)));
    std::vector<CheckpointId> first;
    for (int step = 1; step < 6; ++step)
        first.push_back(project.atStep(step));
    // Each replay leaves a branch of its own, whose sandbox is another one.
    for (const std::size_t at : { 4U, 0U, 2U, 4U, 1U, 3U, 0U })
        QCOMPARE(seen(project.run(RunInput::goOn(), first[at])), whole);
}

void TestRewind::aNewRateFromTheMiddle()
{
    SG_PROJECT(project, "train");
    const std::string ones = seen(project.run(rate(1)));
    const CheckpointId third = project.atStep(3);
    const auto forked = project.workbench->states().fork({ ThreadId("t"), "", third },
                                                         { Value::map({ { "rate", 10 } }), std::nullopt });
    SG_VERIFY_OK(forked);
    const RunResult other = project.run(RunInput::goOn());
    QVERIFY(other.status == RunStatus::Done);
    const auto values = [](const std::string& text) {
        std::vector<double> numbers;
        std::size_t from = 0;
        for (std::size_t end = 0; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
            numbers.push_back(std::stod(text.substr(from)));
        return numbers;
    };
    const auto one = values(ones);
    const auto ten = values(seen(other));
    QCOMPARE(ten.size(), std::size_t(6));
    for (std::size_t i = 0; i < 6; ++i)
        QVERIFY(std::abs(ten[i] - one[i] * (i < 3 ? 1 : 10)) < 1e-4);
}

void TestRewind::goesOnFromTheHeadWhateverCameBetween()
{
    SG_PROJECT(project, "train");
    project.run(rate(1));
    const CheckpointId second = project.atStep(2);
    project.run(RunInput::goOn(), second);
    // A new input on the thread goes on from the newest branch's sandbox.
    const RunResult more = project.run(rate(1));
    QVERIFY(more.status == RunStatus::Done);
    QCOMPARE(more.values["step"], Value(7));
}

void TestRewind::freshAndKeep()
{
    SG_PROJECT(project, "train");
    const std::string whole = seen(project.run(rate(1)));
    const CheckpointId second = project.atStep(2);
    const RunResult kept = project.run(RunInput::goOn(), second, SandboxChoice::Keep);
    QCOMPARE(kept.values["step"], Value(7)); // names from the future
    const RunResult fresh = project.run(RunInput::goOn(), second, SandboxChoice::Fresh);
    QCOMPARE(fresh.values["seen"].asList().size(), std::size_t(8)); // counts from one again
    QCOMPARE(seen(project.run(RunInput::goOn(), second, SandboxChoice::Exact)), whole);
}

// Not yet written out, it is written out for that.
void TestRewind::whatSleepsComesBackAsItWouldLater()
{
    SG_PROJECT(project, "count");
    const std::string whole = listText(project.run(RunInput::input(Value::map())).values["seen"]);
    for (const int step : { 1, 2 }) {
        project.takeLog();
        const RunResult stored = project.run(RunInput::goOn(), project.atStep(step), SandboxChoice::Stored);
        QCOMPARE(stored.error + listText(stored.values["seen"]), whole);
        SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored");
    }
}

void TestRewind::theLogOfABindSessionIsNotTakenBack()
{
    const QByteArray storage = qgetenv("SESSION_STORAGE");
    const auto asBefore = qScopeGuard([&] {
        if (storage.isNull())
            qunsetenv("SESSION_STORAGE");
        else
            qputenv("SESSION_STORAGE", storage);
    });
    QVERIFY(qputenv("SESSION_STORAGE", "BIND"));
    SG_PROJECT(project, "train");
    const auto logged = [&] {
        std::int64_t lines = 0;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(project.folder() / ".sandglass/sessions"))
            if (entry.path().filename() == "session.log")
                if (const auto text = readFile(entry.path(), 64 << 20))
                    lines += std::ranges::count(*text, '\n');
        return lines;
    };
    project.run(rate(1));
    std::int64_t before = logged();
    QVERIFY(before > 0);
    for (const SandboxChoice choice :
         { SandboxChoice::Restore, SandboxChoice::Stored, SandboxChoice::Fresh }) {
        project.run(RunInput::goOn(), project.atStep(2), choice);
        const std::int64_t after = logged();
        QVERIFY2(after > before, std::to_string(after).c_str());
        before = after;
    }
}

void TestRewind::failedAttemptsAreRolledBack()
{
    SG_PROJECT(project, "retry");
    const RunResult result = project.run(RunInput::input(Value::map()));
    QCOMPARE(result.error + listText(result.values["told"]), std::string("rolled 1 1\nkept 3\n"));
}

void TestRewind::finishedTasksKeepWhatTheyDidWhileOthersRunAgain()
{
    SG_PROJECT(project, "tasks");
    const RunResult failed = project.run(RunInput::input(Value::map()));
    QVERIFY(failed.status == RunStatus::Failed);
    QCOMPARE(failed.errorType, std::string("ValueError"));
    // By hand, on what the failed run left.
    auto session = project.workbench->sessions().find(ThreadId("t"));
    QVERIFY(session != nullptr);
    session->runCell("print(good_ran, bad_ran)", {}, {}, {}, {});
    const RunResult again = project.run(RunInput::goOn(), std::nullopt);
    QVERIFY(again.status == RunStatus::Failed);
    QFile edited(QString::fromStdString((project.folder() / "nodes/tasks.py").string()));
    QVERIFY(edited.open(QIODevice::ReadWrite));
    QByteArray code = edited.readAll();
    code.replace("if not os.path.exists(", "if False and os.path.exists(");
    edited.resize(0);
    edited.seek(0);
    edited.write(code);
    edited.close();
    const RunResult done = project.run(RunInput::goOn());
    QCOMPARE(done.error + listText(done.values["told"]), std::string("bad 1 1\ngood 1\nlook 1 1\n"));
}

void TestRewind::anInterruptedNodeFindsTheSandboxAsItWasAtItsBegin()
{
    SG_PROJECT(project, "ask");
    const RunResult asked = project.run(RunInput::input(Value::map()));
    QVERIFY(asked.status == RunStatus::Interrupted);
    const RunResult answered = project.run(RunInput::resume("yes"));
    QCOMPARE(answered.error + listText(answered.values["told"]), std::string("prepared\nyes 1 4 3\n"));
}

void TestRewind::comesBackInAnotherProcessAndSaysWhatIsMissing()
{
    SG_PROJECT(project, "train");
    project.run(rate(1));
    const CheckpointId third = project.atStep(3);
    project.reopen();
    project.takeLog();
    const RunResult result = project.run(RunInput::goOn(), third);
    // The names are back, so it counts on; generators cannot be stored, and the node says so when it needs
    // one.
    QVERIFY(result.status == RunStatus::Failed);
    QCOMPARE(result.errorType, std::string("NameError"));
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "brought back: restored, without name");
    SG_VERIFY_CONTAINS(log, "cannot pickle 'generator' object");
    const RunResult exact = project.run(RunInput::goOn(), third, SandboxChoice::Exact);
    SG_VERIFY_CONTAINS(exact.error, "cannot be brought back exactly");
}

void TestRewind::aPersonMayAnswerDaysLater()
{
    SG_PROJECT(project, "ask");
    QVERIFY(project.run(RunInput::input(Value::map())).status == RunStatus::Interrupted);
    project.workbench.reset(); // the session ends, and what is stored is all there is
    const auto days = std::chrono::hours(24 * 5);
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(project.folder() / ".sandglass/snapshots"))
        if (entry.is_regular_file())
            std::filesystem::last_write_time(entry.path(), entry.last_write_time() - days);
    project.reopen();
    QVERIFY(project.workbench->sessions().list().empty());
    // Meanwhile somebody clears up what nobody needs.
    SG_VERIFY_OK(project.workbench->sessions().collectGarbage(false));
    SG_VERIFY_OK(project.workbench->snapshots()->collect());
    const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", project.atStep(1) });
    SG_VERIFY_OK(mark);
    QVERIFY(mark->kind == rewind::SnapshotMark::Kind::Stored);
    const RunResult answered = project.run(RunInput::resume("yes"));
    QCOMPARE(answered.error + listText(answered.values["told"]), std::string("prepared\nyes 1 4 3\n"));
    SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored");
}

void TestRewind::evictedOnesAreReadBack()
{
    SG_PROJECT(project, "ask");
    QVERIFY(project.run(RunInput::input(Value::map())).status == RunStatus::Interrupted);
    const CheckpointId asking = project.atStep(1);
    const CheckpointId start = project.atStep(0);
    for (int i = 0; i < 36; ++i) // each is a branch, and leaves a snapshot
        QVERIFY(project.run(RunInput::goOn(), start).status == RunStatus::Interrupted);
    project.takeLog();
    const RunResult again = project.run(RunInput::resume("yes"), asking);
    QCOMPARE(again.error + listText(again.values["told"]), std::string("prepared\nyes 1 4 3\n"));
    SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored");
}

void TestRewind::handMadeChangesStayForTheNextRun()
{
    SG_PROJECT(project, "train");
    project.run(rate(1));
    auto session = project.workbench->sessions().find(ThreadId("t"));
    QVERIFY(session != nullptr);
    session->runCell("steps = 100", {}, {}, {}, {});
    const RunResult more = project.run(rate(1));
    QCOMPARE(more.values["step"], Value(101));
    // But not where the run was asked to begin at a checkpoint.
    QCOMPARE(project.run(RunInput::goOn(), project.atStep(2)).values["step"], Value(6));
}

SG_CORE_TEST(TestRewind)
#include "tst_rewind.moc"
