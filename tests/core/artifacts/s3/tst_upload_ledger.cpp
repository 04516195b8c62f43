#include "core/artifacts/s3/upload_ledger.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/stat.h>

using namespace sg;
using namespace sg::artifacts::s3;

namespace {

using State = UploadLedger::State;

const std::string kOne(64, 'a');
const std::string kTwo(64, 'b');

std::unique_ptr<UploadLedger> opened(const std::filesystem::path& folder,
                                     const std::string& place = "s3://team/p")
{
    auto ledger = UploadLedger::open(folder, place);
    return ledger ? std::move(*ledger) : nullptr;
}

std::string waitingOf(UploadLedger& ledger)
{
    std::string text;
    const auto all = ledger.nextWaiting(100);
    for (const LedgerContent& content : all ? *all : std::vector<LedgerContent>())
        text += content.sha256.substr(0, 1) + std::to_string(content.size) + ' ';
    return text;
}

} // namespace

class TestUploadLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWaitsSurvivesTheProgram();
    void whatIsThereWaitsAgainWhenItIsStoredAgain();
    void bucketsDoNotMix();
    void aCopyOfTheFolderHasAnotherName();
    void aFolderThatWasMovedOrIsSeenFromElsewhereKeepsItsName();
    void aLedgerOfBeforeIsTakenOver();
    void whatIsStuckIsTriedByTheNextProgram();
    void whatIsNotWantedAnyMoreIsDropped();
    void whatCameFromThereIsNotOfferedByThisFolder();
    void tellsWhatWasNotUsedForLongest();
    void remembersUploadsInParts();
};

void TestUploadLedger::whatWaitsSurvivesTheProgram()
{
    const test::TempDir dir;
    {
        const auto ledger = opened(dir.path());
        QVERIFY(ledger != nullptr);
        SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line 1" }, { { kTwo, 7, false }, "line 2" } }));
    }
    const auto ledger = opened(dir.path());
    QCOMPARE(waitingOf(*ledger), std::string("a5 b7 "));
    const auto lines = ledger->lines(10);
    SG_VERIFY_OK(lines);
    QCOMPARE(lines->size(), std::size_t(2));
    QCOMPARE(lines->front().text, std::string("line 1"));
    SG_VERIFY_OK(ledger->linesTold(lines->front().number));
    QCOMPARE(ledger->lines(10)->size(), std::size_t(1));
    SG_VERIFY_OK(ledger->mark({ { kOne, 5, false } }, State::There));
    QCOMPARE(waitingOf(*ledger), std::string("b7 "));
    QCOMPARE(ledger->waiting()->count, std::int64_t(1));
    QCOMPARE(ledger->waiting()->bytes, std::uint64_t(7));
    QCOMPARE(*ledger->bytesThere(), std::uint64_t(5));
}

void TestUploadLedger::whatIsThereWaitsAgainWhenItIsStoredAgain()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->mark({ { kOne, 5, false } }, State::There));
    QVERIFY(*ledger->stateOf(kOne) == State::There);
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line" }, { { kTwo, 7, false }, "line" } }));
    QVERIFY(*ledger->stateOf(kOne) == State::Waiting);
    const auto waiting = ledger->nextWaiting(10);
    SG_VERIFY_OK(waiting);
    for (const LedgerContent& content : *waiting)
        QCOMPARE(content.wasThere, content.sha256 == kOne);
    SG_VERIFY_OK(ledger->drop(kOne));
    QVERIFY(*ledger->stateOf(kOne) == State::Unknown);
}

void TestUploadLedger::bucketsDoNotMix()
{
    const test::TempDir dir;
    const auto first = opened(dir.path());
    const auto second = opened(dir.path(), "s3://team/q");
    SG_VERIFY_OK(first->promise({ { { kOne, 5, false }, "line" } }));
    QCOMPARE(waitingOf(*second), std::string());
    QVERIFY(second->lines(1)->empty());
    SG_VERIFY_OK(second->dropAll());
    QCOMPARE(waitingOf(*first), std::string("a5 "));
}

void TestUploadLedger::aCopyOfTheFolderHasAnotherName()
{
    const test::TempDir dir;
    std::string name;
    {
        const auto ledger = opened(dir.path());
        name = ledger->holder();
        QVERIFY(!ledger->hasNamed());
        SG_VERIFY_OK(ledger->tell({ "line" }));
        SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line" } }));
    }
    {
        const auto again = opened(dir.path());
        QCOMPARE(again->holder(), name);
        QVERIFY(again->hasNamed());
    }
    const test::TempDir other;
    std::filesystem::copy(dir.path() / "bucket.sqlite", other.path() / "bucket.sqlite");
    const auto copied = opened(other.path());
    QVERIFY(copied != nullptr);
    QVERIFY(copied->holder() != name);
    QVERIFY(!copied->hasNamed());
    QCOMPARE(waitingOf(*copied), std::string("a5 ")); // a folder may have been moved so
}

