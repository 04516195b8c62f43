// Threads are in PostgreSQL here; each machine keeps more beside them, on its own disk.

#include "core/history/database.h"
#include "tests/conformance/checkpoint/store_fixture.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_main.h"

#include <chrono>
#include <thread>

using namespace sg;
using namespace sg::checkpoint::conformance;
using history::Database;

class TestSharedDatabase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneDatabaseHasOneFile();
    void aProgramWaitsForAnothersTransaction();

private:
    const test::TempDir m_data;
};

void TestSharedDatabase::initTestCase()
{
    SG_NEED("postgres");
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_data.path().string()));
}

void TestSharedDatabase::oneDatabaseHasOneFile()
{
    const std::string begin = std::string("postgresql:/") + "/";
    const auto file = [&](const std::string& rest) {
        const auto found = history::sharedFile(begin + rest);
        return found ? found->string() : found.error().message;
    };
    QCOMPARE(file("me@db.example/flows"), file("you:word@db.example/flows?application_name=x"));
    QVERIFY(file("me@db.example/flows") != file("me@db.example/other"));
    QVERIFY(file("me@db.example/flows") != file("me@db.example/flows?options=-csearch_path%3Dother"));
    // Without a name it is the user's database.
    QVERIFY(file("me@db.example") != file("you@db.example"));
    QCOMPARE(file("me@db.example"), file("you@db.example/me"));
}

// The file of this machine's own is held while the server answers, which may take long.
void TestSharedDatabase::aProgramWaitsForAnothersTransaction()
{
    test::PostgresServer server;
    const std::string address = server.address("flows");
    const auto one = Database::openShared(address, Database::Access::ReadWrite);
    const auto other = Database::openShared(address, Database::Access::ReadWrite);
    SG_VERIFY_OK(one);
    SG_VERIFY_OK(other);
    const auto put = [](Database& database, const char* thread) {
        return database.store().together(
            [&] { return database.store().put(refOf(thread, "1"), {}, checkpointOf("1"), metadataOf(0)); });
    };
    Result<void> done;
    std::jthread waits;
    SG_VERIFY_OK((*one)->store().together([&]() -> Result<void> {
        waits = std::jthread([&] { done = put(**other, "u"); });
        std::this_thread::sleep_for(std::chrono::milliseconds(5500)); // SQLite's usual patience is 5 s
        return put(**one, "t");
    }));
    waits.join();
    SG_VERIFY_OK(done);
    QCOMPARE(listed((*one)->store(), {}), std::string("t/1 u/1"));
}

SG_CORE_TEST(TestSharedDatabase)
#include "tst_shared_database.moc"
