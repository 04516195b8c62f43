#include "core/net/connect_socket.h"
#include "core/net/http_client.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <thread>

using namespace sg;
using namespace sg::net;
using namespace std::chrono_literals;
using test::ScriptedHttpServer;

class TestHttpClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesStatusHeadersAndBody();
    void sendsABody();
    void takesAnErrorStatusForAnAnswer();
    void keepsConnectionsOpen();
    void speaksOverAUnixSocket();
    void handsABodyOverPieceByPiece();
    void endsWhenAPieceIsRefused();
    void refusesWhatItMayNot_data();
    void refusesWhatItMayNot();
    void stopsAtTheBodyLimit();
    void stopsAtTheTimeout();
    void stopsWhenAsked();
    void followsNoRedirect();
    void goesToThisMachineWithoutAProxy();
    void saysThatNobodyAnswers();
    void servesSeveralThreads();
    void encodesForUrls_data();
    void encodesForUrls();
    void connectsSockets();
};

void TestHttpClient::givesStatusHeadersAndBody()
{
    ScriptedHttpServer server([](const std::string& request) {
        return ScriptedHttpServer::response(200, request.substr(0, request.find('\r')), "X-Kind:  a b \r\n");
    });
    HttpRequest request;
    request.url = server.url("/a?b=c");
    const auto response = HttpClient().send(request);
    QVERIFY(response);
    QCOMPARE(response->status, 200);
    QCOMPARE(response->body, std::string("GET /a?b=c HTTP/1.1"));
    QCOMPARE(response->header("x-kind"), std::string("a b"));
    QCOMPARE(response->header("absent"), std::string());
}

void TestHttpClient::sendsABody()
{
    ScriptedHttpServer server(
        [](const std::string& request) { return ScriptedHttpServer::response(201, request); });
    HttpRequest request;
    request.method = "POST";
    request.url = server.url("/");
    request.headers = { { "Content-Type", "application/json" } };
    request.body = std::string("{\"a\":1}\0x", 9);
    const auto response = HttpClient().send(request);
    QVERIFY(response);
    QVERIFY(response->body.rfind("POST / HTTP/1.1\r\n", 0) == 0);
    QVERIFY(response->body.find("Content-Type: application/json\r\n") != std::string::npos);
    QVERIFY(response->body.find("Expect") == std::string::npos);
    QCOMPARE(response->body.substr(response->body.size() - 9), request.body);
}

void TestHttpClient::takesAnErrorStatusForAnAnswer()
{
    ScriptedHttpServer server(
        [](const std::string&) { return ScriptedHttpServer::response(404, R"({"message":"no"})"); });
    HttpRequest request;
    request.url = server.url("/");
    const auto response = HttpClient().send(request);
    QVERIFY(response);
    QCOMPARE(response->status, 404);
    QCOMPARE(response->body, std::string(R"({"message":"no"})"));
}

void TestHttpClient::keepsConnectionsOpen()
{
    ScriptedHttpServer server([](const std::string&) { return ScriptedHttpServer::response(200, "x"); });
    HttpClient client;
    HttpRequest request;
    request.url = server.url("/");
    for (int count = 0; count < 5; ++count)
        QVERIFY(client.send(request));
    QCOMPARE(server.connections(), 1);
}

void TestHttpClient::speaksOverAUnixSocket()
{
    const test::TempDir folder;
    ScriptedHttpServer server(folder / "s",
                              [](const std::string&) { return ScriptedHttpServer::response(200, "unix"); });
    HttpRequest request;
    request.url = "http://localhost/version";
    request.unixSocket = folder / "s";
    const auto response = HttpClient().send(request);
    QVERIFY2(response, response ? "" : response.error().message.c_str());
    QCOMPARE(response->body, std::string("unix"));
}

void TestHttpClient::handsABodyOverPieceByPiece()
{
    ScriptedHttpServer server([](const std::string&) {
        return "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    });
    std::string collected;
    int seen = 0;
    HttpRequest request;
    request.url = server.url("/");
    request.bodyLimit = 1; // of collected bodies only
    request.onBody = [&](int status, std::string_view piece) {
        seen = status;
        collected += piece;
        return true;
    };
    const auto response = HttpClient().send(request);
    QVERIFY(response);
    QCOMPARE(collected, std::string("abcde"));
    QCOMPARE(seen, 200);
    QCOMPARE(response->body, std::string());
}

void TestHttpClient::endsWhenAPieceIsRefused()
{
    ScriptedHttpServer server([](const std::string&) { return ScriptedHttpServer::response(200, "abc"); });
    HttpRequest request;
    request.url = server.url("/");
    request.onBody = [](int, std::string_view) { return false; };
    const auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::Cancelled);
}

void TestHttpClient::refusesWhatItMayNot_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("a file") << QByteArray("file:///etc/passwd") << QByteArray();
    QTest::newRow("another protocol") << QByteArray("gopher://127.0.0.1/") << QByteArray();
    QTest::newRow("no address") << QByteArray("http://") << QByteArray();
    QTest::newRow("a header with a line break")
        << QByteArray("http://127.0.0.1:1/") << QByteArray("a\r\nHost: evil");
}

