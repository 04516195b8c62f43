// A history read in pages says what one that is read at once says.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/history/history_pages.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;
using history::HistoryPages;

namespace {

class Stored {
public:
    Stored()
        : m_database(std::move(*Database::open(file(), Database::Access::ReadWrite)))
    {
    }
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "c.sqlite"; }
    history::History& history() { return m_database->history(); }
    std::unique_ptr<HistoryPages> pages() const
    {
        auto opened = HistoryPages::open(file());
        return opened ? std::make_unique<HistoryPages>(std::move(*opened)) : nullptr;
    }

    CheckpointId add(std::int64_t step, const std::optional<CheckpointId>& parent, const std::string& next,
                     const std::string& ns = {})
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(step));
        made.timestamp = "2026-01-01T00:00:0" + std::to_string(step % 10) + "+00:00";
        made.channelValues.set("n", Value(step));
        made.channelVersions.set("n", Value(step + 1));
        if (!next.empty()) {
            made.channelValues.set("branch:to:" + next, Value());
            made.channelVersions.set("branch:to:" + next, Value(step + 1));
        }
        if (!m_database->store().put({ ThreadId("t"), ns, made.id }, parent, made,
                                     { step < 0 ? "input" : "loop", step, {}, {} }))
            qFatal("not stored");
        return made.id;
    }
    void write(const CheckpointId& at, const std::string& node, const std::string& channel,
               const Value& value)
    {
        checkpoint::PendingWrite write;
        write.taskId = TaskId("task-" + node + at.value);
        write.taskPath = "~__pregel_pull, " + node;
        write.channel = channel;
        write.value = value;
        if (!m_database->store().putWrites({ ThreadId("t"), "", at }, { write }))
            qFatal("not written");
    }
    void record(const CheckpointId& at, const std::string& node, std::int64_t attempt,
                const std::string& outcome)
    {
        checkpoint::TaskRecord task;
        task.checkpoint = { ThreadId("t"), "", at };
        task.task = TaskId("task-" + node + at.value);
        task.node = NodeId(node);
        task.attempt = attempt;
        task.startedAt = m_clock.now() + std::chrono::milliseconds(attempt * 10);
        task.seconds = 0.5;
        task.outcome = taskOutcomeNamed(outcome);
        if (!m_database->log().addTasks({ task }))
            qFatal("not recorded");
    }
    void damage(const CheckpointId& id) const
    {
        auto db = sqlite::Db::open(file());
        auto statement = db->prepare("UPDATE checkpoints SET checkpoint = x'c1c1' WHERE checkpoint_id = ?");
        statement->bind(1, id.value);
        if (!statement->step())
            qFatal("not damaged");
    }

    // A run of `count` supersteps with a fork in the middle.
    std::vector<CheckpointId> fill(int count)
    {
        std::vector<CheckpointId> ids;
        for (int i = 0; i < count; ++i) {
            const bool forks = i == count / 2;
            std::optional<CheckpointId> parent;
            if (!ids.empty())
                parent = forks ? ids[static_cast<std::size_t>(count / 4)] : ids.back();
            ids.push_back(add(i - 1, parent, i % 3 == 0 ? "a" : "b"));
            write(ids.back(), i % 3 == 0 ? "a" : "b", "n", Value(i));
        }
        return ids;
    }

private:
    test::TempDir m_folder;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::unique_ptr<Database> m_database;
};

std::string nodesText(const std::vector<NodeId>& nodes)
{
    std::string all;
    for (const NodeId& node : nodes)
        all += (all.empty() ? "" : ",") + node.value;
    return all;
}

QString textOf(const history::CheckpointRow& row)
{
    return QString::fromStdString(row.id.value + "<" + (row.parent ? row.parent->value : "") + " "
                                  + std::to_string(row.step) + row.source.text() + " " + nodesText(row.after)
                                  + "→" + nodesText(row.next) + " " + row.createdAt);
}

QString textOf(const history::TaskRow& row)
{
    return QString::fromStdString(row.checkpoint.value + " " + row.task.value + " " + row.node.value + " "
                                  + taskOutcomeName(row.outcome) + " " + std::to_string(row.attempts) + " "
                                  + row.triedAt + " " + row.error);
}

