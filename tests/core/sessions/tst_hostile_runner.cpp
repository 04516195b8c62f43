// A runner that code in the sandbox has taken over: whatever it sends, the host stays whole and says what
// happened.

#include "core/base/redaction.h"
#include "core/sessions/runner/session_terminal.h"
#include "tests/core/sessions/scripted_backend.h"
#include "tests/core/sessions/session_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <thread>
#include <utility>

using namespace sg;
using sessions::CellResult;
using sessions::CellStatus;
using test::ScriptedBackend;
using test::ScriptedRunner;
using test::SessionFixture;

namespace {

ValueMap doneFor(const Value& request, ValueMap more = { { "artifacts", false } })
{
    more.set("ev", "done");
    more.set("id", request["id"]);
    more.set("status", "ok");
    return more;
}

// Returns the result of a cell when the runner behaves like that.
CellResult cellWith(const ScriptedBackend::Script& script, sessions::CellLimits limits = {})
{
    ScriptedBackend backend(script);
    SessionFixture f(&backend);
    CellResult result;
    if (auto started = f.session->start(); !started) {
        result.status = CellStatus::Died;
        result.error = { "not started", started.error().message, {}, {} };
        return result;
    }
    result = f.run("code", limits);
    if (f.artifactStore->list({})->size() != result.artifacts.size())
        result.warnings.emplace_back("the store holds something else");
    return result;
}

// The runner's files: one, described by the test; reads are answered by `answer`.
CellResult cellWithFile(const ValueMap& file, const std::function<ValueMap(const Value& request)>& answer)
{
    return cellWith([&](ScriptedRunner& runner) {
        const Value cell = runner.greet();
        runner.send(doneFor(cell, {}));
        while (true) {
            const Value request = runner.read();
            if (request.isNull())
                return;
            const std::string op = request.stringOr("op", "");
            ValueMap event{ { "id", request["id"] } };
            if (op == "list_files") {
                event.set("ev", "files");
                event.set("files", Value::list({ Value(file) }));
                event.set("refused", Value::list());
            } else if (op == "read_file") {
                event.set("ev", "file");
                for (const auto& [key, value] : answer(request))
                    event.set(key, value);
            } else {
                event.set("ev", "removed");
            }
            runner.send(event);
        }
    });
}

} // namespace

class TestHostileRunner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void endsAtOnce();
    void speaksAnotherVersion();
    void breaksTheProtocol_data();
    void breaksTheProtocol();
    void answersForOthers();
    void floods();
    void guessesThatMemoryRanOut_data();
    void guessesThatMemoryRanOut();
    void saysNothing();
    void itsLastWordsHoldNoSecret();
    void namesFilesElsewhere_data();
    void namesFilesElsewhere();
    void liesAboutFiles_data();
    void liesAboutFiles();
    void listsNonsense_data();
    void listsNonsense();
    void storesAnHonestFile();
    void tellsOfAnewInterpreterBetweenCells();
    void takesTypedBytes_data();
    void takesTypedBytes();
};

// They go into the records of sessions, the audit and the window.
void TestHostileRunner::itsLastWordsHoldNoSecret()
{
    keepOut("worded", "a-secret-among-last-words");
    ScriptedBackend backend([](ScriptedRunner& runner) {
        runner.greet();
        runner.close();
    });
    backend.words = std::string(1990, '.') + "a-secret-among-last-words"; // cut at 2000
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run("code");
    QCOMPARE(result.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(result.error->message, std::string("...[secret w"));
    const std::string state = f.session->info().state.text();
    SG_VERIFY_CONTAINS(state, std::string("...[secret w"));
    QVERIFY((state + result.error->message).find("a-secret-am") == std::string::npos);
}

void TestHostileRunner::endsAtOnce()
{
    const CellResult result = cellWith([](ScriptedRunner& runner) { runner.close(); });
    QCOMPARE(result.error->type, std::string("not started"));
}

void TestHostileRunner::speaksAnotherVersion()
{
    const CellResult result = cellWith([](ScriptedRunner& runner) {
        runner.read();
        runner.send({ { "ev", "ready" }, { "v", 2 } });
        runner.read();
    });
    SG_VERIFY_CONTAINS(result.error->message, "another version");
}

void TestHostileRunner::breaksTheProtocol_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("a huge frame") << QByteArray("\xff\xff\xff\xff", 4);
    QTest::newRow("no map") << QByteArray("\0\0\0\1\xc0", 5);
    QTest::newRow("text") << QByteArray("HTTP/1.1 200 OK\r\n\r\n");
    QTest::newRow("half a frame, then the end") << QByteArray("\0\0\1\0\x81", 5);
}

