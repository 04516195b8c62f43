// Where a value came from, on a history of made checkpoints.

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/workbench/value_trace.h"
#include "tests/support/qtest_std.h"

using namespace sg;
using workbench::ValueOrigin;

namespace {

const ThreadId kThread("t");

class Stored {
public:
    // The state that the superstep made, and who wrote `channel` to make it.
    void add(const std::string& state, const std::string& channel, const std::string& node,
             const std::string& source = "loop")
    {
        checkpoint::Checkpoint made;
        made.id = CheckpointId(m_ids.next(m_step));
        made.timestamp = "2026-01-01T00:00:00+00:00";
        made.channelValues = parseJson(state)->asMap();
        m_versions.set(channel, Value(m_step + 1));
        made.channelVersions = m_versions;
        const std::optional<CheckpointId> parent = way.empty() ? std::nullopt : std::optional(way.front());
        if (parent && !node.empty()) {
            checkpoint::PendingWrite write;
            write.taskId = TaskId("task " + std::to_string(m_step));
            write.taskPath = "~__pregel_pull, " + node;
            write.channel = channel;
            write.value = Value(1);
            QVERIFY(store->putWrites({ kThread, "", *parent }, { write }));
        }
        QVERIFY(store->put({ kThread, "", made.id }, parent, made, { source, m_step, {}, {} }));
        ++m_step;
        way.insert(way.begin(), made.id);
    }

    std::string traced(const std::string& pointer, std::size_t limit = 10)
    {
        const auto trace = workbench::traceValue(*store, kThread, way, pointer, limit);
        if (!trace)
            return trace.error().message;
        std::string text;
        for (const ValueOrigin& origin : trace->origins) {
            text += std::to_string(origin.step) + ":" + (origin.isMissing ? "-" : toJson(origin.value));
            for (const NodeId& node : origin.writtenBy)
                text += " by " + node.value;
            text += "; ";
        }
        return text + (trace->isWhole ? "." : "…");
    }

    std::unique_ptr<checkpoint::CheckpointStore> store = checkpoint::makeMemoryCheckpointStore();
    std::vector<CheckpointId> way; // newest first

private:
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    ValueMap m_versions;
    std::int64_t m_step = 0;
};

} // namespace

class TestValueTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsAValueBack_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("origins");
        QTest::newRow("a channel") << "/n"
                                   << "3:2 by twice; 0:1; .";
        QTest::newRow("untouched") << "/m"
                                   << "1:{\"a\":5} by first; .";
        QTest::newRow("an entry that stayed") << "/list/0"
                                              << "2:\"x\" by add; .";
        QTest::newRow("an item") << "/list/1"
                                 << "4:\"y\" by add; .";
        QTest::newRow("never there") << "/list/7"
                                     << "0:-; .";
        QTest::newRow("no channel") << "/nothing"
                                    << "0:-; .";
        QTest::newRow("no pointer")
            << "n"
            << "'n' names no channel: write it as a JSON pointer, such as /messages/3";
    }
    void followsAValueBack()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, origins);
        Stored stored;
        stored.add("{\"n\":1}", "n", "", "input");
        stored.add("{\"n\":1,\"m\":{\"a\":5}}", "m", "first");
        stored.add("{\"n\":1,\"m\":{\"a\":5},\"list\":[\"x\"]}", "list", "add");
        stored.add("{\"n\":2,\"m\":{\"a\":5},\"list\":[\"x\"]}", "n", "twice");
        stored.add("{\"n\":2,\"m\":{\"a\":5},\"list\":[\"x\",\"y\"]}", "list", "add");
        QCOMPARE(QString::fromStdString(stored.traced(pointer.toStdString())), origins);
    }

    void tellsAtMostWhatIsAskedFor()
    {
        Stored stored;
        for (int i = 0; i < 5; ++i)
            stored.add("{\"n\":" + std::to_string(i) + "}", "n", "count");
        QCOMPARE(stored.traced("/n", 2), std::string("4:4 by count; 3:3 by count; …"));
        QCOMPARE(stored.traced("/n", 5),
                 std::string("4:4 by count; 3:3 by count; 2:2 by count; 1:1 by count; 0:0; ."));
    }

    void readsLittleOfALongHistory()
    {
        Stored stored;
        stored.add("{\"old\":1}", "old", "", "input");
        for (int i = 0; i < 3000; ++i)
            stored.add("{\"old\":1,\"n\":0}", "n", "count");
        QBENCHMARK_ONCE
        {
            QCOMPARE(stored.traced("/old"), std::string("0:1; ."));
        }
    }

    void pointersAreUnescaped()
    {
        using Tokens = std::vector<std::string>;
        QCOMPARE(workbench::pointerTokens("/a~1b/~0/0").value(), (Tokens{ "a/b", "~", "0" }));
        QCOMPARE(workbench::pointerTokens("").value(), Tokens());
        QVERIFY(!workbench::pointerTokens("/a~2"));
        QVERIFY(!workbench::pointerTokens("a"));
    }
};

QTEST_APPLESS_MAIN(TestValueTrace)
#include "tst_value_trace.moc"
