#include "core/artifacts/s3/upload_ledger.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::artifacts::s3;

namespace {

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
    void tellsWhatWasNotUsedForLongest();
    void remembersUploadsInParts();
};

void TestUploadLedger::whatWaitsSurvivesTheProgram()
{
    const test::TempDir dir;
    {
        const auto ledger = opened(dir.path());
        QVERIFY(ledger != nullptr);
        SG_VERIFY_OK(ledger->promise({ { { kOne, 5 }, "line 1" }, { { kTwo, 7 }, "line 2" } }));
    }
    const auto ledger = opened(dir.path());
    QCOMPARE(waitingOf(*ledger), std::string("a5 b7 "));
    const auto lines = ledger->lines(10);
    SG_VERIFY_OK(lines);
    QCOMPARE(lines->size(), std::size_t(2));
    QCOMPARE(lines->front().text, std::string("line 1"));
    SG_VERIFY_OK(ledger->dropLines(lines->front().number));
    QCOMPARE(ledger->lines(10)->size(), std::size_t(1));
    SG_VERIFY_OK(ledger->markThere({ { kOne, 5 } }));
    QCOMPARE(waitingOf(*ledger), std::string("b7 "));
    QCOMPARE(ledger->waiting()->count, std::int64_t(1));
    QCOMPARE(ledger->waiting()->bytes, std::uint64_t(7));
    QCOMPARE(*ledger->bytesThere(), std::uint64_t(5));
}

void TestUploadLedger::whatIsThereWaitsAgainWhenItIsStoredAgain()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->markThere({ { kOne, 5 } }));
    QVERIFY(*ledger->stateOf(kOne) == UploadLedger::State::There);
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5 }, "line" } }));
    QVERIFY(*ledger->stateOf(kOne) == UploadLedger::State::Waiting);
    SG_VERIFY_OK(ledger->drop(kOne));
    QVERIFY(*ledger->stateOf(kOne) == UploadLedger::State::Unknown);
}

void TestUploadLedger::bucketsDoNotMix()
{
    const test::TempDir dir;
    const auto first = opened(dir.path());
    const auto second = opened(dir.path(), "s3://team/q");
    SG_VERIFY_OK(first->promise({ { { kOne, 5 }, "line" } }));
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
        SG_VERIFY_OK(ledger->promise({ { { kOne, 5 }, "line" } }));
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

void TestUploadLedger::tellsWhatWasNotUsedForLongest()
{
    const test::TempDir dir;
    const auto ledger = opened(dir.path());
    SG_VERIFY_OK(ledger->markThere({ { kOne, 5 }, { kTwo, 7 } }));
    const auto oldest = ledger->longestUnused(10);
    SG_VERIFY_OK(oldest);
    QCOMPARE(oldest->size(), std::size_t(2));
    SG_VERIFY_OK(ledger->promise({ { { kOne, 5 }, "line" } }));
    QCOMPARE(ledger->longestUnused(10)->size(), std::size_t(1)); // what waits is never given up
}

void TestUploadLedger::remembersUploadsInParts()
{
    const test::TempDir dir;
    SG_VERIFY_OK(opened(dir.path())->note("key", { "upload", 8U << 20 }));
    const auto ledger = opened(dir.path());
    const auto found = ledger->find("key");
    SG_VERIFY_OK(found);
    QCOMPARE((*found)->id, std::string("upload"));
    QCOMPARE((*found)->partBytes, std::uint64_t(8U << 20));
    SG_VERIFY_OK(ledger->forget("key"));
    QVERIFY(!*ledger->find("key"));
}

SG_TEST(TestUploadLedger)
#include "tst_upload_ledger.moc"
