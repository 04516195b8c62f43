#include "core/sessions/runner/runner_link.h"
#include "tests/core/sessions/scripted_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace std::chrono_literals;
using sessions::Frame;
using sessions::RunnerLink;
using test::ScriptedRunner;

// Output of the code may come between any request and its answer.
class TestRunnerLink final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void outputIsNoAnswer_data();
    void outputIsNoAnswer();
    void whoRunsCodeGetsItsOutput();
};

namespace {

struct Linked {
    explicit Linked(std::function<void(ScriptedRunner&)> script)
        : runner([&] {
            std::array<int, 2> ends{};
            if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
                qFatal("socketpair");
            stream = std::make_unique<sandbox::DescriptorStream>(Fd(ends[0]));
            return Fd(ends[1]);
        }())
        , link(*stream, [this](const Frame& frame) { idle += frame.event + " "; })
        , thread([this, act = std::move(script)] { act(runner); })
    {
    }
    ~Linked()
    {
        link.close({ Errc::Cancelled, "the test is over" });
        thread.join();
    }
    Linked(const Linked&) = delete;
    Linked& operator=(const Linked&) = delete;

    std::string idle;
    std::unique_ptr<sandbox::DescriptorStream> stream;
    ScriptedRunner runner;
    RunnerLink link;
    std::thread thread;
};

void sendOutput(const ScriptedRunner& runner, const Value& id)
{
    runner.send({ { "ev", "out" }, { "id", id }, { "stream", "stdout" }, { "data", Bytes{ "x" } } });
    runner.send({ { "ev", "truncated" }, { "id", id }, { "stream", "stdout" }, { "dropped", 9 } });
    runner.send({ { "ev", "display" }, { "id", id }, { "data", Value::map({ { "text/plain", "x" } }) } });
    runner.send({ { "ev", "custom" }, { "id", id }, { "data", Bytes{ "\xc0" } } });
}

} // namespace

void TestRunnerLink::outputIsNoAnswer_data()
{
    QTest::addColumn<QString>("answer");
    for (const char* answer :
         { "variables", "completions", "snapshot", "woken", "loaded", "end", "restarted", "stats" })
        QTest::newRow(answer) << answer;
}

void TestRunnerLink::outputIsNoAnswer()
{
    QFETCH(const QString, answer);
    const std::string expected = answer.toStdString();
    Linked linked([&](ScriptedRunner& runner) {
        const Value request = runner.read();
        sendOutput(runner, request["id"]);
        runner.send({ { "ev", expected }, { "id", request["id"] } });
    });
    const auto told = linked.link.ask({ { "op", "any" } }, expected.c_str(), 30s);
    SG_VERIFY_OK(told);
    QVERIFY(!linked.link.failure());
    QCOMPARE(linked.idle, std::string("out truncated display custom "));
}

void TestRunnerLink::whoRunsCodeGetsItsOutput()
{
    Linked linked([&](ScriptedRunner& runner) {
        const Value request = runner.read();
        sendOutput(runner, request["id"]);
        runner.send({ { "ev", "done" }, { "id", request["id"] } });
    });
    auto exchange = linked.link.begin({ { "op", "cell" } }, RunnerLink::Takes::OutputToo);
    SG_VERIFY_OK(exchange);
    std::string came;
    while (came.find("done") == std::string::npos) {
        const auto frame = exchange->next(std::chrono::steady_clock::now() + 30s);
        SG_VERIFY_OK(frame);
        came += frame->event + " ";
    }
    QCOMPARE(came, std::string("out truncated display custom done "));
    QCOMPARE(linked.idle, std::string());
}

SG_CORE_TEST(TestRunnerLink)
#include "tst_runner_link.moc"
