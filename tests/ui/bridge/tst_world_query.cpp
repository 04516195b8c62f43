// Which step changed a file of a session: as far as the checkpoints tell it, and no further.

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/rewind/snapshot_storage.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/world/session_file_query.h"
#include "ui/bridge/world/world_query.h"

#include <algorithm>

using namespace sg;
using namespace sg::ui;

namespace {

const ThreadId kThread("t");

CheckpointId idOf(int step)
{
    return CheckpointId(QStringLiteral("c%1").arg(step, 6, 10, QLatin1Char('0')).toStdString());
}

// A thread of that many checkpoints in a row, with the snapshots that are bound to some of them.
class Thread {
public:
    explicit Thread(int steps)
    {
        m_folder.write("p/p.graph.json",
                       R"({"format": 1, "name": "p", "state": {}, "nodes": [], "edges": []})");
        m_paths = *projects::locateProject(m_folder / "p");
        std::filesystem::create_directories(m_paths.data);
        m_store = std::move(*checkpoint::openSqliteCheckpointStore(m_paths.checkpoints));
        const auto stored = m_store->together([this, steps]() -> Result<void> {
            for (int step = 0; step < steps; ++step) {
                checkpoint::Checkpoint made;
                made.id = idOf(step);
                made.timestamp = "2026-01-01T00:00:00+00:00";
                const auto parent = step > 0 ? std::optional(idOf(step - 1)) : std::nullopt;
                if (auto put = m_store->put(ref(step), parent, made, { "loop", step, {}, {} }); !put)
                    return put;
            }
            return {};
        });
        if (!stored)
            qFatal("%s", stored.error().message.c_str());
    }

    // The file has that content there; empty: no such file.
    void keep(int step, const std::string& content, const std::string& part = {})
    {
        sessions::Snapshot snapshot;
        snapshot.id = SnapshotId("s" + std::to_string(step) + part);
        sessions::FileMap files;
        if (!content.empty())
            files["a.txt"].content = content;
        snapshot.files = std::make_shared<const sessions::FileMap>(std::move(files));
        SG_VERIFY_OK(rewind::keepSnapshot(*m_store->snapshotLog(), kThread, snapshot));
        SG_VERIFY_OK(m_store->snapshotLog()->bind({ ref(step), false, snapshot.id, part }));
    }
    void keepUnused(int step) // the thread's own
    {
        SG_VERIFY_OK(m_store->snapshotLog()->bind({ ref(step), false, {}, {} }));
    }
    void forget(int step)
    {
        SG_VERIFY_OK(m_store->snapshotLog()->remove(SnapshotId("s" + std::to_string(step))));
    }

    void damage(int step)
    {
        SG_VERIFY_OK(m_store->snapshotLog()->put(
            { SnapshotId("s" + std::to_string(step)), kThread, Value("no snapshot") }));
    }

    // By step.
    std::vector<rewind::CheckpointMark> marks()
    {
        workbench::WorkbenchOptions options;
        options.project = m_paths;
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        auto found = (*opened)->snapshots()->marks(kThread);
        if (!found)
            qFatal("%s", found.error().message.c_str());
        std::ranges::sort(*found, {}, [](const auto& each) { return each.checkpoint.id.value; });
        return *found;
    }

    // "c000002"; empty: it is not known.
    QString changeOf()
    {
        workbench::WorkbenchOptions options;
        options.project = m_paths;
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        return checkpointThatChanged(**opened, QStringLiteral("t"), {}, QStringLiteral("a.txt"));
    }

    // Counts the files of that session as they are opened and taken; -1: nothing is known of it.
    int filesOf(const QString& session)
    {
        workbench::WorkbenchOptions options;
        options.project = m_paths;
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        const auto kept = keptAt(**opened, QStringLiteral("t"), {}, session);
        return kept && kept->files ? static_cast<int>(kept->files->size()) : -1;
    }

