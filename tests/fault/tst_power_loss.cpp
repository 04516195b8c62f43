#include "tests/fault/fault_run.h"
#include "tests/fault/unreliable_disk.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <fstream>

using namespace sg;
using namespace sg::fault;
using sg::test::TempDir;
namespace fs = std::filesystem;

namespace {

bool isFull()
{
    return qEnvironmentVariableIntValue("SG_FULL") > 0;
}

// Brings a workflow to its end in spite of power cuts at random moments, each followed by a look at what is
// left.
class PowerTrial {
public:
    PowerTrial(std::uint64_t seed, bool fullSync)
        : m_workflow(randomWorkflow(seed))
        , m_whole(undisturbed(m_workflow))
        , m_random(seed)
        , m_fullSync(fullSync)
    {
    }

    std::string run(int mostCuts)
    {
        if (m_whole.namespaces.empty())
            return "the undisturbed run failed";
        std::int64_t span = 0;
        for (int cut = 0; cut <= mostCuts; ++cut) {
            const fs::path database = at(cut);
            std::set<std::string> confirmed;
            bool done = false;
            {
                UnreliableDisk disk;
                // The first life is undisturbed, to learn how long a life is.
                if (cut > 0 && cut < mostCuts)
                    disk.failAt(1 + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(span)),
                                DiskFault::PowerCut, true);
                const FaultRun ran = runOn(cut == 0 ? m_folder / "whole" : database, m_workflow, m_fullSync);
                done = ran.done && !disk.hasFailed();
                if (!disk.hasFailed() && !ran.done)
                    return "the run failed: " + ran.error;
                if (cut == 0)
                    span = disk.changes();
                if (disk.hasFailed() && !disk.writeImage(database, at(cut + 1), m_random)
                    && !ran.confirmed.empty() && m_fullSync)
                    return "nothing is left";
                confirmed = ran.confirmed;
            }
            if (cut == 0)
                continue;
            if (done)
                return problemAtEnd(database, m_whole);
            m_confirmed.insert(confirmed.begin(), confirmed.end());
            if (std::string problem = look(at(cut + 1)); !problem.empty())
                return "after power cut " + std::to_string(cut) + ": " + problem;
            ++cuts;
        }
        return "it never came to its end";
    }

    int cuts = 0;

private:
    // Returns the folder of the machine after so many power cuts.
    [[nodiscard]] fs::path at(int cut) const { return m_folder / ("disk" + std::to_string(cut)); }

    // A copy is looked at, so that the next run does the recovery itself.
    std::string look(const fs::path& database)
    {
        const fs::path copy = m_folder / "copy";
        bool any = false;
        for (const char* side : { "", "-wal", "-shm", "-journal" }) {
            fs::remove(copy.string() + side);
            if (fs::exists(database.string() + side))
                any = fs::copy_file(database.string() + side, copy.string() + side);
        }
        if (!any || (!fs::exists(database) && m_confirmed.empty()))
            return {};
        if (!m_fullSync)
            m_confirmed.clear(); // the newest may be lost
        return problemOf(copy, m_whole, m_confirmed);
    }

    const TempDir m_folder;
    const Workflow m_workflow;
    const History m_whole;
    std::mt19937_64 m_random;
    const bool m_fullSync;
    std::set<std::string> m_confirmed;
};

} // namespace

class TestPowerLoss : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatWasConfirmed_data();
    void keepsWhatWasConfirmed();
    void survivesAPowerCutAtEveryChange();
    void readsALogThatIsCut();
    void readsALogWithDamage();
};

void TestPowerLoss::keepsWhatWasConfirmed_data()
{
    QTest::addColumn<bool>("fullSync");
    QTest::newRow("synchronous FULL: all of it") << true;
    QTest::newRow("synchronous NORMAL: a beginning of it") << false;
}

