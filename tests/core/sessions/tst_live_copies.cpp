#include "core/base/child_process.h"
#include "core/sessions/snapshots/live_copies.h"
#include "core/sessions/snapshots/snapshot_names.h"
#include "tests/core/sessions/local_live.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

using namespace sg;
using namespace sg::test;
using sessions::LiveCopies;

// Copies of the interpreter make room: oldest first, written out where there is time for it.
class TestLiveCopies final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thoseOverTheNumberAreWrittenOutAndEnd();
    void memoryMakesAQuarterLeave();
    void whereItIsNearlyUsedUpNothingIsWritten();
    void whatCannotBeKeptIsSaidToBeGone();
    void theMemoryThatWasSetCounts();
    void allAreWrittenOutAtTheEnd();
    void theNewestIsWrittenOutWhileItSleeps();
    void whatNobodyKnowsYetIsToldAgain();
    void whatIsTooLargeWaitsForTheEnd();
    void theNewestIsWaitedFor();
    void theLastOneGoesOnlyOnceItIsWrittenOut();
    void moreThanThereIsRoomForIsNotTaken();
    void oneThatIsBeingWrittenOutIsWokenAtOnce();
};

namespace {

// Copies are written out half a second after they were made, and a busy machine may take longer to make the
// next.
sessions::SnapshotLimits notAhead()
{
    sessions::SnapshotLimits limits;
    limits.aheadBytes = 0;
    return limits;
}

class Copies {
public:
    explicit Copies(sessions::SnapshotLimits limits)
        : copies(place.folder / "contents", limits, nullptr,
                 [this](const SnapshotId& id, const Value& names) {
                     const std::lock_guard lock(m_mutex);
                     m_stored += (m_stored.empty() ? "" : " ") + id.value;
                     if (!names["records"].isList())
                         m_stored += "?";
                     if (const std::int64_t over = sessions::leftOut(names); over > 0)
                         m_stored += "-" + std::to_string(over);
                     m_isKept = m_refusals-- <= 0;
                     return m_isKept;
                 })
    {
        copies.use(place.live, {});
    }
    void make(int from, int to)
    {
        for (int i = from; i <= to; ++i) {
            const std::string name = "s" + std::to_string(i);
            const auto made = place.ask({ { "op", "snapshot" }, { "snapshot", name } }, "snapshot");
            SG_VERIFY_OK(made);
            QVERIFY(made->body.boolOr("asleep", false));
            copies.add(SnapshotId(name), Value());
        }
    }
    [[nodiscard]] std::string asleep() const
    {
        std::string text;
        for (const SnapshotId& id : copies.asleep())
            text += (text.empty() ? "" : " ") + id.value;
        return text;
    }
    // As the runner knows it.
    std::string inTheSandbox()
    {
        const auto told = place.ask({ { "op", "snapshots" } }, "snapshots");
        std::string text;
        if (told)
            for (const Value& each : told->body["snapshots"].asList())
                text += (text.empty() ? "" : " ") + each.stringOr("snapshot", "");
        return text;
    }
    // So many times nobody knows the snapshot yet.
    void refuse(int times)
    {
        const std::lock_guard lock(m_mutex);
        m_refusals = times;
    }
    // True if the last snapshot that was written out is known.
    bool isKept()
    {
        const std::lock_guard lock(m_mutex);
        return m_isKept;
    }
    std::string stored()
    {
        const std::lock_guard lock(m_mutex);
        return m_stored;
    }

    LocalLive place;

private:
    std::mutex m_mutex;
    std::string m_stored;
    int m_refusals = 0;
    bool m_isKept = false;

public:
    LiveCopies copies; // last: its thread ends first
};

} // namespace

void TestLiveCopies::thoseOverTheNumberAreWrittenOutAndEnd()
{
    sessions::SnapshotLimits limits = notAhead();
    limits.live = 2;
    Copies made(limits);
    made.make(1, 5);
    QVERIFY(waitFor([&] { return made.asleep() == "s4 s5"; }));
    QCOMPARE(made.stored(), std::string("s1 s2 s3"));
    QVERIFY(waitFor([&] { return made.inTheSandbox() == "s4 s5"; }));
    QVERIFY(made.copies.namesOf(SnapshotId("s1")).isMap());
    QVERIFY(made.copies.namesOf(SnapshotId("s5")).isNull());
}

