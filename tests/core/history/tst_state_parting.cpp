// Where two ways' states part, said as the values of "n" along each.

#include "core/base/clock.h"
#include "core/base/uuid.h"
#include "core/history/database.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;

class TestStateParting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder.emplace();
        m_database = std::move(*Database::open(*m_folder / "c.sqlite", Database::Access::ReadWrite));
    }

    void parts_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<int>("place"); // -1: nowhere
        QTest::newRow("equal") << "1 2 3"
                               << "1 2 3" << -1;
        QTest::newRow("one is longer") << "1 2"
                                       << "1 2 3" << -1;
        QTest::newRow("at once") << "1 2"
                                 << "2 2" << 0;
        QTest::newRow("in the middle, and alike again") << "1 2 3 4"
                                                        << "1 9 3 4" << 1;
        QTest::newRow("nothing") << ""
                                 << "1" << -1;
    }
    void parts()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(int, place);
        const auto left = way("a", a);
        const auto right = way("b", b);
        const auto found = m_database->history().parting({ ThreadId("a"), left }, { ThreadId("b"), right });
        SG_VERIFY_OK(found);
        QCOMPARE(found->has_value() ? static_cast<int>(**found) : -1, place);
    }

    void whatIsOnBothIsNotRead()
    {
        const auto shared = way("a", QStringLiteral("1 2"));
        damage(shared[1]);
        const history::ThreadWay same{ ThreadId("a"), shared };
        const auto found = m_database->history().parting(same, same);
        SG_VERIFY_OK(found);
        QVERIFY(!found->has_value());
    }

    void whatCannotBeReadDiffers()
    {
        const auto left = way("a", QStringLiteral("1 2 3"));
        const auto right = way("b", QStringLiteral("1 2 3"));
        damage(right[1]);
        const auto found = m_database->history().parting({ ThreadId("a"), left }, { ThreadId("b"), right });
        SG_VERIFY_OK(found);
        QCOMPARE(found->value_or(99), std::size_t(1));
    }

private:
    std::vector<CheckpointId> way(const std::string& thread, const QString& values)
    {
        std::vector<CheckpointId> ids;
        for (const QString& value : values.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            checkpoint::Checkpoint checkpoint;
            const auto step = static_cast<std::int64_t>(ids.size());
            checkpoint.id = CheckpointId(m_ids.next(step));
            checkpoint.timestamp = "2026-01-01T00:00:00+00:00";
            checkpoint.channelValues.set("n", Value(value.toInt()));
            const checkpoint::CheckpointRef ref{ ThreadId(thread), "", checkpoint.id };
            const auto parent = ids.empty() ? std::nullopt : std::optional(ids.back());
            if (!m_database->store().put(ref, parent, checkpoint, { "loop", step, {}, {} }))
                qFatal("not stored");
            ids.push_back(checkpoint.id);
        }
        return ids;
    }

    void damage(const CheckpointId& id)
    {
        auto db = sqlite::Db::open(*m_folder / "c.sqlite");
        auto statement = db->prepare("UPDATE checkpoints SET checkpoint = x'c1c1' WHERE checkpoint_id = ?");
        statement->bind(1, id.value);
        if (!statement->step())
            qFatal("not damaged");
    }

    std::optional<test::TempDir> m_folder;
    SystemClock m_clock;
    SystemRandom m_random;
    Uuid6Source m_ids{ m_clock, m_random };
    std::unique_ptr<Database> m_database;
};

SG_TEST(TestStateParting)
#include "tst_state_parting.moc"
