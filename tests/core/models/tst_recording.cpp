// Recordings answer what was recorded and nothing else; a server that keeps failing is left alone for a
// while.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/models/endpoint_breaker.h"
#include "core/models/recording.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

namespace {

std::string asking(const char* text)
{
    return R"({"model":"m","messages":[{"role":"user","content":")" + std::string(text) + R"("}]})";
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersWhatWasRecorded();
    void leavesSecretsOut();
    void refusesMoreThanItCouldRead();
    void showsWhatDiffers();
    void refusesWhatIsNone();
    void leavesAFailingServerAlone();
};

void TestRecording::answersWhatWasRecorded()
{
    const test::TempDir folder;
    const auto file = folder / "recording.json";
    for (const char* text : { "one", "two" }) { // the second run goes on with the file of the first
        const auto recording = models::Recording::begin(file);
        QVERIFY(recording);
        QVERIFY(!(*recording)->isReplay());
        QVERIFY((*recording)->add(asking(text), { 200, "application/json", text }));
    }
    const auto replay = models::Recording::parse(*readFile(file));
    QVERIFY(replay);
    QVERIFY((*replay)->isReplay());
    QCOMPARE((*replay)->take(asking("two"))->body, std::string("two")); // parallel tasks ask in any order
    QCOMPARE((*replay)->take(asking("one"))->body, std::string("one"));
    QVERIFY((*replay)->take(asking("one")).error().message.find("more often") != std::string::npos);
}

void TestRecording::leavesSecretsOut()
{
    const test::TempDir folder;
    const auto file = folder / "recording.json";
    keepOut("TOKEN", "recorded-secret-42");
    const std::string request = asking("my token is recorded-secret-42");
    const auto recording = models::Recording::begin(file);
    QVERIFY(recording);
    QVERIFY((*recording)->add(request, { 200, "text/plain", "you said recorded-secret-42" }));
    const auto text = readFile(file);
    QVERIFY(text && text->find("recorded-secret-42") == std::string::npos);
    const auto replay = models::Recording::parse(*text);
    QVERIFY(replay);
    QCOMPARE((*replay)->take(request)->body, std::string("you said [secret TOKEN]"));
}

void TestRecording::refusesMoreThanItCouldRead()
{
    const test::TempDir folder;
    const auto file = folder / "recording.json";
    const auto recording = models::Recording::begin(file);
    QVERIFY(recording);
    QVERIFY((*recording)->add(asking("one"), { 200, "text/plain", "answer" }));
    const auto second = (*recording)->add(asking("two"), { 200, "text/plain", std::string(64U << 20, 'x') });
    QVERIFY(!second);
    QVERIFY2(second.error().message.find("another file") != std::string::npos,
             second.error().message.c_str());
    QVERIFY(models::Recording::begin(file)); // what it held can still be read
}

void TestRecording::showsWhatDiffers()
{
    const auto replay = models::Recording::parse(R"({"format":1,"exchanges":[{"request":)" + asking("one")
                                                 + R"(,"reply":{"body":"x"}}]})");
    QVERIFY(replay);
    const auto wrong = (*replay)->take(asking("three"));
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().message.find(R"(/messages/0/content: "three" instead of "one")")
                 != std::string::npos,
             wrong.error().message.c_str());
    QCOMPARE(*models::firstDifference(*parseJson(R"({"a":[1,2]})"), *parseJson(R"({"a":[1]})")),
             std::string("/a/1 is missing; it was 2"));
    QCOMPARE(*models::firstDifference(*parseJson(R"({"a":1})"), *parseJson(R"({"a":1,"b":2})")),
             std::string("/b is new: 2"));
    QVERIFY(!models::firstDifference(*parseJson(R"({"a":1,"b":2})"), *parseJson(R"({"b":2,"a":1})")));
}

void TestRecording::refusesWhatIsNone()
{
    for (const char* text :
         { "", "[]", R"({"format":2,"exchanges":[]})", R"({"format":1,"exchanges":[{}]})" })
        QVERIFY2(!models::Recording::parse(text), text);
}

void TestRecording::leavesAFailingServerAlone()
{
    const test::FakeClock clock;
    models::EndpointBreaker breaker(clock);
    for (int i = 0; i + 1 < models::EndpointBreaker::kMostFailures; ++i)
        breaker.note("a:1", true);
    QVERIFY(!breaker.pause("a:1"));
    breaker.note("a:1", true);
    QVERIFY(breaker.pause("a:1"));
    QVERIFY(!breaker.pause("b:1"));
    clock.advance(models::EndpointBreaker::kPause);
    QVERIFY(!breaker.pause("a:1")); // one may try
    QVERIFY(breaker.pause("a:1")); // and only one
    breaker.note("a:1", false);
    QVERIFY(!breaker.pause("a:1"));
}

SG_TEST(TestRecording)
#include "tst_recording.moc"
