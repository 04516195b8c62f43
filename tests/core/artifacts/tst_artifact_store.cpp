#include "core/artifacts/artifact_store.h"
#include "core/base/hash.h"
#include "core/base/redaction.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/require.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

using namespace sg;
using artifacts::Artifact;
using artifacts::ArtifactStore;

namespace fs = std::filesystem;

namespace {

Result<std::unique_ptr<ArtifactStore>> openIn(const fs::path& folder, std::uint64_t maxBytes = 1U << 20)
{
    return artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs", { maxBytes });
}

Result<Artifact> put(ArtifactStore& store, const std::string& path, std::string_view content,
                     const artifacts::ArtifactOrigin& origin = {}, std::int64_t modifiedNs = 0)
{
    const auto relative = RelativePath::parse(path);
    if (!relative)
        return relative.error();
    auto writer = store.begin(*relative, modifiedNs, origin);
    if (!writer)
        return writer.error();
    if (auto written = (*writer)->write(content); !written)
        return written.error();
    return (*writer)->finish();
}

std::string fileText(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

std::size_t fileCount(const fs::path& folder)
{
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        count += entry.is_regular_file() && entry.path().filename() != "lock" ? 1 : 0;
    return count;
}

// Exit codes of the child that fills a small disk.
constexpr int kRightError = 0;
constexpr int kNoNamespace = 77;

int storeOnAFullDisk(const fs::path& mountPoint)
{
    if (::unshare(::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0
        || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
        || ::mount("tmpfs", mountPoint.c_str(), "tmpfs", 0, "size=512k") != 0)
        return kNoNamespace;
    auto store = openIn(mountPoint);
    if (!store || !put(**store, "small.txt", "fits"))
        return 1;
    const auto failed = put(**store, "big.bin", std::string(1U << 20, 'x'));
    if (failed || failed.error().code != Errc::NoSpace
        || failed.error().message.find("big.bin") == std::string::npos)
        return 2;
    const auto rows = (*store)->list({});
    if (!rows || rows->size() != 1 || fileCount(mountPoint / "blobs") != 1)
        return 3;
    return put(**store, "next.txt", "works again") ? kRightError : 4;
}

} // namespace

class TestArtifactStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void storesAndFinds();
    void keepsOneContentForManyNames();
    void filters();
    void storesManyTogether();
    void aBatchThatIsNotCommittedLeavesNoRow();
    void listsMoreThanTenThousand();
    void collectsNothingOfABatch();
    void refusesOverTheCap();
    void refusesANameThatHoldsASecret();
    void findsNothingByUnknownId();
    void namesTheDamagedArtifact();
    void exportsCopiesUnderFreeNames();
    void exportsNothingOfADamagedArtifact();
    void storesNothingHalfWhenTheDiskIsFull();
    void refusesDatabases_data();
    void refusesDatabases();
    void waitsNotForEverOnALockedDatabase();
    void twoStoresShareOneFolder();
};

void TestArtifactStore::refusesANameThatHoldsASecret()
{
    keepOut("named", "a-secret/in-a-name");
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    for (const std::string& path :
         { std::string("a-secret/in-a-name"), std::string("x/a-secret/in-a-name.txt"),
           "x" + toHex("a-secret/in-a-name") }) {
        const auto stored = put(**store, path, "x");
        QVERIFY(!stored);
        QCOMPARE(stored.error().message, std::string("its name holds a secret; give it another"));
    }
    QVERIFY((*store)->list({})->empty());
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(0));
}

