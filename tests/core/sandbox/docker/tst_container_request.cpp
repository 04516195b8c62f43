#include "core/base/json.h"
#include "core/sandbox/docker/container_request.h"
#include "core/sandbox/runner_bundle.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox;

namespace {

ContainerRequest sample()
{
    ContainerRequest request;
    request.spec.session = SessionId("s1");
    request.spec.thread = ThreadId("t 1");
    request.spec.project = "0123abcd";
    request.spec.runnerFolder = "/opt/runner";
    request.spec.mounts = { { "/home/ann/data", "/data", true } };
    request.socketFolder = "/run/sandglass/1";
    request.uid = 1000;
    request.gid = 100;
    request.instance = "i";
    request.owner = "o";
    return request;
}

std::string command(const Value& body)
{
    std::string text = body["Entrypoint"][std::size_t{ 0 }].asString();
    for (const Value& part : body["Cmd"].asList())
        text += ' ' + part.asString();
    return text;
}

} // namespace

class TestContainerRequest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hardens();
    void limits();
    void mountsNothingWritableButItsFolders();
    void startsTheRunner_data();
    void startsTheRunner();
    void speaksPodman();
    void labelsWhatItStarts();
    void namesContainers_data();
    void namesContainers();
    void bundlesTheRunner();
};

void TestContainerRequest::hardens()
{
    const Value body = containerBody(sample());
    const Value& host = body["HostConfig"];
    QCOMPARE(body.stringOr("User", ""), std::string("1000:100"));
    QCOMPARE(body.boolOr("Tty", true), false);
    QCOMPARE(host.stringOr("NetworkMode", ""), std::string("none"));
    QCOMPARE(host.boolOr("ReadonlyRootfs", false), true);
    QVERIFY(host["CapDrop"] == Value::list({ "ALL" }));
    QVERIFY(host["SecurityOpt"] == Value::list({ "no-new-privileges:true" }));
    QCOMPARE(host.stringOr("IpcMode", ""), std::string("private"));
    QCOMPARE(host["LogConfig"].stringOr("Type", ""), std::string("local"));
    QVERIFY(host["Runtime"].isNull());
    ContainerRequest strong = sample();
    strong.runtime = "runsc";
    QCOMPARE(containerBody(strong)["HostConfig"].stringOr("Runtime", ""), std::string("runsc"));
}

