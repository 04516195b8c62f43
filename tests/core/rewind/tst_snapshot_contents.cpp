// Whose contents lie in a project's folder, and what of them is given up.

#include "core/artifacts/blob_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/rewind/snapshot_storage.h"
#include "core/rewind/snapshot_use.h"
#include "core/rewind/snapshots.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <filesystem>

using namespace sg;
using namespace sg::rewind;
using sessions::FileEntry;
using sessions::FileMap;

namespace fs = std::filesystem;

namespace {

const ThreadId kThread("t");

using Store = std::unique_ptr<checkpoint::CheckpointStore>;

Store storeIn(const fs::path& file)
{
    fs::create_directories(file.parent_path());
    return std::move(*checkpoint::openSqliteCheckpointStore(file));
}

FileEntry fileOf(const std::string& content)
{
    return { FileEntry::Type::File, 0600, 1, 0, content, {} };
}

FileEntry linkTo(const std::string& target)
{
    return { FileEntry::Type::Link, 0777, 0, 0, target, {} };
}

// A checkpoint whose sandbox had these files.
void keep(checkpoint::CheckpointStore& store, const std::string& id, const FileMap& files,
          const std::string& ns = {})
{
    checkpoint::CheckpointRecord record;
    record.ref = { kThread, ns, CheckpointId(id) };
    record.checkpoint.id = record.ref.id;
    SG_VERIFY_OK(store.putRecord(record));
    sessions::Snapshot snapshot;
    snapshot.id = SnapshotId("of " + id);
    snapshot.files = std::make_shared<const FileMap>(files);
    SG_VERIFY_OK(keepSnapshot(*store.snapshotLog(), kThread, snapshot));
    SG_VERIFY_OK(store.snapshotLog()->bind({ record.ref, false, snapshot.id, {} }));
}

// One that has lain there for a day.
std::string content(const fs::path& contents, const std::string& bytes)
{
    const auto blobs = artifacts::BlobStore::open(contents);
    auto writer = blobs->begin();
    if (!(*writer)->write(bytes))
        return {};
    const std::string hash = *(*writer)->finish();
    fs::last_write_time(blobs->path(hash), fs::file_time_type::clock::now() - std::chrono::hours(24));
    return hash;
}

} // namespace

class TestSnapshotContents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatAnotherDatabaseNeedsStays()
    {
        const test::TempDir folder;
        const fs::path data = folder / "p/.sandglass";
        const fs::path contents = data / "snapshots";
        const fs::path file = folder / "elsewhere/other.sqlite";
        const Store own = storeIn(data / "checkpoints.sqlite");
        Store other = storeIn(file);
        const std::string mine = content(contents, "mine");
        const std::string theirs = content(contents, "theirs");
        const std::string nobodys = content(contents, "nobody's");
        keep(*own, "c1", { { "f", fileOf(mine) } });
        keep(*other, "c1", { { "f", fileOf(theirs) } });
        SG_VERIFY_OK(noteDatabase(data, file));
        SG_VERIFY_OK(noteDatabase(data, file)); // again
        const auto isThere = [&](const std::string& hash) {
            return artifacts::BlobStore::open(contents)->has(hash);
        };
        // Collecting in the other one, too, leaves the project's own alone.
        const auto first = Snapshots(*other->snapshotLog(), contents).collect();
        SG_VERIFY_OK(first);
        QCOMPARE(first->contents, std::int64_t(1));
        QVERIFY(isThere(mine) && isThere(theirs) && !isThere(nobodys));
        Snapshots snapshots(*own->snapshotLog(), contents);
        SG_VERIFY_OK(snapshots.collect());
        QVERIFY(isThere(mine) && isThere(theirs));
        other.reset();
        for (const char* part : { "", "-wal", "-shm" })
            fs::remove(file.string() + part);
        folder.write("elsewhere/other.sqlite", "it cannot be read any more");
        const auto refused = snapshots.collect();
        QVERIFY(!refused);
        SG_VERIFY_CONTAINS(refused.error().message, "Nothing is removed that they may need");
        QVERIFY(isThere(theirs));
        fs::remove(file);
        SG_VERIFY_OK(snapshots.collect());
        QVERIFY(isThere(mine) && !isThere(theirs));
    }

    // The thread goes on from its own newest checkpoint, however far its subgraph has come.
    void theCapSparesTheRootBehindItsSubgraph()
    {
        const test::TempDir folder;
        const fs::path contents = folder / "snapshots";
        const Store store = storeIn(folder / "checkpoints.sqlite");
        keep(*store, "c1", { { "f", fileOf(content(contents, "older")) } });
        keep(*store, "c2", { { "f", fileOf(content(contents, "root")) } });
        keep(*store, "c3", { { "f", fileOf(content(contents, "subgraph")) } }, "node:1");
        const auto done = Snapshots(*store->snapshotLog(), contents).collect(1);
        SG_VERIFY_OK(done);
        QCOMPARE(done->snapshots, std::int64_t(1));
        QVERIFY(store->snapshotLog()->get(SnapshotId("of c2"))->has_value());
        QVERIFY(store->snapshotLog()->get(SnapshotId("of c3"))->has_value());
    }

    // A record may say what it likes: what it names is removed one day.
    void onlyHashesNameContents()
    {
        const test::TempDir folder;
        const Store store = storeIn(folder / "checkpoints.sqlite");
        const std::string hash(64, 'a');
        keep(*store, "c1",
             { { "a", fileOf("/etc/passwd") },
               { "b", fileOf(std::string(61, '/') + "etc") },
               { "c", fileOf("../../x") },
               { "d", fileOf({}) },
               { "e", fileOf(hash) } });
        const auto needed = contentsNeeded(*store->snapshotLog(), {});
        SG_VERIFY_OK(needed);
        QCOMPARE(*needed, std::set<std::string>{ hash });
    }

    void nothingIsWrittenThroughALink()
    {
        const test::TempDir folder;
        const fs::path contents = folder / "snapshots";
        const Store store = storeIn(folder / "checkpoints.sqlite");
        fs::create_directories(folder / "outside");
        keep(*store, "c1",
             { { "d", linkTo((folder / "outside").string()) }, { "d/x", linkTo("/etc/passwd") } });
        const auto written = Snapshots(*store->snapshotLog(), contents)
                                 .exportFiles({ kThread, "", CheckpointId("c1") }, folder / "to");
        SG_VERIFY_OK(written);
        QCOMPARE(*written, std::int64_t(1));
        QVERIFY(fs::is_symlink(folder / "to/d"));
        QVERIFY(fs::is_empty(folder / "outside"));
    }
};

SG_CORE_TEST(TestSnapshotContents)
#include "tst_snapshot_contents.moc"