void TestArtifactStore::storesAndFinds()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    const artifacts::ArtifactOrigin origin{ ThreadId("alice"),
                                            RunId("run"),
                                            SessionId("s-1"),
                                            NodeId("plot"),
                                            TaskId("task"),
                                            CheckpointId("cp"),
                                            3 };
    const auto stored = put(**store, "out/plot.csv", "a,b\n", origin, 1'700'000'000'123'456'789);
    SG_VERIFY_OK(stored);
    QCOMPARE(stored->name, std::string("plot.csv"));
    QCOMPARE(stored->path, std::string("out/plot.csv"));
    QCOMPARE(stored->mime, std::string("text/csv"));
    QCOMPARE(stored->size, std::uint64_t(4));
    QCOMPARE(stored->sha256, sha256Hex("a,b\n"));
    QVERIFY(stored->id.value.starts_with("art_"));
    QCOMPARE(stored->id.value.size(), std::size_t(28));

    const auto found = (*store)->find(stored->id);
    SG_VERIFY_OK(found);
    QCOMPARE(found->path, stored->path);
    QCOMPARE(found->createdAt, stored->createdAt);
    QCOMPARE(found->modifiedNs, std::int64_t(1'700'000'000'123'456'789));
    QCOMPARE(found->origin.thread, origin.thread);
    QCOMPARE(found->origin.node, origin.node);
    QCOMPARE(found->origin.step, std::int64_t(3));
    const auto content = (*store)->read(*found, 100);
    SG_VERIFY_OK(content);
    QCOMPARE(*content, std::string("a,b\n"));
    QCOMPARE(fileText((*store)->blobPath(*found)), std::string("a,b\n"));
    const auto tooMuch = (*store)->read(*found, 3);
    QVERIFY(!tooMuch);
    QCOMPARE(tooMuch.error().code, Errc::LimitExceeded);
}

void TestArtifactStore::keepsOneContentForManyNames()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    SG_VERIFY_OK(put(**store, "a/table.csv", "1\n"));
    SG_VERIFY_OK(put(**store, "b/table.csv", "1\n"));
    SG_VERIFY_OK(put(**store, "b/notes.txt", "1\n"));
    const auto rows = (*store)->list({});
    SG_VERIFY_OK(rows);
    QCOMPARE(rows->size(), std::size_t(3));
    QCOMPARE(rows->at(0).path, std::string("b/notes.txt")); // newest first
    QCOMPARE(rows->at(0).mime, std::string("text/plain"));
    QCOMPARE(rows->at(1).mime, std::string("text/csv"));
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(1));
}

void TestArtifactStore::filters()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    for (const char* thread : { "alice", "bob" })
        for (const char* run : { "r1", "r2" })
            SG_VERIFY_OK(put(**store, std::string(thread) + ".txt", "x",
                             { ThreadId(thread), RunId(run), {}, {}, {}, {}, 0 }));
    const auto count = [&](const artifacts::ArtifactFilter& filter) {
        const auto rows = (*store)->list(filter);
        return rows ? static_cast<int>(rows->size()) : -1;
    };
    QCOMPARE(count({}), 4);
    QCOMPARE(count({ ThreadId("alice"), {}, {}, {} }), 2);
    QCOMPARE(count({ {}, RunId("r1"), {}, {} }), 2);
    QCOMPARE(count({ ThreadId("alice"), RunId("r1"), {}, {} }), 1);
    QCOMPARE(count({ {}, {}, "bob.txt", {} }), 2);
    QCOMPARE(count({ {}, {}, "bob.txt' OR 1=1 --", {} }), 0);
    QCOMPARE(count({ {}, {}, {}, {}, 3 }), 3);
}

void TestArtifactStore::storesManyTogether()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    auto batch = (*store)->beginBatch();
    SG_VERIFY_OK(batch);
    SG_VERIFY_OK((*batch)->commit()); // of nothing
    for (const int count : { 3, 40 }) { // flushed one by one, and together
        for (int i = 0; i < count; ++i) {
            const std::string name = std::to_string(count) + "-" + std::to_string(i) + ".txt";
            auto writer = (*batch)->begin(*RelativePath::parse(name), 7, {});
            SG_VERIFY_OK(writer);
            SG_VERIFY_OK((*writer)->write(name));
            SG_VERIFY_OK((*writer)->finish());
        }
        SG_VERIFY_OK((*batch)->commit());
    }
    const auto rows = (*store)->list({});
    SG_VERIFY_OK(rows);
    QCOMPARE(rows->size(), std::size_t(43));
    for (const artifacts::Artifact& row : *rows) {
        const auto content = (*store)->read(row, 100);
        SG_VERIFY_OK(content);
        QCOMPARE(*content, row.name);
        QCOMPARE(row.mime, std::string("text/plain"));
    }
    const auto check = (*store)->verify({});
    SG_VERIFY_OK(check);
    QVERIFY(check->problems.empty());
}

