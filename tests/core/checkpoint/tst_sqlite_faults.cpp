#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/sqlite/db.h"
#include "tests/conformance/checkpoint_store_suite.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>
#include <thread>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::conformance;
using sg::test::SmallDisk;
using sg::test::TempDir;
namespace fs = std::filesystem;

namespace {

std::string idOf(int number)
{
    const std::string text = std::to_string(number);
    return std::string(8 - text.size(), '0') + text;
}

std::string bytesOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

// One superstep as the engine stores it: the writes of the step before and the next checkpoint.
Result<void> putStep(CheckpointStore& store, int number, std::size_t payload = 200)
{
    return store.together([&]() -> Result<void> {
        std::optional<CheckpointId> parent;
        if (number > 1) {
            parent = CheckpointId(idOf(number - 1));
            const auto before = refOf("t", parent->value);
            auto done =
                store.putWrites(before, { writeOf("task", "x", number), writeOf("task", "y", "text") });
            if (!done)
                return done;
        }
        return store.put(
            refOf("t", idOf(number)), parent,
            checkpointOf(idOf(number), { { "x", number }, { "pad", std::string(payload, 'p') } }),
            metadataOf(number));
    });
}

// A file with `steps` supersteps, without side files.
fs::path makeFile(const TempDir& folder, int steps, const char* name = "checkpoints.sqlite")
{
    const fs::path path = folder / name;
    auto store = openSqliteCheckpointStore(path, { .fullSync = false });
    for (int i = 1; store && i <= steps; ++i) {
        if (!putStep(**store, i))
            return {};
    }
    return path;
}

// "n whole supersteps" or what is wrong with them.
std::string checkedSteps(CheckpointStore& store)
{
    int newest = 0;
    int expected = 0;
    std::string wrong;
    const auto listed = store.list({}, [&](const CheckpointRecord& record) {
        const int number = std::stoi(record.ref.id.value);
        if (newest == 0)
            newest = expected = number;
        const std::size_t writes = number == newest ? 0 : 2;
        const Value* x = record.checkpoint.channelValues.find("x");
        if (!record.problem.empty() || number != expected || record.writes.size() != writes || !x
            || *x != Value(number))
            wrong = "broken at " + record.ref.id.value + ": " + record.problem;
        --expected;
        return wrong.empty();
    });
    if (!listed)
        return listed.error().message;
    if (wrong.empty() && expected != 0)
        wrong = "the oldest is missing";
    return wrong.empty() ? std::to_string(newest) + " whole supersteps" : wrong;
}

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

} // namespace

class TestSqliteFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusesWhatIsNoCheckpointFile_data();
    void refusesWhatIsNoCheckpointFile();
    void aTruncatedFileIsNamed();
    void damagedBytesNeverCrash();
    void aDamagedRowHidesNoOther();
    void readsButDoesNotWriteANewerVersion();
    void waitsForAnotherProcess();
    void saysThatAnotherProcessHoldsTheFile();
    void losesNothingOnAFullDisk();
    void readsFromAReadOnlyDisk();
    void survivesKill();
    void readersSeeWholeTransactions();
};

void TestSqliteFaults::refusesWhatIsNoCheckpointFile_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("readOnly");
    QTest::addColumn<Errc>("code");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* title, const char* name, bool readOnly, Errc code, const char* says) {
        QTest::newRow(title) << QByteArray(name) << readOnly << code << QByteArray(says);
    };
    row("missing, to read", "none.sqlite", true, Errc::NotFound, "none.sqlite");
    row("missing folder", "no/such/a.sqlite", false, Errc::NotFound, "no/such");
    row("a folder", "folder", false, Errc::InvalidArgument, "folder");
    row("text, to write", "text", false, Errc::Corrupt, "is not a SQLite database");
    row("text, to read", "text", true, Errc::Corrupt, "is not a SQLite database");
    row("noise", "noise", false, Errc::Corrupt, "noise");
}

void TestSqliteFaults::refusesWhatIsNoCheckpointFile()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, readOnly);
    QFETCH(Errc, code);
    QFETCH(QByteArray, says);
    const TempDir folder;
    fs::create_directory(folder / "folder");
    folder.write("text", std::string(5000, 'a'));
    std::string noise(20'000, '\0');
    std::mt19937 random(1);
    for (char& byte : noise)
        byte = static_cast<char>(random());
    folder.write("noise", noise);
    const std::string before = bytesOf(folder / "text");
    const auto store = openSqliteCheckpointStore(folder / name.toStdString(), { .readOnly = readOnly });
    QVERIFY(!store);
    QCOMPARE(store.error().code, code);
    SG_VERIFY_CONTAINS(store.error().message, says.toStdString());
    QCOMPARE(bytesOf(folder / "text"), before);
}

void TestSqliteFaults::aTruncatedFileIsNamed()
{
    const TempDir folder;
    const fs::path whole = makeFile(folder, 60);
    const std::string bytes = bytesOf(whole);
    QVERIFY(bytes.size() > 20 * 4096);
    for (std::size_t size = 2; size < bytes.size(); size += 4095) {
        // (SQLite takes a file of one byte for an empty one.)
        const fs::path cut = folder.write("cut.sqlite", std::string_view(bytes).substr(0, size));
        for (const bool readOnly : { true, false }) {
            const auto store = openSqliteCheckpointStore(cut, { .readOnly = readOnly });
            QVERIFY2(!store, std::to_string(size).c_str());
            QCOMPARE(store.error().code, Errc::Corrupt);
            SG_VERIFY_CONTAINS(store.error().message, cut.string());
        }
        QCOMPARE(fs::file_size(cut), size); // left as it is, for whoever repairs it
    }
}