void TestContainerRequest::limits()
{
    ContainerRequest request = sample();
    request.spec.limits.cpus = 64;
    request.cpus = 8;
    const Value host = containerBody(request)["HostConfig"];
    QCOMPARE(host.intOr("Memory", 0), std::int64_t(2147483648));
    QCOMPARE(host.intOr("MemorySwap", 0), std::int64_t(2147483648)); // the sum with swap
    QCOMPARE(host.intOr("PidsLimit", 0), std::int64_t(256));
    QCOMPARE(host.intOr("NanoCpus", 0), std::int64_t(8'000'000'000)); // the engine refuses more than it has
    QCOMPARE(host["Tmpfs"].stringOr("/session", ""),
             std::string("rw,exec,nosuid,nodev,size=754974720,nr_inodes=184320,mode=0700,uid=1000,gid=100"));
    QCOMPARE(host["Tmpfs"].stringOr("/tmp", ""),
             std::string("rw,exec,nosuid,nodev,size=251658240,nr_inodes=61440,mode=1777,uid=1000,gid=100"));
    QCOMPARE(host.intOr("ShmSize", 0), std::int64_t(67108864));
}

void TestContainerRequest::mountsNothingWritableButItsFolders()
{
    ContainerRequest request = sample();
    request.spec.sessionFolder = "/home/ann/session";
    const Value host = containerBody(request)["HostConfig"];
    std::string text;
    for (const Value& mount : host["Mounts"].asList())
        text += mount.stringOr("Source", "") + ">" + mount.stringOr("Target", "")
            + (mount.boolOr("ReadOnly", false) ? " ro\n" : " rw\n");
    QCOMPARE(text,
             std::string("/opt/runner>/run/sandglass/runner ro\n/run/sandglass/1/io>/run/sandglass/io rw\n"
                         "/home/ann/session>/session rw\n/home/ann/data>/data ro\n"));
    QVERIFY(host["Tmpfs"]["/session"].isNull());
}

void TestContainerRequest::startsTheRunner_data()
{
    QTest::addColumn<int>("transport");
    QTest::addColumn<bool>("keep");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("stdinOpen");
    const QByteArray start = "python3 -I -X utf8 ";
    QTest::newRow("socket") << static_cast<int>(Transport::Socket) << false
                            << start
            + "/run/sandglass/runner/start.py --socket /run/sandglass/io/runner.sock --orphan 15 --filter "
                            << false;
    QTest::newRow("kept") << static_cast<int>(Transport::Socket) << true
                          << start
            + "/run/sandglass/runner/start.py --socket /run/sandglass/io/runner.sock --filter "
                          << false;
    QTest::newRow("attached") << static_cast<int>(Transport::Attached) << false
                              << start + "/run/sandglass/runner/start.py --stdio --filter " << true;
    QTest::newRow("bundle") << static_cast<int>(Transport::Bundle) << false
                            << start + "-c boot --stdio --filter " << true;
}

void TestContainerRequest::startsTheRunner()
{
    QFETCH(int, transport);
    QFETCH(bool, keep);
    QFETCH(QByteArray, expected);
    QFETCH(bool, stdinOpen);
    ContainerRequest request = sample();
    request.transport = static_cast<Transport>(transport);
    request.spec.keep = keep;
    if (keep)
        request.spec.orphanTimeout = std::chrono::seconds(0); // for ever
    request.bundleStart = "boot";
    const Value body = containerBody(request);
    QVERIFY2(command(body).rfind(expected.toStdString(), 0) == 0, command(body).c_str());
    QCOMPARE(body.boolOr("OpenStdin", false), stdinOpen);
    QCOMPARE(body.boolOr("StdinOnce", false), stdinOpen);
    if (request.transport == Transport::Bundle)
        QVERIFY(body["HostConfig"]["Mounts"].asList().empty());
}

void TestContainerRequest::speaksPodman()
{
    ContainerRequest request = sample();
    request.podman = true;
    const Value host = containerBody(request)["HostConfig"];
    QVERIFY(host["Tmpfs"].stringOr("/session", "").find("uid=") == std::string::npos);
    QVERIFY(host["Tmpfs"].stringOr("/session", "").find("mode=0700,U,notmpcopyup") != std::string::npos);
    QCOMPARE(host["Tmpfs"].stringOr("/var/tmp", "").substr(0, 3), std::string("ro,"));
    QVERIFY(containerBody(sample())["HostConfig"]["Tmpfs"].find("/var/tmp") == nullptr);
    QCOMPARE(host["LogConfig"].stringOr("Type", ""), std::string("json-file"));
    const auto limitsNamed = [](const Value& config) {
        std::string names;
        for (const Value& each : config["Ulimits"].asList())
            names += each.stringOr("Name", "") + ' ';
        return names;
    };
    QCOMPARE(limitsNamed(host),
             std::string("nofile core fsize sigpending msgqueue nproc ")); // its own number may be refused
    QCOMPARE(limitsNamed(containerBody(sample())["HostConfig"]),
             std::string("nofile core fsize sigpending msgqueue "));
    // A rootless one heeds none of them: the runner lowers them itself.
    QVERIFY(command(containerBody(request)).find("core=0") == std::string::npos);
    request.keepsUser = true;
    QVERIFY2(command(containerBody(request)).find(",core=0,fsize=") != std::string::npos,
             command(containerBody(request)).c_str());
}

void TestContainerRequest::labelsWhatItStarts()
{
    QCOMPARE(toJson(containerBody(sample())["Labels"]),
             std::string(R"({"io.sandglass":"1","io.sandglass.session":"s1","io.sandglass.thread":"t 1",)"
                         R"("io.sandglass.part":"","io.sandglass.project":"0123abcd",)"
                         R"("io.sandglass.instance":"i","io.sandglass.owner":"o","io.sandglass.kept":"0",)"
                         R"("io.sandglass.folder":"/run/sandglass/1"})"));
}

void TestContainerRequest::namesContainers_data()
{
    QTest::addColumn<QByteArray>("project");
    QTest::addColumn<QByteArray>("session");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("0123abcd") << QByteArray("s1")
                           << QByteArray("sandglass-0123abcd-s1");
    QTest::newRow("a long project") << QByteArray("0123abcdef") << QByteArray("s1")
                                    << QByteArray("sandglass-0123abcd-s1");
    QTest::newRow("hostile") << QByteArray("../../a") << QByteArray("x&force=1 ä")
                             << QByteArray("sandglass-..-..-a-x-force-1---");
    QTest::newRow("long") << QByteArray("p") << QByteArray(200, 'x')
                          << QByteArray("sandglass-p-" + QByteArray(48, 'x'));
}

void TestContainerRequest::namesContainers()
{
    QFETCH(QByteArray, project);
    QFETCH(QByteArray, session);
    QFETCH(QByteArray, name);
    SandboxSpec spec;
    spec.project = project.toStdString();
    spec.session = SessionId(session.toStdString());
    QCOMPARE(containerName(spec), name.toStdString());
}

void TestContainerRequest::bundlesTheRunner()
{
    const test::TempDir folder;
    folder.write("start.py", "a");
    folder.write("pack/x.py", "b\n");
    folder.write("pack/x.pyc", "no");
    folder.write("README.md", "no");
    const auto bundle = runnerBundle(folder.path());
    QVERIFY(bundle);
    const std::string json = bundle->substr(4);
    QCOMPARE(bundle->substr(0, 4), std::string("\0\0\0", 3) + static_cast<char>(json.size()));
    const auto files = parseJson(json);
    QVERIFY(files);
    QVERIFY(*files == Value::map({ { "start.py", "a" }, { "pack/x.py", "b\n" } }));
}

SG_CORE_TEST(TestContainerRequest)
#include "tst_container_request.moc"
