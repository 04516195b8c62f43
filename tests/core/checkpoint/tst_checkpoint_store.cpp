#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/conformance/checkpoint_store_suite.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::checkpoint;

class TestCheckpointStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memory_data() { addRows(); }
    void memory();
    void sqlite_data() { addRows(); }
    void sqlite();

private:
    static void addRows();
};

void TestCheckpointStore::addRows()
{
    QTest::addColumn<std::size_t>("check");
    std::size_t index = 0;
    for (const conformance::StoreCheck& check : conformance::checkpointStoreChecks())
        QTest::newRow(check.name) << index++;
}

void TestCheckpointStore::memory()
{
    QFETCH(std::size_t, check);
    const auto store = makeMemoryCheckpointStore();
    conformance::checkpointStoreChecks()[check].run(*store);
}

void TestCheckpointStore::sqlite()
{
    QFETCH(std::size_t, check);
    const test::TempDir folder;
    auto store = openSqliteCheckpointStore(folder / "checkpoints.sqlite");
    SG_VERIFY_OK(store);
    conformance::checkpointStoreChecks()[check].run(**store);
}

SG_TEST(TestCheckpointStore)
#include "tst_checkpoint_store.moc"
