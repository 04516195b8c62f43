// Layers on disk: published whole, held by who uses them, removed only when nobody does.

#include "core/base/file.h"
#include "core/layers/layer_folder.h"
#include "core/layers/packages_folder.h"
#include "core/layers/requirement_layers.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

using namespace sg;
using namespace sg::layers;
namespace fs = std::filesystem;

namespace {

const std::string kId = "0123456789abcdef0123";

LayerRecord record()
{
    LayerRecord record;
    record.id = kId;
    record.requirements = { "demo==1.0" };
    record.pins = { { "demo", "1.0", std::string(64, 'a'), "" } };
    record.python = "3.11.2";
    return record;
}

void publish(const LayerFolder& folder)
{
    auto lock = folder.lock(kId, {}, [] {});
    QVERIFY(lock && *lock);
    const auto work = folder.begin(kId);
    QVERIFY(work);
    fs::create_directories(*work / "session/packages");
    QVERIFY(writeFileAtomically(*work / "session/packages/demo.py", "x = 1\n"));
    const auto published = folder.publish(record(), *work, *work / "session/packages");
    QVERIFY2(published, published ? "" : published.error().message.c_str());
    LayerFolder::abandon(*work);
}

} // namespace

class TestLayerFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatWasPublished()
    {
        const test::TempDir place;
        const LayerFolder folder(place / "layers");
        QVERIFY(!folder.find(kId));
        publish(folder);
        const auto held = folder.hold(kId);
        QVERIFY(held && *held);
        QCOMPARE((*held)->first.pins.at(0).text(), std::string("demo==1.0"));
        QVERIFY(fs::exists(folder.packages(kId) / "demo.py"));
        const auto all = folder.list();
        QVERIFY(all);
        QCOMPARE(all->size(), std::size_t{ 1 });
        QVERIFY(all->front().isInUse);
        std::size_t entries = 0; // the layer, its pins, its lock: nothing of the work is left
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.root()))
            ++entries;
        QCOMPARE(entries, std::size_t{ 3 });
    }

    void removesNothingThatIsInUse()
    {
        const test::TempDir place;
        const RequirementLayers layers(place / "layers", {});
        const LayerFolder& folder = layers.folder();
        publish(folder);
        const auto later = std::chrono::system_clock::now() + std::chrono::hours(1);
        {
            const auto held = folder.hold(kId);
            QVERIFY(held && *held);
            const auto removed = folder.remove(kId, false);
            QVERIFY(!removed && removed.error().code == Errc::Busy);
            const auto collected = layers.collect(later, false);
            QVERIFY(collected && collected->empty());
        }
        const auto would = layers.collect(later, true);
        QVERIFY(would && would->size() == 1);
        QVERIFY(folder.find(kId));
        const auto collected = layers.collect(later, false);
        QVERIFY(collected && collected->size() == 1);
        QVERIFY(!folder.find(kId));
        QCOMPARE(folder.pins(kId).size(), std::size_t{ 1 }); // it comes back the same
        QVERIFY(folder.remove(kId, true));
        QVERIFY(folder.pins(kId).empty());
        const auto gone = folder.remove(kId, false);
        QVERIFY(!gone && gone.error().code == Errc::NotFound);
        QVERIFY(!folder.remove("../../etc", false));
    }

    // Whoever comes second waits, and takes what the first one made.
    void letsOneInstallAtATime()
    {
        const test::TempDir place;
        const LayerFolder folder(place / "layers");
        auto first = folder.lock(kId, {}, [] {});
        QVERIFY(first && *first);
        std::atomic<bool> waits = false;
        std::atomic<bool> isThere = false;
        std::jthread second([&] {
            const auto lock = folder.lock(kId, {}, [&] { waits = true; });
            isThere = lock && !*lock;
        });
        QTRY_VERIFY(waits);
        const auto work = folder.begin(kId);
        fs::create_directories(*work / "packages");
        QVERIFY(folder.publish(record(), *work, *work / "packages"));
        second.join();
        QVERIFY(isThere);

        std::stop_source stop;
        stop.request_stop();
        QVERIFY(folder.remove("0123456789abcdef0124", false).error().code == Errc::NotFound);
        const std::string other = "ffffffffffffffffffff";
        auto held = folder.lock(other, {}, [] {});
        QVERIFY(held && *held);
        const auto stopped = folder.lock(other, stop.get_token(), [] {});
        QVERIFY(!stopped && stopped.error().code == Errc::Cancelled);
    }

    void removesWhatAnEarlierAttemptLeft()
    {
        const test::TempDir place;
        const LayerFolder folder(place / "layers");
        auto lock = folder.lock(kId, {}, [] {});
        const auto left = folder.begin(kId);
        QVERIFY(left);
        const auto next = folder.begin(kId);
        QVERIFY(next);
        QVERIFY(!fs::exists(*left));
        QVERIFY(fs::exists(*next));
    }

    void takesOverFilesAlone()
    {
        const test::TempDir place;
        place.write("p/a.py", "x");
        fs::permissions(place / "p/a.py", fs::perms(04777));
        fs::create_symlink("/etc/passwd", place / "p/link");
        const auto size = takeOver(place / "p");
        QVERIFY2(size, size ? "" : size.error().message.c_str());
        QCOMPARE(size->files, std::int64_t{ 2 });
        struct stat state { };
        QCOMPARE(::stat((place / "p/a.py").c_str(), &state), 0);
        QCOMPARE(state.st_mode & 07777, mode_t{ 0755 });
        QCOMPARE(::mkfifo((place / "p/pipe").c_str(), 0600), 0);
        const auto refused = takeOver(place / "p");
        QVERIFY(!refused && refused.error().code == Errc::Corrupt);
        fs::create_symlink(place / "p", place / "q");
        QVERIFY(!takeOver(place / "q"));
    }

    void namesTheSameTheSame()
    {
        QCOMPARE(layerId("python", { "a", "b" }), layerId("python", { "a", "b" }));
        QVERIFY(layerId("python", { "a", "b" }) != layerId("python", { "a" }));
        QVERIFY(layerId("python", { "a" }) != layerId("another", { "a" }));
        QVERIFY(isLayerId(layerId("python", {})));
    }
};

SG_TEST(TestLayerFolder)
#include "tst_layer_folder.moc"
