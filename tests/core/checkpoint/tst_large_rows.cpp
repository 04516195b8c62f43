// A look at a history reads of large rows what it shows, and nothing else changes by that.

#include "core/base/uuid.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/checkpoint/thread_outline.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <random>

using namespace sg;
using namespace sg::checkpoint;

namespace {

constexpr std::size_t kLarge = (1U << 20) + 1;

// Values of every kind that MessagePack has, with lengths at the borders of their forms.
Value anyValue(std::mt19937& engine, int depth)
{
    const auto chance = [&engine](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(engine);
    };
    static constexpr std::array<std::size_t, 8> kLengths{ 0, 1, 15, 16, 31, 32, 256, 70'000 };
    const std::size_t length = kLengths[chance(kLengths.size() - 1)];
    switch (chance(depth > 0 ? 9 : 7)) {
    case 0: return {};
    case 1: return chance(1) == 1;
    case 2:
        return -static_cast<std::int64_t>(engine() >> 2U) * static_cast<std::int64_t>(engine() >> chance(31));
    case 3: return static_cast<std::int64_t>(engine() >> chance(31)) << chance(30);
    case 4: return 1.5;
    case 5: return std::string(length, 'x');
    case 6: return Bytes{ std::string(length, '\xC1') };
    case 7: return Ext{ 5, std::string(length, '\x93') };
    case 8: {
        ValueList list;
        for (std::size_t i = 0; i < length % 300; ++i)
            list.push_back(anyValue(engine, depth - 1));
        return list;
    }
    default: {
        ValueMap map;
        for (std::size_t i = 0; i < length % 300; ++i)
            map.set(std::to_string(i), anyValue(engine, depth - 1));
        return map;
    }
    }
}

struct Stored {
    Stored()
        : store(std::move(*openSqliteCheckpointStore(folder / "c.sqlite")))
    {
    }

    CheckpointRef add(std::int64_t step, ValueMap values)
    {
        Checkpoint made;
        made.id = CheckpointId("1f0c0000-0000-6000-8000-00000000000" + std::to_string(step));
        made.timestamp = "2026-11-28T10:00:00.000000+00:00";
        made.channelValues = std::move(values);
        for (const char* channel : { "__start__", "text", "branch:to:next", "join:a+b:c" })
            made.channelVersions.set(channel, "0001");
        made.versionsSeen.set("a", ValueMap{ { "text", "0001" } });
        made.updatedChannels = std::vector<std::string>{ "text" };
        const CheckpointRef ref{ ThreadId("t"), "", made.id };
        if (!store->put(ref, std::nullopt, made, { "loop", step, {}, {} }))
            qFatal("not stored");
        return ref;
    }

    CheckpointRecord read(bool isLook) const
    {
        CheckpointQuery query;
        query.isLook = isLook;
        CheckpointRecord found;
        if (!store->list(query, [&](const CheckpointRecord& record) {
                found = record;
                return false;
            }))
            qFatal("not read");
        return found;
    }

    test::TempDir folder;
    std::unique_ptr<CheckpointStore> store;
};

} // namespace

class TestLargeRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLookLeavesLargeValuesOfTheStateOut()
    {
        Stored stored;
        const CheckpointRef ref = stored.add(1,
                                             { { "__start__", std::string(kLarge, 'i') },
                                               { "text", std::string(kLarge, 'x') },
                                               { "n", 1 },
                                               { "branch:to:next", Value() },
                                               { "join:a+b:c", Value::list({ "a" }) } });
        PendingWrite large{ TaskId("1"), "~__pregel_pull, a", 0, "text", std::string(kLarge, 'w'), {} };
        PendingWrite small{ TaskId("1"), "~__pregel_pull, a", 1, "n", 5, {} };
        PendingWrite error{ TaskId("2"), "~__pregel_pull, b", 0, "__error__", std::string(kLarge, 'e'), {} };
        SG_VERIFY_OK(stored.store->putWrites(ref, { large, small }));
        SG_VERIFY_OK(stored.store->putWrites(ref, { error }));

