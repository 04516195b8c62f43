// Calls of models are read from the rows of a thread.

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/history/usage_book.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;
using history::UsageBook;

namespace {

class Stored {
public:
    Stored()
        : m_database(std::move(*Database::open(file(), Database::Access::ReadWrite)))
    {
    }
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "c.sqlite"; }
    [[nodiscard]] std::filesystem::path prices() const { return m_folder / "prices.json"; }
    history::History& history() { return m_database->history(); }

    CheckpointId add(std::int64_t step, const std::optional<CheckpointId>& parent = {})
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(step));
        made.timestamp = isoTime(m_clock.now());
        if (!m_database->store().put({ ThreadId("t"), "", made.id }, parent, made, { "loop", step, {}, {} }))
            qFatal("not stored");
        return made.id;
    }
    void write(const CheckpointId& at, const std::string& ns, const std::string& task,
               const std::string& node, const std::string& message)
    {
        checkpoint::PendingWrite write;
        write.taskId = TaskId(task);
        write.taskPath = "~__pregel_pull, " + node;
        write.channel = "messages";
        write.value = *parseJson(message);
        if (!m_database->store().putWrites({ ThreadId("t"), ns, at }, { write }))
            qFatal("not written");
    }
    void task(const CheckpointId& at, const std::string& task, const std::string& node, double seconds)
    {
        checkpoint::TaskRecord record;
        record.checkpoint = { ThreadId("t"), "", at };
        record.task = TaskId(task);
        record.node = NodeId(node);
        record.attempt = 1;
        record.startedAt = m_clock.now();
        record.seconds = seconds;
        record.outcome = TaskOutcome::Done;
        if (!m_database->log().addTasks({ record }))
            qFatal("not recorded");
    }

private:
    test::TempDir m_folder;
    std::unique_ptr<Database> m_database;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
};

std::string message(const char* id, int tokens)
{
    return R"([{"id": ")" + std::string(id) + R"(", "usage_metadata": {"input_tokens": )"
        + std::to_string(tokens) + R"(, "output_tokens": 1}, "response_metadata": {"model_name": "m"}}])";
}

} // namespace

class TestUsageBook : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatTasksWrote()
    {
        Stored stored;
        const CheckpointId a = stored.add(0);
        const CheckpointId b = stored.add(1, a);
        stored.write(a, "", "t1", "plan", message("m1", 10));
        stored.task(a, "t1", "plan", 2);
        UsageBook book(stored.history(), stored.file(), stored.prices());
        auto roll = book.of(ThreadId("t"), b.value);
        QVERIFY2(roll, roll ? "" : roll.error().message.c_str());
        QCOMPARE(roll->total.input, 10);
        QCOMPARE(roll->nodes.front().name, std::string("plan"));
        QCOMPARE(roll->total.seconds.value_or(0), 2.0);
        QVERIFY(!roll->total.cost); // nobody has said a price
        QCOMPARE(book.of(ThreadId("t"), a.value)->total.calls, 0);

        // A call inside of a node is that node's, and is not counted again when the node hands it on.
        stored.write(b, "act:t2", "inner", "llm", message("m2", 5));
        stored.write(b, "", "t2", "act", message("m2", 5));
        stored.task(b, "t2", "act", 3);
        usage::Prices prices;
        prices.rows = { { "m", 1'000'000, 0, "2026-01-31" } };
        QVERIFY(book.keepPrices(prices));
        roll = book.of(ThreadId("t"), "");
        QCOMPARE(roll->total.calls, 2);
        QCOMPARE(roll->nodes.back().name, std::string("act"));
        QCOMPARE(roll->nodes.back().seconds.value_or(0), 3.0);
        QCOMPARE(roll->total.cost.value_or(0), 15.0);
        QCOMPARE(book.threads()->front().name, std::string("t"));
    }

    void isStopped()
    {
        Stored stored;
        stored.write(stored.add(0), "", "t1", "plan", message("m1", 10));
        UsageBook book(stored.history(), stored.file(), stored.prices());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(book.threads(stop.get_token()).error().code, Errc::Cancelled);
        QCOMPARE(book.of(ThreadId("t"), "", stop.get_token()).error().code, Errc::Cancelled);
        QCOMPARE(book.threads()->front().calls, 1);
    }

    void saysWhichPriceIsWrong()
    {
        Stored stored;
        stored.add(0);
        std::ofstream(stored.prices()) << R"({"models": {"m": {"input": "much"}}})";
        UsageBook book(stored.history(), stored.file(), stored.prices());
        const auto roll = book.of(ThreadId("t"), "");
        QVERIFY(!roll);
        QVERIFY2(QString::fromStdString(roll.error().message).contains(QStringLiteral("price of 'm'")),
                 roll.error().message.c_str());
    }
};

SG_TEST(TestUsageBook)
#include "tst_usage_book.moc"
