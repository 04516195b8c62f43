#include "core/sessions/manager/session_manager.h"
#include "tests/support/counting_random.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <mutex>
#include <thread>

using namespace sg;
using sessions::SessionEvent;
using sessions::SessionSpec;

namespace {

constexpr const char* kProject = "12345678";

struct World {
    explicit World(bool hasDocker = true, bool hasBubblewrap = true)
    {
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        sessions::SessionManager::Backends backends;
        const auto add = [&](const char* name, test::LocalProcessBackend*& pointer) {
            auto backend = std::make_unique<test::LocalProcessBackend>(folder / name);
            pointer = backend.get();
            backends.emplace(name, std::move(backend));
        };
        if (hasDocker)
            add("docker", docker);
        if (hasBubblewrap)
            add("bubblewrap", bubblewrap);
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.project = kProject;
        options.sampleInterval = Millis(20);
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
        subscription = manager->events().subscribe([this](const SessionEvent& event) {
            const std::lock_guard lock(mutex);
            if (event.kind == SessionEvent::Kind::Sample)
                ++samples;
            else
                events.push_back(event);
        });
    }

    std::string backendOf(const SessionSpec& spec)
    {
        const auto session = manager->acquire(ThreadId("alice"), spec);
        return session ? (*session)->info().backend : session.error().message;
    }
    std::string eventText()
    {
        static constexpr std::array kNames{ "started", "ended", "restarted", "sample" };
        const std::lock_guard lock(mutex);
        std::string text;
        for (const SessionEvent& event : events)
            text += event.info.thread.value + " " + kNames.at(static_cast<std::size_t>(event.kind)) + "\n";
        return text;
    }

    test::TempDir folder;
    SystemClock clock;
    test::CountingRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    test::LocalProcessBackend* docker = nullptr;
    test::LocalProcessBackend* bubblewrap = nullptr;
    std::mutex mutex;
    std::vector<SessionEvent> events; // guarded by mutex
    int samples = 0; // guarded by mutex
    std::unique_ptr<sessions::SessionManager> manager;
    Subscription subscription;
};

sandbox::FoundSandbox foundOne(const char* name, const char* project, bool kept, bool ownerAlive)
{
    return { name,       SessionId(std::string("s-") + name), project, "owner", kept,
             ownerAlive, "2026-11-21T08:00:00+00:00" };
}

} // namespace

class TestSessionManager : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pinsSessionsToThreads();
    void replacesASessionOfAnotherSpec();
    void choosesABackend();
    void saysWhatToInstall();
    void refusesSpecs_data();
    void refusesSpecs();
    void whatCannotBePreparedEndsNothing();
    void startsOncePerThread();
    void tellsWhatHappens();
    void samplesAndNoticesDeath();
    void sweepsOrphansOnly();
    void listsKeptOnes();
    void stops();
    void keepsABindFolderPerThread();
    void endsAllSessions();
    void sessionsOutliveTheManagerHarmlessly();
};

void TestSessionManager::pinsSessionsToThreads()
{
    World world;
    const auto first = world.manager->acquire(ThreadId("alice"), {});
    const auto again = world.manager->acquire(ThreadId("alice"), {});
    const auto other = world.manager->acquire(ThreadId("bob"), {});
    SG_VERIFY_OK(first);
    SG_VERIFY_OK(again);
    SG_VERIFY_OK(other);
    QCOMPARE(first->get(), again->get());
    QVERIFY(first->get() != other->get());
    QVERIFY((*first)->info().id != (*other)->info().id);
    QCOMPARE((*first)->info().id.value.size(), std::size_t(10));
    QVERIFY((*first)->info().id.value.starts_with("s-"));
    QCOMPARE(world.manager->find(ThreadId("alice")), *first);
    QCOMPARE(world.manager->find(ThreadId("carol")), nullptr);
    QCOMPARE(world.manager->list().size(), std::size_t(2));
}

void TestSessionManager::replacesASessionOfAnotherSpec()
{
    World world;
    const auto first = world.manager->acquire(ThreadId("alice"), {});
    SG_VERIFY_OK(first);
    SessionSpec other;
    other.limits.tmpfsBytes = 1LL << 29; // memory could be changed while it lives
    const auto second = world.manager->acquire(ThreadId("alice"), other);
    SG_VERIFY_OK(second);
    QVERIFY(*first != *second);
    SG_VERIFY_CONTAINS((*first)->info().state.text(), "ended");
    QCOMPARE(world.docker->alive.load(), 1);
}

