// The bytes of values that nobody interprets.

#include "core/base/file.h"
#include "core/base/msgpack.h"
#include "core/base/uuid.h"
#include "core/checkpoint/checkpoint.h"
#include "core/history/database.h"
#include "core/history/raw_value.h"
#include "core/sqlite/db.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;
using history::RawValues;

class TestRawValue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<test::TempDir>();
        auto database = Database::open(file(), Database::Access::ReadWrite);
        QVERIFY(database);
        checkpoint::Checkpoint made;
        made.id = m_id;
        made.timestamp = "2026-01-01T00:00:00+00:00";
        std::string object;
        appendMsgpack(object, Value::list({ "app.models", "Model", Value::map({ { "a", 1 } }) }));
        made.channelValues.set("doc", Value(Ext{ 5, object }));
        made.channelValues.set("big", Value(Bytes{ std::string(100'000, 'x') + "end" }));
        made.channelValues.set("list", Value::list({ 1, Value::map({ { "a/b", Value(Ext{ 99, "??" }) } }) }));
        QVERIFY((*database)->store().put({ ThreadId("t"), "", m_id }, {}, made, { "input", -1, {}, {} }));
    }

    void finds_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("object");
        QTest::addColumn<QByteArray>("tail"); // its last bytes
        QTest::newRow("object") << QByteArray("/doc") << "msgpack, ext 5"
                                << "app.models.Model"
                                << QByteArray("\x81\xa1"
                                              "a\x01");
        QTest::newRow("inside of one") << QByteArray("/doc/a") << "msgpack, ext 5"
                                       << "app.models.Model" << QByteArray("\x01");
        QTest::newRow("bytes") << QByteArray("/big") << "bytes"
                               << "" << QByteArray("xxend");
        QTest::newRow("nested") << QByteArray("/list/1/a~1b") << "msgpack, ext 99"
                                << "" << QByteArray("??");
        QTest::newRow("plain") << QByteArray("/list/0") << "msgpack"
                               << "" << QByteArray("\x01");
    }
    void finds()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(QString, type);
        QFETCH(QString, object);
        QFETCH(QByteArray, tail);
        RawValues values(file());
        const auto found = values.find(ThreadId("t"), m_id, pointer.toStdString());
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(QString::fromStdString(found->type), type);
        QCOMPARE(QString::fromStdString(found->object), object);
        const auto read = values.read(*found, found->size - tail.size(), 1000);
        QCOMPARE(QByteArray::fromStdString(*read), tail);
    }

    void readsPagesAndSaves()
    {
        RawValues values(file());
        const auto found = values.find(ThreadId("t"), m_id, "/big");
        QCOMPARE(found->size, 100'003);
        QCOMPARE(values.read(*found, 99'999, 2)->size(), std::size_t(2));
        QCOMPARE(*values.read(*found, 200'000, 2), std::string());
        const auto copy = *m_folder / "copy.bin";
        QVERIFY(values.save(*found, copy));
        QCOMPARE(readFile(copy)->size(), std::size_t(100'003));
        QVERIFY(!values.save(*found, *m_folder / "missing/copy.bin"));
    }

    void whatStandsThereStaysWhereSavingFails()
    {
        RawValues values(file());
        auto found = values.find(ThreadId("t"), m_id, "/big");
        const auto theirs = m_folder->write("theirs.bin", "theirs");
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(values.save(*found, theirs, stop.get_token()).error().code, Errc::Cancelled);
        QCOMPARE(*readFile(theirs), std::string("theirs"));
        auto db = sqlite::Db::open(file());
        QVERIFY(db && db->exec("UPDATE checkpoints SET checkpoint = x'00'"));
        QVERIFY(!values.save(*found, theirs));
        QCOMPARE(*readFile(theirs), std::string("theirs"));
        for (const auto& entry : std::filesystem::directory_iterator(m_folder->path()))
            QVERIFY2(entry.path().extension() != ".tmp", entry.path().c_str());
    }

    // As after VACUUM: the same number of a row, and another value.
    void anotherRowOfTheSameNumberIsSeen()
    {
        RawValues values(file());
        const auto found = values.find(ThreadId("t"), m_id, "/big");
        QVERIFY(values.read(*found, 0, 10));
        auto db = sqlite::Db::open(file());
        QVERIFY(db && db->exec("UPDATE checkpoints SET checkpoint_id = 'another'"));
        QCOMPARE(values.read(*found, 0, 10).error().code, Errc::Conflict);
    }

    void whatIsNotThereIsSaid()
    {
        RawValues values(file());
        QCOMPARE(values.find(ThreadId("t"), m_id, "/nothing").error().code, Errc::NotFound);
        QCOMPARE(values.find(ThreadId("t"), CheckpointId("x"), "/doc").error().code, Errc::NotFound);
    }

    // A checkpoint that was stored in another way altogether: its own bytes, whatever they are.
    void anyTagWillDo()
    {
        auto db = sqlite::Db::open(file());
        QVERIFY(db && db->exec("UPDATE checkpoints SET type = 'pickle', checkpoint = x'80049504'"));
        RawValues values(file());
        const auto found = values.find(ThreadId("t"), m_id, "/doc");
        QVERIFY(found);
        QCOMPARE(found->type, std::string("pickle"));
        QCOMPARE(*values.read(*found, 0, 100), std::string("\x80\x04\x95\x04"));
    }

private:
    [[nodiscard]] std::filesystem::path file() const { return *m_folder / "c.sqlite"; }

    std::unique_ptr<test::TempDir> m_folder;
    const CheckpointId m_id{ "1f0c0000-0000-6000-8000-000000000001" };
};

SG_TEST(TestRawValue)
#include "tst_raw_value.moc"
