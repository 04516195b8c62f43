// When a checkpoint file may have been written by another program.

#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/bridge/open/database_watch.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace sg::ui;

namespace {

void append(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
    file.write("more");
}

} // namespace

class TestDatabaseWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsOfItsLogToo_data()
    {
        QTest::addColumn<int>("there"); // of the file and its log
        QTest::addColumn<QString>("written"); // suffix
        QTest::newRow("the file") << 2 << QString();
        QTest::newRow("the file alone") << 1 << QString();
        QTest::newRow("a log that is there") << 2 << QStringLiteral("-wal");
        QTest::newRow("a log that is new") << 1 << QStringLiteral("-wal");
        QTest::newRow("a new file") << 0 << QString();
        QTest::newRow("another file beside it") << 1 << QStringLiteral("-journal");
    }
    void tellsOfItsLogToo()
    {
        QFETCH(int, there);
        QFETCH(QString, written);
        const sg::test::TempDir folder;
        const QString database = QString::fromStdString((folder / "c.sqlite").string());
        const QStringList existing = DatabaseWatch::filesOf(database).mid(0, there);
        for (const QString& file : existing)
            append(file);
        DatabaseWatch watch(std::chrono::hours(1));
        watch.follow(database);
        QVERIFY(watch.listen(existing)); // none of them was listened to before
        QVERIFY(!watch.listen(existing));
        QSignalSpy due(&watch, &DatabaseWatch::due);
        append(database + written);
        QVERIFY(due.wait(20'000));
    }

    void looksNowAndThenAnyway()
    {
        const sg::test::TempDir folder;
        DatabaseWatch watch(std::chrono::milliseconds(50));
        QSignalSpy due(&watch, &DatabaseWatch::due);
        watch.follow(QString::fromStdString((folder / "c.sqlite").string())); // no file, nobody listens
        QVERIFY(due.wait(60'000));
    }
};

SG_CORE_TEST(TestDatabaseWatch)
#include "tst_database_watch.moc"
