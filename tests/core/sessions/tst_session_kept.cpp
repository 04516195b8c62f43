#include "tests/core/sessions/lifecycle_world.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::SessionSpec;
using World = test::LifecycleWorld;
using test::kProject;

// Kept sessions: taken up by the next program, or replaced with a word.
class TestSessionKept : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKeptSessionOutlivesItsSecret();
    void aKeptSessionOfOtherSettingsIsReplacedAndThatIsSaid();
    void recordsOfLostSandboxesAreClosed();
};

// The secret is missing, not the sandbox with the person's names.
void TestSessionKept::aKeptSessionOutlivesItsSecret()
{
    World world;
    SessionSpec spec;
    spec.keep = true;
    const auto first = world.session("alice", spec);
    QVERIFY2(first, world.problem.c_str());
    const SessionId id = first->info().id;
    world.manager.reset();
    world.make();
    sandbox::FoundSandbox left;
    left.name = "left";
    left.session = id;
    left.project = kProject;
    left.kept = true;
    world.backend->found = { left };
    SessionSpec wanted = spec;
    wanted.egress = { "api.test:8080" };
    wanted.secretHeaders = { "key@http://api.test:8080" };
    QVERIFY(!world.session("alice", wanted));
    SG_VERIFY_CONTAINS(world.problem, "no secret key");
    QCOMPARE(world.backend->found.size(), std::size_t(1));
    const auto again = world.session("alice", spec); // it does not answer: another takes its place
    QVERIFY2(again, world.problem.c_str());
    QCOMPARE(world.backend->found.size(), std::size_t(0));
    SG_VERIFY_OK(world.manager->stop(id));
}

void TestSessionKept::aKeptSessionOfOtherSettingsIsReplacedAndThatIsSaid()
{
    World world;
    SessionSpec spec;
    spec.keep = true;
    spec.mode.datasets = sessions::DatasetAccess::LocalRo;
    spec.datasetFolder = world.folder / "data";
    std::filesystem::create_directories(world.folder / "data");
    std::filesystem::create_directories(world.folder / "other");
    const auto first = world.session("alice", spec);
    QVERIFY2(first, world.problem.c_str());
    const SessionId id = first->info().id;
    for (const std::string changed : { "dataset folder", "number of open files", "folders of modules" }) {
        world.manager.reset();
        world.make();
        sandbox::FoundSandbox left;
        left.name = "left";
        left.session = id;
        left.project = kProject;
        left.kept = true;
        world.backend->found = { left };
        spec.datasetFolder = world.folder / "other";
        if (changed == "number of open files")
            spec.limits.openFiles = 100;
        if (changed == "folders of modules") // "lib" was made since
            spec.modules = { { "lib", world.folder / "other", 1, 2 } };
        std::string said;
        const auto again = world.manager->acquire(ThreadId("alice"), spec, {},
                                                  [&](const std::string& text) { said += text + "\n"; });
        SG_VERIFY_OK(again);
        SG_VERIFY_CONTAINS(said, "session " + id.value + " of this thread has ended");
        SG_VERIFY_CONTAINS(said, "it was made with other settings (" + changed + ")");
        QCOMPARE(world.backend->found.size(), std::size_t(0));
        // The record has what holds now: the next one to look would be misled else.
        const auto record = world.manager->records()->find(id);
        QVERIFY(record && *record);
        QCOMPARE((*record)->info.limits.openFiles, spec.limits.openFiles);
        QCOMPARE((*record)->datasetFolder.value_or("?"), spec.datasetFolder.string());
    }
    SG_VERIFY_OK(world.manager->stop(id));
}

void TestSessionKept::recordsOfLostSandboxesAreClosed()
{
    World world;
    SessionSpec spec;
    spec.keep = true;
    const auto session = world.session("alice", spec);
    QVERIFY2(session, world.problem.c_str());
    const SessionId id = session->info().id;
    world.manager.reset(); // lets go of it; its engine loses it meanwhile
    world.make();
    const auto planned = world.manager->collectGarbage(true);
    SG_VERIFY_OK(planned);
    QCOMPARE(planned->size(), std::size_t(1));
    QCOMPARE(world.stateOf(id), std::string("released"));
    SG_VERIFY_OK(world.manager->collectGarbage(false));
    SG_VERIFY_CONTAINS(world.stateOf(id), std::string("ended: its sandbox was removed"));
    QCOMPARE(world.manager->collectGarbage(true)->size(), std::size_t(0));
}

SG_CORE_TEST(TestSessionKept)
#include "tst_session_kept.moc"
