#include "core/base/relative_path.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_files.h"
#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

#include <mutex>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;

// A session stands at its newest step, and was touched since by something else than a cell: a file was put
// there, a thread that the step left goes on. Who goes on
// from there finds that; who goes back to that very step finds the session as it was.
class TestRewindTouched final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whoGoesBackFindsItAsItWas_data() { touches(); }
    void whoGoesBackFindsItAsItWas();
    void whoGoesOnFindsIt_data() { touches(); }
    void whoGoesOnFindsIt();
    void exactSaysWhatLives();
    void exactIsNotSaidWhereFilesOutsideAreOthers();
    void aStoredReturnNamesFilesOutsideThatAreOthers();
    void whatWasDoneByHandIsSaidOnce();
    void whatWasDoneByHandOutlivesItsProgram_data();
    void whatWasDoneByHandOutlivesItsProgram();
    void whatWasDoneByHandIsNotGivenUpInSilence();

private:
    static void touches()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("left");
        QTest::newRow("a file that was put there") << "file"
                                                   << "late";
        QTest::newRow("a look at a name, which changes nothing") << "look"
                                                                 << "nothing";
        QTest::newRow("a thread that goes on") << "thread"
                                               << "beat";
    }
};

namespace {

RunInput how(const QString& name)
{
    return RunInput::input(Value::map({ { "how", name.toStdString() } }));
}

std::string seen(const RunResult& result)
{
    return result.error + listText(result.values["seen"]);
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

void touch(RewindProject& project, const QString& what)
{
    const auto link = sessionOf(project)->link();
    if (what == QLatin1String("file")) {
        const auto writer =
            sessions::writeSessionFile(*link, sessions::FileRoot::Session, *RelativePath::parse("late"));
        if (!writer->write("x") || !writer->finish())
            qFatal("the file cannot be put there");
    } else if (what == QLatin1String("look")) {
        if (const auto listed = sessions::listVariables(*link, 100); !listed)
            qFatal("%s", listed.error().message.c_str());
    }
}

void byHand(RewindProject& project, const std::string& code)
{
    if (const auto result = sessionOf(project)->runCell(code, {}, {}, {}, {}); !result.isWhole())
        qFatal("%s", result.error ? result.error->message.c_str() : "the cell failed");
}

} // namespace

void TestRewindTouched::whoGoesBackFindsItAsItWas()
{
    QFETCH(const QString, how);
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(::how(how))), std::string("nothing\n"));
    touch(project, how);
    QCOMPARE(seen(project.run(::how(how), project.atStep(1))), std::string("nothing\nnothing\n"));
}

void TestRewindTouched::whoGoesOnFindsIt()
{
    QFETCH(const QString, how);
    QFETCH(const QString, left);
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(::how(how))), std::string("nothing\n"));
    touch(project, how);
    QCOMPARE(seen(project.run(::how(how))), "nothing\n" + left.toStdString() + "\n");
}

void TestRewindTouched::exactSaysWhatLives()
{
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(how(QStringLiteral("thread")))), std::string("nothing\n"));
    const RunResult refused =
        project.run(how(QStringLiteral("thread")), project.atStep(1), rewind::SandboxChoice::Exact);
    SG_VERIFY_CONTAINS(refused.error, "beat");
}

// A live sandbox keeps what later steps wrote to /tmp, which no snapshot has.
void TestRewindTouched::exactIsNotSaidWhereFilesOutsideAreOthers()
{
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\n"));
    const CheckpointId before = project.atStep(1);
    QCOMPARE(seen(project.run(how(QStringLiteral("outside")))), std::string("nothing\nnothing\n"));
    std::mutex mutex;
    std::vector<Value> told;
    const Subscription heard =
        project.workbench->runs().events().subscribe([&](const engine::RunEvent& event) {
            const std::lock_guard lock(mutex);
            if (const auto* restored = std::get_if<engine::SandboxRestored>(&event.body))
                told.push_back(restored->how);
        });
    project.takeLog();
    const RunResult back = project.run(how(QStringLiteral("file")), before, rewind::SandboxChoice::Exact);
    QCOMPARE(back.error, std::string());
    const std::string log = project.takeLog();
    SG_VERIFY_CONTAINS(log, "live, but outside of /session these are not as they were: file /tmp/left (new)");
    QCOMPARE(told.size(), std::size_t(1));
    QCOMPARE(told[0].stringOr("kind", ""), std::string("live"));
    QCOMPARE(told[0]["differs"][0].stringOr("name", ""), std::string("/tmp/left (new)"));
}

