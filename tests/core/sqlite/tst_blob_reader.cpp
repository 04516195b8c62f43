// A large value read piece by piece.

#include "core/sqlite/blob_reader.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sqlite;

class TestBlobReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsPieces()
    {
        const test::TempDir folder;
        auto db = Db::open(folder.path() / "b.sqlite");
        QVERIFY(db);
        QVERIFY(db->exec(
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (7, x'00010203040506')"));
        auto reader = BlobReader::open(*db, "t", "b", 7);
        QVERIFY(reader);
        QCOMPARE(reader->size(), 7);
        QCOMPARE(*reader->read(2, 3), std::string("\x02\x03\x04"));
        QCOMPARE(*reader->read(5, 100), std::string("\x05\x06"));
        QCOMPARE(*reader->read(9, 1), std::string());
        QVERIFY(db->exec("UPDATE t SET b = x'09'"));
        const auto changed = reader->read(0, 1);
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, Errc::Conflict);
        QVERIFY(!BlobReader::open(*db, "t", "b", 8));
    }
};

SG_TEST(TestBlobReader)
#include "tst_blob_reader.moc"
