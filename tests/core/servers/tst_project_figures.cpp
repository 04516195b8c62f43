// Figures of a project's audit log: right at once for a short one, part by part for a long one.

#include "core/servers/artifacts/project_figures.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

namespace {

audit::AuditEntry entry(const char* kind, const char* outcome, Value details = {})
{
    audit::AuditEntry made;
    made.kind = kind;
    made.outcome = outcome;
    made.details = std::move(details);
    return made;
}

} // namespace

class TestProjectFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsWhatWasAudited()
    {
        const test::TempDir folder;
        folder.write("demo.graph.json", "{}");
        const auto project = projects::locateProject(folder.path());
        SG_VERIFY_OK(project);
        std::filesystem::create_directories(project->data);
        auto store = artifacts::openArtifactStore(project->artifacts, project->blobs);
        SG_VERIFY_OK(store);
        servers::ProjectFigures figures(*project, **store);
        SG_VERIFY_CONTAINS(figures.text(), "sandglass_cell_seconds_count 0\n"); // without a log
        auto log = audit::AuditLog::open(project->audit, audit::AuditLog::Access::Append);
        SG_VERIFY_OK(log);
        const auto cell = [](double seconds, const char* error) {
            return Value::map({ { "seconds", seconds }, { "error", error } });
        };
        for (const audit::AuditEntry& each :
             { entry("session", "started"), entry("cell", "started"), entry("cell", "ok", cell(0.25, "")),
               entry("cell", "started"), entry("cell", "error", cell(2, "MemoryError")),
               entry("cell", "timed out", cell(4, "")), entry("egress", "denied"), entry("egress", "allowed"),
               entry("egress", "denied", Value::map({ { "times", 41 } })),
               entry("egress", "failed", Value::map({ { "times", "many" }, { "error", "E" } })),
               entry("session", "ended", Value::map({ { "times", 7 } })), entry("secret", "given") })
            SG_VERIFY_OK((*log)->append(each));
        for (int i = 0; i < 2; ++i) { // the second time nothing is new
            const std::string text = figures.text();
            for (const char* line :
                 { "sandglass_sessions_total{event=\"started\"} 1\n",
                   "sandglass_cells_total{status=\"ok\"} 1\n", "sandglass_cells_total{status=\"error\"} 1\n",
                   "sandglass_limits_hit_total{limit=\"memory\"} 1\n",
                   "sandglass_limits_hit_total{limit=\"time\"} 1\n",
                   "sandglass_egress_decisions_total{decision=\"denied\"} 42\n", // refusals that were told as
                                                                                 // one, too
                   "sandglass_egress_decisions_total{decision=\"failed\"} 1\n",
                   "sandglass_sessions_total{event=\"ended\"} 1\n", "sandglass_secrets_given_total 1\n",
                   "sandglass_cell_seconds_bucket{le=\"0.5\"} 1\n",
                   "sandglass_cell_seconds_bucket{le=\"5\"} 3\n", "sandglass_cell_seconds_count 3\n",
                   "sandglass_cell_seconds_sum 6.25\n", "sandglass_audit_rows_unread 0\n" })
                SG_VERIFY_CONTAINS(text, line);
            QVERIFY(text.find("status=\"started\"") == std::string::npos);
        }
    }

    // Nobody waits for the log of years.
    void aLongLogIsCountedInParts()
    {
        const test::TempDir folder;
        folder.write("demo.graph.json", "{}");
        const auto project = projects::locateProject(folder.path());
        SG_VERIFY_OK(project);
        std::filesystem::create_directories(project->data);
        auto store = artifacts::openArtifactStore(project->artifacts, project->blobs);
        SG_VERIFY_OK(store);
        SG_VERIFY_OK(audit::AuditLog::open(project->audit, audit::AuditLog::Access::Append));
        auto db = sqlite::Db::open(project->audit);
        SG_VERIFY_OK(db);
        SG_VERIFY_OK(db->exec(
            "INSERT INTO sandglass_audit (time, kind, thread_id, run_id, tenant, agent, session_id,"
            " subject, outcome, details, hash) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
            " FROM n WHERE i < 150000) SELECT '', 'cell', '', '', '', '', '', '', 'ok',"
            " '{\"seconds\": 1}', '' FROM n"));
        servers::ProjectFigures figures(*project, **store);
        SG_VERIFY_CONTAINS(figures.text(), "sandglass_audit_rows_unread 50000\n");
        const std::string text = figures.text();
        SG_VERIFY_CONTAINS(text, "sandglass_audit_rows_unread 0\n");
        SG_VERIFY_CONTAINS(text, "sandglass_cell_seconds_count 150000\n");
    }
};

SG_TEST(TestProjectFigures)
#include "tst_project_figures.moc"
