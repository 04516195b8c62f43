#include "core/sandbox/bubblewrap/bubblewrap_arguments.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace sg;
using namespace sg::sandbox;

namespace {

using Arguments = std::vector<std::string>;

// Where the sequence begins; size() if it is not there.
std::size_t placeOf(const Arguments& arguments, const Arguments& sequence)
{
    const auto found = std::search(arguments.begin(), arguments.end(), sequence.begin(), sequence.end());
    return static_cast<std::size_t>(found - arguments.begin());
}

bool has(const Arguments& arguments, const Arguments& sequence)
{
    return placeOf(arguments, sequence) < arguments.size();
}

} // namespace

class TestBubblewrapArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isolatesAndDropsEverything();
    void mountsBeforeItClosesTheRoot();
    void givesTheDeviceFolderNoRoom();
    void bindsASessionFolderInsteadOfATmpfs();
    void showsNoPathOfTheHostInItsCommand();
    void limitsProcessesInsideOnly();
    void endsEachArgument();
};

void TestBubblewrapArguments::isolatesAndDropsEverything()
{
    const Arguments options = bubblewrapOptions({});
    for (const char* option : { "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
                                "--new-session", "--as-pid-1", "--clearenv" })
        QVERIFY2(has(options, { option }), option);
    QVERIFY(has(options, { "--cap-drop", "ALL" }));
    QVERIFY(has(options, { "--uid", "65534" }));
    QVERIFY(!has(options, { "--share-net" }));
    QVERIFY(!has(options, { "--bind", "/" }));
}

void TestBubblewrapArguments::mountsBeforeItClosesTheRoot()
{
    BubblewrapPlan plan;
    plan.python = "/p";
    plan.runnerFolder = "/r";
    plan.mounts = { { "/host data", "/data", true }, { "/out", "/out", false } };
    const Arguments options = bubblewrapOptions(plan);
    const std::size_t closed = placeOf(options, { "--remount-ro", "/" });
    QVERIFY(closed < options.size());
    for (const Arguments& bind :
         { Arguments{ "--ro-bind", "/p", "/opt/sandglass/python" },
           Arguments{ "--ro-bind", "/r", "/run/sandglass/runner" },
           Arguments{ "--ro-bind", "/host data", "/data" }, Arguments{ "--bind", "/out", "/out" } })
        QVERIFY(placeOf(options, bind) < closed);
    for (std::size_t at = closed; at < options.size(); ++at)
        QVERIFY2(options[at].find("bind") == std::string::npos && options[at] != "--tmpfs",
                 options[at].c_str());
}

void TestBubblewrapArguments::givesTheDeviceFolderNoRoom()
{
    const Arguments options = bubblewrapOptions({});
    QVERIFY(placeOf(options, { "--dev", "/dev" }) < placeOf(options, { "--tmpfs", "/dev/shm" }));
    QVERIFY(placeOf(options, { "--tmpfs", "/dev/shm" }) < placeOf(options, { "--remount-ro", "/dev" }));
    for (std::size_t at = 0; at < options.size(); ++at)
        if (options[at] == "--tmpfs")
            QCOMPARE(options[at - 2], std::string("--size")); // none without a size
}

void TestBubblewrapArguments::bindsASessionFolderInsteadOfATmpfs()
{
    BubblewrapPlan plan;
    QVERIFY(has(bubblewrapOptions(plan), { "--tmpfs", "/session" }));
    plan.sessionFolder = "/s";
    QVERIFY(has(bubblewrapOptions(plan), { "--bind", "/s", "/session" }));
    QVERIFY(!has(bubblewrapOptions(plan), { "--tmpfs", "/session" }));
}

void TestBubblewrapArguments::showsNoPathOfTheHostInItsCommand()
{
    BubblewrapPlan plan;
    plan.python = "/home/ann/python";
    plan.runnerFolder = "/home/ann/runner";
    plan.sessionFolder = "/home/ann/session";
    for (const std::string& argument : runnerCommand(plan))
        QVERIFY2(argument.find("ann") == std::string::npos, argument.c_str());
    QCOMPARE(runnerCommand(plan).front(), std::string("/opt/sandglass/python/bin/python3"));
    QCOMPARE(runnerCommand({}).front(), std::string("/usr/bin/python3"));
}

void TestBubblewrapArguments::limitsProcessesInsideOnly()
{
    BubblewrapPlan plan;
    plan.limits.pids = 77;
    QVERIFY(!has(runnerCommand(plan), { "/usr/bin/prlimit" }));
    plan.limitsByProcess = true;
    QVERIFY(has(runnerCommand(plan), { "/usr/bin/prlimit", "--nproc=77:77", "--" }));
}

void TestBubblewrapArguments::endsEachArgument()
{
    QCOMPARE(joinArguments({ "--a", "", "b c" }), std::string("--a\0\0b c\0", 9));
}

SG_CORE_TEST(TestBubblewrapArguments)
#include "tst_bubblewrap_arguments.moc"
