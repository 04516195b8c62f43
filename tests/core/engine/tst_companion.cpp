#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <atomic>
#include <mutex>

using namespace sg;
using namespace sg::test;
using checkpoint::CheckpointRef;

// A companion of a thread's state is asked at the right moments, and stored with the checkpoints or not at
// all.
class TestCompanion final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isAskedForEachCheckpoint();
    void hearsOfFinishedTasksAndOfTheEndWithinASuperstep();
    void isToldWhetherFinishedTasksCount();
    void anErrorAtTheBeginEndsTheRun();
    void isStoredInTheCheckpointsOwnTransaction_data();
    void isStoredInTheCheckpointsOwnTransaction();
};

namespace {

// Writes down what it is asked; what it stores is the text alone.
class Notes final : public engine::Companion {
public:
    Result<void> begins(const std::optional<CheckpointRef>& loaded, bool goesOn) override
    {
        add(std::string("begins") + (loaded ? " at one" : "") + (goesOn ? " goes on" : ""));
        return beginError.empty() ? Result<void>() : Error{ Errc::Conflict, beginError };
    }
    Save checkpointDue(const CheckpointRef& made) override
    {
        return saving(made.ns.empty() ? "checkpoint" : "nested");
    }
    Save taskDone(const TaskId&) override { return saving("done"); }
    Save superstepLeft() override { return saving("left"); }

    std::string text()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_text, {});
    }
    std::string beginError;
    int failsAt = 0; // the save of that number fails
    std::atomic<int> stored = 0;

private:
    void add(const std::string& what)
    {
        const std::lock_guard lock(m_mutex);
        m_text += (m_text.empty() ? "" : ", ") + what;
    }
    Save saving(const std::string& what)
    {
        add(what);
        return [this]() -> Result<void> {
            if (++stored == failsAt)
                return Error{ Errc::Io, "there is no room for it" };
            return {};
        };
    }
    std::mutex m_mutex;
    std::string m_text;
};

struct Beside {
    explicit Beside(const std::string& graph, FunctionNodes functions = {})
        : nodes(std::move(functions))
    {
        auto opened = checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
        auto program = engine::compile(graphFromText(graph), nodes);
        if (!opened || !program)
            qFatal("the test's graph or store");
        store = std::move(*opened);
        engine = std::make_unique<engine::Engine>(
            *std::move(program), engine::Services{ store.get(), clock, random, &pool, &notes });
        options.thread = ThreadId("t");
    }
    engine::RunResult run(const engine::RunInput& input = engine::RunInput::input(json(R"({"x": 1})")))
    {
        return engine->run(input, options, {});
    }
    std::size_t checkpoints()
    {
        checkpoint::CheckpointQuery query;
        query.thread = ThreadId("t");
        std::size_t count = 0;
        const auto listed = store->list(query, [&](const auto&) {
            ++count;
            return true;
        });
        return listed ? count : 0;
    }

    TempDir folder;
    FunctionNodes nodes;
    FakeClock clock;
    CountingRandom random;
    ThreadPool pool{ 2 };
    Notes notes;
    std::unique_ptr<checkpoint::CheckpointStore> store;
    std::unique_ptr<engine::Engine> engine;
    engine::RunOptions options;
};

} // namespace

void TestCompanion::isAskedForEachCheckpoint()
{
    Beside beside("start -> a -> b -> end");
    QVERIFY(beside.run().status == RunStatus::Done);
    QCOMPARE(beside.notes.text(),
             std::string("begins, checkpoint, done, checkpoint, done, checkpoint, done, checkpoint"));
    QVERIFY(beside.run().status == RunStatus::Done);
    SG_VERIFY_CONTAINS(beside.notes.text(), "begins at one, checkpoint");
}

void TestCompanion::hearsOfFinishedTasksAndOfTheEndWithinASuperstep()
{
    FunctionNodes nodes({ { "b", [](engine::TaskContext&) { return failedWith("ValueError", "no"); } } });
    Beside beside("start -> a -> end; start -> b -> end", std::move(nodes));
    QVERIFY(beside.run().status == RunStatus::Failed);
    const std::string text = beside.notes.text();
    SG_VERIFY_CONTAINS(text, "done");
    QVERIFY2(text.ends_with(", left"), text.c_str());
}

void TestCompanion::isToldWhetherFinishedTasksCount()
{
    bool fails = true;
    FunctionNodes nodes({ { "b", [&](engine::TaskContext&) {
                               return fails ? failedWith("ValueError", "no")
                                            : returned(json(R"({"log": ["b"]})"));
                           } } });
    Beside beside("start -> a -> b -> end", std::move(nodes));
    QVERIFY(beside.run().status == RunStatus::Failed);
    fails = false;
    beside.notes.text();
    QVERIFY(beside.run(engine::RunInput::goOn()).status == RunStatus::Done);
    SG_VERIFY_CONTAINS(beside.notes.text(), "begins at one goes on");
}

void TestCompanion::anErrorAtTheBeginEndsTheRun()
{
    Beside beside("start -> a -> end");
    beside.notes.beginError = "the sandbox cannot be had";
    const engine::RunResult result = beside.run();
    QVERIFY(result.status == RunStatus::Failed);
    SG_VERIFY_CONTAINS(result.error, "the sandbox cannot be had");
    QCOMPARE(beside.checkpoints(), std::size_t(0));
}

void TestCompanion::isStoredInTheCheckpointsOwnTransaction_data()
{
    QTest::addColumn<engine::Durability>("durability");
    QTest::newRow("sync") << engine::Durability::Sync;
    QTest::newRow("async") << engine::Durability::Async;
}

void TestCompanion::isStoredInTheCheckpointsOwnTransaction()
{
    QFETCH(const engine::Durability, durability);
    Beside whole("start -> a -> b -> end");
    whole.options.durability = durability;
    QVERIFY(whole.run().status == RunStatus::Done);
    const int saves = whole.notes.stored;
    const std::size_t all = whole.checkpoints();
    QVERIFY(saves >= static_cast<int>(all));
    for (int at = 1; at <= saves; ++at) {
        Beside beside("start -> a -> b -> end");
        beside.options.durability = durability;
        beside.notes.failsAt = at;
        const engine::RunResult result = beside.run();
        QVERIFY2(result.status == RunStatus::Failed, std::to_string(at).c_str());
        SG_VERIFY_CONTAINS(result.error, "there is no room for it");
        // The checkpoint that it goes with is not there either, and none behind it.
        QVERIFY2(beside.checkpoints() < all, std::to_string(at).c_str());
    }
}

SG_CORE_TEST(TestCompanion)
#include "tst_companion.moc"