void TestSqliteFaults::damagedBytesNeverCrash()
{
    const TempDir folder;
    const std::string bytes = bytesOf(makeFile(folder, 40));
    std::mt19937 random(7);
    int readable = 0;
    for (int round = 0; round < 150; ++round) {
        std::string damaged = bytes;
        for (int i = 0; i < 1 + round % 20; ++i)
            damaged[100 + random() % (damaged.size() - 100)] = static_cast<char>(random());
        const fs::path path = folder.write("damaged.sqlite", damaged);
        auto store = openSqliteCheckpointStore(path, { .fullSync = false });
        if (!store)
            continue;
        const std::string found = checkedSteps(**store);
        readable += found == "40 whole supersteps" ? 1 : 0;
        const auto head = (*store)->get(ThreadId("t"), "", {});
        const auto threads = (*store)->threads();
        const auto put = putStep(**store, 41);
        for (const Error* error : { head ? nullptr : &head.error(), threads ? nullptr : &threads.error(),
                                    put ? nullptr : &put.error() }) {
            if (error)
                SG_VERIFY_CONTAINS(error->message, path.string());
        }
    }
    QVERIFY(readable < 150);
}

void TestSqliteFaults::aDamagedRowHidesNoOther()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 5);
    {
        auto db = sqlite::Db::open(path);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(
            db->exec("UPDATE checkpoints SET checkpoint = x'C1' WHERE checkpoint_id = '00000002';"
                     "UPDATE checkpoints SET type = 'pickle' WHERE checkpoint_id = '00000003';"
                     "UPDATE checkpoints SET metadata = '{' WHERE checkpoint_id = '00000004';"
                     "UPDATE writes SET value = x'93' WHERE checkpoint_id = '00000001' AND idx = 0;"));
    }
    auto store = openSqliteCheckpointStore(path, {});
    SG_VERIFY_OK(store);
    std::string problems;
    SG_VERIFY_OK((*store)->list({}, [&](const CheckpointRecord& record) {
        problems += record.ref.id.value + (record.problem.empty() ? " ok;" : " bad;");
        return true;
    }));
    QCOMPARE(problems, std::string("00000005 ok;00000004 bad;00000003 bad;00000002 bad;00000001 bad;"));
    const std::pair<const char*, const char*> expected[] = { { "00000001", "a write of task task to x" },
                                                             { "00000002", "MessagePack" },
                                                             { "00000003", "\"pickle\"" },
                                                             { "00000004", "metadata" } };
    for (const auto& [id, says] : expected) {
        const auto record = (*store)->get(ThreadId("t"), "", CheckpointId(id));
        QVERIFY(!record);
        SG_VERIFY_CONTAINS(record.error().message, says);
        SG_VERIFY_CONTAINS(record.error().message,
                           std::string("checkpoint ") + id + " of thread t in " + path.string());
    }
    CheckpointQuery query; // a filter passes over metadata that is no JSON
    query.metadataFilter = { { "step", 5 } };
    QCOMPARE(listed(**store, query), std::string("t/00000005"));
}

void TestSqliteFaults::readsButDoesNotWriteANewerVersion()
{
    const TempDir folder;
    const fs::path path = makeFile(folder, 3);
    {
        auto db = sqlite::Db::open(path);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec("UPDATE sandglass_meta SET value = 1000 WHERE key = 'version'"));
    }
    const std::string before = bytesOf(path);
    {
        auto store = openSqliteCheckpointStore(path, {});
        SG_VERIFY_OK(store);
        QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps"));
        const auto ref = refOf("t", "00000003");
        for (const Result<void>& refused :
             { putStep(**store, 4), (*store)->putWrites(ref, { writeOf("a", "x", 1) }),
               (*store)->deleteThread(ref.thread), (*store)->runLog().startRun(runOf("r", "t", 1)) }) {
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, Errc::Unsupported);
            SG_VERIFY_CONTAINS(refused.error().message, path.string());
            SG_VERIFY_CONTAINS(refused.error().message, "update Sandglass");
        }
        QCOMPARE(checkedSteps(**store), std::string("3 whole supersteps"));
    }
    QVERIFY(bytesOf(path) == before);
}

namespace {

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
        QSKIP(disk.problem().c_str());
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
        QSKIP(disk.problem().c_str());
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
    const int rounds = qEnvironmentVariableIntValue("SG_LONG_TESTS") > 0 ? 300 : 15;
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
        SG_VERIFY_OK(db->quickCheck());
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
    for (int number = 2; put && (number <= 60 || reads < 30); ++number)
        put = putStep(**store, number);
    done = true;
    for (std::thread& reader : readers)
        reader.join();
    SG_VERIFY_OK(put);
    for (const std::string& found : wrong)
        QCOMPARE(found, std::string());
}

QTEST_APPLESS_MAIN(TestSqliteFaults)
#include "tst_sqlite_faults.moc"
