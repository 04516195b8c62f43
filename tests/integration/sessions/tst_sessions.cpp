#include "core/base/json.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

using namespace sg;
using namespace sg::test;

namespace {

std::string fileText(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

} // namespace

class TestSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runsCells_data() { everywhere(); }
    void runsCells();
    void storesArtifacts_data() { everywhere(); }
    void storesArtifacts();
    void restartsAfterItsEnd_data() { everywhere(); }
    void restartsAfterItsEnd();
    void startsAnewWhenItWasKilled();
    void samplesUse_data() { everywhere(); }
    void samplesUse();
    void keepsTheFilesOfABindSession_data() { backends(); }
    void keepsTheFilesOfABindSession();
    void showsDatasetsReadOnly_data() { backends(); }
    void showsDatasetsReadOnly();
    void leavesNothingWhenKilled_data() { backends(); }
    void leavesNothingWhenKilled();
    void findsAKeptSessionAgain();
    void namesAMissingImage();
};

void TestSessions::runsCells()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    Printed printed;
    QCOMPARE(summary(run(*session, "import os\nx = 20")), std::string("ok"));
    QCOMPARE(summary(run(*session, "print(x + 1, os.getcwd())", Millis(5000), &printed)), std::string("ok"));
    QCOMPARE(printed.out, std::string("21 /session\n"));
    QCOMPARE(world.manager->list().size(), std::size_t(1));
    QCOMPARE(world.session("alice"), session); // pinned to the thread
    QVERIFY(world.session("bob") != session);
    const CellResult loop = run(*session, "while True: pass", Millis(300));
    QCOMPARE(loop.status, CellStatus::TimedOut);
    QCOMPARE(summary(run(*session, "assert x == 20")), std::string("ok"));
}

void TestSessions::storesArtifacts()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    const CellResult result =
        run(*session,
            "import os\nos.chdir('/session/artifacts')\nos.mkdir('deep')\n"
            "open('deep/table.csv', 'w').write('a\\n')\nopen('table.csv', 'w').write('b\\n')\n"
            "os.symlink('/etc/passwd', 'link')\nos.mkfifo('pipe')\n"
            "os.link('table.csv', 'second')\nopen('big.bin', 'wb').write(b'x' * 5_000_000);");
    QCOMPARE(summary(result), std::string("ok"));
    QCOMPARE(result.artifacts.size(), std::size_t(2));
    QCOMPARE(result.artifacts.at(0).path, std::string("big.bin"));
    QCOMPARE(result.artifacts.at(1).path, std::string("deep/table.csv"));
    QCOMPARE(result.artifacts.at(0).size, std::uint64_t(5'000'000));
    QCOMPARE(result.warnings.size(), std::size_t(4)); // link, pipe and both names of one file
    Printed printed;
    run(*session, "print(sorted(os.listdir('.')))", Millis(5000), &printed);
    QCOMPARE(printed.out, std::string("['deep', 'link', 'pipe', 'second', 'table.csv']\n"));
}

void TestSessions::restartsAfterItsEnd()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    run(*session, "x = 1");
    const CellResult died = run(*session, "import ctypes, os\nos.kill(os.getpid(), 9)");
    QCOMPARE(died.status, CellStatus::Died);
    QVERIFY(died.restarted);
    Printed printed;
    QCOMPARE(summary(run(*session, "print('x' in globals())", Millis(5000), &printed)), std::string("ok"));
    QCOMPARE(printed.out, std::string("False\n"));
    SG_VERIFY_OK(world.manager->stop(session->info().id));
    QCOMPARE(run(*session, "1").status, CellStatus::Died);
    const auto next = world.session("alice");
    QVERIFY2(next != nullptr, world.problem.c_str());
    QVERIFY(next != session);
    QCOMPARE(summary(run(*next, "1")), std::string("ok"));
}

void TestSessions::startsAnewWhenItWasKilled()
{
    SG_NEED("bubblewrap");
    World world("bubblewrap");
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    const std::string name = session->info().sandboxName; // "bubblewrap pid 123"
    const int pid = std::stoi(name.substr(name.rfind(' ') + 1));
    std::thread killer([&] {
        static_cast<void>(
            waitFor([&] { return session->info().state.is(sessions::SessionState::Kind::Busy); }));
        ::kill(pid, SIGKILL);
    });
    const CellResult died = run(*session, "import time; time.sleep(60)");
    killer.join();
    QCOMPARE(died.status, CellStatus::Died);
    QVERIFY2(died.error && died.error->type == "SessionEnded", summary(died).c_str());
    const CellResult next = run(*session, "import os; os.listdir('/session')");
    QCOMPARE(summary(next), std::string("ok"));
    QVERIFY(next.restarted);
}

void TestSessions::samplesUse()
{
    SG_USE_BACKEND();
    std::mutex mutex;
    std::vector<sandbox::ResourceSample> samples;
    const auto subscription = world.manager->events().subscribe([&](const sessions::SessionEvent& event) {
        const std::lock_guard lock(mutex);
        if (event.kind == sessions::SessionEvent::Kind::Sample)
            samples.push_back(event.sample);
    });
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    QCOMPARE(summary(run(*session,
                         "import time\nend = time.time() + 3\nblock = bytearray(50 << 20)\n"
                         "while time.time() < end: pass")),
             std::string("ok"));
    QVERIFY(test::waitFor([&] {
        const std::lock_guard lock(mutex);
        return samples.size() >= 3;
    }));
    const std::lock_guard lock(mutex);
    const auto by = [](auto member) {
        return [member](const auto& a, const auto& b) { return a.*member < b.*member; };
    };
    const auto cpu =
        std::max_element(samples.begin(), samples.end(), by(&sandbox::ResourceSample::cpuPercent));
    const auto memory =
        std::max_element(samples.begin(), samples.end(), by(&sandbox::ResourceSample::memoryBytes));
    QVERIFY2(cpu->cpuPercent > 5 && cpu->cpuPercent < 250, std::to_string(cpu->cpuPercent).c_str());
    QVERIFY2(memory->memoryBytes > (40 << 20) && memory->memoryBytes < (256 << 20),
             std::to_string(memory->memoryBytes).c_str());
}

