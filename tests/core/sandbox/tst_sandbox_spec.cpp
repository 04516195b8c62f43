#include "core/sandbox/owner_process.h"
#include "core/sandbox/sandbox_user.h"
#include "core/sandbox/spec_check.h"
#include "core/sandbox/usage_rate.h"
#include "core/sandbox/writable_places.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <limits>

using namespace sg;
using namespace sg::sandbox;
using namespace std::chrono_literals;

// Both backends decide these things before anything is started.
class TestSandboxSpec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesTmpfs_data();
    void sizesTmpfs();
    void checksASpec_data();
    void checksASpec();
    void mountsNoWayToTheMachine_data();
    void mountsNoWayToTheMachine();
    void mountsNobodysKeys_data();
    void mountsNobodysKeys();
    void knowsItsOwnProcess();
    void knowsThatAProcessIsGone();
    void refusesOwnerMarks_data();
    void refusesOwnerMarks();
    void computesPercent();
    void takesAUserThatIsNotRoot();
    void givesAFolderWithoutFollowingLinks();
};

void TestSandboxSpec::sizesTmpfs_data()
{
    QTest::addColumn<qint64>("memory");
    QTest::addColumn<qint64>("tmpfs");
    QTest::addColumn<bool>("bound");
    QTest::addColumn<qint64>("most");
    QTest::newRow("defaults") << qint64(2LL << 30) << qint64(1LL << 30) << false << qint64(1LL << 30);
    QTest::newRow("half the memory at most")
        << qint64(256 << 20) << qint64(1LL << 30) << false << qint64(128 << 20);
    QTest::newRow("a bound session folder")
        << qint64(2LL << 30) << qint64(1LL << 30) << true << qint64(1LL << 30);
    QTest::newRow("tiny") << qint64(1 << 20) << qint64(1) << false << qint64(3 * 4096);
    QTest::newRow("negative") << qint64(-1) << qint64(-1) << false << qint64(3 * 4096);
}

void TestSandboxSpec::sizesTmpfs()
{
    QFETCH(qint64, memory);
    QFETCH(qint64, tmpfs);
    QFETCH(bool, bound);
    QFETCH(qint64, most);
    Limits limits;
    limits.memoryBytes = memory;
    limits.tmpfsBytes = tmpfs;
    const auto places = writablePlaces(limits, bound);
    std::int64_t sum = 0;
    for (const WritablePlace& place : places) {
        QCOMPARE(place.size == 0, bound && place.path == "/session"); // 0 would mean no limit
        sum += place.size;
    }
    QVERIFY(sum <= most + 4096);
    if (!bound)
        QVERIFY(sizeOf(places, "/session") >= sizeOf(places, "/tmp"));
}

void TestSandboxSpec::checksASpec_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QByteArray>("expected"); // in the message; empty: it is well
    QTest::newRow("well") << 0 << QByteArray();
    QTest::newRow("no runner") << 1 << QByteArray("start.py");
    QTest::newRow("no session folder") << 2 << QByteArray("/nowhere/session");
    QTest::newRow("no dataset") << 3 << QByteArray("/nowhere/data");
    QTest::newRow("a relative mount point") << 4 << QByteArray("plain absolute path");
    QTest::newRow("a mount point with ..") << 5 << QByteArray("plain absolute path");
    QTest::newRow("too little memory") << 6 << QByteArray("memory");
    QTest::newRow("no processes") << 7 << QByteArray("processes");
    QTest::newRow("no CPU") << 8 << QByteArray("CPU");
    QTest::newRow("not a number") << 9 << QByteArray("CPU");
    QTest::newRow("negative tmpfs") << 10 << QByteArray("tmpfs");
}

void TestSandboxSpec::checksASpec()
{
    QFETCH(int, which);
    QFETCH(QByteArray, expected);
    const test::TempDir folder;
    folder.write("runner/start.py", "");
    SandboxSpec spec;
    spec.runnerFolder = folder / "runner";
    spec.sessionFolder = folder.path();
    spec.mounts = { { folder.path(), "/data", true } };
    const std::function<void()> changes[] = {
        [] {},
        [&] { spec.runnerFolder = folder.path(); },
        [&] { spec.sessionFolder = "/nowhere/session"; },
        [&] { spec.mounts[0].host = "/nowhere/data"; },
        [&] { spec.mounts[0].inside = "data"; },
        [&] { spec.mounts[0].inside = "/data/../etc"; },
        [&] { spec.limits.memoryBytes = 1 << 20; },
        [&] { spec.limits.pids = 0; },
        [&] { spec.limits.cpus = 0; },
        [&] { spec.limits.cpus = std::numeric_limits<double>::quiet_NaN(); },
        [&] { spec.limits.tmpfsBytes = -1; },
    };
    changes[which]();
    const auto checked = checkSpec(spec);
    QCOMPARE(static_cast<bool>(checked), expected.isEmpty());
    if (!checked)
        QVERIFY2(checked.error().message.find(expected.toStdString()) != std::string::npos,
                 checked.error().message.c_str());
}

