// Shells on terminals in real sandboxes: beside the interpreter, without secrets, ended with their session.

#include "core/sessions/runner/session_terminal.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

using namespace sg;
using namespace sg::test;
using sessions::SessionTerminal;

namespace {

SteadyTime soon(int seconds = 20)
{
    return std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
}

// Returns what it shows until a text is among it; an error's words at its end.
std::string shown(SessionTerminal& terminal, const std::string& until)
{
    std::string all;
    const SteadyTime end = soon();
    while (all.find(until) == std::string::npos) {
        const auto piece = terminal.read(end);
        if (!piece)
            return all + "[" + piece.error().message + "]";
        if (piece->empty())
            return all + "[ended]";
        all += *piece;
    }
    return all;
}

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

// Returns the audit's rows of terminals.
std::string terminalRows(World& world)
{
    const std::lock_guard lock(world.auditMutex);
    std::string told;
    for (const audit::AuditEntry& row : world.audited)
        if (row.kind == audit::Kind::Terminal && row.subject == row.session.value
            && row.thread.value == "shell")
            told += row.outcome.text() + ' ';
    return told;
}

} // namespace

class TestSessionTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAShellInTheLiveSession_data() { everywhere(); }
    void isAShellInTheLiveSession()
    {
        SG_USE_BACKEND();
        const auto session = world.session("shell");
        QVERIFY2(session, world.problem.c_str());
        QVERIFY(run(*session, "open('made_by_cell', 'w').write('from the cell')").status == CellStatus::Ok);
        auto terminal = SessionTerminal::open(session, { 20, 70 });
        QVERIFY2(terminal, terminal ? "" : terminal.error().message.c_str());
        QVERIFY((*terminal)->write(
            "stty size; pwd; cat made_by_cell; echo by shell > made_by_shell; echo do''ne\n"));
        const std::string text = shown(**terminal, "done");
        for (const char* expected : { "20 70", "/session", "from the cell" })
            QVERIFY2(has(text, expected), text.c_str());
        QCOMPARE(run(*session, "open('made_by_shell').read()").value["text/plain"], Value("'by shell\\n'"));
        QVERIFY((*terminal)->resize({ 10, 33 }));
        QVERIFY((*terminal)->write("stty size; echo ag''ain\n"));
        QVERIFY(has(shown(**terminal, "again"), "10 33"));
        QVERIFY((*terminal)->write("exit 4\n"));
        QVERIFY(has(shown(**terminal, "never"), "[ended]"));
        QCOMPARE((*terminal)->exitCode().value_or(-1), std::int64_t{ 4 });
        QCOMPARE(terminalRows(world), std::string("opened "));
        terminal->reset();
        QCOMPARE(terminalRows(world), std::string("opened closed "));
    }

    void showsNoSecret_data() { backends(); }
    void showsNoSecret()
    {
        SG_USE_BACKEND();
        world.secrets["token"] = "Zq8-terminal-secret-4711";
        world.spec.secrets = { "token" };
        const auto session = world.session("secret");
        QVERIFY2(session, world.problem.c_str());
        auto terminal = SessionTerminal::open(session, {});
        QVERIFY(terminal);
        QVERIFY((*terminal)->write("cat /run/secrets/token; echo; echo do''ne\n"));
        const std::string text = shown(**terminal, "done");
        QVERIFY2(has(text, "[secret token]"), text.c_str());
        QVERIFY2(!has(text, "terminal-secret"), text.c_str());
    }

    void endsWithItsSession_data() { everywhere(); }
    void endsWithItsSession()
    {
        SG_USE_BACKEND();
        const auto session = world.session("ending");
        QVERIFY2(session, world.problem.c_str());
        auto terminal = SessionTerminal::open(session, {});
        QVERIFY(terminal);
        QVERIFY((*terminal)->write("echo rea''dy\n"));
        QVERIFY(has(shown(**terminal, "ready"), "ready"));
        session->end();
        const std::string text = shown(**terminal, "never");
        QVERIFY2(text.ends_with("]"), text.c_str()); // said at once, not waited for
    }

    void whatIsTypedWaitsForWhoReadsIt_data() { everywhere(); }
    void whatIsTypedWaitsForWhoReadsIt()
    {
        SG_USE_BACKEND();
        const auto session = world.session("paste");
        QVERIFY2(session, world.problem.c_str());
        auto terminal = SessionTerminal::open(session, {});
        QVERIFY(terminal);
        QVERIFY((*terminal)->write("stty -echo; echo rea''dy; until [ -e go ]; do sleep 0.05; done; "
                                   "head -c 3000000 | wc -c; echo do''ne\n"));
        QVERIFY(has(shown(**terminal, "ready"), "ready"));
        std::string paste;
        while (paste.size() < 3'000'000)
            paste += "a line of thirty-two characters\n";
        paste.resize(3'000'000);
        const auto soonFull = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        Result<std::size_t> typed = std::size_t{ 0 };
        std::jthread first([&] { typed = (*terminal)->write(paste, soonFull); });
        QVERIFY((*terminal)->read(soonFull).error().code
                == Errc::Timeout); // there is nothing, but it is told of
        first.join();
        QVERIFY(typed);
        QVERIFY2(*typed > 0 && *typed < 600'000, std::to_string(*typed).c_str());
        QVERIFY(run(*session, "open('go', 'w').close()").status == CellStatus::Ok);
        const std::jthread rest(
            [&] { typed = (*terminal)->write(std::string_view(paste).substr(*typed), soon()); });
        QVERIFY2(has(shown(**terminal, "done"), "3000000"), "a part of it was lost");
    }

    void whoTypesIsToldOfTheEnd_data() { everywhere(); }
    void whoTypesIsToldOfTheEnd()
    {
        SG_USE_BACKEND();
        const auto session = world.session("typing");
        QVERIFY2(session, world.problem.c_str());
        auto terminal = SessionTerminal::open(session, {});
        QVERIFY(terminal);
        QVERIFY((*terminal)->write("stty -echo; echo rea''dy; sleep 1000\n"));
        QVERIFY(has(shown(**terminal, "ready"), "ready"));
        Result<std::size_t> typed = std::size_t{ 0 };
        std::jthread typing([&] { typed = (*terminal)->write(std::string(2'000'000, '\n')); });
        const std::jthread ending([&] { session->end(); });
        while (const auto text = (*terminal)->read(soon()))
            if (text->empty())
                break;
        typing.join();
        QVERIFY(!typed);
    }

    void floodsNobody_data() { everywhere(); }
    void floodsNobody()
    {
        SG_USE_BACKEND();
        const auto session = world.session("flood");
        QVERIFY2(session, world.problem.c_str());
        auto terminal = SessionTerminal::open(session, {});
        QVERIFY(terminal);
        QVERIFY((*terminal)->write("yes\n"));
        QVERIFY(has(shown(**terminal, "y\r\ny"), "y"));
        // Nobody reads it now; cells are not held up, however much it has to say.
        for (int i = 0; i < 20; ++i)
            QCOMPARE(run(*session, "6 * 7").value["text/plain"], Value("42"));
        QVERIFY((*terminal)->write("\x03"));
        QVERIFY((*terminal)->write("echo sti''ll\n"));
        QVERIFY(has(shown(**terminal, "still"), "still"));
    }
};

SG_CORE_TEST(TestSessionTerminal)
#include "tst_session_terminal.moc"
