#include "core/sandbox/bubblewrap/session_cgroup.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <fstream>
#include <iterator>

using namespace sg;
using namespace sg::sandbox;

namespace {

// An ordinary folder with the files that the kernel would show.
void writeFiles(const test::TempDir& root, const std::string& folder,
                std::initializer_list<const char*> names)
{
    for (const char* name : names)
        root.write(folder + '/' + name, "");
}

std::string text(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return { std::istreambuf_iterator<char>(file), {} };
}

} // namespace

class TestSessionCgroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsMounts_data();
    void findsMounts();
    void setsLimitsOfVersion2();
    void setsLimitsOfVersion1();
    void readsUseOfVersion2();
    void readsUseOfVersion1();
    void saysThatThereAreNone();
    void namesWhatItMayNotWrite();
};

void TestSessionCgroup::findsMounts_data()
{
    QTest::addColumn<QByteArray>("mountinfo");
    QTest::addColumn<QByteArray>("expected"); // unified memory pids cpu accounting
    QTest::newRow("nothing") << QByteArray("25 1 8:1 / / rw - ext4 /dev/sda rw\n") << QByteArray("0    ");
    QTest::newRow("version 2") << QByteArray(
        "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n")
                               << QByteArray("1 /sys/fs/cgroup /sys/fs/cgroup /sys/fs/cgroup /sys/fs/cgroup");
    QTest::newRow("version 1 beside an empty version 2")
        << QByteArray("32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                      "35 31 0:32 / /sys/fs/cgroup/memory rw shared:4 - cgroup cgroup rw,memory\n"
                      "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
                      "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
                      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
        << QByteArray("0 /sys/fs/cgroup/memory /sys/fs/cgroup/pids /sys/fs/cgroup/cpu,cpuacct "
                      "/sys/fs/cgroup/cpu,cpuacct");
    QTest::newRow("garbage") << QByteArray("- - -\n\n - cgroup\n32") << QByteArray("0    ");
}

void TestSessionCgroup::findsMounts()
{
    QFETCH(QByteArray, mountinfo);
    QFETCH(QByteArray, expected);
    const CgroupMounts mounts = parseCgroupMounts(mountinfo.toStdString());
    QCOMPARE(std::string(mounts.unified ? "1 " : "0 ") + mounts.memory.string() + ' ' + mounts.pids.string()
                 + ' ' + mounts.cpu.string() + ' ' + mounts.cpuAccounting.string(),
             expected.toStdString());
}

void TestSessionCgroup::setsLimitsOfVersion2()
{
    const test::TempDir root;
    writeFiles(root, ".", { "cgroup.subtree_control" });
    writeFiles(root, "sandglass", { "cgroup.subtree_control" });
    writeFiles(root, "sandglass/s",
               { "memory.max", "memory.swap.max", "pids.max", "cpu.max", "cgroup.procs" });
    Limits limits;
    limits.cpus = 1.5;
    auto group =
        SessionCgroup::create({ true, root.path(), root.path(), root.path(), root.path() }, "s", limits);
    QVERIFY2(group, group ? "" : group.error().message.c_str());
    QCOMPARE(text(root / "cgroup.subtree_control"), std::string("+memory +pids +cpu"));
    QCOMPARE(text(root / "sandglass/cgroup.subtree_control"), std::string("+memory +pids +cpu"));
    QCOMPARE(text(root / "sandglass/s/memory.max"), std::string("2147483648"));
    QCOMPARE(text(root / "sandglass/s/memory.swap.max"), std::string("0"));
    QCOMPARE(text(root / "sandglass/s/pids.max"), std::string("256"));
    QCOMPARE(text(root / "sandglass/s/cpu.max"), std::string("150000 100000"));
    QCOMPARE((*group)->join(), 0);
    QCOMPARE(text(root / "sandglass/s/cgroup.procs"), std::string("0"));
}

void TestSessionCgroup::setsLimitsOfVersion1()
{
    const test::TempDir root;
    writeFiles(root, "memory/sandglass/s",
               { "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "cgroup.procs" });
    writeFiles(root, "pids/sandglass/s", { "pids.max", "cgroup.procs" });
    writeFiles(root, "cpu/sandglass/s", { "cpu.cfs_period_us", "cpu.cfs_quota_us", "cgroup.procs" });
    auto group =
        SessionCgroup::create({ false, root / "memory", root / "pids", root / "cpu", root / "cpu" }, "s", {});
    QVERIFY2(group, group ? "" : group.error().message.c_str());
    QCOMPARE(text(root / "memory/sandglass/s/memory.limit_in_bytes"), std::string("2147483648"));
    QCOMPARE(text(root / "memory/sandglass/s/memory.memsw.limit_in_bytes"), std::string("2147483648"));
    QCOMPARE(text(root / "cpu/sandglass/s/cpu.cfs_quota_us"), std::string("200000"));
    QCOMPARE((*group)->join(), 0);
    for (const char* controller : { "memory", "pids", "cpu" })
        QCOMPARE(text(root / controller / "sandglass/s/cgroup.procs"), std::string("0"));
}

void TestSessionCgroup::readsUseOfVersion2()
{
    const test::TempDir root;
    writeFiles(root, ".", { "cgroup.subtree_control" });
    writeFiles(root, "sandglass", { "cgroup.subtree_control" });
    writeFiles(root, "sandglass/s", { "memory.max", "pids.max", "cpu.max", "cgroup.procs" });
    auto group = SessionCgroup::create({ true, root.path(), root.path(), root.path(), root.path() }, "s", {});
    QVERIFY(group);
    root.write("sandglass/s/memory.current", "1000000\n");
    root.write("sandglass/s/memory.stat", "anon 5\ninactive_file 200000\nactive_file 100000\n");
    root.write("sandglass/s/memory.events", "low 0\noom 3\noom_kill 2\n");
    root.write("sandglass/s/pids.current", "7\n");
    root.write("sandglass/s/cpu.stat", "usage_usec 2500000\nuser_usec 1\n");
    const CgroupUsage usage = (*group)->usage();
    QCOMPARE(usage.memoryBytes, std::int64_t(700000));
    QCOMPARE(usage.oomKills, std::int64_t(2));
    QCOMPARE(usage.pids, std::int64_t(7));
    QCOMPARE(usage.cpuSeconds, 2.5);
}

void TestSessionCgroup::readsUseOfVersion1()
{
    const test::TempDir root;
    writeFiles(root, "memory/sandglass/s", { "memory.limit_in_bytes", "cgroup.procs" });
    writeFiles(root, "pids/sandglass/s", { "pids.max", "cgroup.procs" });
    auto group = SessionCgroup::create({ false, root / "memory", root / "pids", {}, {} }, "s", {});
    QVERIFY(group);
    root.write("memory/sandglass/s/memory.usage_in_bytes", "1000\n");
    root.write("memory/sandglass/s/memory.stat", "cache 1\ntotal_inactive_file 2000\ntotal_active_file 0\n");
    root.write("memory/sandglass/s/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    const CgroupUsage usage = (*group)->usage();
    QCOMPARE(usage.memoryBytes, std::int64_t(0)); // never below
    QCOMPARE(usage.oomKills, std::int64_t(1));
    QCOMPARE(usage.cpuSeconds, 0.0);
}

void TestSessionCgroup::saysThatThereAreNone()
{
    const auto group = SessionCgroup::create({}, "s", {});
    QVERIFY(!group);
    QVERIFY(group.error().code == Errc::Unavailable);
}

void TestSessionCgroup::namesWhatItMayNotWrite()
{
    const test::TempDir root; // no files as in a control group, so nothing can be set
    const auto group = SessionCgroup::create({ false, root.path(), root.path(), {}, {} }, "s", {});
    QVERIFY(!group);
    QVERIFY2(group.error().message.find("memory.limit_in_bytes") != std::string::npos,
             group.error().message.c_str());
    QVERIFY(!std::filesystem::exists(root / "sandglass/s"));
}

SG_CORE_TEST(TestSessionCgroup)
#include "tst_session_cgroup.moc"