void TestSandboxSpec::mountsNoWayToTheMachine_data()
{
    QTest::addColumn<QByteArray>("host"); // {} is a folder of the test
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* host, const char* says) {
        QTest::newRow(host) << QByteArray(host) << QByteArray(says);
    };
    row("/", "engine's socket");
    row("/run", "engine's socket");
    row("/run/", "engine's socket");
    row("/var/run", "engine's socket");
    row("/var/../run", "engine's socket");
    row("/proc/self/root", "engine's socket");
    row("{}/link", "engine's socket");
    row("{}/engine", "engine's socket"); // of DOCKER_HOST
    row("{}/engine/docker.sock", "a socket of this machine");
    row("{}/home", "home folder");
    row("{}", "engine's socket"); // above it
    row("{}/home/data", "");
}

void TestSandboxSpec::mountsNoWayToTheMachine()
{
    QFETCH(QByteArray, host);
    QFETCH(const QByteArray, says);
    const test::TempDir folder;
    folder.write("runner/start.py", "");
    folder.write("home/data/table.csv", "");
    std::filesystem::create_directories(folder / "engine");
    std::filesystem::create_directory_symlink("/run", folder / "link");
    const std::string place = (folder / "engine/docker.sock").string();
    const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    QVERIFY(place.size() < sizeof address.sun_path);
    place.copy(address.sun_path, place.size());
    QCOMPARE(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const QByteArray home = qgetenv("HOME");
    const QByteArray engine = qgetenv("DOCKER_HOST");
    qputenv("HOME", QByteArray::fromStdString((folder / "home").string()));
    qputenv("DOCKER_HOST", QByteArray::fromStdString("unix://" + place));
    SandboxSpec spec;
    spec.runnerFolder = folder / "runner";
    host.replace("{}", QByteArray::fromStdString(folder.path().string()));
    spec.mounts = { { host.toStdString(), "/data", true } };
    const auto checked = checkSpec(spec);
    spec.mounts.clear();
    spec.sessionFolder = host.toStdString();
    const auto bound = checkSpec(spec);
    qputenv("HOME", home);
    engine.isEmpty() ? qunsetenv("DOCKER_HOST") : qputenv("DOCKER_HOST", engine);
    ::close(server);
    QCOMPARE(static_cast<bool>(checked), says.isEmpty());
    QCOMPARE(static_cast<bool>(bound), says.isEmpty());
    if (!checked)
        SG_VERIFY_CONTAINS(checked.error().message, says.toStdString());
}

void TestSandboxSpec::mountsNobodysKeys_data()
{
    QTest::addColumn<QByteArray>("host"); // in a folder of the test
    QTest::addColumn<QByteArray>("says"); // empty: it may
    QTest::addColumn<bool>("asSession"); // whether it may be /session
    const auto row = [](const char* host, const char* says, bool asSession = false) {
        QTest::newRow(host) << QByteArray(host) << QByteArray(says) << asSession;
    };
    row("home/.ssh", "it lies in a folder .ssh");
    row("home/.ssh/deeper", "it lies in a folder .ssh");
    row("link", "it lies in a folder .ssh"); // to home/.ssh
    row("home/.gnupg", "it lies in a folder .gnupg");
    row("home/.aws", "it lies in a folder .aws");
    row("home/.local/share/keyrings", "it lies in ");
    row("home/.local/share", "it holds ");
    row("home/.kube", "it lies in ");
    row("home/.config/sandglass/secrets", "it lies in ");
    row("home/.config/sandglass", "it holds ");
    row("config/sandglass/secrets", "it lies in ");
    row("config", "it holds ");
    row("another", "it holds a folder .ssh", true); // code may have made it
    row("another/.ssh", "it lies in a folder .ssh");
    row("project", "it holds a folder .sandglass", true);
    row("project/.sandglass", "it lies in a folder .sandglass", true);
    row("project/.sandglass/sessions/s-1", "it lies in a folder .sandglass", true);
    row("project/datasets", "", true);
    row("home/.local/share/sandglass/layers/1", "", true);
}

void TestSandboxSpec::mountsNobodysKeys()
{
    QFETCH(const QByteArray, host);
    QFETCH(const QByteArray, says);
    QFETCH(const bool, asSession);
    const test::TempDir folder;
    folder.write("runner/start.py", "");
    for (const char* name :
         { "home/.ssh/deeper", "home/.gnupg", "home/.aws", "home/.local/share/keyrings", "home/.kube",
           "home/.config/sandglass/secrets", "config/sandglass/secrets", "another/.ssh",
           "project/.sandglass/sessions/s-1", "project/datasets", "home/.local/share/sandglass/layers/1" })
        std::filesystem::create_directories(folder / name);
    std::filesystem::create_directory_symlink("home/.ssh", folder / "link");
    const QByteArray home = qgetenv("HOME");
    const QByteArray config = qgetenv("XDG_CONFIG_HOME");
    qputenv("HOME", QByteArray::fromStdString((folder / "home").string()));
    qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString((folder / "config").string()));
    SandboxSpec spec;
    spec.runnerFolder = folder / "runner";
    spec.mounts = { { folder / host.toStdString(), "/data", true } };
    const auto checked = checkSpec(spec);
    spec.mounts.clear();
    spec.sessionFolder = folder / host.toStdString();
    const auto bound = checkSpec(spec);
    qputenv("HOME", home);
    config.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", config);
    QCOMPARE(static_cast<bool>(checked), says.isEmpty());
    QVERIFY2(static_cast<bool>(bound) == asSession, bound ? "" : bound.error().message.c_str());
    if (!checked)
        SG_VERIFY_CONTAINS(checked.error().message, says.toStdString());
}

