#include "core/sqlite/db.h"
#include "tests/core/checkpoint/supersteps.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::test;
using sg::test::SmallDisk;
using sg::test::TempDir;
using sg::test::waitFor;
namespace fs = std::filesystem;

namespace {

// A child process for one job; it never returns into the test.
template<typename Job>
pid_t spawn(Job job)
{
    const pid_t child = ::fork();
    if (child == 0) {
        job();
        ::_exit(0);
    }
    return child;
}

// Another process that holds the write lock until told to let go.
class LockHolder {
public:
    explicit LockHolder(const fs::path& path)
    {
        if (::pipe(m_ready) != 0 || ::pipe(m_release) != 0)
            return;
        m_child = spawn([&] {
            auto db = sqlite::Db::open(path);
            auto held = db ? db->begin() : Result<sqlite::Transaction>(db.error());
            const char state = held ? 'l' : 'e';
            char released = 0;
            ::close(m_release[1]);
            if (::write(m_ready[1], &state, 1) == 1) [[maybe_unused]]
                const auto ignored = ::read(m_release[0], &released, 1);
        });
        char state = 0;
        m_holds = ::read(m_ready[0], &state, 1) == 1 && state == 'l';
    }
    LockHolder(const LockHolder&) = delete;
    LockHolder& operator=(const LockHolder&) = delete;
    ~LockHolder()
    {
        release();
        for (const int end : { m_ready[0], m_ready[1], m_release[0] })
            ::close(end);
    }

    [[nodiscard]] bool holds() const { return m_holds; }
    void release()
    {
        if (m_child <= 0)
            return;
        ::close(m_release[1]);
        ::waitpid(m_child, nullptr, 0);
        m_child = 0;
    }

private:
    int m_ready[2] = { -1, -1 };
    int m_release[2] = { -1, -1 };
    pid_t m_child = 0;
    bool m_holds = false;
};

} // namespace

class TestSqliteFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitsForAnotherProcess();
    void saysThatAnotherProcessHoldsTheFile();
    void losesNothingOnAFullDisk();
    void readsFromAReadOnlyDisk();
    void survivesKill();
    void readersSeeWholeTransactions();
};

void TestSqliteFaults::waitsForAnotherProcess()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 3);
    LockHolder holder(path);
    QVERIFY(holder.holds());
    auto store = openSqliteCheckpointStore(path, { .fullSync = false, .busyTimeoutMs = 20'000 });
    SG_VERIFY_OK(store);
    std::thread releasing([&] { holder.release(); });
    const auto done = putStep(**store, 4);
    releasing.join();
    SG_VERIFY_OK(done);
    QCOMPARE(checkedSteps(**store), std::string("4 whole supersteps"));
}

void TestSqliteFaults::saysThatAnotherProcessHoldsTheFile()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 3);
    LockHolder holder(path);
    QVERIFY(holder.holds());
    auto store = openSqliteCheckpointStore(path, { .fullSync = false, .busyTimeoutMs = 50 });
    SG_VERIFY_OK(store);
    const auto refused = putStep(**store, 4);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::Busy);
    SG_VERIFY_CONTAINS(refused.error().message, path.string() + " is locked by another program");
    SG_VERIFY_CONTAINS(refused.error().message, "try again");
    QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps")); // reading waits for nobody
    holder.release();
    SG_VERIFY_OK(putStep(**store, 4));
    QCOMPARE(checkedSteps(**store), std::string("4 whole supersteps"));
}

