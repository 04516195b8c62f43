#include "core/base/child_process.h"
#include "core/sandbox/docker/engine_api.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

using namespace sg;
using namespace sg::sandbox;
using test::ScriptedHttpServer;

class TestEngineApi : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsHosts_data();
    void readsHosts();
    void triesWhatWasChosenAlone();
    void reachesAnEngineBySsh();
    void reachesAnEngineByTls_data();
    void reachesAnEngineByTls();
    void agreesOnAVersion_data();
    void agreesOnAVersion();
    void saysThatItIsNoEngine_data();
    void saysThatItIsNoEngine();
    void mapsErrors_data();
    void mapsErrors();
    void upgradesAConnection();
    void followsAnEndlessAnswer();
    void encodesFilters();

private:
    std::unique_ptr<EngineApi> api(const std::filesystem::path& socket);
};

std::unique_ptr<EngineApi> TestEngineApi::api(const std::filesystem::path& socket)
{
    return std::make_unique<EngineApi>(EngineEndpoint{ socket, {}, {} },
                                       EngineVersion{ "Docker 1", "1.41", false });
}

void TestEngineApi::readsHosts_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("expected"); // the endpoint's text, or what the error must hold
    QTest::newRow("unix") << QByteArray("unix:///var/run/docker.sock")
                          << QByteArray("unix:///var/run/docker.sock");
    QTest::newRow("tcp") << QByteArray("tcp://10.0.0.1:2375/") << QByteArray("tcp://10.0.0.1:2375");
    QTest::newRow("tcp without port") << QByteArray("tcp://box") << QByteArray("tcp://box:2375");
    QTest::newRow("relative unix") << QByteArray("unix://docker.sock") << QByteArray("absolute path");
    QTest::newRow("port that is none") << QByteArray("tcp://box:x1") << QByteArray("host and a port");
    QTest::newRow("tcp with a path") << QByteArray("tcp://box:1/x") << QByteArray("host and a port");
    QTest::newRow("ssh") << QByteArray("ssh://me@box") << QByteArray("ssh://me@box");
    QTest::newRow("ssh with port and path")
        << QByteArray("ssh://box:2222/run/e.sock") << QByteArray("ssh://box:2222/run/e.sock");
    QTest::newRow("ssh without a host") << QByteArray("ssh://") << QByteArray("needs a host");
    QTest::newRow("ssh with an option") << QByteArray("ssh://-oProxyCommand=x") << QByteArray("needs a host");
    QTest::newRow("ssh with a hidden option") << QByteArray("ssh://me@-oX=y") << QByteArray("needs a host");
    QTest::newRow("ssh with another path") << QByteArray("ssh://box/a:b") << QByteArray("cannot be told");
    QTest::newRow("anything else") << QByteArray("npipe://x") << QByteArray("unix://, tcp:// or ssh://");
}

void TestEngineApi::readsHosts()
{
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, expected);
    const auto endpoint = parseEngineHost(host.toStdString());
    const std::string text = endpoint ? endpoint->text() : endpoint.error().message;
    QVERIFY2(text.find(expected.toStdString()) != std::string::npos, text.c_str());
}

void TestEngineApi::triesWhatWasChosenAlone()
{
    const auto chosen = engineCandidates("unix:///a");
    QVERIFY(chosen);
    QCOMPARE(chosen->size(), std::size_t(1));
    const QByteArray before = qgetenv("DOCKER_HOST");
    qunsetenv("DOCKER_HOST");
    const auto usual = engineCandidates({});
    QVERIFY(usual);
    QCOMPARE(usual->front().text(), std::string("unix:///var/run/docker.sock"));
    qputenv("DOCKER_HOST", "tcp://1.2.3.4:5");
    const auto environment = engineCandidates({});
    QVERIFY(environment);
    QCOMPARE(environment->size(), std::size_t(1));
    QCOMPARE(environment->front().text(), std::string("tcp://1.2.3.4:5"));
    before.isEmpty() ? qunsetenv("DOCKER_HOST") : qputenv("DOCKER_HOST", before);
}

void TestEngineApi::reachesAnEngineBySsh()
{
    const test::TempDir folder;
    const QByteArray path = qgetenv("PATH");
    const QByteArray home = qgetenv("HOME");
    qputenv("PATH", QByteArray(SG_SOURCE_DIR "/tests/data/docker/bin:") + path);
    qputenv("HOME", QByteArray::fromStdString(folder.path().string()));
    std::filesystem::create_directories(folder / "var/run");
    ScriptedHttpServer server(folder / "var/run/docker.sock", [&](const std::string&) {
        return ScriptedHttpServer::response(200, "{\"Version\":\"20.10.24\",\"ApiVersion\":\"1.41\"}");
    });
    const auto endpoint = parseEngineHost("ssh://me@box");
    const auto engine =
        endpoint ? EngineApi::connect(*endpoint) : Result<std::unique_ptr<EngineApi>>(endpoint.error());
    const auto nobody = EngineApi::connect(*parseEngineHost("ssh://me@nobody"));
    qputenv("PATH", path);
    qputenv("HOME", home);
    QVERIFY2(engine, engine ? "" : engine.error().message.c_str());
    QCOMPARE((*engine)->version().name, std::string("Docker 20.10.24"));
    QVERIFY((*engine)->endpoint().isRemote());
    const std::filesystem::path socket = (*engine)->endpoint().socket;
    QVERIFY(std::filesystem::exists(socket));
    QVERIFY(!nobody);
    QVERIFY2(nobody.error().message.find("No route to host") != std::string::npos,
             nobody.error().message.c_str());
}