void TestSessionManager::choosesABackend()
{
    World world;
    QCOMPARE(world.backendOf({}), std::string("docker"));
    SessionSpec spec;
    spec.backend = "bubblewrap";
    QCOMPARE(world.backendOf(spec), std::string("bubblewrap"));

    World noEngine;
    noEngine.docker->unavailable = "no Docker Engine answers";
    QCOMPARE(noEngine.backendOf({}), std::string("bubblewrap"));
    SG_VERIFY_CONTAINS(noEngine.backendOf([] {
        SessionSpec wanted;
        wanted.backend = "docker";
        return wanted;
    }()),
                       "no Docker Engine answers");

    World noImage;
    noImage.docker->startError = "no image sandglass/python";
    QCOMPARE(noImage.backendOf({}), std::string("bubblewrap"));
    QCOMPARE(noImage.manager->backendInfo("auto")->name, std::string("local"));
}

void TestSessionManager::saysWhatToInstall()
{
    World world;
    world.docker->unavailable = "install docker.io";
    world.bubblewrap->unavailable = "apt install bubblewrap";
    const auto session = world.manager->acquire(ThreadId("alice"), {});
    QVERIFY(!session);
    QCOMPARE(session.error().code, Errc::Unavailable);
    for (const char* text :
         { "thread alice", "docker: install docker.io", "bubblewrap: apt install bubblewrap" })
        SG_VERIFY_CONTAINS(session.error().message, text);
    world.bubblewrap->unavailable.clear(); // installed meanwhile
    SG_VERIFY_OK(world.manager->acquire(ThreadId("alice"), {}));
    World none(false, false);
    SG_VERIFY_CONTAINS(none.backendOf({}), "without a sandbox backend");
}

void TestSessionManager::refusesSpecs_data()
{
    QTest::addColumn<QByteArray>("backend");
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("backend") << QByteArray("podman") << QByteArray("TMPFS_NONE")
                             << QByteArray("there are: auto, bubblewrap, docker");
    for (const char* mode : { "TMPFS_LOCAL", "BIND_LOCAL", "TMPFS_HYBRID" })
        QTest::newRow(mode) << QByteArray("auto") << QByteArray(mode) << QByteArray("/nowhere/data");
}

void TestSessionManager::refusesSpecs()
{
    QFETCH(const QByteArray, backend);
    QFETCH(const QByteArray, mode);
    QFETCH(const QByteArray, text);
    World world;
    SessionSpec spec;
    spec.backend = backend.toStdString();
    const auto named = sessions::modeNamed(mode.toStdString());
    SG_VERIFY_OK(named);
    spec.mode = { *named->storage, *named->datasets };
    spec.datasetFolder = "/nowhere/data";
    const auto session = world.manager->acquire(ThreadId("alice"), spec);
    QVERIFY(!session);
    SG_VERIFY_CONTAINS(session.error().message, text.toStdString());
    QCOMPARE(world.docker->starts.load(), 0);
}

void TestSessionManager::whatCannotBePreparedEndsNothing()
{
    World world;
    SessionSpec spec;
    spec.backend = "bubblewrap";
    const auto session = world.manager->acquire(ThreadId("alice"), spec);
    SG_VERIFY_OK(session);
    SG_VERIFY_OK(world.manager->prepare(spec));
    spec.requirements = { "numpy==2.1.0" };
    const auto refused = world.manager->prepare(spec);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::Unsupported); // no layers are made here
    spec.mode.datasets = sessions::DatasetAccess::LocalRo;
    spec.datasetFolder = "/not/there";
    QCOMPARE(world.manager->prepare(spec).error().code, Errc::NotFound);
    QVERIFY(world.manager->find(ThreadId("alice")) == *session);
    QCOMPARE(world.eventText(), std::string("alice started\n"));
}

void TestSessionManager::startsOncePerThread()
{
    World world;
    std::vector<std::thread> threads;
    std::atomic<int> fine = 0;
    for (int i = 0; i < 6; ++i)
        threads.emplace_back(
            [&, i] { fine += world.manager->acquire(ThreadId(i % 2 == 0 ? "alice" : "bob"), {}) ? 1 : 0; });
    for (auto& thread : threads)
        thread.join();
    QCOMPARE(fine.load(), 6);
    QCOMPARE(world.docker->starts.load(), 2);
}

