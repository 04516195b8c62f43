// A fork begins with its base's sandbox; every checkpoint that was there before keeps its own.

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/rewind/snapshot_storage.h"
#include "core/workbench/workbench.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <map>

using namespace sg;
using namespace sg::history;
using namespace sg::projects;
using namespace sg::rewind;
using namespace sg::runs;
using namespace sg::workbench;

namespace {

const ThreadId kThread("t");
using Bound = std::map<std::string, std::string>; // checkpoint → snapshot

// A thread of which each checkpoint has a snapshot of its own.
class Project {
public:
    Project()
    {
        m_folder.write(
            "g.graph.json",
            R"({"format": 1, "state": {"n": {}}, "nodes": [{"name": "a", "kind": "jq", "jq": "{n: (.n + 1)}"}],
                           "edges": [["__start__", "a"]], "branches": [{"from": "a", "jq": ".n < 4", "targets": {"true": "a", "false": "__end__"}}]})");
        open();
        RunRequest request;
        request.thread = kThread;
        request.input = engine::RunInput::input(Value::map({ { "n", 0 } }));
        const auto run = m_project->runs().start(request);
        if (!run)
            qFatal("%s", run.error().message.c_str());
        m_project->runs().wait(*run);
        const std::vector<CheckpointRow> made = rows();
        const std::filesystem::path file = m_project->project().checkpoints;
        m_project.reset(); // it alone writes while it is open
        {
            const auto store = checkpoint::openSqliteCheckpointStore(file);
            for (const CheckpointRow& row : made) {
                sessions::Snapshot snapshot;
                snapshot.id = SnapshotId("of " + row.id.value);
                snapshot.files = std::make_shared<const sessions::FileMap>();
                SG_VERIFY_OK(keepSnapshot(*(*store)->snapshotLog(), kThread, snapshot));
                SG_VERIFY_OK(
                    (*store)->snapshotLog()->bind({ { kThread, "", row.id }, false, snapshot.id, {} }));
            }
        }
        open();
    }
    std::vector<CheckpointRow> rows() { return *m_project->history().checkpoints(kThread); }
    Bound bound()
    {
        Bound found;
        const auto marks = m_project->snapshots()->marks(kThread);
        for (const CheckpointMark& each : *marks)
            found[each.checkpoint.id.value] = each.mark.snapshot.value;
        return found;
    }
    Workbench* operator->() { return m_project.get(); }

private:
    void open()
    {
        WorkbenchOptions options;
        options.project = *locateProject(m_folder / "g.graph.json");
        m_project = std::move(*Workbench::open(std::move(options)));
    }

    test::TempDir m_folder;
    std::unique_ptr<Workbench> m_project;
};

engine::StateUpdate edit(const char* how)
{
    if (std::string_view(how) == "changed")
        return { Value::map({ { "n", 2 } }), std::nullopt };
    return {};
}

} // namespace

class TestForkSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void othersKeepTheirs_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("back"); // from the newest
        QTest::addColumn<bool>("fresh");
        for (const char* how : { "as it is", "changed", "again" })
            for (const int back : { 1, 3 })
                for (const bool fresh : { false, true })
                    QTest::addRow("%s, %d back%s", how, back, fresh ? ", fresh" : "") << how << back << fresh;
        QTest::newRow("from the first") << "changed" << -1 << false;
    }
    void othersKeepTheirs()
    {
        QFETCH(QString, how);
        QFETCH(int, back);
        QFETCH(bool, fresh);
        Project project;
        const Bound before = project.bound();
        const auto rows = project.rows();
        const CheckpointId base = rows[back < 0 ? rows.size() - 1 : static_cast<std::size_t>(back)].id;
        const engine::StateAddress at{ kThread, "", base };
        const SandboxChoice choice = fresh ? SandboxChoice::Fresh : SandboxChoice::Restore;
        const auto made = how == QLatin1String("again")
            ? project->states().forkToRerun(at, { NodeId("a") }, choice)
            : project->states().fork(at, edit(qPrintable(how)), choice);
        SG_VERIFY_OK(made);
        Bound after = project.bound();
        QCOMPARE(after.at(made->checkpoint.value), fresh ? std::string() : "of " + base.value);
        for (const auto& [checkpoint, snapshot] : before)
            QCOMPARE(after.at(checkpoint), snapshot);
    }
};

SG_CORE_TEST(TestForkSnapshots)
#include "tst_fork_snapshots.moc"