void TestEngineApi::reachesAnEngineByTls_data()
{
    QTest::addColumn<QByteArray>("folder"); // of our certificates
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("says"); // empty: it is reached
    QTest::newRow("both believe each other") << QByteArray("good") << QByteArray("127.0.0.1") << QByteArray();
    QTest::newRow("we have no certificate")
        << QByteArray("none") << QByteArray("127.0.0.1") << QByteArray("does not believe");
    QTest::newRow("ours is of another authority")
        << QByteArray("foreign") << QByteArray("127.0.0.1") << QByteArray("does not believe");
    QTest::newRow("the engine's is of another authority")
        << QByteArray("unknown") << QByteArray("127.0.0.1") << QByteArray("certificate");
    QTest::newRow("the engine's is for another name")
        << QByteArray("good") << QByteArray("127.0.0.2") << QByteArray("127.0.0.2");
}

void TestEngineApi::reachesAnEngineByTls()
{
    QFETCH(QByteArray, folder);
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, says);
    const test::TempDir made;
    ProcessSpec serve;
    serve.program = "/usr/bin/python3";
    serve.arguments = { "-u", SG_SOURCE_DIR "/tests/data/docker/tls_engine.py", made.path().string() };
    serve.pipeStdout = true;
    auto server = ChildProcess::start(serve);
    SG_VERIFY_OK(server);
    std::string port;
    for (char each = 0; ::read(server->stdoutPipe().get(), &each, 1) == 1 && each != '\n';)
        port += each;
    QVERIFY(!port.empty());
    qputenv("DOCKER_TLS_VERIFY", "1");
    qputenv("DOCKER_CERT_PATH", QByteArray::fromStdString((made / folder.toStdString()).string()));
    const auto endpoint = parseEngineHost("tcp://" + host.toStdString() + ':' + port);
    qunsetenv("DOCKER_TLS_VERIFY");
    qunsetenv("DOCKER_CERT_PATH");
    SG_VERIFY_OK(endpoint);
    QCOMPARE(endpoint->text(), "tcp://" + host.toStdString() + ':' + port);
    auto engine = EngineApi::connect(*endpoint);
    if (!says.isEmpty()) {
        QVERIFY(!engine);
        SG_VERIFY_CONTAINS(engine.error().message, says.constData());
        return;
    }
    SG_VERIFY_OK(engine);
    QCOMPARE((*engine)->version().name, std::string("Docker 20.10.24"));
    // Streams, too: what leaves HTTP goes both ways, whole.
    const auto stream = (*engine)->upgrade("/containers/x/attach");
    SG_VERIFY_OK(stream);
    const std::string sent(300'000, 'a');
    std::size_t out = 0;
    std::string back = stream->early;
    while (back.size() < sent.size()) {
        if (out < sent.size())
            out += static_cast<std::size_t>(::send(stream->socket.get(), sent.data() + out,
                                                   std::min<std::size_t>(sent.size() - out, 50'000),
                                                   MSG_NOSIGNAL));
        std::string buffer(65536, '\0');
        const ssize_t got = ::recv(stream->socket.get(), buffer.data(), buffer.size(), 0);
        QVERIFY(got > 0);
        back.append(buffer, 0, static_cast<std::size_t>(got));
    }
    QCOMPARE(back, sent);
    const std::filesystem::path socket = (*engine)->endpoint().socket;
    QVERIFY(std::filesystem::exists(socket));
    engine->reset();
}

void TestEngineApi::agreesOnAVersion_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("api");
    QTest::addColumn<bool>("podman");
    QTest::newRow("an old engine") << QByteArray(
        R"({"Version":"20.10.24","ApiVersion":"1.41","MinAPIVersion":"1.12"})")
                                   << QByteArray("1.41") << false;
    QTest::newRow("a newer engine") << QByteArray(
        R"({"Version":"28","ApiVersion":"1.51","MinAPIVersion":"1.24"})")
                                    << QByteArray("1.44") << false;
    QTest::newRow("one that has dropped ours")
        << QByteArray(R"({"Version":"40","ApiVersion":"1.70","MinAPIVersion":"1.60"})") << QByteArray("1.60")
        << false;
    QTest::newRow("podman") << QByteArray(
        R"({"Version":"4.3.1","ApiVersion":"1.41","MinAPIVersion":"1.24","Components":[{"Name":"Podman Engine"}]})")
                            << QByteArray("1.41") << true;
}

