#include "core/base/file.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/runner/runner_link.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QProcess>

#include <csignal>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;
using rewind::SnapshotMark;

// An interpreter, a sandbox or the whole program dies between two steps: the session goes on from its newest
// snapshot, and says what came back.
class TestRewindLoss final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDeadInterpreterIsWokenExactly();
    void aLostSandboxComesBackForACell();
    void aLostSandboxComesBackForANode();
    void aKilledProgramLosesNoNames();
    void withoutASnapshotItIsFresh();
};

namespace {

RunInput nothing()
{
    return RunInput::input(Value::map());
}

std::string seen(const RunResult& result)
{
    return result.error + listText(result.values["seen"]);
}

const std::string kFirst = "1 1\n2 2\n3 3\n4 4\n";
const std::string kSecond = "5 5\n6 6\n7 7\n8 8\n";

// A cell by hand, and what was said besides.
struct Said {
    std::string printed;
    std::string events;
    sessions::CellResult result;
};
Said cell(sessions::Session& session, const std::string& code)
{
    Said said;
    const sessions::CellHandlers handlers{ [&](const sessions::CellOutput& output) {
                                              (output.stream == sessions::CellOutput::Stream::Event
                                                   ? said.events
                                                   : said.printed) += output.bytes;
                                          },
                                           {} };
    said.result = session.runCell(code, {}, {}, handlers, {});
    return said;
}

std::shared_ptr<sessions::Session> sessionOf(RewindProject& project)
{
    auto settings = project.workbench->sessionSettings();
    if (!settings)
        qFatal("%s", settings.error().message.c_str());
    auto session = project.workbench->sessions().acquire(ThreadId("t"), settings->session);
    if (!session)
        qFatal("%s", session.error().message.c_str());
    return *session;
}

void loseSandbox(RewindProject& project)
{
    sessionOf(project)->link()->close({ Errc::Io, "the test ended it" });
}

bool isWrittenOut(RewindProject& project, std::int64_t step)
{
    return waitFor([&] {
        const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", project.atStep(step) });
        return mark && mark->kind == SnapshotMark::Kind::Stored;
    });
}

} // namespace

void TestRewindLoss::aDeadInterpreterIsWokenExactly()
{
    SG_PROJECT(project, "count");
    QCOMPARE(seen(project.run(nothing())), kFirst);
    const auto session = sessionOf(project);
    QVERIFY(
        cell(*session, "import os; steps = 77; open('by-hand', 'w').close(); os._exit(3)").result.restarted);
    const Said after = cell(*session, "import os; print(steps, len(rows), os.path.exists('by-hand'))");
    QCOMPARE(after.printed, std::string("4 4 True\n"));
    SG_VERIFY_CONTAINS(after.events,
                       "interpreter was replaced, and stands at its newest snapshot again: exact");
    QVERIFY(!after.result.restarted);
    QVERIFY(cell(*session, "1").events.empty());
}

void TestRewindLoss::aLostSandboxComesBackForACell()
{
    SG_PROJECT(project, "count");
    QCOMPARE(seen(project.run(nothing())), kFirst);
    QVERIFY(isWrittenOut(project, 4));
    loseSandbox(project);
    std::vector<std::string> told;
    const auto listening = project.workbench->sessions().events().subscribe([&](const auto& event) {
        if (event.kind == sessions::SessionEvent::Kind::Restarted)
            told.push_back(event.text);
    });
    const Said after =
        cell(*sessionOf(project), "import os; print(steps, len(rows), sorted(os.listdir('.'))[-1])");
    QCOMPARE(after.printed, std::string("4 4 step-4.txt\n"));
    SG_VERIFY_CONTAINS(after.events, "started anew, and stands at its newest snapshot again: restored");
    QCOMPARE(told, std::vector<std::string>{ after.events });
    QCOMPARE(seen(project.run(nothing())), kFirst + kSecond);
}

void TestRewindLoss::aLostSandboxComesBackForANode()
{
    SG_PROJECT(project, "count");
    QCOMPARE(seen(project.run(nothing())), kFirst);
    QVERIFY(isWrittenOut(project, 4));
    loseSandbox(project);
    project.takeLog();
    QCOMPARE(seen(project.run(nothing())), kFirst + kSecond);
    SG_VERIFY_CONTAINS(project.takeLog(), "brought back: restored");
}

void TestRewindLoss::aKilledProgramLosesNoNames()
{
    SG_PROJECT(project, "count");
    const std::filesystem::path folder = project.folder().path();
    const auto code = readFile(folder / "nodes/count.py", 1 << 20);
    SG_VERIFY_OK(code);
    std::string holding = *code;
    holding.replace(holding.find("HOLD = False"), 12, "HOLD = True");
    SG_VERIFY_OK(writeFileAtomically(folder / "nodes/count.py", holding));
    QProcess run;
    run.setWorkingDirectory(QString::fromStdString(folder.string()));
    run.start(QStringLiteral(SG_BIN_DIR "/sandglass"),
              { QStringLiteral("run"), QStringLiteral("count.graph.json"), QStringLiteral("--thread"),
                QStringLiteral("t"), QStringLiteral("--backend"), QString::fromStdString(testBackend()),
                QStringLiteral("--input"), QStringLiteral("{}") });
    QVERIFY(run.waitForStarted());
    const bool isStored = waitFor(
        [&] {
            const auto rows = project.workbench->history().checkpoints(ThreadId("t"));
            if (!rows || rows->empty() || rows->front().step < 2)
                return false;
            const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", rows->front().id });
            return mark && mark->kind == SnapshotMark::Kind::Stored;
        },
        std::chrono::seconds(60));
    ::kill(static_cast<pid_t>(run.processId()), SIGKILL);
    QVERIFY(run.waitForFinished(60'000));
    QVERIFY(isStored);
    SG_VERIFY_OK(writeFileAtomically(folder / "nodes/count.py", *code));
    project.reopen();
    if (testBackend() != "docker") { // whose sandboxes outlive a program
        const Said byHand = cell(*sessionOf(project), "print(steps, len(rows))");
        QCOMPARE(byHand.printed, std::string("2 2\n"));
        SG_VERIFY_CONTAINS(byHand.events,
                           "one that was lost, and stands at its newest snapshot again: restored");
    }
    QCOMPARE(seen(project.run(RunInput::goOn())), kFirst);
}

void TestRewindLoss::withoutASnapshotItIsFresh()
{
    SG_PROJECT(project, "count");
    cell(*sessionOf(project), "x = 1");
    loseSandbox(project);
    const Said after = cell(*sessionOf(project), "print('x' in globals())");
    QCOMPARE(after.printed, std::string("False\n"));
    SG_VERIFY_CONTAINS(after.events, "started anew: its names and files in memory are gone");
    QVERIFY(after.result.restarted);
}

SG_CORE_TEST(TestRewindLoss)
#include "tst_rewind_loss.moc"
