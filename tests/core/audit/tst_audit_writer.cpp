// A project's audit tells whoever follows it each row as it was written, in order, at once.

#include "core/audit/audit_writer.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace sg;
using audit::AuditEntry;

namespace {

AuditEntry of(const char* subject)
{
    AuditEntry entry;
    entry.kind = "cell";
    entry.subject = subject;
    return entry;
}

} // namespace

class TestAuditWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsEachRowOnceItIsWritten()
    {
        const test::TempDir folder;
        audit::AuditWriter audit(folder / "audit.sqlite");
        audit.setTenant("acme");
        std::vector<AuditEntry> told;
        auto following =
            audit.rows().subscribe([&](const AuditEntry& entry) { told.push_back(entry); }); // one at a time
        keepOut("key", "a-planted-secret");
        const auto add = [&](const std::string& thread) {
            for (int i = 0; i < 50; ++i) {
                AuditEntry entry;
                entry.kind = "cell";
                entry.thread = ThreadId(thread);
                entry.subject = "of a-planted-secret";
                static_cast<void>(audit.add(std::move(entry)));
            }
        };
        std::thread other(add, "other");
        add("one");
        other.join();
        QCOMPARE(told.size(), std::size_t{ 100 });
        for (std::size_t i = 0; i < told.size(); ++i) {
            QCOMPARE(told[i].sequence, static_cast<std::int64_t>(i) + 1);
            QCOMPARE(told[i].subject, std::string("of [secret key]"));
            QCOMPARE(told[i].tenant, std::string("acme"));
            QVERIFY(!told[i].time.empty());
        }
        // As another reads them.
        const auto log = audit::AuditLog::open(folder / "audit.sqlite", audit::AuditLog::Access::Read);
        SG_VERIFY_OK(log);
        const auto rows = (*log)->read({});
        SG_VERIFY_OK(rows);
        QCOMPARE(toJson(audit::auditDocument(rows->back())), toJson(audit::auditDocument(told.back())));
        following = {};
        add("one");
        QCOMPARE(told.size(), std::size_t{ 100 });
    }

    // A row that is told soon is written before one that is told after it, and before the end.
    void keepsTheOrderOfWhatIsWrittenLater()
    {
        const test::TempDir folder;
        const auto entry = [](const std::string& subject) {
            AuditEntry made;
            made.kind = "cell";
            made.subject = subject;
            return made;
        };
        {
            audit::AuditWriter audit(folder / "audit.sqlite");
            for (int i = 0; i < 200; ++i) {
                audit.addSoon(entry(std::to_string(3 * i)));
                audit.addSoon(entry(std::to_string(3 * i + 1)));
                SG_VERIFY_OK(audit.add(entry(std::to_string(3 * i + 2))));
            }
            audit.addSoon(entry("600"));
        }
        const auto log = audit::AuditLog::open(folder / "audit.sqlite", audit::AuditLog::Access::Read);
        SG_VERIFY_OK(log);
        const auto rows = (*log)->read({});
        SG_VERIFY_OK(rows);
        QCOMPARE(rows->size(), std::size_t{ 601 });
        for (std::size_t i = 0; i < rows->size(); ++i)
            QCOMPARE(rows->at(i).subject, std::to_string(i));
    }

    // The end of a cell waits for what comes next, but not for ever.
    void writesWhatHasStartedAtOnceAndTheRestByItself()
    {
        const test::TempDir folder;
        audit::AuditWriter audit(folder / "audit.sqlite");
        std::atomic<int> told = 0;
        const auto following = audit.rows().subscribe([&](const AuditEntry&) { ++told; });
        const auto addSoon = [&](const char* outcome) {
            AuditEntry entry;
            entry.kind = "cell";
            entry.outcome = outcome;
            audit.addSoon(std::move(entry));
        };
        addSoon("started");
        QVERIFY(test::waitFor([&] { return told == 1; }));
        addSoon("ok");
        QVERIFY(test::waitFor([&] { return told == 2; }));
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // it sleeps until something comes
        addSoon("ok");
        QVERIFY(test::waitFor([&] { return told == 3; }));
        addSoon("ok");
        addSoon("started");
        QVERIFY(test::waitFor([&] { return told == 5; }));
        const auto log = audit::AuditLog::open(folder / "audit.sqlite", audit::AuditLog::Access::Read);
        SG_VERIFY_OK(log);
        const auto rows = (*log)->read({});
        SG_VERIFY_OK(rows);
        QVERIFY(rows->at(4).outcome == audit::Outcome::Started);
        SG_VERIFY_OK((*log)->verify());
    }

    // Rows that wait are tried again, in their order, once the file can be written.
    void keepsWhatCannotBeWrittenNow()
    {
        const test::TempDir folder;
        const auto file = folder.write("audit.sqlite", "no database");
        audit::AuditWriter audit(file);
        std::vector<std::string> told;
        const auto following =
            audit.rows().subscribe([&](const AuditEntry& row) { told.push_back(row.subject); });
        for (const char* subject : { "1", "2", "3" })
            audit.addSoon(of(subject));
        QVERIFY(!audit.add(of("refused")));
        std::filesystem::remove(file);
        SG_VERIFY_OK(audit.add(of("4")));
        QCOMPARE(told, (std::vector<std::string>{ "1", "2", "3", "4" }));
    }

    void aRowThatIsRefusedTakesNoOtherWithIt()
    {
        const test::TempDir folder;
        audit::AuditWriter audit(folder / "audit.sqlite");
        std::vector<std::string> told;
        const auto following =
            audit.rows().subscribe([&](const AuditEntry& row) { told.push_back(row.subject); });
        SG_VERIFY_OK(audit.add(of("first")));
        auto other = sqlite::Db::open(folder / "audit.sqlite");
        QVERIFY(
            other
            && other->exec("CREATE TRIGGER picky BEFORE INSERT ON sandglass_audit WHEN NEW.subject = 'bad' "
                           "BEGIN SELECT RAISE(ABORT, 'no'); END"));
        for (const char* subject : { "1", "bad", "2" })
            audit.addSoon(of(subject));
        SG_VERIFY_OK(audit.add(of("3")));
        QCOMPARE(told, (std::vector<std::string>{ "first", "1", "2", "3" }));
        QCOMPARE(audit.add(of("bad")).error().code, Errc::Conflict);
    }

    void tellsOfNothingThatIsNotWritten()
    {
        const test::TempDir folder;
        folder.write("audit.sqlite", "no database");
        audit::AuditWriter audit(folder / "audit.sqlite");
        int told = 0;
        const auto following = audit.rows().subscribe([&](const AuditEntry&) { ++told; });
        QVERIFY(!audit.add({}));
        QCOMPARE(told, 0);
    }
};

SG_TEST(TestAuditWriter)
#include "tst_audit_writer.moc"
