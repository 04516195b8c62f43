#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <random>

class TestPrintable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void makesHostileTextVisible_data();
    void makesHostileTextVisible();
    void isAlwaysValidUtf8();
    void cutsBetweenCharacters();
};

void TestPrintable::makesHostileTextVisible_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("plain") << std::string("a \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80")
                           << std::string("a \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
    QTest::newRow("line feed and tab stay") << std::string("a\n\tb") << std::string("a\n\tb");
    QTest::newRow("colour") << std::string("\x1B[31mred") << std::string("\\x1b[31mred");
    QTest::newRow("title") << std::string("\x1B]0;x\x07") << std::string("\\x1b]0;x\\x07");
    QTest::newRow("overwrites the line") << std::string("ok\rfail") << std::string("ok\\x0dfail");
    QTest::newRow("NUL and DEL") << std::string("\0\x7F", 2) << std::string("\\x00\\x7f");
    QTest::newRow("C1") << std::string("\xC2\x9B"
                                       "2J")
                        << std::string("\\x9b2J");
    QTest::newRow("bidi override") << std::string("a\xE2\x80\xAE"
                                                  "b")
                                   << std::string("a\\u202eb");
    QTest::newRow("bidi isolate") << std::string("\xE2\x81\xA6\xE2\x81\xA9") << std::string("\\u2066\\u2069");
    QTest::newRow("line separator") << std::string("\xE2\x80\xA8") << std::string("\\u2028");
    QTest::newRow("invalid") << std::string("a\xFF"
                                            "b\xC3")
                             << std::string("a\xEF\xBF\xBD"
                                            "b\xEF\xBF\xBD");
    QTest::newRow("overlong") << std::string("\xC0\x9B") << std::string("\xEF\xBF\xBD\xEF\xBF\xBD");
}

void TestPrintable::makesHostileTextVisible()
{
    QFETCH(std::string, text);
    QFETCH(std::string, expected);
    QCOMPARE(sg::printableText(text), expected);
}

void TestPrintable::isAlwaysValidUtf8()
{
    std::mt19937 random(1);
    for (int round = 0; round < 5000; ++round) {
        std::string bytes(random() % 40, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random() % 2 == 0 ? 0xC0 + random() % 0x40 : random());
        const std::string shown = sg::printableText(bytes);
        QVERIFY(sg::isValidUtf8(shown));
        QCOMPARE(QString::fromUtf8(shown.c_str()).toStdString(), shown); // Qt agrees on what is valid
    }
}

void TestPrintable::cutsBetweenCharacters()
{
    const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80";
    QCOMPARE(sg::cutText(text, text.size()), text);
    for (std::size_t most = 0; most < text.size(); ++most) {
        const std::string cut = sg::cutText(text, most);
        QVERIFY(sg::isValidUtf8(cut));
        QVERIFY(cut.size() <= most + 3 && cut.ends_with("\xE2\x80\xA6"));
        QVERIFY(text.starts_with(cut.substr(0, cut.size() - 3)));
    }
    QCOMPARE(sg::cutText(text, 6), std::string("a\xC3\xA4\xE2\x82\xAC\xE2\x80\xA6"));
    QCOMPARE(sg::cutText(std::string(10, '\x80'), 6).size(),
             std::size_t{ 6 }); // no text: it is cut all the same
}

SG_TEST(TestPrintable)
#include "tst_printable.moc"