void TestArtifactStore::aBatchThatIsNotCommittedLeavesNoRow()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    {
        auto batch = (*store)->beginBatch();
        SG_VERIFY_OK(batch);
        auto writer = (*batch)->begin(*RelativePath::parse("x"), 0, {});
        SG_VERIFY_OK(writer);
        SG_VERIFY_OK((*writer)->finish());
    }
    QVERIFY((*store)->list({})->empty());
}

void TestArtifactStore::listsMoreThanTenThousand()
{
    constexpr std::size_t kMany = 10'001;
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    auto batch = (*store)->beginBatch();
    SG_VERIFY_OK(batch);
    for (std::size_t i = 0; i < kMany; ++i) {
        auto writer = (*batch)->begin(*RelativePath::parse(std::to_string(i)), 0, {});
        SG_VERIFY_OK(writer);
        SG_VERIFY_OK((*writer)->finish());
    }
    SG_VERIFY_OK((*batch)->commit());
    QCOMPARE((*store)->list({})->size(), kMany);
    QCOMPARE((*store)->verify({})->artifacts, static_cast<std::int64_t>(kMany));
}

// Contents that nothing names yet are about to be named.
void TestArtifactStore::collectsNothingOfABatch()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    auto other = openIn(dir.path());
    SG_VERIFY_OK(store);
    SG_VERIFY_OK(other);
    auto batch = (*store)->beginBatch();
    SG_VERIFY_OK(batch);
    auto writer = (*batch)->begin(*RelativePath::parse("x"), 0, {});
    SG_VERIFY_OK(writer);
    SG_VERIFY_OK((*writer)->finish());
    artifacts::CollectOptions everything;
    everything.grace = std::chrono::seconds(0);
    std::jthread collecting([&] { static_cast<void>((*other)->collect(everything)); });
    SG_VERIFY_OK((*batch)->commit());
    batch->reset();
    collecting.join();
    const auto rows = (*store)->list({});
    QCOMPARE(rows->size(), std::size_t(1));
    SG_VERIFY_OK((*store)->read(rows->front(), 10));
}

void TestArtifactStore::refusesOverTheCap()
{
    const test::TempDir dir;
    auto store = openIn(dir.path(), 10);
    SG_VERIFY_OK(store);
    SG_VERIFY_OK(put(**store, "fits.txt", "0123456789"));
    const auto refused = put(**store, "big.txt", "0123456789a");
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::LimitExceeded);
    SG_VERIFY_CONTAINS(refused.error().message, "big.txt");
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(1));
}

void TestArtifactStore::findsNothingByUnknownId()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    const auto found = (*store)->find(ArtifactId("art_nothing"));
    QVERIFY(!found);
    QCOMPARE(found.error().code, Errc::NotFound);
    SG_VERIFY_CONTAINS(found.error().message, "art_nothing");
}