void TestSandboxSpec::knowsItsOwnProcess()
{
    const OwnerProcess own = ownProcess();
    QCOMPARE(own.pid, ::getpid());
    QVERIFY(own.startTicks > 0);
    const auto parsed = parseOwnerMark(ownerMark(own));
    QVERIFY(parsed);
    QCOMPARE(ownerMark(*parsed), ownerMark(own));
    QVERIFY(!isGone(*parsed));
    QVERIFY(ownerMark(own).size() < 60);
}

void TestSandboxSpec::knowsThatAProcessIsGone()
{
    OwnerProcess reused = ownProcess();
    ++reused.startTicks; // the number was another process's before
    QVERIFY(isGone(reused));
    OwnerProcess before = ownProcess();
    before.boot = "00000000";
    QVERIFY(isGone(before));
    before.machine = "none"; // with the same engine, or the same folder
    QVERIFY(!isGone(before));
    QVERIFY(isElsewhere(before));
    QVERIFY(!isElsewhere(ownProcess()));
    OwnerProcess elsewhere = ownProcess();
    ++elsewhere.pidNamespace;
    ++elsewhere.startTicks;
    QVERIFY(!isGone(elsewhere)); // cannot be known from here
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    OwnerProcess ended = ownProcess();
    ended.pid = child;
    ::waitpid(child, nullptr, 0);
    QVERIFY(isGone(ended));
}

void TestSandboxSpec::refusesOwnerMarks_data()
{
    QTest::addColumn<QByteArray>("mark");
    for (const char* mark : { "", "1", "1.2.3", "1.2.3.", "x.2.3.12345678", "1.2.3.1234567", "0.2.3.12345678",
                              "-5.2.3.12345678", "99999999999999999999.2.3.12345678" })
        QTest::newRow(mark) << QByteArray(mark);
}

void TestSandboxSpec::refusesOwnerMarks()
{
    QFETCH(QByteArray, mark);
    QVERIFY(!parseOwnerMark(mark.toStdString()));
}

void TestSandboxSpec::computesPercent()
{
    UsageRate rate;
    const SteadyTime begin;
    QCOMPARE(rate.percent(10, begin), 0.0);
    QCOMPARE(rate.percent(11, begin + 2s), 50.0);
    QCOMPARE(rate.percent(11, begin + 2s), 0.0); // no time passed
    QCOMPARE(rate.percent(3, begin + 3s), 0.0); // started again
    QCOMPARE(rate.percent(5, begin + 4s), 200.0);
}

void TestSandboxSpec::takesAUserThatIsNotRoot()
{
    QVERIFY(findSandboxUser("root").uid != 0);
    QVERIFY(findSandboxUser("no-such-account").uid >= 61184);
    QVERIFY(findSandboxUser("nobody").uid == 65534);
}

void TestSandboxSpec::givesAFolderWithoutFollowingLinks()
{
    SG_NEED("root"); // only root gives files away
    const test::TempDir folder;
    folder.write("session/a/b.txt", "x");
    const auto outside = folder.write("outside.txt", "x");
    std::filesystem::create_symlink(outside, folder / "session/link");
    std::filesystem::create_directory_symlink(folder.path(), folder / "session/up");
    QVERIFY(giveFolderTo(folder / "session", { 61184, 61184 }));
    const auto owner = [](const std::filesystem::path& path) {
        struct stat found { };
        return ::lstat(path.c_str(), &found) == 0 ? static_cast<int>(found.st_uid) : -1;
    };
    for (const char* name : { "session", "session/a", "session/a/b.txt", "session/link", "session/up" })
        QCOMPARE(owner(folder / name), 61184);
    QCOMPARE(owner(outside), 0);
    QCOMPARE(owner(folder.path()), 0);
    QVERIFY(!giveFolderTo(folder / "session/up", { 61184, 61184 }));
}

SG_CORE_TEST(TestSandboxSpec)
#include "tst_sandbox_spec.moc"