void TestEngineApi::agreesOnAVersion()
{
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, api);
    QFETCH(bool, podman);
    const test::TempDir folder;
    ScriptedHttpServer server(folder / "s", [&](const std::string&) {
        return ScriptedHttpServer::response(200, answer.toStdString());
    });
    const auto engine = EngineApi::connect({ folder / "s", {}, {} });
    QVERIFY2(engine, engine ? "" : engine.error().message.c_str());
    QCOMPARE((*engine)->version().api, api.toStdString());
    QCOMPARE((*engine)->version().podman, podman);
    QVERIFY((*engine)->version().name.rfind(podman ? "Podman " : "Docker ", 0) == 0);
}

void TestEngineApi::saysThatItIsNoEngine_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("another server") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    QTest::newRow("an error") << QByteArray("HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n\r\n");
}

void TestEngineApi::saysThatItIsNoEngine()
{
    QFETCH(QByteArray, answer);
    const test::TempDir folder;
    ScriptedHttpServer server(folder / "s", [&](const std::string&) { return answer.toStdString(); });
    const auto engine = EngineApi::connect({ folder / "s", {}, {} });
    QVERIFY(!engine);
    QVERIFY2(engine.error().message.find((folder / "s").string()) != std::string::npos,
             engine.error().message.c_str());
}

void TestEngineApi::mapsErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, int status, const char* body, Errc code, const char* message) {
        QTest::newRow(name) << status << QByteArray(body) << static_cast<int>(code) << QByteArray(message);
    };
    row("no image", 404, R"({"message":"No such image: x"})", Errc::NotFound, "No such image: x");
    row("name in use", 409, R"({"message":"in use"})", Errc::Conflict, "in use");
    row("name in use, Podman", 500, R"({"cause":"x","message":"the name is already in use","response":500})",
        Errc::Conflict, "in use");
    row("bad request", 400, R"({"message":"invalid mount"})", Errc::InvalidArgument, "invalid mount");
    row("no JSON", 502, "<html>", Errc::Io, "<html>");
    row("empty", 500, "", Errc::Io, "status 500");
    row("control characters", 500, R"({"message":"a\u001b[31mb"})", Errc::Io, "a\\x1b[31mb");
}

void TestEngineApi::mapsErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, code);
    QFETCH(QByteArray, message);
    const test::TempDir folder;
    ScriptedHttpServer server(folder / "s", [&](const std::string&) {
        return ScriptedHttpServer::response(status, body.toStdString());
    });
    const auto answer = api(folder / "s")->call("POST", "/containers/create?name=x", Value::map({}));
    QVERIFY(!answer);
    QCOMPARE(static_cast<int>(answer.error().code), code);
    QVERIFY2(answer.error().message.find(message.toStdString()) != std::string::npos,
             answer.error().message.c_str());
    QVERIFY2(answer.error().message.find("POST /containers/create:") != std::string::npos,
             answer.error().message.c_str());
}

void TestEngineApi::upgradesAConnection()
{
    const test::TempDir folder;
    std::string asked;
    ScriptedHttpServer server(folder / "s", [&](const std::string& request) {
        asked = request;
        return "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nfirst bytes";
    });
    const auto stream = api(folder / "s")->upgrade("/containers/x/attach?stream=1");
    QVERIFY2(stream, stream ? "" : stream.error().message.c_str());
    QCOMPARE(stream->early, std::string("first bytes"));
    QVERIFY(asked.rfind("POST /v1.41/containers/x/attach?stream=1 HTTP/1.1\r\n", 0) == 0);
    ScriptedHttpServer refusing(folder / "r", [&](const std::string&) {
        return ScriptedHttpServer::response(409, R"({"message":"container is paused"})");
    });
    const auto refused = api(folder / "r")->upgrade("/containers/x/attach");
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("paused") != std::string::npos);
}

void TestEngineApi::followsAnEndlessAnswer()
{
    const test::TempDir folder;
    ScriptedHttpServer server(folder / "s", [](const std::string&) {
        return "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\n";
    });
    const auto stream = api(folder / "s")->follow("/events");
    QVERIFY(stream);
    ScriptedHttpServer silent(folder / "t", [](const std::string&) { return std::string(); });
    QVERIFY(!api(folder / "t")->follow("/events"));
}

void TestEngineApi::encodesFilters()
{
    QCOMPARE(
        engineFilters({ { "label", "a=1" }, { "label", "b" }, { "type", "container" } }),
        std::string(
            "filters=%7B%22label%22%3A%5B%22a%3D1%22%2C%22b%22%5D%2C%22type%22%3A%5B%22container%22%5D%7D"));
}

SG_CORE_TEST(TestEngineApi)
#include "tst_engine_api.moc"
