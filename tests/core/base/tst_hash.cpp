#include "core/base/hash.h"
#include "core/base/hmac.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

class TestHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hashesKnownTexts_data();
    void hashesKnownTexts();
    void sha256TakesPieces();
    void base64Pads_data();
    void base64Pads();
    void signsAsRfc4231Does();
    void base64UrlHasOneForm();
};

void TestHash::hashesKnownTexts_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("sha256");
    QTest::addColumn<std::string>("sha1");
    QTest::addColumn<std::string>("xxh3");
    QTest::newRow("empty") << std::string()
                           << std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
                           << std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709")
                           << std::string("99aa06d3014798d86001c324468d497f");
    QTest::newRow("abc") << std::string("abc")
                         << std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
                         << std::string("a9993e364706816aba3e25717850c26c9cd0d89d")
                         << std::string("06b05ab6733a618578af5f94892f3950");
}

void TestHash::hashesKnownTexts()
{
    QFETCH(std::string, text);
    QFETCH(std::string, sha256);
    QFETCH(std::string, sha1);
    QFETCH(std::string, xxh3);
    QCOMPARE(sg::sha256Hex(text), sha256);
    QCOMPARE(sg::toHex(sg::sha1Bytes(text)), sha1);
    QCOMPARE(sg::xxh3Hex(text), xxh3);
}

void TestHash::sha256TakesPieces()
{
    const std::string text(100'000, 'q');
    sg::Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += 777)
        hash.update(std::string_view(text).substr(at, 777));
    QCOMPARE(hash.finishHex(), sg::sha256Hex(text));
}

void TestHash::base64Pads_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("0") << std::string() << std::string();
    QTest::newRow("1") << std::string("f") << std::string("Zg==");
    QTest::newRow("2") << std::string("fo") << std::string("Zm8=");
    QTest::newRow("3") << std::string("foo") << std::string("Zm9v");
    QTest::newRow("4") << std::string("foob") << std::string("Zm9vYg==");
    QTest::newRow("high") << std::string("\xFB\xFF\x00", 3) << std::string("+/8A");
}

void TestHash::base64Pads()
{
    QFETCH(std::string, bytes);
    QFETCH(std::string, expected);
    QCOMPARE(sg::toBase64(bytes), expected);
}

void TestHash::signsAsRfc4231Does()
{
    QCOMPARE(sg::toHex(sg::hmacSha256("Jefe", "what do ya want for nothing?")),
             std::string("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    QVERIFY(sg::isSameSecretly("abc", "abc"));
    QVERIFY(!sg::isSameSecretly("abc", "abd"));
    QVERIFY(!sg::isSameSecretly("abc", "ab"));
}

void TestHash::base64UrlHasOneForm()
{
    std::string bytes;
    for (const std::string text : { "", "f", "fo", "foo", "\xff\xfe", "foobar" }) {
        QVERIFY(sg::fromBase64Url(sg::toBase64Url(text), bytes));
        QCOMPARE(bytes, text);
    }
    for (const char* wrong : { "Zg==", "Zh", "Z", "Zm9v+", "Zm9v/", "Zm 9" })
        QVERIFY2(!sg::fromBase64Url(wrong, bytes), wrong);
}

SG_TEST(TestHash)
#include "tst_hash.moc"
