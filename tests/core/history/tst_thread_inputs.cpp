// The inputs of a thread's runs are read from any checkpoint database.

#include "core/history/database.h"
#include "core/history/thread_inputs.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

namespace {

void put(history::Database& database, const char* id, const char* source, ValueMap values)
{
    checkpoint::Checkpoint made;
    made.id = CheckpointId(id);
    made.timestamp = "2026-01-01T00:00:00+00:00";
    made.channelValues = std::move(values);
    if (!database.store().put({ ThreadId("t"), "", made.id }, {}, made, { source, -1, {}, {} }))
        qFatal("not stored");
}

ValueMap given(int value)
{
    ValueMap input;
    input.set("value", Value(value));
    ValueMap values;
    values.set("__start__", Value(std::move(input)));
    return values;
}

} // namespace

class TestThreadInputs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsWhatRunsWereGivenNewestFirst()
    {
        const test::TempDir folder;
        auto database = *history::Database::open(folder / "c.sqlite", history::Database::Access::ReadWrite);
        put(*database, "1ef00000-0000-6000-8000-000000000001", "input", given(1));
        put(*database, "1ef00000-0000-6000-8000-000000000002", "loop", given(9)); // no run began there
        put(*database, "1ef00000-0000-6000-8000-000000000003", "input", {}); // it was given nothing
        put(*database, "1ef00000-0000-6000-8000-000000000004", "input", given(2));
        const auto inputs = history::threadInputs(database->store(), ThreadId("t"), 10);
        QVERIFY(inputs);
        QCOMPARE(inputs->size(), std::size_t(2));
        QCOMPARE((*inputs)[0].values["value"], Value(2));
        QCOMPARE((*inputs)[1].values["value"], Value(1));
        QCOMPARE(history::threadInputs(database->store(), ThreadId("t"), 1)->size(), std::size_t(1));
        QVERIFY(history::threadInputs(database->store(), ThreadId("other"), 10)->empty());
    }
};

SG_TEST(TestThreadInputs)
#include "tst_thread_inputs.moc"