void TestArtifactStore::namesTheDamagedArtifact()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    const auto stored = put(**store, "plot.csv", "content");
    SG_VERIFY_OK(stored);
    const fs::path blob = (*store)->blobPath(*stored);
    fs::permissions(blob, fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(blob) << "contenx";
    const auto damaged = (*store)->read(*stored, 100);
    QVERIFY(!damaged);
    QCOMPARE(damaged.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(damaged.error().message, "plot.csv");
    fs::remove(blob);
    const auto gone = (*store)->read(*stored, 100);
    QVERIFY(!gone);
    QCOMPARE(gone.error().code, Errc::NotFound);
}

void TestArtifactStore::exportsCopiesUnderFreeNames()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    const auto stored = put(**store, "deep/plot.csv", "content", {}, 1'700'000'000'500'000'000);
    SG_VERIFY_OK(stored);
    for (const char* name : { "plot.csv", "plot (2).csv", "plot (3).csv" }) {
        const auto path = (*store)->exportTo(*stored, dir / "desk");
        SG_VERIFY_OK(path);
        QCOMPARE(*path, dir / "desk" / name);
        QCOMPARE(fileText(*path), std::string("content"));
    }
    struct stat info { };
    QCOMPARE(::stat((dir / "desk" / "plot.csv").c_str(), &info), 0);
    QCOMPARE(info.st_mtim.tv_sec, 1'700'000'000);
    QCOMPARE(info.st_nlink, 1U); // a copy: changing it must not reach the store
    QVERIFY((info.st_mode & 0200U) != 0);
    QCOMPARE(fileCount(dir / "desk"), std::size_t(3));
}

void TestArtifactStore::exportsNothingOfADamagedArtifact()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    const auto stored = put(**store, "plot.csv", "content");
    SG_VERIFY_OK(stored);
    const fs::path blob = (*store)->blobPath(*stored);
    fs::permissions(blob, fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(blob) << "contenx";
    const auto path = (*store)->exportTo(*stored, dir / "desk");
    QVERIFY(!path);
    QCOMPARE(path.error().code, Errc::Corrupt);
    QCOMPARE(fileCount(dir / "desk"), std::size_t(0));
}

void TestArtifactStore::storesNothingHalfWhenTheDiskIsFull()
{
    const test::TempDir dir;
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(storeOnAFullDisk(dir.path()));
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    if (WEXITSTATUS(status) == kNoNamespace)
        SG_SKIP_WITHOUT("small_disk", "no private mount namespace to be had here");
    QCOMPARE(WEXITSTATUS(status), kRightError);
}

void TestArtifactStore::refusesDatabases_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::newRow("newer version") << QByteArray("PRAGMA user_version = 99") << QByteArray("format 99")
                                   << static_cast<int>(Errc::Unsupported);
    QTest::newRow("another program's")
        << QByteArray("CREATE TABLE artifacts (id TEXT)") << QByteArray("another program")
        << static_cast<int>(Errc::InvalidArgument);
    QTest::newRow("no database") << QByteArray() << QByteArray("artifacts.sqlite")
                                 << static_cast<int>(Errc::Corrupt);
}

void TestArtifactStore::refusesDatabases()
{
    QFETCH(const QByteArray, sql);
    QFETCH(const QByteArray, text);
    QFETCH(const int, code);
    const test::TempDir dir;
    if (sql.isEmpty()) {
        dir.write("artifacts.sqlite", std::string(5000, '#'));
    } else {
        auto db = sqlite::Db::open(dir / "artifacts.sqlite");
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec(sql.toStdString()));
    }
    const auto store = openIn(dir.path());
    QVERIFY(!store);
    QCOMPARE(static_cast<int>(store.error().code), code);
    SG_VERIFY_CONTAINS(store.error().message, text.toStdString());
}

void TestArtifactStore::waitsNotForEverOnALockedDatabase()
{
    const test::TempDir dir;
    auto store = openIn(dir.path());
    SG_VERIFY_OK(store);
    auto other = sqlite::Db::open(dir / "artifacts.sqlite");
    SG_VERIFY_OK(other);
    {
        auto lock = other->begin();
        SG_VERIFY_OK(lock);
        const auto refused = put(**store, "a.txt", "x");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Errc::Busy);
        SG_VERIFY_CONTAINS(refused.error().message, "a.txt");
    }
    SG_VERIFY_OK(put(**store, "a.txt", "x"));
}

void TestArtifactStore::twoStoresShareOneFolder()
{
    const test::TempDir dir;
    auto first = openIn(dir.path());
    auto second = openIn(dir.path());
    SG_VERIFY_OK(first);
    SG_VERIFY_OK(second);
    const auto stored = put(**first, "a.txt", "x");
    SG_VERIFY_OK(stored);
    SG_VERIFY_OK((*second)->find(stored->id));
}

SG_TEST(TestArtifactStore)
#include "tst_artifact_store.moc"
