// Code that wants to harm the machine or its neighbours: its own session alone suffers.

#include "tests/integration/sessions/session_world.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <thread>

using namespace sg;
using namespace sg::test;

namespace {

// Measures how long another session's cells take while something bad happens.
class Bystander {
public:
    explicit Bystander(sessions::Session& session)
        : m_thread([this, &session](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                const CellResult result = run(session, "1 + 1");
                m_slowest = std::max(m_slowest, result.seconds);
                m_failed += result.status == CellStatus::Ok ? 0 : 1;
                ++m_count;
                std::this_thread::sleep_for(Millis(5));
            }
        })
    {
    }
    std::string verdict()
    {
        m_thread.request_stop();
        m_thread.join();
        if (m_failed > 0)
            return std::to_string(m_failed) + " of its cells failed";
        if (m_count < 3)
            return "it ran only " + std::to_string(m_count) + " cells";
        return m_slowest > 2.0 ? "one of its cells took " + std::to_string(m_slowest) + " s" : "fine";
    }

private:
    double m_slowest = 0;
    int m_failed = 0;
    int m_count = 0;
    std::jthread m_thread;
};

} // namespace

class TestHostileSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void survivesAMemoryBomb_data() { backends(); }
    void survivesAMemoryBomb();
    void survivesAForkBomb_data() { backends(); }
    void survivesAForkBomb();
    void survivesAFullSession_data() { backends(); }
    void survivesAFullSession();
    void survivesAFloodOfOutput_data() { everywhere(); }
    void survivesAFloodOfOutput();
    void storesContentThatChangesUnderItsOwnHash_data() { everywhere(); }
    void storesContentThatChangesUnderItsOwnHash();
};

void TestHostileSessions::survivesAMemoryBomb()
{
    SG_USE_BACKEND();
    const auto bad = world.session("bad");
    const auto good = world.session("good");
    QVERIFY2(bad != nullptr && good != nullptr, world.problem.c_str());
    Bystander bystander(*good);
    const CellResult result = run(*bad, "blocks = []\nwhile True: blocks.append(bytearray(8 << 20))");
    const std::string verdict = bystander.verdict();
    QCOMPARE(verdict, std::string("fine"));
    // Killed by the kernel, or refused the memory: either names it.
    QVERIFY2(result.error && result.error->type == "MemoryError", summary(result).c_str());
    if (result.status == CellStatus::Died)
        SG_VERIFY_CONTAINS(result.error->message, "256 MiB");
    QCOMPARE(summary(run(*bad, "print('on')")), std::string("ok"));
}

void TestHostileSessions::survivesAForkBomb()
{
    SG_USE_BACKEND();
    const auto bad = world.session("bad");
    const auto good = world.session("good");
    QVERIFY2(bad != nullptr && good != nullptr, world.problem.c_str());
    Bystander bystander(*good);
    const CellResult result =
        run(*bad,
            "import os\n"
            "while True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
            Millis(1500));
    const std::string verdict = bystander.verdict();
    QCOMPARE(verdict, std::string("fine"));
    QVERIFY2(result.status == CellStatus::TimedOut || result.status == CellStatus::Died,
             summary(result).c_str());
    QVERIFY2(result.seconds < 60, std::to_string(result.seconds).c_str());
    const CellResult next = run(*bad, "import os; print(os.fork() > 0)");
    QCOMPARE(summary(next), std::string("ok"));
}

void TestHostileSessions::survivesAFullSession()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    const CellResult result =
        run(*session, "f = open('/session/fill', 'wb')\nwhile True: f.write(b'x' * (1 << 20))");
    QCOMPARE(result.status, CellStatus::Error);
    SG_VERIFY_CONTAINS(result.error->message, "No space left");
    QCOMPARE(summary(run(*session, "import os; os.unlink('/session/fill')")), std::string("ok"));
}

void TestHostileSessions::survivesAFloodOfOutput()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    Printed printed;
    const CellResult result =
        run(*session, "import os\nb = b'\\xff\\x1b[2J' * 200_000\nfor i in range(1074): os.write(1, b)",
            Millis(60'000), &printed);
    QCOMPARE(summary(result), std::string("ok"));
    QVERIFY(printed.out.size() < (1U << 20) + 1000);
    QVERIFY(result.droppedBytes > 1'000'000'000);
    QCOMPARE(summary(run(*session, "1")), std::string("ok"));
}

// A process of the session rewrites the file again and again while it is read, hashed and stored. It rests
// for a few milliseconds at times: a file that changes at every look is rightly never taken.
void TestHostileSessions::storesContentThatChangesUnderItsOwnHash()
{
    SG_USE_BACKEND();
    const auto session = world.session("alice");
    QVERIFY2(session != nullptr, world.problem.c_str());
    QCOMPARE(summary(run(*session,
                         "import subprocess, sys\n"
                         "writer = subprocess.Popen([sys.executable, '-c', '''\n"
                         "import itertools, os, time\n"
                         "for n in itertools.count():\n"
                         "    if n % 20 == 0: time.sleep(0.005)\n"
                         "    try:\n"
                         "        with open(\"/session/artifacts/f\", \"r+b\" if n % 7 else \"wb\") as f:\n"
                         "            f.write(bytes([n % 251]) * (n % 300000))\n"
                         "    except OSError: pass\n'''])")),
             std::string("ok"));
    std::size_t stored = 0;
    for (int cell = 0; cell < 100; ++cell) {
        const CellResult result = run(*session, "import time; time.sleep(0.01)");
        QCOMPARE(summary(result), std::string("ok"));
        stored += result.artifacts.size();
        for (const artifacts::Artifact& artifact : result.artifacts) {
            const auto content = world.store->read(artifact, 1 << 20); // checks the hash
            SG_VERIFY_OK(content);
            QCOMPARE(content->size(), static_cast<std::size_t>(artifact.size));
        }
    }
    qInfo("%zu contents stored while they changed", stored);
    QVERIFY2(stored > 0, "nothing was stored while it changed");
    QCOMPARE(summary(run(*session, "writer.kill(); writer.wait(); 1")), std::string("ok"));
}

SG_TEST(TestHostileSessions)
#include "tst_hostile_sessions.moc"
