#include "core/artifacts/artifact_upkeep.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

using namespace sg;
using namespace sg::artifacts;

namespace {

struct World {
    World()
    {
        auto opened = openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        store = std::move(*opened);
    }
    Artifact add(const std::string& path, const std::string& content)
    {
        auto writer = store->begin(*RelativePath::parse(path), 0, {});
        if (!writer || !(*writer)->write(content))
            qFatal("begin");
        auto artifact = (*writer)->finish();
        if (!artifact)
            qFatal("%s", artifact.error().message.c_str());
        return *artifact;
    }
    bool has(const Artifact& artifact) const { return std::filesystem::exists(store->blobPath(artifact)); }
    CollectOptions now(Retention retention = {})
    {
        CollectOptions options;
        options.retention = retention;
        options.grace = std::chrono::seconds(0);
        return options;
    }
    std::size_t count() { return store->list({})->size(); }

    test::TempDir folder;
    std::unique_ptr<ArtifactStore> store;
};

void damage(const std::filesystem::path& file, const std::string& content)
{
    ::chmod(file.c_str(), 0644);
    std::ofstream(file, std::ios::binary) << content;
}

} // namespace

class TestArtifactUpkeep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verifiesEveryContentOnce()
    {
        World world;
        const Artifact a = world.add("a.txt", "one");
        const Artifact same = world.add("sub/a.txt", "one");
        const Artifact b = world.add("b.txt", "two");
        const Artifact c = world.add("c.txt", "three");
        const auto whole = world.store->verify({});
        SG_VERIFY_OK(whole);
        QCOMPARE(whole->artifacts, std::int64_t(4));
        QCOMPARE(whole->contents, std::int64_t(3));
        QCOMPARE(whole->bytes, std::uint64_t(11));
        QVERIFY(whole->problems.empty());
        damage(world.store->blobPath(a), "onE");
        std::filesystem::remove(world.store->blobPath(c));
        const auto check = world.store->verify({});
        SG_VERIFY_OK(check);
        QCOMPARE(check->problems.size(), std::size_t(3));
        int missing = 0;
        for (const auto& problem : check->problems) {
            missing += problem.isMissing ? 1 : 0;
            QVERIFY(problem.artifact.id != b.id);
            QVERIFY(problem.isMissing == (problem.artifact.id == c.id));
        }
        QCOMPARE(missing, 1);
        const auto stopped = world.store->verify([](const ArtifactCheck&) { return false; });
        QVERIFY(!stopped && stopped.error().code == Errc::Cancelled);
        QCOMPARE(world.store->find(same.id)->sha256, a.sha256);
    }

    void deletesAllOrNone()
    {
        World world;
        const Artifact a = world.add("a.txt", "one");
        const Artifact b = world.add("b.txt", "one");
        const auto wrong = world.store->remove({ a.id, ArtifactId("art_none") });
        QVERIFY(!wrong && wrong.error().code == Errc::NotFound);
        QCOMPARE(world.count(), std::size_t(2));
        SG_VERIFY_OK(world.store->remove({ a.id }));
        SG_VERIFY_OK(world.store->collect(world.now()));
        QVERIFY(world.has(b)); // the other one has the same content
        SG_VERIFY_OK(world.store->remove({ b.id }));
        const auto garbage = world.store->collect(world.now());
        SG_VERIFY_OK(garbage);
        QCOMPARE(garbage->contents, std::int64_t(1));
        QCOMPARE(garbage->bytes, std::uint64_t(3));
        QVERIFY(!world.has(b));
    }

    void collectsOnlyContents()
    {
        World world;
        const Artifact a = world.add("a.txt", "one");
        const Artifact b = world.add("b.txt", "two");
        SG_VERIFY_OK(world.store->remove({ a.id, b.id }));
        world.folder.write("blobs/readme.txt", "mine");
        world.folder.write("blobs/ab/cd/not-a-hash", "mine");
        world.folder.write("blobs/ab/cd/" + std::string(64, '0'), "in a wrong folder");
        CollectOptions dry = world.now();
        dry.dryRun = true;
        QCOMPARE(world.store->collect(dry)->contents, std::int64_t(2));
        QVERIFY(world.has(a) && world.has(b));
        CollectOptions young = world.now();
        young.grace = std::chrono::hours(1);
        QCOMPARE(world.store->collect(young)->contents, std::int64_t(0));
        CollectOptions held = world.now();
        held.isHeld = [&](const std::string& hash) { return hash == a.sha256; };
        QCOMPARE(world.store->collect(held)->contents, std::int64_t(1));
        QVERIFY(world.has(a) && !world.has(b));
        for (const char* file : { "blobs/readme.txt", "blobs/ab/cd/not-a-hash" })
            QVERIFY(std::filesystem::exists(world.folder / file));
    }

    void keepsTheNewestThatFit_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("all") << 100 << QByteArray("d c b a ");
        QTest::newRow("exactly") << 12 << QByteArray("d c b a "); // a has c's content
        QTest::newRow("three") << 11 << QByteArray("d c ");
        QTest::newRow("none") << 1 << QByteArray("");
    }
    void keepsTheNewestThatFit()
    {
        QFETCH(int, bytes);
        QFETCH(QByteArray, kept);
        World world;
        world.add("a", "ccc"); // oldest
        world.add("b", "bbbb");
        world.add("c", "ccc");
        world.add("d", "ddddd");
        Retention retention;
        retention.bytes = static_cast<std::uint64_t>(bytes);
        CollectOptions dry = world.now(retention);
        dry.dryRun = true;
        const auto planned = world.store->collect(dry);
        QCOMPARE(world.count(), std::size_t(4));
        const auto garbage = world.store->collect(world.now(retention));
        SG_VERIFY_OK(garbage);
        QCOMPARE(planned->expired.size(), garbage->expired.size());
        QCOMPARE(planned->contents, garbage->contents);
        std::string left;
        const auto remaining = world.store->list({});
        for (const Artifact& artifact : *remaining) {
            left += artifact.name + " ";
            QVERIFY(world.has(artifact));
        }
        QCOMPARE(left, kept.toStdString());
    }

    void givesUpWhatIsOld()
    {
        World world;
        const Artifact a = world.add("a", "one");
        Retention retention;
        retention.age = std::chrono::hours(24);
        const WallTime now = std::chrono::system_clock::now();
        QCOMPARE(expiredOf({ a }, retention, now + std::chrono::hours(23)).size(), std::size_t(0));
        QCOMPARE(expiredOf({ a }, retention, now + std::chrono::hours(25)).size(), std::size_t(1));
    }

    // One program stores the same content again and again while another collects: no row ever lacks its
    // content.
    void nothingIsLostThatIsStoredMeanwhile()
    {
        World world;
        std::atomic<bool> isDone = false;
        auto other = openArtifactStore(world.folder / "artifacts.sqlite", world.folder / "blobs");
        SG_VERIFY_OK(other);
        std::jthread collector([&] {
            while (!isDone)
                static_cast<void>((*other)->collect(world.now()));
        });
        bool isWhole = true;
        for (int i = 0; i < 200 && isWhole; ++i) {
            const Artifact artifact = world.add("a", "content " + std::to_string(i % 3));
            isWhole = world.has(artifact);
            if (i % 2 == 0)
                SG_VERIFY_OK(world.store->remove({ artifact.id }));
        }
        isDone = true;
        QVERIFY(isWhole);
        collector.join();
        QVERIFY(world.store->verify({})->problems.empty());
    }
};

SG_TEST(TestArtifactUpkeep)
#include "tst_artifact_upkeep.moc"
