#include "core/base/hash.h"
#include "core/base/redaction.h"
#include "core/sessions/snapshots/snapshot_files.h"
#include "core/sessions/snapshots/snapshot_room.h"
#include "tests/core/sessions/local_live.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

using namespace sg;
using namespace sg::test;
using sessions::FileEntry;
using sessions::FileMap;
using sessions::SnapshotFiles;

// A session's folder as it is recorded by content and brought back by the smallest change.
class TestSnapshotFiles final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data();
    void comesBackAsItWas();
    void readsOnlyWhatChanged();
    void changesOnlyWhatDiffers();
    void aFolderThatCannotBeWrittenToIsOpenedForTheChange();
    void overTheCapNothingIsKeptAndItIsSaid();
    void noLinkIsFollowed();
    void aDamagedOrLostContentIsAnError();
    void clearLeavesTheEmptyArtifactsFolder();
    void nothingOutsideOfAVisibleFolderIsOpened();
    void whatTheProgramKeepsThereStaysAsItIs();
    void theProjectsRoomIsCountedByWhatIsNew();
    void aNameThatHoldsASecretIsNotKept();
};

namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::string contentOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), {} };
}

// Its folder is looked at from here, or all is asked of its runner: nothing may differ.
class Place final : public LocalLive, public sandbox::FolderView {
public:
    Result<Fd> openSessionFolder() override
    {
        return Fd(::open(home().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    sandbox::FolderView* view()
    {
        QFETCH_GLOBAL(bool, isVisible);
        return isVisible ? this : nullptr;
    }
};

int contents(const LocalLive& place)
{
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place.folder / "contents"))
        count += entry.is_regular_file() ? 1 : 0;
    return count;
}

std::shared_ptr<const FileMap> record(SnapshotFiles& files)
{
    const auto recorded = files.record(1 << 30);
    return recorded ? recorded->files : nullptr;
}

ino_t inodeOf(const fs::path& path)
{
    struct stat found { };
    return ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

} // namespace

void TestSnapshotFiles::initTestCase_data()
{
    QTest::addColumn<bool>("isVisible");
    QTest::newRow("seen from here") << true;
    QTest::newRow("asked of the runner") << false;
}

void TestSnapshotFiles::comesBackAsItWas()
{
    Place place;
    const fs::path home = place.home();
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    fs::create_directories(home / "deep/er");
    put(home / "deep/er/text.txt", "one");
    put(home / "empty", "");
    put(home / "name with \xff byte", "odd");
    put(home / "run.sh", "#!/bin/sh\n");
    fs::permissions(home / "run.sh", fs::perms(0750));
    fs::create_symlink("../nowhere", home / "deep/link");
    fs::create_hard_link(home / "run.sh", home / "same.sh");
    QCOMPARE(::mkfifo((home / "pipe").c_str(), 0600), 0);
    const auto before = record(files);
    QVERIFY(before != nullptr);
    QCOMPARE(before->at("same.sh").sameAs, std::string("run.sh"));
    QCOMPARE(before->at("deep/link").content, std::string("../nowhere"));

    fs::remove_all(home / "deep");
    put(home / "deep", "a file now");
    put(home / "empty", "not any more");
    fs::remove(home / "same.sh");
    fs::remove(home / "pipe");
    fs::create_directory(home / "pipe");
    put(home / "pipe/inside", "x");
    put(home / "new", "y");
    SG_VERIFY_OK(files.restore(*before));
    QCOMPARE(contentOf(home / "deep/er/text.txt"), std::string("one"));
    QCOMPARE(fs::status(home / "run.sh").permissions(), fs::perms(0750));
    QCOMPARE(inodeOf(home / "same.sh"), inodeOf(home / "run.sh"));
    QVERIFY(fs::is_fifo(home / "pipe"));
    QVERIFY(!fs::exists(home / "new"));
    SnapshotFiles another(place.live->link(), *place.blobs, place.view()); // that has seen nothing
    const auto after = record(another);
    QVERIFY(after != nullptr);
    QVERIFY(*after == *before);
    const auto again = files.restore(*before);
    SG_VERIFY_OK(again);
    QCOMPARE(*again, std::int64_t(0));
}

void TestSnapshotFiles::readsOnlyWhatChanged()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    for (int i = 0; i < 20; ++i)
        put(place.home() / std::to_string(i), "content " + std::to_string(i / 2));
    QVERIFY(record(files) != nullptr);
    QCOMPARE(contents(place), 10); // each once
    // A new file is looked at twice: file systems tell time by the tick.
    QVERIFY(waitFor([&] {
        fs::remove_all(place.folder / "contents");
        return artifacts::BlobStore::open(place.folder / "contents") && record(files) && contents(place) == 0;
    }));
    put(place.home() / "7", "another");
    const auto map = record(files);
    QVERIFY(map != nullptr);
    QCOMPARE(map->size(), std::size_t(21)); // and the artifacts folder
    QCOMPARE(contents(place), 1);
}

