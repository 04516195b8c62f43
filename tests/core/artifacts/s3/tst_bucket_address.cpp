#include "core/artifacts/s3/bucket_address.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::artifacts::s3;

class TestBucketAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsItsParts();
    void refuses_data();
    void refuses();
};

void TestBucketAddress::readsItsParts()
{
    const auto plain = parseBucketAddress("s3://team-artifacts");
    SG_VERIFY_OK(plain);
    QCOMPARE(plain->place(), std::string("s3://team-artifacts"));
    const auto whole =
        parseBucketAddress("s3://team.artifacts/a/b_1/?region=eu-central-1&endpoint=http%3A%2F%2F[::1]:9000"
                           "&path_style=no&profile=work&ca=/etc/ca.pem");
    SG_VERIFY_OK(whole);
    QCOMPARE(whole->bucket, std::string("team.artifacts"));
    QCOMPARE(whole->prefix, std::string("a/b_1"));
    QCOMPARE(whole->region, std::string("eu-central-1"));
    QCOMPARE(whole->endpoint, std::string("http://[::1]:9000"));
    QCOMPARE(whole->pathStyle.value_or(true), false);
    QCOMPARE(whole->profile, std::string("work"));
    QCOMPARE(whole->authorities, std::string("/etc/ca.pem"));
    QCOMPARE(whole->place(), std::string("s3://team.artifacts/a/b_1"));
}

void TestBucketAddress::refuses_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("why");
    const auto row = [](const char* name, const QByteArray& address, const char* why) {
        QTest::newRow(name) << address << QByteArray(why);
    };
    row("another scheme", "gs://team-artifacts", "no address of a bucket");
    row("no bucket", "s3://", "no name of a bucket");
    row("a short bucket", "s3://ab", "no name of a bucket");
    row("capitals", "s3://Team", "no name of a bucket");
    row("keys", "s3://key:secret@team", "keys are not written into an address");
    row("a step up", "s3://team/a/../b", "no prefix");
    row("two slashes", "s3://team/a//b", "no prefix");
    row("a blank", "s3://team/a b", "no prefix");
    row("a line break", "s3://team/a\nb", "no prefix");
    row("a long prefix", "s3://team/" + QByteArray(600, 'a'), "no prefix");
    row("a long address", "s3://team/?ca=" + QByteArray(3000, 'a'), "no address of a bucket");
    row("an unknown option", "s3://team?color=red", "no option");
    row("no value", "s3://team?region=", "has no value");
    row("a wrong escape", "s3://team?region=%zz", "has no value");
    row("an endpoint without a scheme", "s3://team?endpoint=minio:9000", "no option");
    row("an endpoint with a path", "s3://team?endpoint=https://minio/x", "no option");
    row("a certificate with a command", "s3://team?ca=/x;touch%20y|sh", "no option");
    row("a certificate with a quote", "s3://team?ca=/x%27y", "no option");
    row("a certificate with a variable", "s3://team?ca=$HOME/x", "no option");
    row("an endpoint with keys", "s3://team?endpoint=https://a@minio", "no option");
}

void TestBucketAddress::refuses()
{
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, why);
    const auto parsed = parseBucketAddress(address.toStdString());
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, Errc::InvalidArgument);
    QVERIFY2(QByteArray::fromStdString(parsed.error().message).contains(why), parsed.error().message.c_str());
}

SG_TEST(TestBucketAddress)
#include "tst_bucket_address.moc"