void TestRewindTouched::aStoredReturnNamesFilesOutsideThatAreOthers()
{
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\n"));
    const CheckpointId before = project.atStep(1);
    QCOMPARE(seen(project.run(how(QStringLiteral("outside")))), std::string("nothing\nnothing\n"));
    project.takeLog();
    const RunResult back = project.run(how(QStringLiteral("file")), before, rewind::SandboxChoice::Stored);
    QCOMPARE(back.error, std::string());
    SG_VERIFY_CONTAINS(project.takeLog(),
                       "outside of /session these are not as they were: file /tmp/left (new)");
}

// A fork of the newest step goes on just there: it finds what a person did since, and hears of it.
void TestRewindTouched::whatWasDoneByHandIsSaidOnce()
{
    SG_PROJECT(project, "touched");
    std::mutex mutex;
    std::vector<bool> kept;
    const Subscription heard =
        project.workbench->runs().events().subscribe([&](const engine::RunEvent& event) {
            const std::lock_guard lock(mutex);
            if (const auto* restored = std::get_if<engine::SandboxRestored>(&event.body))
                kept.push_back(restored->how.boolOr("keeps_edits", false));
        });
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\n"));
    QCOMPARE(kept, std::vector<bool>());
    touch(project, QStringLiteral("file"));
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\nlate\n"));
    QCOMPARE(kept, std::vector<bool>{ true });
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\nlate\nlate\n"));
    QCOMPARE(kept, std::vector<bool>{ true });
    touch(project, QStringLiteral("file"));
    const RunResult exact =
        project.run(how(QStringLiteral("file")), std::nullopt, rewind::SandboxChoice::Exact);
    QCOMPARE(exact.error, std::string());
    QCOMPARE(kept, (std::vector<bool>{ true, false }));
}

void TestRewindTouched::whatWasDoneByHandOutlivesItsProgram_data()
{
    QTest::addColumn<bool>("hasRun");
    QTest::addColumn<bool>("isUpload");
    QTest::newRow("a cell after a run") << true << false;
    QTest::newRow("a cell before any run") << false << false;
    QTest::newRow("an upload after a run") << true << true;
    QTest::newRow("an upload before any run") << false << true;
}

// The program that takes a kept session up knows what an earlier one did in it.
void TestRewindTouched::whatWasDoneByHandOutlivesItsProgram()
{
    QFETCH(const bool, hasRun);
    QFETCH(const bool, isUpload);
    SG_PROJECT(project, "touched");
    if (testBackend() != "docker")
        return; // no other backend here keeps sessions
    project.keepsSessions = true;
    project.reopen();
    const std::string before = hasRun ? "nothing\n" : "";
    if (hasRun)
        QCOMPARE(seen(project.run(how(QStringLiteral("file")))), before);
    project.reopen();
    if (isUpload)
        touch(project, QStringLiteral("file"));
    else
        byHand(project, "open('late', 'w').close()");
    project.reopen();
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), before + "late\n");
    SG_VERIFY_CONTAINS(project.takeLog(), "with what was done by hand in it since its step");
    project.reopen();
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), before + "late\nlate\n");
    const std::string log = project.takeLog();
    QVERIFY2(log.find("by hand") == std::string::npos, log.c_str());
    // Who goes back on purpose finds it as it was.
    if (hasRun)
        QCOMPARE(seen(project.run(how(QStringLiteral("file")), project.atStep(1))),
                 std::string("nothing\nnothing\n"));
    sessionOf(project)->end();
}

// A node that ends the interpreter takes along what was done by hand, which no snapshot has.
void TestRewindTouched::whatWasDoneByHandIsNotGivenUpInSilence()
{
    SG_PROJECT(project, "touched");
    QCOMPARE(seen(project.run(how(QStringLiteral("file")))), std::string("nothing\n"));
    byHand(project, "by_hand = 1");
    const RunResult failed = project.run(how(QStringLiteral("end")));
    QVERIFY(failed.status == RunStatus::Failed);
    project.takeLog();
    project.run(how(QStringLiteral("file")));
    SG_VERIFY_CONTAINS(project.takeLog(), "what was done by hand in it since is given up");
}

SG_CORE_TEST(TestRewindTouched)
#include "tst_rewind_touched.moc"
