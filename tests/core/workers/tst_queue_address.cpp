// Where a queue is, as a person writes it.

#include "core/workers/queue_address.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::test;
using namespace sg::workers;

class TestQueueAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << "redis://localhost"
                               << "redis://localhost:6379";
        QTest::newRow("port") << "redis://127.0.0.1:7000/0"
                              << "redis://127.0.0.1:7000";
        QTest::newRow("database") << "redis://h:1/3"
                                  << "redis://h:1/3";
        QTest::newRow("IPv6") << "redis://[::1]:7000"
                              << "redis://[::1]:7000";
        QTest::newRow("password") << "redis://anna:s3cret%2F@h"
                                  << "redis://h:6379";
        QTest::newRow("socket") << "unix:///run/redis.sock?db=2"
                                << "unix:///run/redis.sock?db=2";
        QTest::newRow("user at a socket") << "unix://anna:pw@/run/redis.sock"
                                          << "unix:///run/redis.sock";
    }
    void reads()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        const auto address = parseQueueAddress(text.toStdString());
        QVERIFY2(address, address ? "" : address.error().message.c_str());
        QCOMPARE(QString::fromStdString(address->shown()), shown);
    }

    void decodesThePassword()
    {
        const auto address = parseQueueAddress("redis://anna:a%2Fb%40c@h:1");
        QCOMPARE(address->user, std::string("anna"));
        QCOMPARE(address->password, std::string("a/b@c"));
        QCOMPARE(address->host, std::string("h"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             { "", "localhost:6379", "http://h", "redis://", "redis://h:0", "redis://h:99999", "redis://h:x",
               "redis://h/x", "redis://h/-1", "unix://relative", "unix:///s?db=x", "redis://a:%2@h",
               "redis://a b", "rediss://h", "redis://h\n:1" })
            QTest::newRow(text) << text;
    }
    void refuses()
    {
        QFETCH(QString, text);
        const auto address = parseQueueAddress(text.toStdString());
        QVERIFY(!address);
        QVERIFY(!address.error().message.empty());
    }

    void neverRepeatsAPassword()
    {
        const auto address = parseQueueAddress("redis://anna:hunter2hunter2@h:port");
        QVERIFY(!address);
        QVERIFY(address.error().message.find("hunter2") == std::string::npos);
    }

    void knowsNamesOfRoles()
    {
        for (const char* name : { "research", "a", "gpu-2", "code_review" })
            QVERIFY(isRoleName(name));
        for (const char* name : { "", "Research", "a b", "a:b", "a*", "{x}", "../x", "ä" })
            QVERIFY(!isRoleName(name));
        QVERIFY(!isRoleName(std::string(65, 'a')));
    }
};

SG_TEST(TestQueueAddress)
#include "tst_queue_address.moc"