void TestSessions::keepsTheFilesOfABindSession()
{
    SG_USE_BACKEND();
    world.spec.mode.storage = sessions::SessionStorage::Bind;
    auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    const SessionId id = session->info().id;
    QCOMPARE(summary(run(*session,
                         "open('/session/notes.txt', 'w').write('kept')\n"
                         "open('/session/artifacts/a.txt', 'w').write('artifact');")),
             std::string("ok"));
    // A hostile session: its log must not lead the host astray.
    QCOMPARE(summary(run(*session,
                         "import os\nos.rename('/session/session.log', '/session/stolen')\n"
                         "os.symlink('/session/notes.txt', '/session/session.log')")),
             std::string("ok"));
    session->end();
    const std::filesystem::path folder = world.folder / "sessions" / id.value;
    QCOMPARE(fileText(folder / "notes.txt"), std::string("kept"));
    SG_VERIFY_CONTAINS(fileText(folder / "stolen"), "\"event\":\"code_execution\"");
    SG_VERIFY_CONTAINS(fileText(folder / "stolen"), "\"event\":\"artifacts_created\"");
    SG_VERIFY_CONTAINS(fileText(folder / "session.log"), "\"event\":\"session_stopped\"");
    const auto metadata = parseJson(fileText(folder / "session_metadata.json"));
    SG_VERIFY_OK(metadata);
    QCOMPARE((*metadata)["thread_id"], Value("alice"));
    QCOMPARE((*metadata)["final_execution_count"], Value(2));

    session = world.session("alice"); // the thread's files are there again
    QVERIFY2(session != nullptr, world.problem.c_str());
    QCOMPARE(session->info().id, id);
    QCOMPARE(summary(run(*session, "assert open('/session/notes.txt').read() == 'kept'")), std::string("ok"));
}

void TestSessions::showsDatasetsReadOnly()
{
    SG_USE_BACKEND();
    world.folder.write("datasets/a.csv", "1\n");
    world.spec.mode.datasets = sessions::DatasetAccess::LocalRo;
    world.spec.datasetFolder = world.folder / "missing";
    QCOMPARE(world.session("alice"), nullptr);
    SG_VERIFY_CONTAINS(world.problem, "missing");
    world.spec.datasetFolder = world.folder / "datasets";
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    QCOMPARE(summary(run(*session, "assert open('/data/a.csv').read() == '1\\n'")), std::string("ok"));
    const CellResult refused = run(*session, "open('/data/b.csv', 'w')");
    QCOMPARE(refused.status, CellStatus::Error);
    QVERIFY(!std::filesystem::exists(world.folder / "datasets" / "b.csv"));
}

void TestSessions::leavesNothingWhenKilled()
{
    SG_USE_BACKEND();
    std::array<int, 2> ends{};
    QCOMPARE(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        // Files that it leaves behind go with our folder.
        qputenv("TMPDIR", QByteArray::fromStdString(world.folder.path().string()));
        World other(backend, "killed");
        const auto session = other.session("alice");
        const char state = session != nullptr ? 'y' : 'n';
        if (::write(ends[1], &state, 1) == 1 && session != nullptr)
            run(*session, "import time; time.sleep(60)");
        ::_exit(0);
    }
    char state = 0;
    QCOMPARE(::read(ends[0], &state, 1), ssize_t(1));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QCOMPARE(state, 'y');
    const auto swept = world.manager->sweepOrphans();
    SG_VERIFY_OK(swept);
    QCOMPARE(*swept, backend == "docker" ? 1 : 0); // a bubblewrap session dies with its process
    QCOMPARE(*world.manager->sweepOrphans(), 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

void TestSessions::findsAKeptSessionAgain()
{
    SG_NEED("docker");
    World first("docker");
    first.spec.keep = true;
    SessionId id;
    {
        const auto session = first.session("keeper");
        QVERIFY2(session != nullptr, first.problem.c_str());
        id = session->info().id;
        QCOMPARE(summary(run(*session, "x = 42")), std::string("ok"));
    }
    first.manager.reset();

    World second("docker", "another");
    second.spec.keep = true;
    const auto listed = second.manager->list();
    QCOMPARE(listed.size(), std::size_t(1));
    QCOMPARE(listed.front().id, id);
    QCOMPARE(*second.manager->sweepOrphans(), 0); // kept ones are no orphans
    const auto session = second.session("keeper");
    QVERIFY2(session != nullptr, second.problem.c_str());
    Printed printed;
    QCOMPARE(summary(run(*session, "print(x)", Millis(5000), &printed)), std::string("ok"));
    QCOMPARE(printed.out, std::string("42\n"));
    SG_VERIFY_OK(second.manager->stop(id));
    QCOMPARE(second.manager->list().size(), std::size_t(0));
}

void TestSessions::namesAMissingImage()
{
    SG_NEED("docker");
    World world("docker");
    world.spec.image = "sandglass/no-such-image";
    QCOMPARE(world.session("alice"), nullptr);
    SG_VERIFY_CONTAINS(world.problem, "sandglass/no-such-image");
}

SG_TEST(TestSessions)
#include "tst_sessions.moc"