void TestLiveCopies::memoryMakesAQuarterLeave()
{
    Copies made(notAhead());
    made.make(1, 8);
    made.copies.makeRoom({ 70, 100 });
    QCOMPARE(made.asleep(), std::string("s1 s2 s3 s4 s5 s6 s7 s8"));
    made.copies.makeRoom({ 80, 100 });
    QVERIFY(waitFor([&] { return made.asleep() == "s3 s4 s5 s6 s7 s8"; }));
    QCOMPARE(made.stored(), std::string("s1 s2"));
}

void TestLiveCopies::whereItIsNearlyUsedUpNothingIsWritten()
{
    sessions::SnapshotLimits limits;
    limits.aheadBytes = 0;
    Copies made(limits);
    made.make(1, 4);
    for (int i = 0; i < 8; ++i)
        made.copies.makeRoom({ 95, 100 });
    QCOMPARE(made.asleep(), std::string("s4")); // the newest is never given up
    QVERIFY(waitFor([&] { return made.inTheSandbox() == "s4"; }));
    QCOMPARE(made.stored(), std::string("s1? s2? s3?")); // said to be gone
}

void TestLiveCopies::whatCannotBeKeptIsSaidToBeGone()
{
    sessions::SnapshotLimits limits;
    limits.live = 1;
    limits.aheadBytes = 0;
    Copies made(limits);
    std::filesystem::remove_all(made.place.folder / "contents");
    QVERIFY(std::ofstream(made.place.folder / "contents").is_open()); // a file where its folder should be
    made.make(1, 2);
    QVERIFY(waitFor([&] { return made.stored() == "s1?"; }));
    QVERIFY(waitFor([&] { return made.inTheSandbox() == "s2"; }));
}

void TestLiveCopies::theMemoryThatWasSetCounts()
{
    sessions::SnapshotLimits limits = notAhead();
    limits.memoryBytes = 50;
    Copies made(limits);
    made.make(1, 2);
    made.copies.makeRoom({ 60, 100 });
    QVERIFY(waitFor([&] { return made.asleep() == "s2"; }));
    QCOMPARE(made.stored(), std::string("s1"));
}

void TestLiveCopies::allAreWrittenOutAtTheEnd()
{
    Copies made(notAhead());
    made.make(1, 3);
    made.copies.storeAll(std::chrono::seconds(30));
    QCOMPARE(made.stored(), std::string("s3 s2 s1"));
    QCOMPARE(made.asleep(), std::string());
}

// Only the last of several that come fast is written out; once is enough.
void TestLiveCopies::theNewestIsWrittenOutWhileItSleeps()
{
    Copies made({});
    const auto begin = std::chrono::steady_clock::now();
    made.make(1, 4);
    const bool cameFast = std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(450);
    QVERIFY(waitFor([&] { return made.stored().ends_with("s4"); }));
    QCOMPARE(made.asleep(), std::string("s1 s2 s3 s4"));
    made.copies.keep(SnapshotId("s4")); // it was woken, and left itself behind
    made.copies.storeAll(std::chrono::seconds(60));
    QCOMPARE(made.stored().size(), std::string("s4 s3 s2 s1").size()); // each once
    if (cameFast) // else this machine is too busy to tell
        QCOMPARE(made.stored(), std::string("s4 s3 s2 s1"));
}

void TestLiveCopies::whatNobodyKnowsYetIsToldAgain()
{
    Copies made({});
    made.refuse(1);
    made.make(1, 1);
    QVERIFY(waitFor([&] { return made.stored() == "s1 s1"; }));
}

