#include "core/models/base_url.h"
#include "core/models/chat_budget.h"
#include "core/models/chat_fault.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::models;
using namespace std::chrono_literals;

using Headers = std::vector<std::pair<std::string, std::string>>;
Q_DECLARE_METATYPE(Headers)

class TestChatFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsStatuses_data();
    void readsStatuses();
    void waitsAsTheServerAsks_data();
    void waitsAsTheServerAsks();
    void waitsLongerEachTime();
    void obeysShouldRetry();
    void checksBaseUrls_data();
    void checksBaseUrls();
    void followsRedirectsOnOneHostAlone();
    void countsWhatARunUses();
    void knowsPrices();
};

void TestChatFaults::readsStatuses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<std::string>("body");
    QTest::addColumn<std::string>("type");
    QTest::addColumn<bool>("isRetryable");
    QTest::addColumn<std::string>("message");
    const auto row = [](const char* name, int status, const char* body, const char* type, bool again,
                        const char* message) {
        QTest::newRow(name) << status << std::string(body) << std::string(type) << again
                            << std::string(message);
    };
    row("400", 400, R"({"error":{"message":"bad","type":"invalid_request_error","code":null}})",
        "BadRequestError", false, "status 400: bad");
    row("401", 401, R"({"error":{"message":"no key"}})", "AuthenticationError", false,
        "status 401: no key. the key is missing or wrong: see the node's \"key\"");
    row("403", 403, "", "PermissionDeniedError", false, "status 403. the key may not do this");
    row("404", 404, R"({"error":"model not found"})", "NotFoundError", false,
        "status 404: model not found. check the node's \"base_url\" and \"model\"");
    row("408", 408, "", "APITimeoutError", true, "status 408");
    row("409", 409, "", "ConflictError", true, "status 409");
    row("413", 413, "", "RequestTooLargeError", false, "status 413. fewer or shorter messages would fit");
    row("429", 429, R"({"error":{"message":"slow down","code":"429"}})", "RateLimitError", true,
        "status 429: slow down");
    row("429, quota used up", 429, R"({"error":{"message":"pay","code":"insufficient_quota"}})",
        "RateLimitError", false,
        "status 429: pay (insufficient_quota). the account's quota is used up; trying again does not help");
    row("500", 500, R"({"error":{"message":"oops","code":500}})", "InternalServerError", true,
        "status 500: oops");
    row("503 with HTML", 503, "<html>\n<body>busy", "InternalServerError", true, "status 503: <html>");
    row("503 while loading", 503,
        R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
        "InternalServerError", true, "status 503: Loading model");
    row("529", 529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
        "InternalServerError", true, "status 529: Overloaded");
    row("too long", 400,
        R"({"error":{"message":"maximum context length is 8","code":"context_length_exceeded"}})",
        "ContextLengthError", false,
        "status 400: maximum context length is 8 (context_length_exceeded). the messages are longer than the "
        "model reads; "
        "shorten them or choose another model");
    row("escape sequences", 400, "{\"error\":{\"message\":\"\\u001b[31mred\"}}", "BadRequestError", false,
        "status 400: \\x1b[31mred");
}

void TestChatFaults::readsStatuses()
{
    QFETCH(int, status);
    QFETCH(std::string, body);
    QFETCH(std::string, type);
    QFETCH(bool, isRetryable);
    QFETCH(std::string, message);
    const ChatFault fault = statusFault(status, {}, body, {});
    QCOMPARE(fault.type, type);
    QCOMPARE(fault.isRetryable, isRetryable);
    QCOMPARE(fault.message, message);
}

