// One checkpoint that cannot be read hides no other.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;

namespace {

class Stored {
public:
    Stored()
        : m_database(std::move(*Database::open(m_folder / "c.sqlite", Database::Access::ReadWrite)))
    {
    }

    CheckpointId add(const std::string& thread, std::int64_t step, const std::optional<CheckpointId>& parent)
    {
        checkpoint::Checkpoint checkpoint;
        checkpoint.id = CheckpointId(m_ids.next(step));
        checkpoint.timestamp = "2026-01-01T00:00:00+00:00";
        checkpoint.channelValues.set("n", Value(step));
        const checkpoint::CheckpointMetadata metadata{ "loop", step, {}, {} };
        const checkpoint::CheckpointRef ref{ ThreadId(thread), "", checkpoint.id };
        if (!m_database->store().put(ref, parent, checkpoint, metadata))
            qFatal("not stored");
        return checkpoint.id;
    }

    void damage(const CheckpointId& id) const
    {
        auto db = sqlite::Db::open(m_folder / "c.sqlite");
        auto statement = db->prepare("UPDATE checkpoints SET checkpoint = x'c1c1' WHERE checkpoint_id = ?");
        statement->bind(1, id.value);
        if (!statement->step())
            qFatal("not damaged");
    }

    // Gives the checkpoint a type that only another program stores.
    void retype(const CheckpointId& id, const std::string& type) const
    {
        auto db = sqlite::Db::open(m_folder / "c.sqlite");
        auto statement = db->prepare("UPDATE checkpoints SET type = " + type + " WHERE checkpoint_id = ?");
        statement->bind(1, id.value);
        if (!statement->step())
            qFatal("not retyped");
    }

    history::History& history() { return m_database->history(); }

private:
    test::TempDir m_folder;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::unique_ptr<Database> m_database;
};

} // namespace

class TestHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDamagedCheckpointIsShownWithItsProblem()
    {
        Stored stored;
        const CheckpointId first = stored.add("a", 0, std::nullopt);
        const CheckpointId second = stored.add("a", 1, first);
        const CheckpointId third = stored.add("a", 2, second);
        stored.damage(second);
        const auto rows = stored.history().checkpoints(ThreadId("a"));
        QVERIFY(rows);
        QCOMPARE((*rows).size(), std::size_t(3));
        QCOMPARE((*rows)[0].id, third);
        QCOMPARE((*rows)[0].problem, std::string());
        QCOMPARE((*rows)[1].id, second);
        QVERIFY(!(*rows)[1].problem.empty());
        QCOMPARE((*rows)[1].parent->value, first.value);
        QCOMPARE((*rows)[2].step, std::int64_t(0));
        QVERIFY(stored.history().tasks(ThreadId("a")));
    }

    void aDamagedHeadHidesNoOtherThread()
    {
        Stored stored;
        stored.add("whole", 0, std::nullopt);
        stored.damage(stored.add("broken", 0, std::nullopt));
        const auto rows = stored.history().threads();
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        QCOMPARE((*rows).size(), std::size_t(2));
        for (const history::ThreadRow& row : *rows) {
            QVERIFY(row.status == (row.thread.value == "whole" ? RunStatus::Done : RunStatus::Damaged));
            QCOMPARE(row.problem.empty(), row.thread.value == "whole");
        }
    }

    void aHeadOfAnotherTypeHidesNoOtherThread_data()
    {
        QTest::addColumn<QString>("type");
        for (const char* type : { "'pickle'", "NULL", "5" })
            QTest::newRow(type) << type;
    }
    void aHeadOfAnotherTypeHidesNoOtherThread()
    {
        QFETCH(const QString, type);
        Stored stored;
        stored.add("whole", 0, std::nullopt);
        const CheckpointId first = stored.add("other", 0, std::nullopt);
        const CheckpointId head = stored.add("other", 1, first);
        stored.retype(head, type.toStdString());
        const auto rows = stored.history().threads();
        QVERIFY2(rows, rows ? "" : rows.error().message.c_str());
        QCOMPARE((*rows).size(), std::size_t(2));
        for (const history::ThreadRow& row : *rows) {
            QVERIFY(row.status == (row.thread.value == "whole" ? RunStatus::Done : RunStatus::Damaged));
            QCOMPARE(row.problem.empty(), row.thread.value == "whole");
        }
        QCOMPARE(stored.history().checkpoints(ThreadId("other"))->size(), std::size_t(2));
    }
};

SG_TEST(TestHistory)
#include "tst_history.moc"
