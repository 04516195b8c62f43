#include "core/sandbox/bubblewrap/bubblewrap_process.h"
#include "core/sandbox/bubblewrap/user_scope.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <unistd.h>

#include <fstream>
#include <iterator>

using namespace sg;
using namespace sg::sandbox;

class TestUserScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksForTheLimits();
    void saysWhatIsMissing();
    void startsTheSandboxWithoutTheWrappersEnvironment();
    void trustsOnlyLimitsThatHold();
};

void TestUserScope::asksForTheLimits()
{
    const UserScope scope("/usr/bin/systemd-run", "/run/user/1000", true);
    Limits limits;
    limits.cpus = 1.5;
    std::string text;
    for (const std::string& word : scope.wrapper(limits))
        text += word + ' ';
    QCOMPARE(text,
             std::string("/usr/bin/systemd-run --user --scope --quiet --collect -p MemoryMax=2147483648 -p "
                         "MemorySwapMax=0 "
                         "-p TasksMax=256 -p CPUQuota=150% -p OOMPolicy=continue -- /usr/bin/env -i "));
    const auto plain = scope.withoutOomSetting().wrapper(limits);
    QVERIFY(std::find(plain.begin(), plain.end(), "OOMPolicy=continue") == plain.end());
    QCOMPARE(scope.environment().front(), std::string("XDG_RUNTIME_DIR=/run/user/1000"));
}

void TestUserScope::saysWhatIsMissing()
{
    const auto scope = UserScope::find({});
    QVERIFY(!scope);
    QVERIFY(scope.error().code == Errc::Unavailable);
}

// A stand-in for systemd-run that shows what it was given and, as that does, becomes the program behind "--".
void TestUserScope::startsTheSandboxWithoutTheWrappersEnvironment()
{
    SG_NEED("bubblewrap");
    const test::TempDir folder;
    const auto script = folder.write("systemd-run",
                                     "#!/bin/sh\n"
                                     "echo \"$XDG_RUNTIME_DIR\" > "
                                         + (folder / "seen").string()
                                         + "\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
    std::filesystem::permissions(script, std::filesystem::perms(0755));
    BubblewrapStart start;
    start.program = "bwrap";
    const UserScope scope(script.string(), "/run/user/1000", false);
    start.wrapper = scope.wrapper({});
    start.environment = scope.environment();
    start.command = { "/bin/sh", "-c",
                      "cat /proc/1/environ >&3; tr '\\\\0' ' ' < /proc/self/cmdline >&3; sleep 60" };
    if (::geteuid() == 0) {
        QVERIFY(RootStage::makeMountPoint());
        start.stage.emplace(findSandboxUser("sandglass"));
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0777));
    }
    LauncherThread launcher;
    const auto process = startBubblewrap(start, launcher);
    QVERIFY2(process, process ? "" : process.error().message.c_str());
    std::ifstream seen(folder / "seen");
    std::string runtime;
    std::getline(seen, runtime);
    QCOMPARE(runtime, std::string("/run/user/1000"));
    char buffer[4096];
    const ssize_t got = ::read(process->stream.get(), buffer, sizeof buffer);
    QVERIFY(got > 0);
    const std::string inside(buffer, static_cast<std::size_t>(got));
    QVERIFY2(inside.find("/run/user/1000") == std::string::npos, inside.c_str());
}

void TestUserScope::trustsOnlyLimitsThatHold()
{
    const auto cgroup = limitedCgroupOf({ true, "/nowhere", "/nowhere", {}, {} }, ::getpid(), {});
    QVERIFY(!cgroup);
    QVERIFY(cgroup.error().code == Errc::Unavailable);
    std::ifstream own("/proc/self/cgroup");
    std::string place;
    for (std::string line; std::getline(own, line);)
        if (line.rfind("0::/", 0) == 0)
            place = line.substr(4);
    const test::TempDir root;
    root.write(place.empty() ? "memory.max" : place + "/memory.max", "1000000000\n");
    Limits limits;
    limits.memoryBytes = 1000000000;
    const CgroupMounts mounts{ true, root.path(), root.path(), root.path(), root.path() };
    QVERIFY(limitedCgroupOf(mounts, ::getpid(), limits));
    limits.memoryBytes = 500000000;
    QVERIFY(!limitedCgroupOf(mounts, ::getpid(), limits));
}

SG_CORE_TEST(TestUserScope)
#include "tst_user_scope.moc"