void TestHostileRunner::breaksTheProtocol()
{
    QFETCH(const QByteArray, bytes);
    ScriptedBackend backend([&](ScriptedRunner& runner) {
        runner.greet();
        runner.sendRaw(bytes.toStdString());
        runner.close();
    });
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run("code", { Millis(400) });
    QCOMPARE(result.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(result.error->message,
                       bytes.startsWith(QByteArray("\0\0\1\0", 4)) ? "has ended" : "broke the protocol");
    QCOMPARE(backend.ended.load(), 1);
}

void TestHostileRunner::answersForOthers()
{
    const CellResult result = cellWith([](ScriptedRunner& runner) {
        const Value cell = runner.greet();
        const std::int64_t id = cell.intOr("id", 0);
        runner.send({ { "ev", "done" }, { "id", id + 1 }, { "status", "died" } });
        runner.send({ { "ev", "pong" } });
        runner.send({ { "ev", "ready" }, { "v", 1 } });
        runner.send({ { "ev", "problem" }, { "id", 0 }, { "error", "odd" } });
        runner.send(doneFor(cell));
        runner.send(doneFor(cell));
        runner.read();
    });
    QCOMPARE(result.status, CellStatus::Ok);
}

void TestHostileRunner::floods()
{
    const CellResult result = cellWith(
        [](ScriptedRunner& runner) {
            const Value cell = runner.greet();
            for (int i = 0; i < 2000; ++i)
                runner.send({ { "ev", "out" },
                              { "id", cell["id"] },
                              { "stream", "stdout" },
                              { "data", Bytes{ std::string(65536, 'x') } } });
            runner.send(doneFor(cell));
            runner.read();
        },
        { Millis(60'000), 1000 });
    QCOMPARE(result.status, CellStatus::Ok);
    QCOMPARE(result.droppedBytes, std::int64_t(2000) * 65536 - 1000);
}

// Where the host counts what the kernel ended for memory, the runner's guess does not stand against it.
void TestHostileRunner::guessesThatMemoryRanOut_data()
{
    QTest::addColumn<bool>("known");
    QTest::addColumn<int>("kills");
    QTest::addColumn<bool>("before");
    QTest::addColumn<std::string>("type");
    QTest::newRow("nobody knows") << false << 0 << false << std::string("MemoryError");
    QTest::newRow("it did") << true << 1 << false << std::string("MemoryError");
    QTest::newRow("it did not") << true << 0 << false << std::string("InterpreterDied");
    QTest::newRow("it did before") << true << 1 << true << std::string("InterpreterDied"); // of a copy
}

void TestHostileRunner::guessesThatMemoryRanOut()
{
    QFETCH(bool, known);
    QFETCH(int, kills);
    QFETCH(bool, before);
    QFETCH(std::string, type);
    ScriptedBackend backend([](ScriptedRunner& runner) {
        const Value cell = runner.greet();
        runner.send({ { "ev", "done" },
                      { "id", cell["id"] },
                      { "status", "died" },
                      { "artifacts", false },
                      { "restarted", true },
                      { "exit", Value::map({ { "signal", 9 }, { "oom", "likely" } }) },
                      { "error", Value::map({ { "type", "InterpreterDied" }, { "message", "killed" } }) } });
        runner.read();
    });
    backend.sampled.oomKillsKnown = known;
    backend.sampled.oomKills = kills;
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    if (before) // as it is looked at once a second
        SG_VERIFY_OK(f.session->sample());
    const CellResult result = f.run("code");
    QCOMPARE(result.status, CellStatus::Died);
    QCOMPARE(result.error->type, type);
    QCOMPARE(result.error->message.find("memory limit") != std::string::npos, type == "MemoryError");
    SG_VERIFY_CONTAINS(result.error->message, "names are gone");
}

void TestHostileRunner::saysNothing()
{
    ScriptedBackend backend([](ScriptedRunner& runner) {
        runner.greet();
        while (!runner.read().isNull()) { }
    });
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    const CellResult result = f.run("code", { Millis(100) });
    QCOMPARE(result.status, CellStatus::Died);
    SG_VERIFY_CONTAINS(result.error->message, "did not answer the deadline");
    QVERIFY2(result.seconds < 60, std::to_string(result.seconds).c_str());
    QCOMPARE(backend.ended.load(), 1);
}

void TestHostileRunner::namesFilesElsewhere_data()
{
    QTest::addColumn<QByteArray>("path");
    for (const char* path :
         { "../../etc/passwd", "/etc/passwd", "a/../b", "", ".", "a//b", "a\nb", "\x1b[2J", "a/" })
        QTest::newRow(QByteArray(path).toPercentEncoding().constData()) << QByteArray(path);
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("long") << QByteArray(300, 'x');
}

void TestHostileRunner::namesFilesElsewhere()
{
    QFETCH(const QByteArray, path);
    int reads = 0;
    const CellResult result =
        cellWithFile({ { "path", path.toStdString() }, { "size", 1 }, { "inode", 1 } }, [&](const Value&) {
            ++reads;
            return ValueMap{ { "data", Bytes{ "x" } }, { "size", 1 } };
        });
    QCOMPARE(result.status, CellStatus::Ok);
    QCOMPARE(result.artifacts.size(), std::size_t(0));
    QCOMPARE(result.warnings.size(), std::size_t(1));
    SG_VERIFY_CONTAINS(result.warnings.front(), "a name that cannot be kept");
    QVERIFY(result.warnings.front().find('\x1b') == std::string::npos);
    QCOMPARE(reads, 0);
}

void TestHostileRunner::liesAboutFiles_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("modified");
    QTest::newRow("more than listed") << 11 << 10 << 7;
    QTest::newRow("less than listed") << 9 << 10 << 7;
    QTest::newRow("another size") << 10 << 20 << 7;
    QTest::newRow("another time") << 10 << 10 << 8;
}

void TestHostileRunner::liesAboutFiles()
{
    QFETCH(const int, bytes);
    QFETCH(const int, size);
    QFETCH(const int, modified);
    const CellResult result = cellWithFile(
        { { "path", "a.txt" }, { "size", 10 }, { "inode", 1 }, { "mtime_ns", 7 } }, [&](const Value&) {
            return ValueMap{ { "data", Bytes{ std::string(static_cast<std::size_t>(bytes), 'x') } },
                             { "size", size },
                             { "mtime_ns", modified } };
        });
    QCOMPARE(result.status, CellStatus::Ok);
    QCOMPARE(result.artifacts.size(), std::size_t(0));
    QCOMPARE(result.warnings.size(), std::size_t(1));
    SG_VERIFY_CONTAINS(result.warnings.front(), "still being written");
}

void TestHostileRunner::listsNonsense_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("no path") << 0;
    QTest::newRow("negative size") << 1;
    QTest::newRow("data as text") << 2;
}

void TestHostileRunner::listsNonsense()
{
    QFETCH(const int, kind);
    ValueMap file{ { "path", "a.txt" }, { "size", 10 }, { "inode", 1 } };
    if (kind == 0)
        file.erase("path");
    if (kind == 1)
        file.set("size", -5);
    const CellResult result = cellWithFile(file, [&](const Value&) {
        return ValueMap{ { "data", "text" }, { "size", 10 } };
    });
    QCOMPARE(result.status, CellStatus::Ok); // the code itself ran
    QCOMPARE(result.artifacts.size(), std::size_t(0));
    QCOMPARE(result.warnings.size(), std::size_t(1));
    SG_VERIFY_CONTAINS(result.warnings.front(), "broke the protocol");
}

void TestHostileRunner::storesAnHonestFile()
{
    const CellResult result = cellWithFile(
        { { "path", "a.txt" }, { "size", 3 }, { "inode", 1 }, { "mtime_ns", 7 } }, [&](const Value&) {
            return ValueMap{ { "data", Bytes{ "abc" } }, { "size", 3 }, { "mtime_ns", 7 } };
        });
    QCOMPARE(result.artifacts.size(), std::size_t(1));
    QCOMPARE(result.warnings.size(), std::size_t(0));
}

void TestHostileRunner::tellsOfAnewInterpreterBetweenCells()
{
    ScriptedBackend backend([](ScriptedRunner& runner) {
        runner.send(doneFor(runner.greet()));
        const Value second = runner.read();
        runner.send({ { "ev", "restarted" }, { "id", 0 }, { "reason", "crashed" } });
        runner.send(doneFor(second));
        runner.read();
    });
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    QVERIFY(!f.run("1").restarted);
    QVERIFY(f.run("2").restarted);
}

// One of an older program counts nothing of what it took: it must not hold up typing for good.
void TestHostileRunner::takesTypedBytes_data()
{
    QTest::addColumn<bool>("counts");
    QTest::newRow("and says so") << true;
    QTest::newRow("without a word") << false;
}

void TestHostileRunner::takesTypedBytes()
{
    QFETCH(const bool, counts);
    ScriptedBackend backend([counts](ScriptedRunner& runner) {
        const Value opened = runner.greet();
        bool isFirst = true;
        while (!runner.read().isNull())
            if (counts && std::exchange(isFirst, false))
                runner.send({ { "ev", "terminal_typed" }, { "id", opened["id"] }, { "bytes", 1 } });
    });
    SessionFixture f(&backend);
    SG_VERIFY_OK(f.session->start());
    auto terminal = sessions::SessionTerminal::open(f.session, {});
    SG_VERIFY_OK(terminal);
    const auto in = [](Millis time) { return std::chrono::steady_clock::now() + time; };
    const std::string text(600U << 10, 'x');
    SG_VERIFY_OK((*terminal)->write("x"));
    QVERIFY(!(*terminal)->read(in(Millis(500)))); // takes in what was counted
    const auto typed = (*terminal)->write(text, in(Millis(5000)));
    SG_VERIFY_OK(typed);
    QCOMPARE(*typed, counts ? std::size_t{ 256U << 10 } : text.size());
    if (!counts) {
        const auto more = (*terminal)->write(text, in(Millis(500)));
        SG_VERIFY_OK(more);
        QCOMPARE(*more, text.size());
    }
}

SG_TEST(TestHostileRunner)
#include "tst_hostile_runner.moc"