void TestUploadLedger::aFolderThatWasMovedOrIsSeenFromElsewhereKeepsItsName()
{
    const test::TempDir dir;
    std::filesystem::create_directory(dir.path() / "one");
    const std::string name = opened(dir.path() / "one")->holder();
    std::filesystem::rename(dir.path() / "one", dir.path() / "two");
    QCOMPARE(opened(dir.path() / "two")->holder(), name);
    // The ledger notes nothing of the machine: a container has another host name at each start, and
    // devices are numbered anew.
    auto db = sqlite::Db::open(dir.path() / "two" / "bucket.sqlite");
    SG_VERIFY_OK(db);
    auto row = db->cached("SELECT folder FROM holders");
    SG_VERIFY_OK(row);
    QVERIFY(*row->step());
    struct stat info { };
    QCOMPARE(::stat((dir.path() / "two" / "bucket.sqlite").c_str(), &info), 0);
    QVERIFY(row->text(0).starts_with(std::to_string(info.st_ino) + ':'));
}

void TestUploadLedger::aLedgerOfBeforeIsTakenOver()
{
    const test::TempDir dir;
    {
        auto db = sqlite::Db::open(dir.path() / "bucket.sqlite");
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec(R"(
CREATE TABLE contents (
    bucket TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, is_there INTEGER NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (bucket, sha256)) WITHOUT ROWID;
CREATE INDEX contents_by_use ON contents(bucket, is_there, used);
CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE uploads (
    bucket TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, part_bytes INTEGER NOT NULL, PRIMARY KEY (bucket, key)) WITHOUT ROWID;
CREATE TABLE holders (
    bucket TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL, has_named INTEGER NOT NULL) WITHOUT ROWID;
)"));
        SG_VERIFY_OK(db->run("INSERT INTO contents VALUES ('s3://team/p', ?, 5, 0, 1)", kOne));
        SG_VERIFY_OK(db->setUserVersion(1));
    }
    const auto ledger = opened(dir.path());
    QVERIFY(ledger != nullptr);
    QCOMPARE(waitingOf(*ledger), std::string("a5 "));
    QCOMPARE(*ledger->timesTold(), std::int64_t(0));
    QCOMPARE(*ledger->linesTold(0), std::int64_t(1));
}

void TestUploadLedger::whatIsStuckIsTriedByTheNextProgram()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line 1" }, { { kTwo, 7, false }, "line 2" } }));
    SG_VERIFY_OK(ledger->mark({ { kOne, 5, false } }, State::Stuck));
    QCOMPARE(waitingOf(*ledger), std::string("b7 "));
    QCOMPARE(ledger->waiting()->count, std::int64_t(2));
    QCOMPARE(ledger->waiting()->stuck, std::int64_t(1));
    QCOMPARE(waitingOf(*opened(dir.path())).size(), std::size_t(6));
}

void TestUploadLedger::whatIsNotWantedAnyMoreIsDropped()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    const std::string three(64, 'c');
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line 1" }, { { kTwo, 7, false }, "line 2" } }));
    SG_VERIFY_OK(ledger->mark({ { three, 5, false } }, State::There));
    SG_VERIFY_OK(ledger->dropUnwanted([](const std::string& sha256) { return sha256 == kTwo; }));
    QCOMPARE(waitingOf(*ledger), std::string("b7 "));
    QVERIFY(*ledger->stateOf(three) == State::There);
}

void TestUploadLedger::whatCameFromThereIsNotOfferedByThisFolder()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->mark({ { kOne, 5, false } }, State::Cached));
    QVERIFY(*ledger->stateOf(kOne) == State::Cached);
    QCOMPARE(*ledger->bytesThere(), std::uint64_t(5));
    QCOMPARE(ledger->longestUnused(10)->size(), std::size_t(1)); // but it can be given up
    QCOMPARE(ledger->waiting()->count, std::int64_t(0));
}

void TestUploadLedger::tellsWhatWasNotUsedForLongest()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->mark({ { kOne, 5, false }, { kTwo, 7, false } }, State::There));
    const auto oldest = ledger->longestUnused(10);
    SG_VERIFY_OK(oldest);
    QCOMPARE(oldest->size(), std::size_t(2));
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5, false }, "line" } }));
    QCOMPARE(ledger->longestUnused(10)->size(), std::size_t(1)); // what waits is never given up
}

void TestUploadLedger::remembersUploadsInParts()
{
    const test::TempDir dir;
    SG_VERIFY_OK(opened(dir.path())->note("key", { "upload", 8U << 20, {} }));
    const auto ledger = opened(dir.path());
    const auto found = ledger->find("key");
    SG_VERIFY_OK(found);
    QCOMPARE((*found)->id, std::string("upload"));
    QCOMPARE((*found)->partBytes, std::uint64_t(8U << 20));
    QVERIFY((*found)->parts.empty());
    SG_VERIFY_OK(ledger->notePart("key", 2, kTwo));
    QCOMPARE((*ledger->find("key"))->parts.at(2), kTwo);
    SG_VERIFY_OK(ledger->note("key", { "another", 8U << 20, {} }));
    QVERIFY((*ledger->find("key"))->parts.empty());
    SG_VERIFY_OK(ledger->forget("key"));
    QVERIFY(!*ledger->find("key"));
}

SG_TEST(TestUploadLedger)
#include "tst_upload_ledger.moc"
