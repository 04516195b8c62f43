// A run tells rows of tasks while it goes on, each whole by itself.

#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/live/live_events.h"
#include "ui/bridge/open/project_query.h"

using namespace sg;
using namespace sg::ui;

class TestLiveEvents : public QObject {
    Q_OBJECT

    sg::test::TempDir m_folder;

private Q_SLOTS:
    void aTaskIsTheSameAtItsStartAndItsEnd()
    {
        for (const char* place : { "XDG_RUNTIME_DIR", "XDG_CACHE_HOME" }) {
            const auto folder = m_folder / place;
            std::filesystem::create_directory(folder);
            std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
            qputenv(place, folder.c_str());
        }
        m_folder.write("p/p.graph.json", R"({"format": 1, "name": "p", "state": {"answer": {}},
            "nodes": [{"name": "ask", "kind": "human", "question": "go on?"}], "edges": [["__start__", "ask"]]})");
        auto opened = openWorkbench(QString::fromStdString((m_folder / "p").string()));
        QVERIFY2(opened.value != nullptr, qPrintable(opened.error.what));
        LiveEvents events;
        events.follow(*opened.value);
        std::vector<TaskRow> rows;
        connect(&events, &LiveEvents::tasksChanged, this,
                [&rows](const QString&, const std::vector<TaskRow>& changed) {
                    rows.insert(rows.end(), changed.begin(), changed.end());
                });
        RunStatus status = RunStatus::Unknown;
        connect(&events, &LiveEvents::runFinished, this,
                [&status](const QString&, RunStatus end, const UserError&) { status = end; });
        runs::RunRequest request;
        request.thread = ThreadId("t");
        request.input = engine::RunInput::input(Value(ValueMap()));
        const auto run = opened.value->runs().start(request);
        SG_VERIFY_OK(run);
        const engine::RunResult result = opened.value->runs().wait(*run);
        QVERIFY2(result.status == RunStatus::Interrupted, result.error.c_str());
        QTRY_VERIFY(status == RunStatus::Interrupted);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0].outcome == TaskOutcome::Running);
        QVERIFY(rows[1].outcome == TaskOutcome::Interrupted);
        QVERIFY(!rows[0].checkpoint.isEmpty() && rows[0].startedMs > 0);
        QCOMPARE(rows[1].checkpoint, rows[0].checkpoint);
        QCOMPARE(rows[1].startedMs, rows[0].startedMs);
        // The stored row says the same as the live one.
        const auto stored = readHistory(*opened.value, QStringLiteral("t"), 100);
        QCOMPARE(stored.value.tasks.size(), std::size_t(1));
        QCOMPARE(stored.value.tasks[0].checkpoint, rows[1].checkpoint);
        QCOMPARE(stored.value.tasks[0].outcome, rows[1].outcome);
        QVERIFY(qAbs(stored.value.tasks[0].startedMs - rows[1].startedMs) <= 1); // either rounds it
    }
};

SG_CORE_TEST(TestLiveEvents)
#include "tst_live_events.moc"
