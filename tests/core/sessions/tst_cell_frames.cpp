#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/sessions/runner/cell_frames.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using sessions::CellFrames;
using sessions::CellResult;
using sessions::CellStatus;
using sessions::Frame;

namespace {

Frame frameOf(const char* event, ValueMap body)
{
    body.set("ev", event);
    body.set("id", 1);
    return { event, 1, Value(std::move(body)), 0 };
}

Value packed(const Value& value)
{
    return Bytes{ encodeMsgpack(value) };
}

// A call's frames with everything that it passed on.
struct Cell {
    explicit Cell(bool isCall = true, sessions::CellLimits limits = {})
        : handlers{ [this](const sessions::CellOutput& output) { printed += output.bytes + "|"; },
                    [this](const Value& value) { custom.push_back(value); } }
        , frames(isCall, limits, {}, handlers)
    {
    }
    std::string printed;
    ValueList custom;
    sessions::CellHandlers handlers;
    CellFrames frames;
};

} // namespace

class TestCellFrames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passesOutputOn();
    void boundsOutputItself();
    void countsWhatWasDropped();
    void collectsDisplays();
    void takesResults();
    void saysWhyItDied_data();
    void saysWhyItDied();
    void refuses_data();
    void refuses();
    void boundsCustomData();
    void tooManySmallValuesFailTheCode();
    void writesAmounts();
};

// As few bytes as they are, this program would need memory for each.
void TestCellFrames::tooManySmallValuesFailTheCode()
{
    sessions::CellLimits limits;
    limits.stateBytes = 20'000;
    const Value lists = ValueList(3000, Value(ValueList()));
    for (const bool isLess : { true, false }) {
        Cell cell(true, limits);
        const Value update = isLess ? Value(ValueList(9000, Value(1))) : lists;
        QVERIFY(*cell.frames.take(frameOf("done", { { "status", "ok" }, { "update", packed(update) } })));
        const CellResult& result = cell.frames.result();
        QCOMPARE(result.status, isLess ? CellStatus::Ok : CellStatus::Error);
        QCOMPARE(result.error ? result.error->type : "", std::string(isLess ? "" : "StateTooLarge"));
        if (!isLess)
            SG_VERIFY_CONTAINS(result.error->message, "\"state_mb\"");
    }
}

void TestCellFrames::passesOutputOn()
{
    Cell cell;
    QVERIFY(!*cell.frames.take(frameOf("out", { { "stream", "stdout" }, { "data", Bytes{ "a\xff" } } })));
    QVERIFY(!*cell.frames.take(frameOf("out", { { "stream", "stderr" }, { "data", Bytes{ "b" } } })));
    QVERIFY(!*cell.frames.take(frameOf("custom", { { "data", packed(Value::list({ 1 })) } })));
    QVERIFY(*cell.frames.take(frameOf("done", { { "status", "ok" }, { "update", packed(5) } })));
    QCOMPARE(cell.printed, std::string("a\xff|b|"));
    QCOMPARE(Value(cell.custom), Value::list({ Value::list({ 1 }) }));
    QCOMPARE(cell.frames.result().value, Value(5));
    QVERIFY(cell.frames.mayHaveArtifacts());
}

void TestCellFrames::boundsOutputItself()
{
    Cell cell(false, { Millis(1000), 10 });
    for (int i = 0; i < 4; ++i)
        SG_VERIFY_OK(
            cell.frames.take(frameOf("out", { { "stream", "stdout" }, { "data", Bytes{ "1234" } } })));
    QVERIFY(*cell.frames.take(frameOf("done", { { "status", "ok" } })));
    QCOMPARE(cell.printed, std::string("1234|1234|12|"));
    QCOMPARE(cell.frames.result().droppedBytes, std::int64_t(6));
}

void TestCellFrames::countsWhatWasDropped()
{
    Cell cell(false, { Millis(1000), 8 << 20 });
    const auto truncated = [](const char* stream, std::int64_t dropped) {
        return frameOf("truncated", { { "stream", stream }, { "dropped", dropped } });
    };
    SG_VERIFY_OK(cell.frames.take(truncated("stdout", 5)));
    SG_VERIFY_OK(cell.frames.take(truncated("stderr", 7)));
    SG_VERIFY_OK(cell.frames.take(truncated("stdout", 100)));
    QVERIFY(*cell.frames.take(frameOf("done", { { "status", "ok" }, { "artifacts", false } })));
    QCOMPARE(cell.frames.result().droppedBytes, std::int64_t(107));
    QCOMPARE(cell.printed, std::string("the output limit of 8 MiB a cell is reached, the rest is dropped|"));
    QVERIFY(!cell.frames.mayHaveArtifacts());
}

void TestCellFrames::collectsDisplays()
{
    Cell cell(false);
    const Value shown = Value::map({ { "image/png", Bytes{ "\x89PNG" } }, { "text/plain", "<Figure>" } });
    SG_VERIFY_OK(cell.frames.take(frameOf("display", { { "data", shown } })));
    QVERIFY(*cell.frames.take(
        frameOf("done", { { "status", "ok" }, { "result", Value::map({ { "text/plain", "1" } }) } })));
    QCOMPARE(Value(cell.frames.result().displays), Value::list({ shown }));
    QCOMPARE(cell.frames.result().value, Value::map({ { "text/plain", "1" } }));
}

