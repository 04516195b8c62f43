// The audit is told of a session's cells at the right moments.

#include "tests/integration/sessions/session_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <iterator>

using namespace sg;
using namespace sg::test;

namespace {

std::vector<audit::AuditEntry> cellRows(World& world)
{
    const std::lock_guard lock(world.auditMutex);
    std::vector<audit::AuditEntry> found;
    std::ranges::copy_if(world.audited, std::back_inserter(found),
                         [](const audit::AuditEntry& entry) { return entry.kind == audit::Kind::Cell; });
    return found;
}

} // namespace

class TestSessionAudit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCellIsToldBeforeItRuns_data() { everywhere(); }
    void aCellIsToldBeforeItRuns()
    {
        SG_USE_BACKEND();
        const auto session = world.session("told");
        QVERIFY2(session, world.problem.c_str());
        std::string seen; // as it prints
        sessions::CellHandlers handlers;
        handlers.output = [&](const sessions::CellOutput&) {
            for (const audit::AuditEntry& row : cellRows(world))
                seen += row.outcome.text() + ' ';
        };
        const CellResult result = session->runCell("print(1)", {}, {}, handlers, {});
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(seen, std::string("started "));
        const auto rows = cellRows(world);
        QCOMPARE(rows.size(), std::size_t{ 2 });
        QVERIFY(rows[1].outcome == audit::Outcome::Ok);
        QCOMPARE(rows[0].subject, rows[1].subject);
        QCOMPARE(rows[0].details["bytes"], Value(8));
    }
};

SG_CORE_TEST(TestSessionAudit)
#include "tst_session_audit.moc"
