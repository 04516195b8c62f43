#include "core/base/relative_path.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/runner/session_files.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;

// More threads than this machine may have sessions: those outside of runs make room and come back as they
// were, and runs that would wait for each other for ever do not.
class TestRewindRoom final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { qunsetenv("SANDGLASS_SESSIONS"); }
    void aThreadOutsideOfRunsMakesRoomAndComesBack();
    void whatWasDoneByHandComesBack();
    void aFileThatWasPutThereComesBack();
    void runsOfTwoThreadsShareOnePlace();
    void aRunThatNeedsMoreThanThereIsFails();
    void ofRunsThatWaitForEachOtherOneGoesOn();
};

namespace {

const std::string kFirst = "1 1\n2 2\n3 3\n4 4\n";
const std::string kSecond = "5 5\n6 6\n7 7\n8 8\n";
const std::string kAgents = "left 1 1\nright 1 1\nleft 2 2\nright 2 2\nleft 3 3\nright 3 3\n";
const std::string kRefused = "is held by runs that wait for more of it";

RunId begun(RewindProject& project, const std::string& thread)
{
    runs::RunRequest request;
    request.thread = ThreadId(thread);
    request.input = RunInput::input(Value::map());
    auto started = project.workbench->runs().start(request);
    if (!started)
        qFatal("%s", started.error().message.c_str());
    return *started;
}

RunResult ran(RewindProject& project, const std::string& thread)
{
    return project.workbench->runs().wait(begun(project, thread));
}

std::string listOf(const RunResult& result, const char* channel)
{
    return result.error + listText(result.values[channel]);
}

// Why sessions of a thread ended.
std::string endsOf(RewindProject& project, const std::string& thread)
{
    std::string text;
    const auto all = project.workbench->sessions().records()->list(true);
    if (!all)
        return all.error().message;
    for (const sessions::SessionRecord& record : *all)
        if (record.info.thread.value == thread)
            if (const auto notes = project.workbench->sessions().records()->notes(record.info.id, 100))
                for (const sessions::SessionNote& note : *notes)
                    if (note.event == sessions::SessionEventKind::Ended)
                        text += note.text + "\n";
    return text;
}

} // namespace

void TestRewindRoom::aThreadOutsideOfRunsMakesRoomAndComesBack()
{
    qputenv("SANDGLASS_SESSIONS", "1");
    SG_PROJECT(project, "count");
    QCOMPARE(listOf(ran(project, "t"), "seen"), kFirst);
    QCOMPARE(listOf(ran(project, "u"), "seen"), kFirst);
    SG_VERIFY_CONTAINS(endsOf(project, "t"), "it made room for thread u");
    // Names that slept there are told as gone from now on, and those that were written out as kept.
    const auto mark = project.workbench->snapshots()->mark({ ThreadId("t"), "", project.atStep(4) });
    SG_VERIFY_OK(mark);
    QCOMPARE(mark->kind, rewind::SnapshotMark::Kind::Stored);
    for (const sessions::SessionInfo& info : project.workbench->sessions().list())
        QVERIFY(info.thread.value == "u" || info.asleep.empty());
    project.takeLog();
    QCOMPARE(listOf(ran(project, "t"), "seen"), kFirst + kSecond);
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "waits for room on this machine");
    SG_VERIFY_CONTAINS(log, "the session had made room for another one, and was started anew");
    SG_VERIFY_CONTAINS(log, "brought back: restored");
    SG_VERIFY_CONTAINS(endsOf(project, "u"), "it made room for thread t");
}