template<typename Row>
QStringList textsOf(const std::vector<Row>& rows)
{
    QStringList texts;
    for (const Row& row : rows)
        texts << textOf(row);
    return texts;
}

} // namespace

class TestHistoryPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesAddUpToTheWhole_data()
    {
        QTest::addColumn<int>("limit");
        for (const int limit : { 1, 3, 10, 39, 40, 41, 1000 })
            QTest::addRow("%d", limit) << limit;
    }
    void pagesAddUpToTheWhole()
    {
        QFETCH(int, limit);
        Stored stored;
        const auto ids = stored.fill(40);
        stored.record(ids[5], "b", 1, "failed");
        stored.record(ids[5], "b", 2, "done");
        stored.write(ids[39], "c", "__error__", Value("no"));
        const auto pages = stored.pages();
        QVERIFY(pages);
        std::vector<history::CheckpointRow> rows;
        std::vector<history::TaskRow> tasks;
        std::optional<CheckpointId> after;
        for (bool isLast = false; !isLast;) {
            auto page = pages->page(ThreadId("t"), "", after, limit);
            QVERIFY2(page, page ? "" : page.error().message.c_str());
            isLast = page->isLast;
            QVERIFY(isLast || std::ssize(page->checkpoints) == limit);
            if (!page->checkpoints.empty())
                after = page->checkpoints.back().id;
            std::ranges::copy(page->checkpoints, std::back_inserter(rows));
            std::ranges::copy(page->tasks, std::back_inserter(tasks));
        }
        auto whole = *stored.history().checkpoints(ThreadId("t"));
        std::ranges::reverse(whole);
        QCOMPARE(textsOf(rows), textsOf(whole));
        auto wholeTasks = *stored.history().tasks(ThreadId("t"));
        QCOMPARE(textsOf(tasks), textsOf(wholeTasks));
    }

    void theNewestAreAPart()
    {
        Stored stored;
        stored.fill(40);
        const auto pages = stored.pages();
        const auto page = pages->newest(ThreadId("t"), "", 7);
        QVERIFY(page);
        QVERIFY(page->isLast);
        auto whole = *stored.history().checkpoints(ThreadId("t"), "", 7);
        std::ranges::reverse(whole);
        QCOMPARE(textsOf(page->checkpoints), textsOf(whole));
        QCOMPARE(*pages->count(ThreadId("t"), ""), std::int64_t(40));
        QCOMPARE(pages->newest(ThreadId("none"), "", 7)->checkpoints.size(), std::size_t(0));
    }

    void namesWhereSubgraphsRan()
    {
        Stored stored;
        stored.fill(3);
        for (const char* ns : { "plan:1", "plan:1|inner:2", "plan:7" })
            for (int i = 0; i < 3; ++i)
                stored.add(i, std::nullopt, {}, ns);
        const auto pages = stored.pages();
        QCOMPARE(*pages->namespaces(ThreadId("t"), 10),
                 (std::vector<std::string>{ "plan:1", "plan:1|inner:2", "plan:7" }));
        QCOMPARE(pages->namespaces(ThreadId("t"), 2)->size(), std::size_t(2));
        QCOMPARE(pages->page(ThreadId("t"), "plan:7", {}, 10)->checkpoints.size(), std::size_t(3));
    }

    void aDamagedCheckpointIsShownWithItsProblem()
    {
        Stored stored;
        const auto ids = stored.fill(4);
        stored.damage(ids[2]);
        const auto page = stored.pages()->page(ThreadId("t"), "", {}, 10);
        QVERIFY(page);
        QCOMPARE(page->checkpoints.size(), std::size_t(4));
        QVERIFY(!page->checkpoints[2].problem.empty());
        QCOMPARE(page->checkpoints[2].parent->value, ids[1].value);
        QVERIFY(page->checkpoints[3].problem.empty());
    }
};

SG_TEST(TestHistoryPages)
#include "tst_history_pages.moc"
