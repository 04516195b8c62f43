#include "core/artifacts/blob_store.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

using namespace sg;
using artifacts::BlobStore;

namespace fs = std::filesystem;

namespace {

std::string contentOf(const BlobStore& store, const std::string& hash, Result<void>& outcome)
{
    std::string content;
    outcome = store.read(hash, [&](std::string_view bytes) -> Result<void> {
        content += bytes;
        return {};
    });
    return content;
}

std::string put(const BlobStore& store, std::string_view content)
{
    auto writer = store.begin();
    if (!writer || !(*writer)->write(content))
        return {};
    auto hash = (*writer)->finish();
    return hash ? *hash : std::string();
}

std::size_t fileCount(const fs::path& folder)
{
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        count += entry.is_regular_file() ? 1 : 0;
    return count;
}

} // namespace

class TestBlobStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void storesUnderTheHash();
    void storesEqualContentOnce();
    void leavesNothingWithoutFinish();
    void removesWhatAKilledWriterLeft();
    void tellsDamageFromAbsence();
    void mendsADamagedBlob();
    void aNameThatIsNoHashLeadsNowhere_data();
    void aNameThatIsNoHashLeadsNowhere();
    void takesManyWritersAtOnce();
};

void TestBlobStore::storesUnderTheHash()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    const std::string hash = put(*store, "hello");
    QCOMPARE(hash, sha256Hex("hello"));
    const fs::path path = dir / "blobs" / "2c" / "f2" / hash;
    QCOMPARE(store->path(hash), path);
    struct stat info { };
    QCOMPARE(::stat(path.c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777U, 0444U);
    Result<void> outcome;
    QCOMPARE(contentOf(*store, hash, outcome), std::string("hello"));
    SG_VERIFY_OK(outcome);
}

void TestBlobStore::storesEqualContentOnce()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    QCOMPARE(put(*store, "same"), put(*store, "same"));
    QVERIFY(!put(*store, "").empty());
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(2));
}

void TestBlobStore::leavesNothingWithoutFinish()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    {
        auto writer = store->begin();
        SG_VERIFY_OK(writer);
        SG_VERIFY_OK((*writer)->write("half of it"));
        QCOMPARE(fileCount(dir / "blobs"), std::size_t(1));
    }
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(0));
}

void TestBlobStore::removesWhatAKilledWriterLeft()
{
    const test::TempDir dir;
    auto first = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(first);
    auto writing = first->begin();
    SG_VERIFY_OK(writing);
    SG_VERIFY_OK((*writing)->write("still writing"));
    dir.write("blobs/tmp/0123456789ab", "its writer is dead");
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(2));

    SG_VERIFY_OK(BlobStore::open(dir / "blobs"));
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(1)); // the living writer's stays
    SG_VERIFY_OK((*writing)->finish());
}

void TestBlobStore::tellsDamageFromAbsence()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    const std::string hash = put(*store, "precious");
    fs::permissions(store->path(hash), fs::perms::owner_write, fs::perm_options::add);
    dir.write("blobs/" + hash.substr(0, 2) + "/" + hash.substr(2, 2) + "/" + hash, "precioux");
    Result<void> outcome;
    contentOf(*store, hash, outcome);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(outcome.error().message, hash);

    fs::remove(store->path(hash));
    contentOf(*store, hash, outcome);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().code, Errc::NotFound);
}

void TestBlobStore::mendsADamagedBlob()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    const std::string hash = put(*store, "precious");
    fs::permissions(store->path(hash), fs::perms::owner_write, fs::perm_options::add);
    fs::resize_file(store->path(hash), 3);
    QCOMPARE(put(*store, "precious"), hash);
    Result<void> outcome;
    QCOMPARE(contentOf(*store, hash, outcome), std::string("precious"));
    SG_VERIFY_OK(outcome);
}

void TestBlobStore::aNameThatIsNoHashLeadsNowhere_data()
{
    QTest::addColumn<QByteArray>("name");
    const QByteArray digits = QByteArray(63, '0');
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a digit") << QByteArray("0");
    QTest::newRow("one digit less") << digits;
    QTest::newRow("one digit more") << digits + "00";
    QTest::newRow("upper case") << digits + "A";
    QTest::newRow("a zero byte") << digits + QByteArray(1, '\0');
    QTest::newRow("out of the folder") << QByteArray("../../outside");
    // Joined with a folder, the part after the second byte would begin at the root.
    QTest::newRow("absolute") << QByteArray("ab") + "/." + "/outside";
}

void TestBlobStore::aNameThatIsNoHashLeadsNowhere()
{
    QFETCH(const QByteArray, name);
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    dir.write("outside", "a file of this user");
    const std::string hash = name.toStdString();
    QVERIFY(store->path(hash).empty());
    QVERIFY(!store->has(hash));
    Result<void> outcome;
    QCOMPARE(contentOf(*store, hash, outcome), std::string());
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().code, Errc::Corrupt);
}

void TestBlobStore::takesManyWritersAtOnce()
{
    const test::TempDir dir;
    auto store = BlobStore::open(dir / "blobs");
    SG_VERIFY_OK(store);
    std::vector<std::thread> threads;
    std::atomic<int> stored = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) // all write the same twenty contents
                stored += put(*store, "content " + std::to_string(i)).empty() ? 0 : 1;
        });
    for (auto& thread : threads)
        thread.join();
    QCOMPARE(stored.load(), 80);
    QCOMPARE(fileCount(dir / "blobs"), std::size_t(20));
}

SG_TEST(TestBlobStore)
#include "tst_blob_store.moc"
