// Cells show and tell things in real sandboxes: files in and out, and requests of the code.

#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_files.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <stop_token>
#include <thread>

using namespace sg;
using namespace sg::test;

namespace {

RelativePath path(const char* text)
{
    return *RelativePath::parse(text);
}

std::string read(sessions::Session& session, const char* name)
{
    std::string content;
    const auto taken = [&](std::string_view bytes) -> Result<void> {
        content += bytes;
        return {};
    };
    const auto link = session.link();
    const auto file = readSessionFile(*link, sessions::FileRoot::Session, path(name), taken);
    return file ? content : "error: " + file.error().message;
}

} // namespace

class TestSessionCells : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsRichResultsInTheirPlace_data() { everywhere(); }
    void showsRichResultsInTheirPlace()
    {
        SG_USE_BACKEND();
        const auto session = world.session("rich");
        QVERIFY2(session, world.problem.c_str());
        std::string order;
        sessions::CellHandlers handlers;
        handlers.output = [&](const sessions::CellOutput& output) { order += output.bytes; };
        handlers.display = [&](const Value& shown) { order += "<" + shown["text/html"].asString() + ">"; };
        const CellResult result = session->runCell(
            "from IPython.display import HTML\nprint('a')\ndisplay(HTML('one'))\nprint('b')\nHTML('two')",
            { Millis(30'000), 1 << 20 }, {}, handlers, {});
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(order, std::string("a\n<one>b\n"));
        QCOMPARE(result.value["text/html"], Value("two"));
        QCOMPARE(result.displays.size(), std::size_t{ 1 });
    }

    void tellsNamesBetweenCellsAndIsBusyDuringOne_data() { everywhere(); }
    void tellsNamesBetweenCellsAndIsBusyDuringOne()
    {
        SG_USE_BACKEND();
        const auto session = world.session("names");
        QVERIFY2(session, world.problem.c_str());
        QVERIFY(run(*session, "größe = [1, 2, 3]\ndef greet(name):\n    'Says hello.'").status
                == CellStatus::Ok);
        const auto link = session->link();
        const auto list = sessions::listVariables(*link, 10);
        QVERIFY2(list, list ? "" : list.error().message.c_str());
        QCOMPARE(list->total, std::int64_t{ 2 });
        QCOMPARE(list->variables[1].name, std::string("größe"));
        QCOMPARE(list->variables[1].preview, std::string("[1, 2, 3]"));
        QCOMPARE(list->variables[1].shape->at(0), std::int64_t{ 3 });
        const std::string code = "ü = größ";
        const auto completions = sessions::completeCode(*link, code, code.size());
        QVERIFY(completions && completions->matches.size() == 1);
        QCOMPARE(completions->matches[0].text, std::string("größe"));
        QCOMPARE(code.substr(completions->start, completions->end - completions->start), std::string("größ"));
        const auto described = sessions::describeName(*link, "greet(", 6);
        QVERIFY(described && described->isFound);
        QCOMPARE(described->signature + " " + described->doc, std::string("(name) Says hello."));

        std::stop_source stop;
        std::thread cell([&] {
            static_cast<void>(
                session->runCell("while True: pass", { Millis(60'000), 1 << 20 }, {}, {}, stop.get_token()));
        });
        QTRY_COMPARE(session->info().state.text(), std::string("busy"));
        const auto busy = sessions::listVariables(*link, 10);
        stop.request_stop();
        cell.join();
        QVERIFY(!busy && busy.error().code == Errc::Busy);
        QVERIFY(sessions::listVariables(*link, 10)); // the one before went unanswered and does no harm
    }

    void copiesFilesInAndOutWhateverTheyAre_data() { everywhere(); }
    void copiesFilesInAndOutWhateverTheyAre()
    {
        SG_USE_BACKEND();
        const auto session = world.session("files");
        QVERIFY2(session, world.problem.c_str());
        const auto link = session->link();
        std::string content;
        for (int i = 0; content.size() < (5U << 20); ++i)
            content += std::to_string(i) + "\n";
        {
            const auto writer =
                sessions::writeSessionFile(*link, sessions::FileRoot::Session, path("data/in.txt"));
            QVERIFY(writer->write(content));
            QVERIFY(writer->finish());
        }
        QCOMPARE(read(*session, "data/in.txt").size(), content.size());
        QVERIFY(read(*session, "data/in.txt") == content);
        {
            const auto writer =
                sessions::writeSessionFile(*link, sessions::FileRoot::Session, path("data/given-up"));
            QVERIFY(writer->write(content));
        }
        QCOMPARE(run(*session, "import os; sorted(os.listdir('/session/data'))").value["text/plain"],
                 Value("['in.txt']"));
        QVERIFY(run(*session,
                    "os.symlink('/etc/passwd', 'link'); os.mkfifo('fifo')\n"
                    "os.symlink('/tmp', 'away')")
                    .status
                == CellStatus::Ok);
        QVERIFY2(read(*session, "link").starts_with("error: "), read(*session, "link").c_str());
        QVERIFY(read(*session, "fifo").starts_with("error: "));
        const auto writer = sessions::writeSessionFile(*link, sessions::FileRoot::Session, path("away/x"));
        QVERIFY(!(writer->write("x") && writer->finish()));
    }

    void isAskedByTheCodeForItsTools_data() { everywhere(); }
    void isAskedByTheCodeForItsTools()
    {
        SG_USE_BACKEND();
        const auto session = world.session("tools");
        QVERIFY2(session, world.problem.c_str());
        const CellResult without = run(*session, "import sandglass; sandglass.list_datasets()");
        QCOMPARE(without.error->type, std::string("RuntimeError"));
        QVERIFY(without.error->message.find("mode has none") != std::string::npos);
    }

    void passesOutputOfAnySizeInBoundedMemory_data() { everywhere(); }
    void passesOutputOfAnySizeInBoundedMemory()
    {
        SG_USE_BACKEND();
        const auto session = world.session("flood");
        QVERIFY2(session, world.problem.c_str());
        std::size_t bytes = 0;
        sessions::CellHandlers handlers;
        handlers.output = [&](const sessions::CellOutput& output) { bytes += output.bytes.size(); };
        const CellResult result =
            session->runCell("import os\nb = b'x' * 1048576\nfor _ in range(100): os.write(1, b)\n"
                             "import resource\nresource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 100000",
                             { Millis(120'000), 1LL << 30 }, {}, handlers, {});
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(bytes, std::size_t{ 100U << 20 });
        QCOMPARE(result.droppedBytes, std::int64_t{ 0 });
        QCOMPARE(result.value["text/plain"], Value("True"));
    }

    // A folder of this machine has no quota: code that fills it is stopped, and may clear up afterwards.
    void stopsWhatFillsItsFolder_data() { backends(); }
    void stopsWhatFillsItsFolder()
    {
        SG_USE_BACKEND();
        world.spec.mode.storage = sessions::SessionStorage::Bind;
        world.spec.limits.tmpfsBytes = 8LL << 20;
        const auto session = world.session("full");
        QVERIFY2(session, world.problem.c_str());
        const std::string fill =
            "import itertools, time\n"
            "for i in itertools.count(int(time.time() * 1e6)):\n"
            "    open('/session/fill%d' % i, 'wb').write(bytes(1 << 20)); time.sleep(0.02)";
        CellResult result = run(*session, fill);
        QCOMPARE(result.error ? result.error->type : summary(result), std::string("DiskLimitExceeded"));
        QVERIFY2(result.error->message.find("its limit is 8 MiB") != std::string::npos,
                 result.error->message.c_str());
        result = run(*session, fill); // it is full still
        QCOMPARE(result.error ? result.error->type : summary(result), std::string("DiskLimitExceeded"));
        result = run(*session, "import glob, os\nfor f in glob.glob('/session/fill*'): os.remove(f)");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        result = run(*session, "open('/session/more', 'wb').write(bytes(4 << 20))");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
    }

    void stopsWhatHidesHowMuchItWrites_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<std::string>("code");
        QTest::addColumn<std::string>("said");
        for (const char* backend : { "bubblewrap", "docker" }) {
            const auto row = [&](const char* name, const char* code, const char* said) {
                QTest::newRow((std::string(backend) + ", " + name).c_str())
                    << QByteArray(backend) << std::string(code) << std::string(said);
            };
            row("behind many files",
                "os.mkdir('/session/0')\nfor i in range(110000): open('/session/0/%d' % i, "
                "'w').close()\nfill()",
                "its limit is 96 MiB");
            row("beside folders in each other",
                "os.mkdir('/session/0'); os.chdir('/session/0')\n"
                "for i in range(1500): os.mkdir('d'); os.chdir('d')\nfill()",
                "cannot be measured");
            row("and goes on after the interrupt", "try: fill()\nexcept KeyboardInterrupt: pass",
                "its limit is 96 MiB");
        }
    }
    void stopsWhatHidesHowMuchItWrites()
    {
        SG_USE_BACKEND();
        QFETCH(std::string, code);
        QFETCH(std::string, said);
        world.spec.mode.storage = sessions::SessionStorage::Bind;
        world.spec.limits.tmpfsBytes = 96LL << 20; // more than the entries of many files count for
        const auto session = world.session("hidden");
        QVERIFY2(session, world.problem.c_str());
        const CellResult result = run(*session,
                                      "import os, time\ndef fill():\n    for i in range(400):\n"
                                      "        open('/session/zz%d' % i, 'wb').write(bytes(1 << 20))\n"
                                      "        time.sleep(0.02)\n"
                                          + code);
        QVERIFY2(result.error && result.error->type == "DiskLimitExceeded", summary(result).c_str());
        QVERIFY2(result.error->message.find(said) != std::string::npos, result.error->message.c_str());
    }
};

SG_CORE_TEST(TestSessionCells)
#include "tst_session_cells.moc"