void TestSnapshotFiles::changesOnlyWhatDiffers()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    for (int i = 0; i < 20; ++i)
        put(place.home() / std::to_string(i), std::to_string(i));
    const auto before = record(files);
    const ino_t kept = inodeOf(place.home() / "3");
    put(place.home() / "7", "another");
    put(place.home() / "more", "new");
    const auto changed = files.restore(*before);
    SG_VERIFY_OK(changed);
    QCOMPARE(*changed, std::int64_t(2));
    QCOMPARE(inodeOf(place.home() / "3"), kept);
    QCOMPARE(contentOf(place.home() / "7"), std::string("7"));
}

void TestSnapshotFiles::aFolderThatCannotBeWrittenToIsOpenedForTheChange()
{
    Place place;
    const fs::path folder = place.home() / "closed";
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    fs::create_directory(folder);
    put(folder / "a", "a");
    fs::permissions(folder, fs::perms(0500));
    const auto before = record(files);
    fs::permissions(folder, fs::perms(0700));
    put(folder / "a", "changed");
    put(folder / "b", "b");
    fs::permissions(folder, fs::perms(0500));
    SG_VERIFY_OK(files.restore(*before));
    QCOMPARE(contentOf(folder / "a"), std::string("a"));
    QVERIFY(!fs::exists(folder / "b"));
    QCOMPARE(fs::status(folder).permissions(), fs::perms(0500));
    fs::permissions(folder, fs::perms(0700));
}

void TestSnapshotFiles::overTheCapNothingIsKeptAndItIsSaid()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    put(place.home() / "big", std::string(3 << 20, 'x'));
    const auto recorded = files.record(1 << 20);
    SG_VERIFY_OK(recorded);
    QVERIFY(recorded->files == nullptr);
    QCOMPARE(recorded->problem, std::string("files not kept: 3 MB over the cap of 1 MB"));
    QCOMPARE(contents(place), 0);
}

void TestSnapshotFiles::noLinkIsFollowed()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    const fs::path outside = place.folder / "outside";
    fs::create_directory(outside);
    put(outside / "secret", "theirs");
    fs::create_directory(place.home() / "folder");
    put(place.home() / "folder/secret", "mine");
    const auto before = record(files);
    fs::remove_all(place.home() / "folder");
    fs::create_directory_symlink(outside, place.home() / "folder");
    QVERIFY(record(files)->at("folder").type == FileEntry::Type::Link);
    SG_VERIFY_OK(files.restore(*before));
    QCOMPARE(contentOf(place.home() / "folder/secret"), std::string("mine"));
    QCOMPARE(contentOf(outside / "secret"), std::string("theirs"));
}

void TestSnapshotFiles::aDamagedOrLostContentIsAnError()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    put(place.home() / "a", "as it was");
    const auto before = record(files);
    put(place.home() / "a", "changed");
    const fs::path blob = place.blobs->path(before->at("a").content);
    fs::permissions(blob, fs::perms(0600));
    put(blob, "AS IT WAS");
    const auto damaged = files.restore(*before);
    QVERIFY(!damaged);
    QVERIFY(damaged.error().code == Errc::Corrupt);
    fs::remove(blob);
    SnapshotFiles again(place.live->link(), *place.blobs, place.view());
    const auto lost = again.restore(*before);
    QVERIFY(!lost);
    QVERIFY(lost.error().code == Errc::NotFound);
}

void TestSnapshotFiles::clearLeavesTheEmptyArtifactsFolder()
{
    Place place;
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    put(place.home() / "a", "a");
    put(place.home() / "artifacts/b", "b");
    SG_VERIFY_OK(files.clear());
    const auto map = record(files);
    QCOMPARE(map->size(), std::size_t(1));
    QVERIFY(map->contains("artifacts"));
}