void TestLiveCopies::whatIsTooLargeWaitsForTheEnd()
{
    sessions::SnapshotLimits limits;
    limits.aheadBytes = 1 << 20;
    Copies made(limits);
    SG_VERIFY_OK(made.place.ask(
        { { "op", "cell" }, { "code", "big = b'x' * 3000000; small = 'y' * 500000" } }, "done"));
    made.make(1, 1);
    QVERIFY(waitFor([&] { return made.stored() == "s1-1"; }));
    made.copies.storeAll(std::chrono::seconds(30));
    QCOMPARE(made.stored(), std::string("s1-1 s1"));
}

void TestLiveCopies::theNewestIsWaitedFor()
{
    Copies made({});
    made.make(1, 2);
    made.copies.storeNewest(std::chrono::seconds(60));
    const std::string stored = made.stored();
    QVERIFY2(stored == "s2" || stored == "s1 s2", stored.c_str()); // s1, too, where s2 came late
    QCOMPARE(made.asleep(), std::string("s1 s2"));
    made.copies.storeNewest(std::chrono::seconds(60)); // nothing to do
    QCOMPARE(made.stored(), stored);
}

void TestLiveCopies::theLastOneGoesOnlyOnceItIsWrittenOut()
{
    Copies made({});
    made.refuse(1000);
    made.make(1, 1);
    made.copies.makeRoom({ 95, 100 });
    QCOMPARE(made.asleep(), std::string("s1"));
    made.refuse(0);
    QVERIFY(waitFor([&] {
        made.copies.storeNewest(std::chrono::seconds(60));
        return made.isKept();
    }));
    made.copies.makeRoom({ 80, 100 });
    QCOMPARE(made.asleep(), std::string("s1"));
    made.copies.makeRoom({ 95, 100 });
    QCOMPARE(made.asleep(), std::string());
    QVERIFY(waitFor([&] { return made.inTheSandbox().empty(); }));
}

// The stream comes from a process that the session's code owns: it may be as long as that likes.
void TestLiveCopies::moreThanThereIsRoomForIsNotTaken()
{
    LocalLive place;
    SG_VERIFY_OK(place.ask({ { "op", "cell" },
                             { "code",
                               "class Flood:\n    def __reduce__(self):\n"
                               "        import os, gc\n"
                               "        out = [o for o in gc.get_objects() if type(o).__name__ == 'Out'][0]\n"
                               "        while True: out.write(b'x' * 1000000)\n"
                               "flood = Flood()" } },
                           "done"));
    SG_VERIFY_OK(place.ask({ { "op", "snapshot" }, { "snapshot", "s1" } }, "snapshot"));
    const auto names =
        sessions::storeNames(place.live->link(), SnapshotId("s1"), *place.blobs, { {}, 20 << 20, nullptr });
    QVERIFY(!names);
    QCOMPARE(names.error().code, Errc::LimitExceeded);
    SG_VERIFY_CONTAINS(names.error().message, "more than 20 MB");
    // Nobody goes on writing, and nothing is left of it.
    SG_VERIFY_OK(place.ask({ { "op", "wake" }, { "snapshot", "s1" } }, "woken"));
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place.folder / "contents"))
        files += entry.is_regular_file() ? 1 : 0;
    QCOMPARE(files, 0);
}

void TestLiveCopies::oneThatIsBeingWrittenOutIsWokenAtOnce()
{
    Copies made({});
    // A copy may only read while it is written out; it waits here until somebody writes.
    const std::string pipe = made.place.folder / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    SG_VERIFY_OK(made.place.ask({ { "op", "cell" },
                                  { "code",
                                    "class Endless:\n    def __reduce__(self):\n        file = open('" + pipe
                                        + "')\n        while True: pass\nendless = Endless()" } },
                                "done"));
    made.make(1, 1);
    Fd writer;
    QVERIFY(waitFor([&] {
        writer = Fd(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        return writer.isOpen();
    })); // it is being written out now
    const auto begin = std::chrono::steady_clock::now();
    SG_VERIFY_OK(made.place.ask({ { "op", "wake" }, { "snapshot", "s1" } }, "woken"));
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)); // a name has 20 s
}

SG_CORE_TEST(TestLiveCopies)
#include "tst_live_copies.moc"