void TestCellFrames::takesResults()
{
    Cell asked;
    QVERIFY(*asked.frames.take(frameOf("done",
                                       { { "status", "interrupt" },
                                         { "interrupts", packed(Value::list({ "name?" })) },
                                         { "answered", 2 } })));
    QCOMPARE(asked.frames.result().status, CellStatus::Interrupt);
    QCOMPARE(asked.frames.result().interruptValue, Value("name?"));
    QCOMPARE(asked.frames.result().answersUsed, 2);

    Cell raised;
    QVERIFY(*raised.frames.take(frameOf("done",
                                        { { "status", "error" },
                                          { "error",
                                            Value::map({ { "type", "ValueError" },
                                                         { "message", "boom" },
                                                         { "repr", "ValueError('boom')" },
                                                         { "text", "Traceback" } }) } })));
    QVERIFY(raised.frames.result().error.has_value());
    QCOMPARE(raised.frames.result().error->repr, std::string("ValueError('boom')"));
    QCOMPARE(raised.frames.result().error->traceback, std::string("Traceback"));

    Cell nothing; // an error without any words still is one
    QVERIFY(*nothing.frames.take(frameOf("done", { { "status", "error" }, { "error", 5 } })));
    QCOMPARE(nothing.frames.result().error->type, std::string("Error"));
}

void TestCellFrames::saysWhyItDied_data()
{
    QTest::addColumn<QByteArray>("exit");
    QTest::addColumn<QByteArray>("expected");
    const char* const gone = "; the interpreter had to be replaced, its names are gone";
    QTest::newRow("for certain") << QByteArray(R"({"oom": true, "signal": 9})")
                                 << QByteArray("MemoryError: the session used 2.0 GiB, its memory limit")
            + gone;
    QTest::newRow("probably")
        << QByteArray(R"({"oom": "likely", "signal": 9})")
        << QByteArray("MemoryError: the interpreter was killed, most likely because the session "
                      "reached 2.0 GiB, its memory limit")
            + gone;
    QTest::newRow("not") << QByteArray(R"({"oom": false, "code": 3})")
                         << QByteArray("InterpreterDied: exit 3") + gone;
    QTest::newRow("nonsense") << QByteArray(R"([1])") << QByteArray("InterpreterDied: exit 3") + gone;
}

void TestCellFrames::saysWhyItDied()
{
    QFETCH(const QByteArray, exit);
    QFETCH(const QByteArray, expected);
    Cell cell;
    QVERIFY(*cell.frames.take(
        frameOf("done",
                { { "status", "died" },
                  { "restarted", true },
                  { "exit", *parseJson(exit.toStdString()) },
                  { "error", Value::map({ { "type", "InterpreterDied" }, { "message", "exit 3" } }) } })));
    const CellResult& result = cell.frames.result();
    QCOMPARE(result.error->type + ": " + result.error->message, expected.toStdString());
    QVERIFY(result.restarted);
}

void TestCellFrames::refuses_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* title, const char* event, const char* body) {
        QTest::newRow(title) << QByteArray(event) << QByteArray(body);
    };
    row("output as text", "out", R"({"stream": "stdout", "data": "x"})");
    row("output without a stream", "out", R"({"data": {"$bytes": ""}})");
    row("another stream", "out", R"({"stream": "stdin"})");
    row("custom data unpacked", "custom", R"({"data": {"a": 1}})");
    row("a display that is a list", "display", R"({"data": [1]})");
    row("a display of numbers", "display", R"({"data": {"text/plain": 5}})");
    row("negative truncation", "truncated", R"({"stream": "stdout", "dropped": -1})");
    row("truncation of nothing", "truncated", R"({"dropped": 1})");
    row("no status", "done", "{}");
    row("unknown status", "done", R"({"status": "fine"})");
    row("no update", "done", R"({"status": "ok"})");
    row("update unpacked", "done", R"({"status": "ok", "update": {"a": 1}})");
    row("interrupt without values", "done", R"({"status": "interrupt"})");
    row("negative answers", "done", R"({"status": "error", "answered": -1})");
    row("too many answers", "done", R"({"status": "error", "answered": 99999999999})");
    row("ready in a cell", "ready", "{}");
    row("unknown event", "surprise", "{}");
}

void TestCellFrames::refuses()
{
    QFETCH(const QByteArray, event);
    QFETCH(const QByteArray, body);
    Cell cell;
    const auto taken = cell.frames.take(frameOf(event.constData(), parseJson(body.toStdString())->asMap()));
    QVERIFY(!taken);
    QCOMPARE(taken.error().code, Errc::Corrupt);

    // Packed, but no MessagePack within.
    const Value broken = Bytes{ "\xc1" };
    QVERIFY(!cell.frames.take(frameOf("done", { { "status", "ok" }, { "update", broken } })));
    QVERIFY(!cell.frames.take(frameOf("custom", { { "data", broken } })));
    QVERIFY(!cell.frames.take(frameOf("done", { { "status", "interrupt" }, { "interrupts", broken } })));
    QVERIFY(!cell.frames.take(
        frameOf("done", { { "status", "interrupt" }, { "interrupts", packed(Value::list()) } })));
}

void TestCellFrames::boundsCustomData()
{
    Cell cell;
    const Frame frame = frameOf("custom", { { "data", packed(Bytes{ std::string(50U << 20, 'x') }) } });
    int taken = 0;
    while (taken < 20 && cell.frames.take(frame))
        ++taken;
    QCOMPARE(taken, 5);
}

void TestCellFrames::writesAmounts()
{
    QCOMPARE(sessions::byteText(512), std::string("512 bytes"));
    QCOMPARE(sessions::byteText(8LL << 20), std::string("8 MiB"));
    QCOMPARE(sessions::byteText(2LL << 30), std::string("2.0 GiB"));
    QCOMPARE(sessions::byteText((5LL << 30) / 2), std::string("2.5 GiB"));
    QCOMPARE(sessions::secondsText(Millis(120'000)), std::string("120 s"));
    QCOMPARE(sessions::secondsText(Millis(500)), std::string("0.5 s"));
}

SG_TEST(TestCellFrames)
#include "tst_cell_frames.moc"