    WorldView worldOf(const std::optional<QString>& session, int step, int base = -1)
    {
        workbench::WorkbenchOptions options;
        options.project = m_paths;
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        return readWorld(**opened,
                         { QStringLiteral("t"), QString::fromStdString(idOf(step).value), session,
                           base < 0 ? QString() : QString::fromStdString(idOf(base).value) });
    }

private:
    static checkpoint::CheckpointRef ref(int step) { return { kThread, "", idOf(step) }; }

    test::TempDir m_folder;
    projects::ProjectPaths m_paths;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
};

QString named(int step)
{
    return QString::fromStdString(idOf(step).value);
}

} // namespace

class TestWorldQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesTheStepThatChangedTheFile()
    {
        Thread thread(4);
        thread.keep(0, {});
        for (const int step : { 1, 2, 3 })
            thread.keep(step, step == 1 ? "old" : "new");
        QCOMPARE(thread.changeOf(), named(2));
    }

    void namesTheFirstWhereItWasAlwaysThere()
    {
        Thread thread(2);
        for (const int step : { 0, 1 })
            thread.keep(step, "same");
        QCOMPARE(thread.changeOf(), named(0));
    }

    void aSessionThatHadNotBegunHadNoFile()
    {
        Thread thread(3);
        thread.keep(0, {}, "node other");
        for (const int step : { 1, 2 })
            thread.keep(step, "same", "node a");
        QCOMPARE(thread.changeOf(), named(1));
    }

    void whatIsNotKeptIsNotGuessed()
    {
        Thread thread(3);
        for (const int step : { 0, 1, 2 })
            thread.keep(step, step == 0 ? "old" : "new");
        thread.forget(0);
        QCOMPARE(thread.changeOf(), QString());
        Thread unbound(3);
        for (const int step : { 1, 2 })
            unbound.keep(step, "same");
        QCOMPARE(unbound.changeOf(), QString());
    }

    void aGapBetweenEqualsChangesNothing()
    {
        Thread thread(5);
        for (const int step : { 0, 1, 2, 4 }) // 3: somebody edited the state
            thread.keep(step, step == 0 ? "old" : "new");
        QCOMPARE(thread.changeOf(), named(1));
        Thread other(3);
        other.keep(0, "old");
        other.keep(2, "new"); // at 1 or at 2
        QCOMPARE(other.changeOf(), QString());
    }

    // Each is shown; without a choice the first, never a question.
    void ofSeveralSessionsOneIsShown()
    {
        Thread thread(2);
        thread.keep(0, "plan", "node plan");
        thread.keep(1, "plan", "node plan");
        thread.keep(1, "draft", "node writer");
        const WorldView unchosen = thread.worldOf({}, 1);
        QCOMPARE(unchosen.error, QString());
        QCOMPARE(unchosen.session, QStringLiteral("node plan"));
        QCOMPARE(unchosen.sessions,
                 (QStringList{ QStringLiteral("node plan"), QStringLiteral("node writer") }));
        QVERIFY(unchosen.files.size() == 1 && unchosen.files[0].change == WorldChange::Same);
        const WorldView writer = thread.worldOf(QStringLiteral("node writer"), 1);
        QCOMPARE(writer.session, QStringLiteral("node writer"));
        QVERIFY(writer.files.size() == 1 && writer.files[0].change == WorldChange::Added); // it had not begun
        QCOMPARE(thread.worldOf(QStringLiteral("node writer"), 0).session, QStringLiteral("node plan"));
    }

    void noSessionIsTakenForAnother()
    {
        Thread thread(2);
        thread.keepUnused(1);
        thread.keep(1, "plan", "node plan");
        QCOMPARE(thread.filesOf({}), 0);
        QCOMPARE(thread.filesOf(QStringLiteral("node plan")), 1);
        QCOMPARE(thread.filesOf(QStringLiteral("node other")), -1);
    }

    void aDamagedSnapshotHidesNoOtherSession()
    {
        Thread thread(1);
        thread.keep(0, "x");
        thread.keep(0, "y", "node a");
        thread.damage(0);
        const WorldView other = thread.worldOf(QStringLiteral("node a"), 0);
        QCOMPARE(other.error, QString());
        QCOMPARE(other.files.size(), std::size_t(1));
        QCOMPARE(other.sessions, (QStringList{ QString(), QStringLiteral("node a") }));
        const WorldView damaged = thread.worldOf(QString(), 0);
        QVERIFY(!damaged.error.isEmpty());
        QCOMPARE(damaged.sessions, other.sessions); // another can be chosen
    }

    void aDamagedSnapshotTakesNoOthersMarkAway()
    {
        Thread thread(3);
        for (const int step : { 0, 1, 2 })
            thread.keep(step, "x");
        thread.damage(1);
        const auto marks = thread.marks();
        QCOMPARE(marks.size(), std::size_t(3));
        QCOMPARE(marks[0].mark.files, std::int64_t(1));
        QCOMPARE(marks[1].mark.files, std::int64_t(-1));
        QVERIFY(marks[1].mark.kind == rewind::SnapshotMark::Kind::None);
        QVERIFY(QString::fromStdString(marks[1].mark.note).contains(QStringLiteral("cannot be read")));
        QCOMPARE(marks[2].mark.files, std::int64_t(1));
        CheckpointRow row;
        showMark(marks[1].mark, false, row);
        QVERIFY(row.sandbox == SandboxMark::None);
        QVERIFY(row.sandboxNote.startsWith(QStringLiteral("It cannot be read")));
    }

    void whatIsMissingIsNamed()
    {
        rewind::SnapshotMark mark;
        mark.kind = rewind::SnapshotMark::Kind::Stored;
        mark.missing = 1;
        mark.missingNames = { "log" };
        CheckpointRow row;
        showMark(mark, false, row);
        QCOMPARE(row.sandboxNote, QStringLiteral("1 name is missing: log"));
        mark.missing = 12;
        mark.missingNames = { "a", std::string(200, 'b'), "c", "d", "e", "f" };
        mark.note = "files not kept: 4 MB over the cap of 1 MB";
        row = {};
        showMark(mark, false, row);
        QCOMPARE(row.sandboxNote,
                 QStringLiteral("12 names are missing: a, %1…, c, d, e and 7 more. Files not kept: 4 MB over "
                                "the cap of 1 MB")
                     .arg(QString(40, QLatin1Char('b'))));
        row = {};
        showMark({}, false, row); // none
        QCOMPARE(row.sandboxNote, QStringLiteral("Its copy was removed, or never made"));
        row = {};
        showMark(mark, true, row); // it sleeps: all are there
        QVERIFY(!row.sandboxNote.contains(QStringLiteral("missing")));
    }

    void changesAreToldAgainstAnyStep()
    {
        Thread thread(3);
        for (const int step : { 0, 1, 2 })
            thread.keep(step, step == 0 ? "old" : "new");
        const WorldView parent = thread.worldOf({}, 2);
        QVERIFY(!parent.base && parent.files[0].change == WorldChange::Same);
        const WorldView chosen = thread.worldOf({}, 2, 0);
        QCOMPARE(chosen.base, std::optional(0));
        QVERIFY(chosen.files[0].change == WorldChange::Changed);
        QVERIFY(!thread.worldOf({}, 2, 2).base); // itself
    }

    void looksNoFurtherThanItReads()
    {
        constexpr int kSteps = 2003; // more than are looked at
        Thread thread(kSteps);
        for (int step = 0; step < kSteps; ++step)
            thread.keep(step, step == 0 ? "old" : "new");
        QCOMPARE(thread.changeOf(), QString());
    }
};

SG_CORE_TEST(TestWorldQuery)
#include "tst_world_query.moc"
