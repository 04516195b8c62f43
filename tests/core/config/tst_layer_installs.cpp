// Which wheels an installation may fetch, and what is audited of it.

#include "core/audit/audit_log.h"
#include "core/audit/audit_writer.h"
#include "core/config/project_sessions.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::config;

namespace {

layers::Installation installation(const std::string& address)
{
    layers::Installation made;
    made.id = "0123456789abcdef0123";
    made.requirements = { "demo @ " + address };
    made.addresses = { address };
    made.hosts = { "index.test:8080" };
    made.usesNetwork = true;
    return made;
}

} // namespace

class TestLayerInstalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fetchesNothingOfThisMachine_data()
    {
        QTest::addColumn<std::string>("address");
        QTest::addColumn<std::string>("reason");
        const auto row = [](const char* address, const char* reason) {
            QTest::newRow(address) << std::string(address) << std::string(reason);
        };
        row("https://127.0.0.1/demo.whl", "private network");
        row("https://localhost:8443/demo.whl", "private network");
        row("https://169.254.169.254/latest/demo.whl", "private network");
        row("https://10.0.0.1/demo.whl", "private network");
        row("https://[::1]/demo.whl", "private network");
        row("https://[::ffff:10.0.0.1]/demo.whl", "private network");
        row("https://0x7f.1/demo.whl", "names no host");
        row("https://2130706433/demo.whl", "names no host");
        row("https://1.1.1.1@127.0.0.1/demo.whl", "names no host");
        row("http://1.1.1.1/demo.whl", "no https:// address");
        row("file:///etc/demo.whl", "no https:// address");
    }
    void fetchesNothingOfThisMachine()
    {
        QFETCH(const std::string, address);
        QFETCH(const std::string, reason);
        layers::Installation made = installation(address);
        const auto may = mayFetch(made);
        QVERIFY(!may);
        QCOMPARE(may.error().code, Errc::PermissionDenied);
        SG_VERIFY_CONTAINS(may.error().message, reason);
        made.usesNetwork = false;
        SG_VERIFY_OK(mayFetch(made));
    }

    void fetchesFromOthers()
    {
        SG_VERIFY_OK(mayFetch(installation("https://1.1.1.1/demo.whl")));
        SG_VERIFY_OK(mayFetch(installation("https://no-such-name.invalid/demo.whl"))); // pip tells
    }

    void auditsEach()
    {
        const test::TempDir folder;
        {
            audit::AuditWriter audit(folder / "audit.sqlite");
            const layers::InstallWatch watch = installWatch(&audit);
            const layers::Installation good = installation("https://1.1.1.1/demo.whl");
            SG_VERIFY_OK(watch.begins(good));
            sandbox::egress::EgressDecision decision;
            decision.place = "files.test:443";
            decision.reason = "files.test leads to 10.0.0.1";
            QVERIFY(watch.asks(good, decision));
            watch.ended(good, {});
            QVERIFY(!watch.begins(installation("https://127.0.0.1/demo.whl")));
            SG_VERIFY_OK(watch.begins(good));
            watch.ended(good, Error{ Errc::Io, "no room" });
        }
        const auto log = audit::AuditLog::open(folder / "audit.sqlite", audit::AuditLog::Access::Read);
        SG_VERIFY_OK(log);
        const auto rows = (*log)->read({});
        SG_VERIFY_OK(rows);
        std::string told;
        for (const audit::AuditEntry& row : *rows)
            told += row.kind.text() + ' ' + row.outcome.text() + ' ' + row.subject.substr(0, 4) + ", ";
        QCOMPARE(told,
                 std::string("layer started 0123, egress denied file, layer ok 0123, layer denied 0123, "
                             "layer started 0123, "
                             "layer error 0123, "));
        QCOMPARE(rows->front().details["hosts"], Value::list({ "index.test:8080" }));
        QCOMPARE(rows->front().details["addresses"], Value::list({ "https://1.1.1.1/demo.whl" }));
        QCOMPARE(rows->back().details["error"], Value("no room"));
        QCOMPARE((*rows)[1].details["layer"], Value("0123456789abcdef0123"));
        QCOMPARE((*rows)[1].details["reason"], Value("files.test leads to 10.0.0.1"));
    }

    void nothingIsInstalledUnaudited()
    {
        const test::TempDir folder;
        folder.write("audit.sqlite", "no database");
        audit::AuditWriter audit(folder / "audit.sqlite");
        QVERIFY(!installWatch(&audit).begins(installation("https://1.1.1.1/demo.whl")));
        QVERIFY(!installWatch(&audit).asks(installation("https://1.1.1.1/demo.whl"), {}));
        SG_VERIFY_OK(installWatch(nullptr).begins(installation("https://1.1.1.1/demo.whl")));
    }
};

SG_TEST(TestLayerInstalls)
#include "tst_layer_installs.moc"