void TestSnapshotFiles::nothingOutsideOfAVisibleFolderIsOpened()
{
    const TempDir folder;
    const fs::path home = folder / "home";
    fs::create_directories(home / "inside");
    fs::create_directory(folder / "outside");
    put(folder / "outside/secret", "theirs");
    put(home / "inside/mine", "mine");
    fs::create_directory_symlink(folder / "outside", home / "door");
    fs::create_symlink(folder / "outside/secret", home / "window");
    QCOMPARE(::mkfifo((home / "pipe").c_str(), 0600), 0);
    const sessions::VisibleFolder visible(Fd(::open(home.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    const auto secret = static_cast<std::int64_t>(inodeOf(folder / "outside/secret"));
    for (const std::string path : { "door/secret", "window", "../outside/secret",
                                    "inside/../../outside/secret", "/proc/self/root", "pipe" })
        QVERIFY2(!visible.openFile(
                     path, path == "pipe" ? static_cast<std::int64_t>(inodeOf(home / "pipe")) : secret),
                 path.c_str());
    QVERIFY(visible.openFile("inside/mine", static_cast<std::int64_t>(inodeOf(home / "inside/mine"))));
    QVERIFY(!visible.openFile("inside/mine", secret));
    QCOMPARE(visible.linkTarget("window"), (folder / "outside/secret").string());
    std::set<std::string> seen;
    visible.walk([&seen](const std::string& path, const struct stat&) { seen.insert(path); });
    QCOMPARE(seen, (std::set<std::string>{ "door", "inside", "inside/mine", "pipe", "window" }));
}

// The log of a session whose folder is one of the host's, and what else is no work of its code.
void TestSnapshotFiles::whatTheProgramKeepsThereStaysAsItIs()
{
    Place place;
    const fs::path home = place.home();
    SnapshotFiles files(place.live->link(), *place.blobs, place.view(), true);
    const std::vector<std::string> own{ "session.log",           "session.log.1",
                                        "session_metadata.json", "python_state.json",
                                        "cache_datasets.json",   ".sandglass-0123456789abcdef.tmp" };
    for (const std::string& name : own)
        put(home / name, "one");
    fs::create_directories(home / "mine");
    put(home / "mine/session.log", "of the code");
    const auto before = record(files);
    QVERIFY(before != nullptr);
    for (const std::string& name : own)
        QVERIFY2(!before->contains(name), name.c_str());
    QVERIFY(before->contains("mine/session.log"));

    put(home / "session.log", "one, two");
    put(home / "mine/session.log", "changed");
    FileMap older = *before; // of a time when they were recorded
    older.emplace("session.log", before->at("mine/session.log"));
    SG_VERIFY_OK(files.restore(older));
    QCOMPARE(contentOf(home / "session.log"), std::string("one, two"));
    QCOMPARE(contentOf(home / "mine/session.log"), std::string("of the code"));

    SG_VERIFY_OK(files.clear());
    QVERIFY(!fs::exists(home / "mine"));
    for (const std::string& name : own)
        QVERIFY2(fs::exists(home / name), name.c_str());
}

void TestSnapshotFiles::theProjectsRoomIsCountedByWhatIsNew()
{
    Place place;
    sessions::SnapshotRoom room(place.folder / "contents", 5000);
    SG_VERIFY_OK(room.claim(0)); // measured
    put(place.home() / "a", std::string(2000, 'a'));
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    QVERIFY(files.record(1 << 30, &room)->files != nullptr);
    // The same content again, by who has not seen it: nothing is added.
    for (int i = 0; i < 3; ++i) {
        SnapshotFiles another(place.live->link(), *place.blobs, place.view());
        QVERIFY(another.record(1 << 30, &room)->files != nullptr);
    }
    put(place.home() / "b", std::string(4000, 'b'));
    const auto refused = files.record(1 << 30, &room);
    QVERIFY(refused->files == nullptr);
    SG_VERIFY_CONTAINS(refused->problem, "over the project's cap");
    // Room that others make counts before anything is refused.
    fs::remove_all(place.folder / "contents");
    place.blobs = *artifacts::BlobStore::open(place.folder / "contents");
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    SG_VERIFY_OK(room.claim(4000));
}

void TestSnapshotFiles::aNameThatHoldsASecretIsNotKept()
{
    const std::string secret = "Zq8-name-secret-4711";
    keepOut("named", secret);
    Place place;
    const fs::path home = place.home();
    SnapshotFiles files(place.live->link(), *place.blobs, place.view());
    fs::create_directories(home / ("folder " + secret));
    put(home / ("folder " + secret) / "inside", "a");
    put(home / ("a " + toHex(secret)), "b");
    fs::create_hard_link(home / ("a " + toHex(secret)), home / "well named");
    fs::create_symlink("/tmp/" + secret, home / "link");
    put(home / "plain", "c");
    const auto recorded = files.record(1 << 30);
    SG_VERIFY_OK(recorded);
    std::string kept;
    for (const auto& [path, entry] : *recorded->files)
        kept += path + '|';
    QCOMPARE(kept, std::string("artifacts|plain|well named|"));
    QCOMPARE(recorded->left.size(), std::size_t(4));
    QVERIFY(!holdsSecret(sessions::describe(recorded->left)));
    QVERIFY2(sessions::describe(recorded->left).find("[secret named]") != std::string::npos,
             sessions::describe(recorded->left).c_str());
    fs::remove(home / "well named");
    SG_VERIFY_OK(files.restore(*recorded->files));
    QCOMPARE(contentOf(home / "well named"), std::string("b"));
}

SG_CORE_TEST(TestSnapshotFiles)
#include "tst_snapshot_files.moc"