        const CheckpointRecord looked = stored.read(true);
        QCOMPARE(looked.problem, std::string());
        QVERIFY(looked.checkpoint.channelValues.find("text")->isNull());
        QVERIFY(looked.checkpoint.channelValues.find("__start__")->isNull());
        QCOMPARE(*looked.checkpoint.channelValues.find("join:a+b:c"), Value::list({ "a" }));
        QVERIFY(looked.writes[0].value.isNull());
        QCOMPARE(looked.writes[1].value, Value(5));
        QCOMPARE(looked.writes[2].value.asString().size(), kLarge);
        const CheckpointRecord whole = stored.read(false);
        QCOMPARE(whole.checkpoint.channelValues.find("text")->asString().size(), kLarge);
        QCOMPARE(whole.writes[0].value.asString().size(), kLarge);
        QCOMPARE(looked.checkpoint.channelVersions, whole.checkpoint.channelVersions);
        QCOMPARE(looked.checkpoint.versionsSeen, whole.checkpoint.versionsSeen);
        QVERIFY(looked.checkpoint.updatedChannels == whole.checkpoint.updatedChannels);
        QCOMPARE(looked.checkpoint.timestamp, whole.checkpoint.timestamp);
        QCOMPARE(looked.metadata.step, std::int64_t(1));

        const auto threads = stored.store->threads();
        QCOMPARE(threads->front().updatedAt, whole.checkpoint.timestamp);
        auto outline = ThreadOutline::open(stored.folder / "c.sqlite");
        const auto rows = outline->read(ThreadId("t"), "", {}, 10);
        QCOMPARE(rows->front().record.problem, std::string());
        QCOMPARE(rows->front().record.checkpoint.channelVersions, whole.checkpoint.channelVersions);
    }

    void aLookReadsSmallRowsAsTheyAre()
    {
        Stored stored;
        static_cast<void>(stored.add(1, { { "text", "short" } }));
        QCOMPARE(*stored.read(true).checkpoint.channelValues.find("text"), Value("short"));
    }

    void passesOverValuesOfEveryKind()
    {
        std::mt19937 engine(3);
        for (int round = 0; round < 60; ++round) {
            Stored stored;
            ValueMap values{ { "large", std::string(kLarge, 'x') } };
            for (int i = 0; i < 6; ++i)
                values.set("any" + std::to_string(i), anyValue(engine, 3));
            values.set("branch:to:next", anyValue(engine, 1));
            static_cast<void>(stored.add(1, values));
            const CheckpointRecord looked = stored.read(true);
            QCOMPARE(looked.problem, std::string());
            QCOMPARE(*looked.checkpoint.channelValues.find("branch:to:next"), *values.find("branch:to:next"));
            QCOMPARE(looked.checkpoint.channelValues.size(), values.size());
            QCOMPARE(looked.checkpoint.versionsSeen, stored.read(false).checkpoint.versionsSeen);
        }
    }

    void aDamagedRowSaysSoAndHidesNoOther_data()
    {
        QTest::addColumn<std::string>("change");
        QTest::newRow("cut off") << std::string("substr(checkpoint, 1, 1048600)");
        QTest::newRow("cut at its end") << std::string("substr(checkpoint, 1, length(checkpoint) - 1)");
        QTest::newRow("longer") << std::string("CAST(checkpoint || x'c0' AS BLOB)");
        QTest::newRow("no checkpoint") << std::string("zeroblob(2000000)");
        QTest::newRow("a length beyond the end")
            << std::string("CAST(x'81a163dbffffffff' || zeroblob(2000000) AS BLOB)");
        QTest::newRow("more items than bytes")
            << std::string("CAST(x'81a163ddffffffff' || zeroblob(2000000) AS BLOB)");
        QTest::newRow("none") << std::string("NULL");
    }
    void aDamagedRowSaysSoAndHidesNoOther()
    {
        QFETCH(const std::string, change);
        Stored stored;
        static_cast<void>(stored.add(1, { { "text", std::string(kLarge, 'x') } }));
        static_cast<void>(stored.add(2, { { "text", std::string(kLarge, 'x') } }));
        {
            auto db = sqlite::Db::open(stored.folder / "c.sqlite");
            SG_VERIFY_OK(
                db->exec("UPDATE checkpoints SET checkpoint = " + change + " WHERE checkpoint_id LIKE '%1'"));
        }
        std::vector<std::string> problems;
        CheckpointQuery query;
        query.isLook = true;
        SG_VERIFY_OK(stored.store->list(query, [&](const CheckpointRecord& record) {
            problems.push_back(record.problem);
            return true;
        }));
        QCOMPARE(problems.size(), std::size_t(2));
        QCOMPARE(problems[0], std::string());
        QVERIFY(!problems[1].empty());
        auto outline = ThreadOutline::open(stored.folder / "c.sqlite");
        const auto rows = outline->read(ThreadId("t"), "", {}, 10);
        QCOMPARE(rows->size(), std::size_t(2));
        QVERIFY(!(*rows)[0].record.problem.empty());
        QCOMPARE((*rows)[1].record.problem, std::string());
    }
};

SG_TEST(TestLargeRows)
#include "tst_large_rows.moc"