void TestChatFaults::waitsAsTheServerAsks_data()
{
    QTest::addColumn<Headers>("headers");
    QTest::addColumn<qint64>("milliseconds"); // -1: it asked for nothing
    QTest::newRow("seconds") << Headers{ { "retry-after", "2" } } << qint64{ 2000 };
    QTest::newRow("a fraction") << Headers{ { "retry-after", "0.25" } } << qint64{ 250 };
    QTest::newRow("milliseconds") << Headers{ { "retry-after-ms", "120" }, { "retry-after", "9" } }
                                  << qint64{ 120 };
    QTest::newRow("a date") << Headers{ { "retry-after", "Thu, 01 Jan 1970 00:00:05 GMT" } }
                            << qint64{ 5000 };
    QTest::newRow("a date that has gone by")
        << Headers{ { "retry-after", "Wed, 31 Dec 1969 23:59:00 GMT" } } << qint64{ -1 };
    QTest::newRow("longer than a minute") << Headers{ { "retry-after", "86400" } } << qint64{ 60'000 };
    QTest::newRow("no number") << Headers{ { "retry-after", "soon" } } << qint64{ -1 };
    QTest::newRow("infinity") << Headers{ { "retry-after", "inf" } } << qint64{ -1 };
    QTest::newRow("nothing") << Headers{} << qint64{ -1 };
}

void TestChatFaults::waitsAsTheServerAsks()
{
    QFETCH(Headers, headers);
    QFETCH(qint64, milliseconds);
    const ChatFault fault = statusFault(429, headers, "", WallTime());
    QCOMPARE(fault.wait ? qint64(fault.wait->count()) : qint64{ -1 }, milliseconds);
}

void TestChatFaults::waitsLongerEachTime()
{
    const ChatFault fault;
    QCOMPARE(retryDelay(fault, 0, 0).count(), 500);
    QCOMPARE(retryDelay(fault, 1, 0).count(), 1000);
    QCOMPARE(retryDelay(fault, 1, 1).count(), 750);
    QCOMPARE(retryDelay(fault, 9, 0).count(), 8000);
}

void TestChatFaults::obeysShouldRetry()
{
    QVERIFY(!statusFault(503, { { "x-should-retry", "false" } }, "", {}).isRetryable);
    QVERIFY(statusFault(400, { { "x-should-retry", "true" } }, "", {}).isRetryable);
}

void TestChatFaults::checksBaseUrls_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("address"); // of "/x" below it; "": refused
    const auto row = [](const char* text, const char* address) {
        QTest::newRow(text) << std::string(text) << std::string(address);
    };
    row("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/x");
    row("https://API.test/v1/", "https://api.test:443/v1/x");
    row("https://api.test", "https://api.test:443/x");
    row("http://[::1]:8080/v1", "http://[::1]:8080/v1/x");
    row("ftp://api.test", "");
    row("api.test/v1", "");
    row("https://", "");
    row("https://user:key@api.test/", "");
    row("https://api.test/?key=1", "");
    row("https://api.test:0/", "");
    row("https://api.test:99999/", "");
    row("https://api.test /v1", "");
    row("https://api.test\r\nX: y", "");
    row("https://[::1/", "");
}

void TestChatFaults::checksBaseUrls()
{
    QFETCH(std::string, text);
    QFETCH(std::string, address);
    const auto url = parseBaseUrl(text);
    QCOMPARE(url ? url->with("/x") : std::string(), address);
}

void TestChatFaults::followsRedirectsOnOneHostAlone()
{
    const auto base = parseBaseUrl("https://api.test/v1");
    QVERIFY(base);
    const auto to = [&](const char* location) {
        const auto next = redirected(*base, location);
        return next ? *next : std::string();
    };
    QCOMPARE(to("/v2/chat?a=b"), std::string("https://api.test:443/v2/chat?a=b"));
    QCOMPARE(to("https://api.test/v2"), std::string("https://api.test/v2"));
    QCOMPARE(to("http://api.test/v2"), std::string());
    QCOMPARE(to("https://other.test/v2"), std::string());
    QCOMPARE(to("https://api.test:8443/"), std::string());
    QCOMPARE(to("//other.test/"), std::string());
    QCOMPARE(to("https://api.test@other.test/"), std::string());
}

void TestChatFaults::countsWhatARunUses()
{
    test::FakeClock clock;
    ChatBudget tokens({ 100, {}, {}, {} }, {}, clock);
    QVERIFY(!tokens.refusal("m"));
    tokens.spend("m", { 60, 40 });
    const auto refused = tokens.refusal("m");
    QVERIFY(refused);
    QCOMPARE(refused->type, std::string("BudgetExceededError"));
    QVERIFY(!refused->isRetryable);
    ChatBudget calls({ {}, {}, 2, {} }, {}, clock);
    QVERIFY(!calls.refusal("m"));
    QVERIFY(!calls.refusal("m"));
    QVERIFY(calls.refusal("m"));
    ChatBudget time({ {}, {}, {}, 10.0 }, {}, clock);
    QVERIFY(!time.endsAt());
    QVERIFY(!time.refusal("m"));
    QVERIFY(time.endsAt());
    clock.sleep(11s);
    QVERIFY(time.refusal("m"));
}

void TestChatFaults::knowsPrices()
{
    auto prices = PriceTable::parse(R"({"m": {"input": 2, "output": 10, "cache_read": 0.5}})");
    QVERIFY(prices);
    QVERIFY(!prices->cost("other", { 1, 1 }));
    const auto cost = prices->cost("m", { 1'000'000, 100'000, 500'000, 0, 0 });
    QVERIFY(cost);
    QCOMPARE(*cost, 0.5 * 2 + 0.5 * 0.5 + 0.1 * 10);
    QVERIFY(!PriceTable::parse(R"({"m": {"input": 2}})"));
    QVERIFY(!PriceTable::parse(R"({"m": {"input": -2, "output": 1}})"));
    test::FakeClock clock;
    ChatBudget budget({ {}, 1.0, {}, {} }, std::move(*prices), clock);
    QVERIFY(budget.refusal("other")); // nobody knows what it would cost
    QVERIFY(!budget.refusal("m"));
    budget.spend("m", { 500'000, 0 });
    QVERIFY(budget.refusal("m"));
}

SG_TEST(TestChatFaults)
#include "tst_chat_faults.moc"
