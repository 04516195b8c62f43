#include "core/sandbox/docker/oom_kills.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;

namespace {

const std::string kId = "4f2a9c1b7d3e5a60";

} // namespace

class TestOomKills : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("table"); // of the process
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count"); // -1: not known
        const auto row = [](const char* name, const std::string& table, const std::string& file,
                            const char* text, int count) {
            QTest::newRow(name) << QByteArray::fromStdString(table) << QByteArray::fromStdString(file)
                                << QByteArray(text) << count;
        };
        const std::string first = "9:pids:/p/libpod-" + kId + "\n3:memory:/p/libpod-" + kId + "\n";
        const std::string second = "0::/machine.slice/libpod-" + kId + ".scope/container\n";
        const std::string group = "sys/fs/cgroup/memory/p/libpod-" + kId + "/";
        row("version 1", first, group + "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            3);
        row("version 2", second,
            "sys/fs/cgroup/machine.slice/libpod-" + kId + ".scope/container/memory.events",
            "low 0\noom 4\noom_kill 2\noom_group_kill 0\n", 2);
        row("another's process", "3:memory:/user.slice\n",
            "sys/fs/cgroup/memory/user.slice/memory.oom_control", "oom_kill 3\n", -1);
        row("an old kernel", first, group + "memory.oom_control", "oom_kill_disable 0\n", -1);
        row("no number", first, group + "memory.oom_control", "oom_kill many\n", -1);
        row("a way out", "3:memory:/../../" + kId + "\n", kId + "/memory.oom_control", "oom_kill 1\n", -1);
        row("no table", "", "x", "", -1);
    }
    void reads()
    {
        QFETCH(const QByteArray, table);
        QFETCH(const QByteArray, file);
        QFETCH(const QByteArray, text);
        QFETCH(const int, count);
        const test::TempDir root;
        root.write("proc/77/cgroup", table.toStdString());
        root.write(file.toStdString(), text.toStdString());
        const auto kills = sandbox::oomKillsOf(77, kId, root.path());
        QCOMPARE(kills ? static_cast<int>(*kills) : -1, count);
        QVERIFY(!sandbox::oomKillsOf(78, kId, root.path()));
        QVERIFY(!sandbox::oomKillsOf(77, "", root.path()));
    }
};

SG_TEST(TestOomKills)
#include "tst_oom_kills.moc"
