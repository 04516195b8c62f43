// Where a value came from, on a history of made checkpoints.

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/checkpoint/thread_outline.h"
#include "core/history/value_trace.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <map>

using namespace sg;
using history::ValueOrigin;

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
        m_versions.set(channel, versionNow());
        made.channelVersions = m_versions;
        const std::optional<CheckpointId> parent = way.empty() ? std::nullopt : std::optional(way.front());
        if (parent && !node.empty()) {
            checkpoint::PendingWrite write;
            write.taskId = TaskId("task " + std::to_string(m_put));
            write.taskPath = "~__pregel_pull, " + node;
            write.channel = channel;
            write.value = Value(1);
            QVERIFY(store->putWrites({ kThread, "", *parent }, { write }));
        }
        QVERIFY(store->put({ kThread, "", made.id }, parent, made, { source, m_step, {}, {} }));
        ++m_step;
        ++m_put;
        way.insert(way.begin(), made.id);
        m_versionsAt[made.id] = m_versions;
    }

    // Steps that are added next go on from that place of the way, as a branch of their own.
    void goBack(std::size_t place)
    {
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(place));
        m_versions = m_versionsAt[way.front()];
        m_step -= static_cast<std::int64_t>(place);
    }

    std::string traced(const std::string& pointer, std::size_t limit = 10)
    {
        return tracedFrom(way, pointer, limit);
    }

    std::string tracedFrom(const std::vector<CheckpointId>& part, const std::string& pointer,
                           std::size_t limit = 10, checkpoint::ThreadOutline* outline = nullptr)
    {
        const auto trace = history::traceValue(*store, kThread, part, pointer, limit, outline);
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
    bool hasStoredVersions = false; // as in LangGraph's files: no number is given twice

private:
    Value versionNow() const
    {
        return hasStoredVersions ? Value(std::to_string(m_step + 1) + ".0." + std::to_string(m_put))
                                 : Value(m_step + 1);
    }

    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    ValueMap m_versions;
    std::map<CheckpointId, ValueMap> m_versionsAt;
    std::int64_t m_step = 0;
    int m_put = 0;
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

    void findsWhatLiesBehindTheGivenWay()
    {
        Stored stored;
        stored.add("{\"old\":1,\"n\":0}", "old", "", "input");
        for (int i = 1; i < 20; ++i)
            stored.add("{\"old\":1,\"n\":" + std::to_string(i / 5) + "}", "n", "count");
        for (const char* pointer : { "/old", "/n" })
            for (const std::size_t given : { 1, 2, 6 })
                QCOMPARE(stored.tracedFrom({ stored.way.begin(), stored.way.begin() + given }, pointer),
                         stored.traced(pointer));
    }

    // The thread's branches stand between one another, each with a change of its own.
    void findsItInAFileBetweenBranches()
    {
        const test::TempDir folder;
        Stored stored;
        stored.hasStoredVersions = true;
        stored.store = *checkpoint::openSqliteCheckpointStore(folder / "c.sqlite");
        stored.add("{\"kept\":1}", "kept", "", "input");
        for (int i = 0; i < 40; ++i)
            stored.add("{\"kept\":1,\"n\":" + std::to_string(i) + "}", "n", "count");
        const std::vector<CheckpointId> before = stored.way;
        stored.goBack(30); // a branch that changes it
        stored.add("{\"kept\":2}", "kept", "change");
        for (int i = 0; i < 25; ++i)
            stored.add("{\"kept\":2}", "n", "count");
        const std::vector<CheckpointId> changed = stored.way;
        stored.way = before;
        stored.goBack(5); // and one that does not
        for (int i = 0; i < 20; ++i)
            stored.add("{\"kept\":1}", "n", "count");
        auto outline = checkpoint::ThreadOutline::open(folder / "c.sqlite");
        QVERIFY(outline);
        QCOMPARE(stored.tracedFrom({ stored.way.front() }, "/kept", 10, &*outline), std::string("0:1; ."));
        QCOMPARE(stored.tracedFrom({ changed.front() }, "/kept", 10, &*outline),
                 std::string("11:2 by change; 0:1; ."));
        QCOMPARE(stored.tracedFrom({ stored.way.front() }, "/n", 3, &*outline), stored.traced("/n", 3));
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
        QCOMPARE(history::pointerTokens("/a~1b/~0/0").value(), (Tokens{ "a/b", "~", "0" }));
        QCOMPARE(history::pointerTokens("").value(), Tokens());
        QVERIFY(!history::pointerTokens("/a~2"));
        QVERIFY(!history::pointerTokens("a"));
    }
};

SG_TEST(TestValueTrace)
#include "tst_value_trace.moc"