void TestSessionManager::tellsWhatHappens()
{
    World world;
    const auto session = world.manager->acquire(ThreadId("alice"), {});
    SG_VERIFY_OK(session);
    const auto run = [&](const char* code) { return (*session)->runCell(code, {}, {}, {}, {}); };
    run("import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)");
    run("1");
    (*session)->end();
    QCOMPARE(world.eventText(), std::string("alice started\nalice ended\nalice restarted\nalice ended\n"));
}

void TestSessionManager::samplesAndNoticesDeath()
{
    World world;
    SG_VERIFY_OK(world.manager->acquire(ThreadId("alice"), {}));
    QVERIFY(test::waitFor([&] {
        const std::lock_guard lock(world.mutex);
        return world.samples >= 3;
    }));
    ::kill(world.docker->lastPid, SIGKILL);
    QVERIFY(test::waitFor([&] { return world.eventText() == "alice started\nalice ended\n"; }));
}

void TestSessionManager::sweepsOrphansOnly()
{
    World world;
    world.docker->found = { foundOne("orphan", kProject, false, false),
                            foundOne("kept", kProject, true, false),
                            foundOne("living", kProject, false, true),
                            foundOne("foreign", "87654321", false, false) };
    const auto swept = world.manager->sweepOrphans();
    SG_VERIFY_OK(swept);
    QCOMPARE(*swept, 1);
    QCOMPARE(world.docker->found.size(), std::size_t(3));
    QCOMPARE(*world.manager->sweepOrphans(), 0);
}

void TestSessionManager::listsKeptOnes()
{
    World world;
    world.docker->found = { foundOne("kept", kProject, true, false),
                            foundOne("foreign", "87654321", true, false) };
    const auto infos = world.manager->list();
    QCOMPARE(infos.size(), std::size_t(1));
    QCOMPARE(infos.front().id, SessionId("s-kept"));
    QCOMPARE(infos.front().state.text(), std::string("kept"));
    SG_VERIFY_OK(world.manager->stop(SessionId("s-kept")));
    QCOMPARE(world.manager->list().size(), std::size_t(0));
}

void TestSessionManager::stops()
{
    World world;
    const auto session = world.manager->acquire(ThreadId("alice"), {});
    SG_VERIFY_OK(session);
    SG_VERIFY_OK(world.manager->stop((*session)->info().id));
    QCOMPARE(world.manager->find(ThreadId("alice")), nullptr);
    QCOMPARE(world.docker->alive.load(), 0);
    const auto again = world.manager->stop(SessionId("s-unknown"));
    QVERIFY(!again);
    QCOMPARE(again.error().code, Errc::NotFound);
    SG_VERIFY_CONTAINS(again.error().message, "s-unknown");
}

void TestSessionManager::keepsABindFolderPerThread()
{
    World world;
    SessionSpec spec;
    spec.mode.storage = sessions::SessionStorage::Bind;
    const auto idOf = [&](const char* thread) {
        const auto session = world.manager->acquire(ThreadId(thread), spec);
        return session ? (*session)->info().id : SessionId(session.error().message);
    };
    const SessionId alice = idOf("alice");
    QVERIFY(idOf("bob") != alice);
    SG_VERIFY_OK(world.manager->stop(alice));
    QCOMPARE(idOf("alice"), alice);
    QVERIFY(std::filesystem::exists(world.folder / "sessions" / alice.value / "session.log"));
    QCOMPARE(idOf("../../etc").value.find('/'), std::string::npos); // a thread's name is no path
}

void TestSessionManager::endsAllSessions()
{
    World world;
    for (const char* thread : { "a", "b", "c" })
        SG_VERIFY_OK(world.manager->acquire(ThreadId(thread), {}));
    QCOMPARE(world.docker->alive.load(), 3);
    std::vector<int> pids;
    for (const sessions::SessionInfo& info : world.manager->list())
        pids.push_back(std::stoi(info.sandboxName.substr(info.sandboxName.rfind(' ') + 1)));
    world.manager.reset();
    for (const int pid : pids)
        QVERIFY(::kill(pid, 0) != 0);
}

void TestSessionManager::sessionsOutliveTheManagerHarmlessly()
{
    World world;
    const auto session = world.manager->acquire(ThreadId("alice"), {});
    SG_VERIFY_OK(session);
    world.manager.reset();
    QVERIFY((*session)->runCell("1", {}, {}, {}, {}).status == sessions::CellStatus::Died);
    QVERIFY(!(*session)->sample());
    (*session)->end();
}

SG_TEST(TestSessionManager)
#include "tst_session_manager.moc"
