#include "tests/integration/sessions/session_world.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace sg;
using namespace sg::test;

// Kept Docker sessions between programs: taken up after a kill, with what was changed in them; taken over
// while another program still has them.
class TestKeptSessions final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void afterAKillItComesBackAsItWas();
    void whoIsTakenOverLeavesItAlone();
};

namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::string printedBy(sessions::Session& session, const std::string& code)
{
    Printed printed;
    const CellResult result = run(session, code, Millis(20'000), &printed);
    return result.status == CellStatus::Ok ? printed.out : summary(result);
}

// A program that keeps a session, changes its limits, extends it, and is killed in the middle of a cell.
pid_t startKeeper(const std::filesystem::path& folder, const std::filesystem::path& records, int tell)
{
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    qputenv("TMPDIR", QByteArray::fromStdString(folder.string())); // what it leaves goes with our folder
    World keeper("docker", "killed", records);
    keeper.spec.keep = true;
    const auto session = keeper.session("keeper");
    bool isGood = session
        && run(*session, "x = [41]\nopen('/session/f.txt', 'w').write('kept')").status == CellStatus::Ok;
    if (isGood) {
        sandbox::Limits limits = keeper.spec.limits;
        limits.memoryBytes = 300 * kMiB;
        limits.pids = 50;
        const SessionId id = session->info().id;
        isGood = keeper.manager->setLimits(id, limits) && keeper.manager->extend(id, Millis(600'000));
    }
    const char state = isGood ? 'y' : 'n';
    if (::write(tell, &state, 1) == 1 && isGood)
        run(*session, "import time\nx.append(42)\ntime.sleep(60)", Millis(70'000));
    ::_exit(0);
}

} // namespace

void TestKeptSessions::afterAKillItComesBackAsItWas()
{
    SG_NEED("docker");
    const TempDir folder;
    const auto records = folder / "sessions.sqlite";
    std::array<int, 2> ends{};
    QCOMPARE(::pipe2(ends.data(), O_CLOEXEC), 0);
    const pid_t child = startKeeper(folder.path(), records, ends[1]);
    ::close(ends[1]); // so that its end is heard, too
    char state = 0;
    QCOMPARE(::read(ends[0], &state, 1), ssize_t(1));
    QTest::qWait(1000); // into the cell; what follows holds before it, too, but for one number
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    QCOMPARE(state, 'y');

    World next("docker", "next", records);
    next.spec.keep = true;
    next.spec.limits.cpus = 1.5; // another wish than the first program's, for this one alone
    const auto session = next.session("keeper");
    QVERIFY2(session != nullptr, next.problem.c_str());
    const std::string found = printedBy(*session, "print(x[0], open('/session/f.txt').read(), len(x) <= 2)");
    QCOMPARE(found, std::string("41 kept True\n"));
    const sessions::SessionInfo info = session->info();
    QCOMPARE(info.limits.memoryBytes, 300 * kMiB); // as it was changed while it lived
    QCOMPARE(info.limits.pids, std::int64_t(50));
    QCOMPARE(info.limits.cpus, 1.5);
    const auto sample = session->sample();
    SG_VERIFY_OK(sample);
    QCOMPARE(sample->memoryLimit, 300 * kMiB);
    QCOMPARE(sample->pidsLimit, std::int64_t(50));
    const auto before = next.manager->records()->find(info.id);
    SG_VERIFY_OK(before);
    QVERIFY(*before && (*before)->extendedUntil);
    SG_VERIFY_OK(next.manager->extend(info.id, Millis(1000))); // it lasts longer already
    const auto after = next.manager->records()->find(info.id);
    SG_VERIFY_OK(after);
    QVERIFY((*after)->extendedUntil == (*before)->extendedUntil);
    SG_VERIFY_OK(next.manager->extend(info.id, Millis(1'200'000)));
    QVERIFY((*next.manager->records()->find(info.id))->extendedUntil > (*before)->extendedUntil);
    QCOMPARE(printedBy(*session, "print(x[0])"), std::string("41\n"));
    SG_VERIFY_OK(next.manager->stop(info.id));
    QCOMPARE(next.manager->list().size(), std::size_t(0));
}

// Neither has records, so that neither can know of the other beforehand.
void TestKeptSessions::whoIsTakenOverLeavesItAlone()
{
    SG_NEED("docker");
    World first("docker");
    first.spec.keep = true;
    const auto lost = first.session("keeper");
    QVERIFY2(lost != nullptr, first.problem.c_str());
    QCOMPARE(printedBy(*lost, "x = 42\nprint(x)"), std::string("42\n"));

    World second("docker", "another");
    second.spec.keep = true;
    const auto session = second.session("keeper");
    QVERIFY2(session != nullptr, second.problem.c_str());
    QCOMPARE(session->info().id, lost->info().id);
    // It notices at once, or with its next cell.
    SG_VERIFY_CONTAINS(printedBy(*lost, "x"), "another program has taken it up");
    QVERIFY(test::waitFor([&] { return !first.manager->find(ThreadId("keeper")); }));
    QCOMPARE(lost->info().state.text(), std::string("ended: another program has taken it up"));
    QCOMPARE(printedBy(*session, "print(x)"), std::string("42\n"));
    first.manager.reset();
    QCOMPARE(printedBy(*session, "print(x)"), std::string("42\n"));
    SG_VERIFY_OK(second.manager->stop(session->info().id));
    QCOMPARE(second.manager->list().size(), std::size_t(0));
}

SG_CORE_TEST(TestKeptSessions)
#include "tst_kept_sessions.moc"