void TestPowerLoss::keepsWhatWasConfirmed()
{
    QFETCH(bool, fullSync);
    const std::uint64_t seed = std::random_device{}();
    const int wanted = isFull() ? 500 : 25;
    int cuts = 0;
    for (std::uint64_t i = 0; cuts < wanted; ++i) {
        PowerTrial trial(seed + i, fullSync);
        const std::string problem = trial.run(8);
        QVERIFY2(problem.empty(), ("seed " + std::to_string(seed + i) + ": " + problem).c_str());
        cuts += trial.cuts;
    }
    qInfo("%d power cuts from seed %llu on", cuts, static_cast<unsigned long long>(seed));
}

// One small graph; each of its changes to the disk is the last one once.
void TestPowerLoss::survivesAPowerCutAtEveryChange()
{
    const Workflow workflow = randomWorkflow(11);
    const History whole = undisturbed(workflow);
    QVERIFY(!whole.namespaces.empty());
    std::mt19937_64 random(11);
    const int images = isFull() ? 20 : 1;
    for (std::int64_t n = 1;; ++n) {
        const TempDir folder;
        FaultRun ran;
        bool cut = false;
        {
            UnreliableDisk disk;
            disk.failAt(n, DiskFault::PowerCut, true);
            ran = runOn(folder / "a", workflow, true);
            cut = disk.hasFailed();
            for (int image = 0; image < images; ++image)
                disk.writeImage(folder / "a", folder / ("b" + std::to_string(image)), random);
        }
        if (!cut)
            break;
        for (int image = 0; image < images; ++image) {
            const fs::path left = folder / ("b" + std::to_string(image));
            if (!fs::exists(left) && ran.confirmed.empty())
                continue;
            const std::string problem = problemOf(left, whole, ran.confirmed);
            QVERIFY2(problem.empty(), ("change " + std::to_string(n) + ": " + problem).c_str());
            const FaultRun goesOn = runOn(left, workflow, true);
            QVERIFY2(goesOn.done, goesOn.error.c_str());
            QCOMPARE(problemAtEnd(left, whole), std::string());
        }
    }
}

namespace {

struct LogCase {
    TempDir folder;
    Workflow workflow = randomWorkflow(3);
    History whole = undisturbed(workflow);
    std::string database;
    std::string log;
};

std::string bytesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

// The files as a killed process leaves them, all in the log.
void makeLog(LogCase& made)
{
    UnreliableDisk disk(100'000);
    auto store = checkpoint::openSqliteCheckpointStore(made.folder / "a");
    SG_VERIFY_OK(store);
    QCOMPARE(runToEnd(made.workflow, **store, nullptr, nullptr).error, std::string());
    made.database = bytesOf(made.folder / "a");
    made.log = bytesOf(made.folder / "a-wal");
    QVERIFY(made.log.size() > 50'000);
}

} // namespace

void TestPowerLoss::readsALogThatIsCut()
{
    LogCase made;
    makeLog(made);
    const std::size_t stride = isFull() ? 97 : 4099;
    for (std::size_t size = 0; size < made.log.size(); size += size < 100 ? 1 : stride) {
        made.folder.write("b", made.database);
        made.folder.write("b-wal", std::string_view(made.log).substr(0, size));
        fs::remove(made.folder / "b-shm");
        const std::string problem = problemOf(made.folder / "b", made.whole, {});
        QVERIFY2(problem.empty(), (std::to_string(size) + ": " + problem).c_str());
    }
}

// From the damage on, the log does not count.
void TestPowerLoss::readsALogWithDamage()
{
    LogCase made;
    makeLog(made);
    std::mt19937_64 random(5);
    for (int round = 0; round < (isFull() ? 2000 : 60); ++round) {
        std::string damaged = made.log;
        for (auto flips = 1 + random() % 4; flips > 0; --flips) {
            char& byte = damaged[random() % damaged.size()];
            byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << (random() % 8)));
        }
        made.folder.write("b", made.database);
        made.folder.write("b-wal", damaged);
        made.folder.write("b-shm", std::string(random() % 40'000, static_cast<char>(random())));
        const std::string problem = problemOf(made.folder / "b", made.whole, {});
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

SG_TEST(TestPowerLoss)
#include "tst_power_loss.moc"
