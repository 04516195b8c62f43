// What a project's audit tells whoever follows it: each row as it was written, in order, at once.

#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/workbench/project_audit.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <QTest>

#include <thread>
#include <vector>

using namespace sg;
using audit::AuditEntry;

class TestProjectAudit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsEachRowOnceItIsWritten()
    {
        const test::TempDir folder;
        workbench::ProjectAudit audit(folder / "audit.sqlite");
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

    // What is told soon is written before what is told after it, and before the end.
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
            workbench::ProjectAudit audit(folder / "audit.sqlite");
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

    void tellsOfNothingThatIsNotWritten()
    {
        const test::TempDir folder;
        folder.write("audit.sqlite", "no database");
        workbench::ProjectAudit audit(folder / "audit.sqlite");
        int told = 0;
        const auto following = audit.rows().subscribe([&](const AuditEntry&) { ++told; });
        QVERIFY(!audit.add({}));
        QCOMPARE(told, 0);
    }
};

QTEST_APPLESS_MAIN(TestProjectAudit)
#include "tst_project_audit.moc"