void TestHttpClient::refusesWhatItMayNot()
{
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, header);
    HttpRequest request;
    request.url = url.toStdString();
    if (!header.isEmpty())
        request.headers.emplace_back("X-Name", header.toStdString());
    const auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY2(response.error().code == Errc::InvalidArgument, response.error().message.c_str());
}

void TestHttpClient::stopsAtTheBodyLimit()
{
    ScriptedHttpServer server(
        [](const std::string&) { return ScriptedHttpServer::response(200, std::string(1001, 'x')); });
    HttpRequest request;
    request.url = server.url("/");
    request.bodyLimit = 1001;
    QVERIFY(HttpClient().send(request));
    request.bodyLimit = 1000;
    const auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::LimitExceeded);
}

void TestHttpClient::stopsAtTheTimeout()
{
    ScriptedHttpServer server(
        [](const std::string&) { return "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nab"; });
    HttpRequest request;
    request.url = server.url("/");
    request.timeout = 100ms;
    const auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::Timeout);
}

void TestHttpClient::stopsWhenAsked()
{
    std::stop_source stop;
    ScriptedHttpServer server([&](const std::string&) {
        stop.request_stop();
        return "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nab";
    });
    HttpRequest request;
    request.url = server.url("/");
    request.stop = stop.get_token();
    const auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::Cancelled);
}

void TestHttpClient::followsNoRedirect()
{
    ScriptedHttpServer server([](const std::string&) {
        return ScriptedHttpServer::response(302, "", "Location: http://127.0.0.1:1/\r\n");
    });
    HttpRequest request;
    request.url = server.url("/");
    const auto response = HttpClient().send(request);
    QVERIFY(response);
    QCOMPARE(response->status, 302);
}

void TestHttpClient::goesToThisMachineWithoutAProxy()
{
    ScriptedHttpServer proxy(
        [](const std::string&) { return ScriptedHttpServer::response(200, "the proxy"); });
    ScriptedHttpServer server(
        [](const std::string&) { return ScriptedHttpServer::response(200, "the server"); });
    const auto answer = [](const std::string& url) {
        HttpRequest request;
        request.url = url;
        const auto response = HttpClient().send(request);
        return response ? response->body : response.error().message;
    };
    qputenv("http_proxy", QByteArray::fromStdString(proxy.url("")));
    const std::string here = answer(server.url("/"));
    const std::string elsewhere = answer("http://elsewhere.invalid/");
    qunsetenv("http_proxy");
    QCOMPARE(here, std::string("the server"));
    QCOMPARE(elsewhere, std::string("the proxy")); // which shows that it was set
}

void TestHttpClient::saysThatNobodyAnswers()
{
    HttpRequest request;
    request.url = "http://127.0.0.1:1/x";
    auto response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::Unavailable);
    QVERIFY2(response.error().message.find("GET http://127.0.0.1:1/x") == 0,
             response.error().message.c_str());
    ScriptedHttpServer silent([](const std::string&) { return std::string(); });
    request.url = silent.url("/");
    response = HttpClient().send(request);
    QVERIFY(!response);
    QVERIFY(response.error().code == Errc::Io);
}

void TestHttpClient::servesSeveralThreads()
{
    ScriptedHttpServer server([](const std::string& request) {
        return ScriptedHttpServer::response(200, request.substr(0, request.find(" HTTP")));
    });
    HttpClient client;
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 6; ++thread)
        threads.emplace_back([&, thread] {
            for (int count = 0; count < 10; ++count) {
                HttpRequest request;
                request.url = server.url('/' + std::to_string(thread));
                const auto response = client.send(request);
                right += response && response->body == "GET /" + std::to_string(thread);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(right.load(), 60);
}

void TestHttpClient::encodesForUrls_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("encoded");
    QTest::newRow("plain") << QByteArray("Az09-._~") << QByteArray("Az09-._~");
    QTest::newRow("json") << QByteArray("{\"a\":[1]}") << QByteArray("%7B%22a%22%3A%5B1%5D%7D");
    QTest::newRow("slashes and spaces") << QByteArray("a/b c?&") << QByteArray("a%2Fb%20c%3F%26");
    QTest::newRow("any byte") << QByteArray("\xff\xc3\xa4") << QByteArray("%FF%C3%A4");
}

void TestHttpClient::encodesForUrls()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, encoded);
    QCOMPARE(percentEncoded(text.toStdString()), encoded.toStdString());
}

void TestHttpClient::connectsSockets()
{
    const test::TempDir folder;
    QVERIFY(connectUnixSocket(folder / "absent").error().code == Errc::NotFound);
    QVERIFY(connectUnixSocket(folder.write("file", "")).error().code == Errc::Unavailable);
    QVERIFY(connectUnixSocket(folder / std::string(120, 'x')).error().code == Errc::InvalidArgument);
    QVERIFY(connectTcp("127.0.0.1", "1", 1s).error().code == Errc::Unavailable);
    ScriptedHttpServer server(folder / "s", [](const std::string&) { return std::string(); });
    const auto connected = connectUnixSocket(folder / "s");
    QVERIFY(connected);
}

SG_CORE_TEST(TestHttpClient)
#include "tst_http_client.moc"
