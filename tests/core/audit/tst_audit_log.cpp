// Rows are added, read and followed; nothing changes or removes one unnoticed; none holds a secret.

#include "core/audit/audit_log.h"
#include "core/base/file.h"
#include "core/base/redaction.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <thread>

using namespace sg;
using namespace sg::audit;

namespace {

AuditEntry entry(const std::string& kind, const std::string& thread, const std::string& subject)
{
    AuditEntry made;
    made.kind = kind;
    made.thread = ThreadId(thread);
    made.run = RunId("run-1");
    made.tenant = "acme";
    made.agent = "writer";
    made.session = SessionId("s-1");
    made.subject = subject;
    made.outcome = "ok";
    made.details = Value::map({ { "bytes", 12 } });
    return made;
}

} // namespace

class TestAuditLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsWhatWasAdded()
    {
        const test::TempDir folder;
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        for (int i = 0; i < 5; ++i)
            SG_VERIFY_OK(
                (*log)->append(entry(i % 2 == 0 ? "cell" : "egress", i < 3 ? "a" : "b", std::to_string(i))));
        const auto all = (*log)->read({});
        SG_VERIFY_OK(all);
        QCOMPARE(all->size(), std::size_t{ 5 });
        QCOMPARE(all->at(0).sequence, std::int64_t{ 1 });
        QCOMPARE(all->at(4).subject, std::string("4"));
        const Value document = auditDocument(all->at(0));
        QCOMPARE(document["agent"], Value("writer"));
        QCOMPARE(document["tenant"], Value("acme"));
        QCOMPARE(document["run_id"], Value("run-1"));
        QCOMPARE(document["details"]["bytes"], Value(12));
        QVERIFY(!document.stringOr("time", "").empty());

        AuditFilter filter;
        filter.after = 1;
        filter.kind = "cell";
        filter.thread = ThreadId("a");
        QCOMPARE((*log)->read(filter)->size(), std::size_t{ 1 });
        AuditFilter last;
        last.newest = true;
        last.limit = 2;
        const auto newest = (*log)->read(last);
        QCOMPARE(newest->front().subject, std::string("3"));
        QCOMPARE(newest->back().subject, std::string("4"));

        // Another program reads it while this one writes.
        auto reader = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Read);
        SG_VERIFY_OK(reader);
        QCOMPARE((*reader)->read({})->size(), std::size_t{ 5 });
        SG_VERIFY_OK((*log)->append(entry("cell", "a", "5")));
        QCOMPARE((*reader)->read({})->size(), std::size_t{ 6 });
        QCOMPARE(*(*reader)->verify(), std::int64_t{ 6 });
    }

    void refusesChangesAndFindsThem_data()
    {
        QTest::addColumn<std::string>("change");
        QTest::newRow("an update") << std::string("UPDATE sandglass_audit SET subject = 'x' WHERE seq = 2");
        QTest::newRow("a removal") << std::string("DELETE FROM sandglass_audit WHERE seq = 2");
        QTest::newRow("a replacement") << std::string(
            "REPLACE INTO sandglass_audit SELECT 2, time, kind, thread_id, run_id, tenant, agent, session_id,"
            " 'x', outcome, details, hash FROM sandglass_audit WHERE seq = 2");
        QTest::newRow("the newest") << std::string("DELETE FROM sandglass_audit WHERE seq > 1");
        QTest::newRow("all") << std::string("DELETE FROM sandglass_audit");
        QTest::newRow("of the last") << std::string(
            "UPDATE sandglass_audit SET outcome = 'denied' WHERE seq = 3");
    }
    void refusesChangesAndFindsThem()
    {
        QFETCH(const std::string, change);
        const test::TempDir folder;
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        for (int i = 0; i < 3; ++i)
            SG_VERIFY_OK((*log)->append(entry("cell", "a", std::to_string(i))));
        auto other = sqlite::Db::open(folder / "audit.sqlite");
        SG_VERIFY_OK(other);
        const auto refused = other->exec(change);
        QVERIFY(!refused);
        SG_VERIFY_CONTAINS(refused.error().message, "audit rows are never");
        QCOMPARE(*(*log)->verify(), std::int64_t{ 3 });
        // Who takes the triggers away is found out all the same.
        SG_VERIFY_OK(other->exec("DROP TRIGGER sandglass_audit_stays; DROP TRIGGER sandglass_audit_remains;"
                                 "DROP TRIGGER sandglass_audit_unreplaced;"));
        SG_VERIFY_OK(other->exec(change));
        const auto checked = (*log)->verify();
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, Errc::Corrupt);
        // Nor does one more row hide it.
        SG_VERIFY_OK((*log)->append(entry("cell", "a", "4")));
        QCOMPARE((*log)->verify() ? Errc::Io : (*log)->verify().error().code, Errc::Corrupt);
    }

    void addsSeveralAtOnceOrNone()
    {
        const test::TempDir folder;
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        SG_VERIFY_OK((*log)->append(entry("cell", "a", "0")));
        std::vector<AuditEntry> some{ entry("cell", "a", "1"), entry("cell", "b", "2"),
                                      entry("artifact", "a", "3") };
        SG_VERIFY_OK((*log)->append(some));
        QCOMPARE(some[2].sequence, std::int64_t{ 4 });
        QVERIFY(!some[0].time.empty() && some[0].hash != some[1].hash);
        const auto all = (*log)->read({});
        SG_VERIFY_OK(all);
        QCOMPARE(all->size(), std::size_t{ 4 });
        QCOMPARE(all->at(2).hash, some[1].hash);
        QCOMPARE(*(*log)->verify(), std::int64_t{ 4 });
        // Where the second is refused the first is not kept either.
        auto other = sqlite::Db::open(folder / "audit.sqlite");
        SG_VERIFY_OK(other);
        SG_VERIFY_OK(other->exec("CREATE TRIGGER refusing BEFORE INSERT ON sandglass_audit"
                                 " WHEN NEW.subject = '2' BEGIN SELECT RAISE(ABORT, 'refused'); END"));
        QVERIFY(!(*log)->append(some));
        QCOMPARE(*(*log)->verify(), std::int64_t{ 4 });
    }

    // A log that an older version made, or somebody changed, lacks them.
    void makesTriggersThatAreNotThere()
    {
        const test::TempDir folder;
        SG_VERIFY_OK(AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append));
        auto other = sqlite::Db::open(folder / "audit.sqlite");
        SG_VERIFY_OK(other);
        SG_VERIFY_OK(other->exec("DROP TRIGGER sandglass_audit_unreplaced"));
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        SG_VERIFY_OK((*log)->append(entry("cell", "a", "1")));
        QVERIFY(!other->exec("REPLACE INTO sandglass_audit SELECT * FROM sandglass_audit"));
    }

    void exportsItsHashes()
    {
        const test::TempDir folder;
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        const auto first = (*log)->append(entry("cell", "a", "1"));
        SG_VERIFY_OK(first);
        const auto rows = (*log)->read({});
        SG_VERIFY_OK(rows);
        const std::string hash = auditDocument(rows->at(0)).stringOr("hash", "");
        QCOMPARE(hash.size(), std::size_t{ 64 });
        QCOMPARE(hash, first->hash);
    }

    void countsByKindAndOutcome()
    {
        const test::TempDir folder;
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        QCOMPARE(*(*log)->newest(), std::int64_t{ 0 });
        const auto add = [&](const char* kind, const char* outcome, Value details) {
            AuditEntry made = entry(kind, "a", "x");
            made.outcome = outcome;
            made.details = std::move(details);
            return (*log)->append(std::move(made));
        };
        SG_VERIFY_OK(add("cell", "ok", Value::map({ { "seconds", 0.5 } })));
        SG_VERIFY_OK(add("cell", "ok", Value::map({ { "seconds", 2 } })));
        SG_VERIFY_OK(add("cell", "error", Value::map({ { "seconds", 1 }, { "error", "KeyError" } })));
        SG_VERIFY_OK(add("egress", "denied", Value()));
        SG_VERIFY_OK(add("egress", "denied", Value::map({ { "seconds", 7 } })));
        QCOMPARE(*(*log)->newest(), std::int64_t{ 5 });
        const auto groups = (*log)->groups(0, 4, { 0.5, 1, 5 });
        SG_VERIFY_OK(groups);
        std::string told;
        for (const AuditGroup& each : *groups) {
            told += each.kind.text() + ' ' + each.outcome.text() + ' ' + each.error + ' '
                + std::to_string(each.rows) + ' ' + std::to_string(static_cast<int>(each.seconds * 10)) + ':';
            for (const std::int64_t count : each.within)
                told += ' ' + std::to_string(count);
            told += '\n';
        }
        QCOMPARE(told,
                 std::string(
                     "cell error KeyError 1 10: 0 1 1\ncell ok  2 25: 1 1 2\negress denied  1 0: 1 1 1\n"));
    }

    void manyProgramsAddToOneChain()
    {
        const test::TempDir folder;
        SG_VERIFY_OK(AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append));
        {
            std::vector<std::jthread> writers;
            for (int i = 0; i < 4; ++i)
                writers.emplace_back([&, i] {
                    auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
                    for (int k = 0; log && k < 50; ++k)
                        if (!(*log)->append(entry("cell", std::to_string(i), std::to_string(k))))
                            return;
                });
        }
        auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Read);
        SG_VERIFY_OK(log);
        const auto checked = (*log)->verify();
        SG_VERIFY_OK(checked);
        QCOMPARE(*checked, std::int64_t{ 200 });
    }

    void holdsNoSecret()
    {
        const std::string secret = "planted-31415926535897932384";
        keepOut("planted", secret);
        const test::TempDir folder;
        {
            auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Append);
            SG_VERIFY_OK(log);
            AuditEntry made = entry("egress", "a" + secret, "GET http://x/?key=" + secret);
            made.details = Value::map({ { secret, Value::list({ "x" + secret }) } });
            SG_VERIFY_OK((*log)->append(made));
            QCOMPARE(*(*log)->verify(), std::int64_t{ 1 });
        }
        for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
            const auto bytes = readFile(file.path());
            SG_VERIFY_OK(bytes);
            QVERIFY2(bytes->find(secret) == std::string::npos, file.path().c_str());
        }
    }

    void thereIsNoneToRead()
    {
        const test::TempDir folder;
        const auto log = AuditLog::open(folder / "audit.sqlite", AuditLog::Access::Read);
        QVERIFY(!log);
        QCOMPARE(log.error().code, Errc::NotFound);
    }
};

SG_TEST(TestAuditLog)
#include "tst_audit_log.moc"