void TestRewindRoom::whatWasDoneByHandComesBack()
{
    qputenv("SANDGLASS_SESSIONS", "1");
    SG_PROJECT(project, "count");
    QCOMPARE(listOf(ran(project, "t"), "seen"), kFirst);
    const auto settings = project.workbench->sessionSettings();
    SG_VERIFY_OK(settings);
    const auto session = project.workbench->sessions().acquire(ThreadId("t"), settings->session);
    SG_VERIFY_OK(session);
    const auto edited = (*session)->runCell("steps += 10\nopen('by-hand', 'w').write('x')", {}, {}, {}, {});
    QCOMPARE(edited.status, sessions::CellStatus::Ok);
    QCOMPARE(listOf(ran(project, "u"), "seen"), kFirst);
    QVERIFY(!(*session)->link());
    const auto again =
        (*session)->runCell("import os; steps, len(rows), os.path.exists('by-hand')", {}, {}, {}, {});
    QCOMPARE(again.value.stringOr("text/plain", "?"), std::string("(14, 4, True)"));
    QCOMPARE(listOf(ran(project, "u"), "seen"), kFirst + kSecond);
    // The run goes on from what was done by hand, as it would have without the other thread.
    QCOMPARE(listOf(ran(project, "t"), "seen").substr(0, kFirst.size() + 5), kFirst + "15 5\n");
}

// Into a session in which nothing has run yet.
void TestRewindRoom::aFileThatWasPutThereComesBack()
{
    qputenv("SANDGLASS_SESSIONS", "1");
    SG_PROJECT(project, "count");
    auto settings = project.workbench->sessionSettings();
    SG_VERIFY_OK(settings);
    auto session = project.workbench->sessions().acquire(ThreadId("t"), settings->session);
    SG_VERIFY_OK(session);
    const auto link = (*session)->link();
    const auto writer =
        sessions::writeSessionFile(*link, sessions::FileRoot::Session, *RelativePath::parse("put"));
    SG_VERIFY_OK(writer->write("by hand"));
    SG_VERIFY_OK(writer->finish());
    QCOMPARE(listOf(ran(project, "u"), "seen"), kFirst);
    SG_VERIFY_CONTAINS(endsOf(project, "t"), "it made room for thread u");
    const sessions::CellResult found = (*session)->runCell("open('put').read()", {}, {}, {}, {});
    QVERIFY2(!found.error, found.error ? found.error->message.c_str() : "");
}

void TestRewindRoom::runsOfTwoThreadsShareOnePlace()
{
    qputenv("SANDGLASS_SESSIONS", "1");
    SG_PROJECT(project, "count");
    std::vector<RunId> runs;
    for (const char* thread : { "t", "u", "v" })
        runs.push_back(begun(project, thread));
    for (const RunId& run : runs)
        QCOMPARE(listOf(project.workbench->runs().wait(run), "seen"), kFirst);
}

void TestRewindRoom::aRunThatNeedsMoreThanThereIsFails()
{
    qputenv("SANDGLASS_SESSIONS", "1");
    SG_PROJECT(project, "agents");
    const RunResult result = ran(project, "t");
    QCOMPARE(result.status, RunStatus::Failed);
    SG_VERIFY_CONTAINS(result.error, kRefused);
    SG_VERIFY_CONTAINS(result.error, "raise SANDGLASS_SESSIONS");
    qputenv("SANDGLASS_SESSIONS", "2");
    project.reopen();
    // The one that ran has its file again, but not its generator, which nothing can write out.
    const std::string told = listOf(project.run(RunInput::goOn()), "told");
    const std::string anew = kAgents.substr(0, kAgents.find("left 2"));
    QVERIFY2(told == anew + "left 1 2\nright 2 2\nleft 2 3\nright 3 3\n"
                 || told == anew + "left 2 2\nright 1 2\nleft 3 3\nright 2 3\n",
             told.c_str());
}

void TestRewindRoom::ofRunsThatWaitForEachOtherOneGoesOn()
{
    qputenv("SANDGLASS_SESSIONS", "2");
    SG_PROJECT(project, "agents");
    for (int round = 0; round < 3; ++round) {
        const std::string name = std::to_string(round);
        const std::vector<RunId> runs{ begun(project, "a" + name), begun(project, "b" + name) };
        int good = 0;
        for (const RunId& run : runs) {
            const RunResult result = project.workbench->runs().wait(run);
            if (result.error.empty())
                QCOMPARE(listOf(result, "told"), kAgents);
            else
                SG_VERIFY_CONTAINS(result.error, kRefused);
            good += result.error.empty() ? 1 : 0;
        }
        QVERIFY(good >= 1);
    }
}

SG_CORE_TEST(TestRewindRoom)
#include "tst_rewind_room.moc"