void TestSqliteFaults::losesNothingOnAFullDisk()
{
    const SmallDisk disk("2m");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
    const fs::path path = disk.path() / "checkpoints.sqlite";
    const fs::path ballast = disk.path() / "ballast";
    std::ofstream(ballast) << std::string(400'000, 'b');
    auto store = openSqliteCheckpointStore(path, {});
    SG_VERIFY_OK(store);
    int stored = 0;
    Result<void> failed;
    while (stored < 1000) {
        failed = putStep(**store, stored + 1, 20'000);
        if (!failed)
            break;
        ++stored;
    }
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, Errc::NoSpace);
    SG_VERIFY_CONTAINS(failed.error().message, path.string());
    SG_VERIFY_CONTAINS(failed.error().message, "full");
    const std::string whole = std::to_string(stored) + " whole supersteps";
    QCOMPARE(checkedSteps(**store), whole);

    fs::remove(ballast); // room again: the same store goes on
    SG_VERIFY_OK(putStep(**store, stored + 1));
    store = openSqliteCheckpointStore(path, {});
    SG_VERIFY_OK(store);
    QCOMPARE(checkedSteps(**store), std::to_string(stored + 1) + " whole supersteps");
}

void TestSqliteFaults::readsFromAReadOnlyDisk()
{
    const SmallDisk disk("2m");
    if (!disk.problem().empty())
        SG_SKIP_WITHOUT("small_disk", disk.problem());
    const TempDir folder;
    const fs::path path = disk.path() / "checkpoints.sqlite";
    fs::copy_file(makeFile(folder, 3), path);
    QVERIFY(disk.makeReadOnly());
    for (const bool readOnly : { true, false }) {
        auto store = openSqliteCheckpointStore(path, { .readOnly = readOnly });
        SG_VERIFY_OK(store);
        QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps"));
        const auto refused = putStep(**store, 4);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::PermissionDenied);
        SG_VERIFY_CONTAINS(refused.error().message, path.string());
    }
}

void TestSqliteFaults::survivesKill()
{
    const TempDir folder;
    const fs::path path = folder / "checkpoints.sqlite";
    std::mt19937 random(std::random_device{}());
    const int rounds = qEnvironmentVariableIntValue("SG_FULL") > 0 ? 300 : 15;
    int stored = 0;
    for (int round = 0; round < rounds; ++round) {
        int acknowledged[2];
        QCOMPARE(::pipe(acknowledged), 0);
        const pid_t child = spawn([&] {
            auto store = openSqliteCheckpointStore(path, { .fullSync = false });
            for (int number = stored + 1; store && putStep(**store, number); ++number) {
                if (::write(acknowledged[1], &number, sizeof number) != sizeof number)
                    return;
            }
        });
        ::close(acknowledged[1]);
        // Killed at once after an acknowledgement: in the middle of a later step.
        const int target = stored + 1 + static_cast<int>(random() % 40);
        int seen = stored;
        while (seen < target && ::read(acknowledged[0], &seen, sizeof seen) == sizeof seen) { }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        for (int number = 0; ::read(acknowledged[0], &number, sizeof number) == sizeof number;)
            seen = number;
        ::close(acknowledged[0]);
        QVERIFY(seen >= target);

        auto db = sqlite::Db::open(path, { .mode = sqlite::OpenMode::ReadWrite });
        SG_VERIFY_OK(db);
        {
            auto check = db->prepare("PRAGMA quick_check(1)");
            SG_VERIFY_OK(check);
            SG_VERIFY_OK(check->step());
            QCOMPARE(std::string(check->text(0)), std::string("ok"));
        }
        auto store = openSqliteCheckpointStore(path, {});
        SG_VERIFY_OK(store);
        const auto head = (*store)->get(ThreadId("t"), "", {});
        SG_VERIFY_OK(head);
        stored = std::stoi((*head)->ref.id.value);
        QVERIFY2(stored == seen || stored == seen + 1, "more or less is stored than was acknowledged");
        QCOMPARE(checkedSteps(**store), std::to_string(stored) + " whole supersteps");
    }
}

void TestSqliteFaults::readersSeeWholeTransactions()
{
    const TempDir folder;
    auto store = openSqliteCheckpointStore(folder / "checkpoints.sqlite", { .fullSync = false });
    SG_VERIFY_OK(store);
    SG_VERIFY_OK(putStep(**store, 1));
    std::atomic<bool> done = false;
    std::atomic<int> reads = 0;
    std::vector<std::string> wrong(3);
    std::vector<std::thread> readers;
    for (std::string& found : wrong) {
        readers.emplace_back([&] {
            while (!done && found.empty()) {
                const std::string steps = checkedSteps(**store);
                if (!steps.ends_with("whole supersteps"))
                    found = steps;
                ++reads;
            }
        });
    }
    Result<void> put;
    for (int number = 2; put && number <= 60; ++number) {
        put = putStep(**store, number);
        const int before = reads;
        if (number % 10 == 0) // the writer must not be through before the readers begin
            [[maybe_unused]]
            const bool wasRead = waitFor([&] { return reads > before; });
    }
    done = true;
    for (std::thread& reader : readers)
        reader.join();
    SG_VERIFY_OK(put);
    QVERIFY(reads >= 6);
    for (const std::string& found : wrong)
        QCOMPARE(found, std::string());
}

SG_TEST(TestSqliteFaults)
#include "tst_sqlite_faults.moc"
