#include "core/base/relative_path.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using sg::RelativePath;

class TestRelativePath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takes_data();
    void takes();
    void refuses_data();
    void refuses();
};

void TestRelativePath::takes_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("name");
    const auto row = [](const std::string& text, const std::string& name) {
        QTest::newRow(name.substr(0, 40).c_str()) << text << name;
    };
    row("a", "a");
    row("plots/2026/umsatz \xC3\xA4.png", "umsatz \xC3\xA4.png");
    row("..a/b..", "b..");
    row("a/...", "...");
    row("a\\b:c*", "a\\b:c*");
    row(std::string(255, 'n'), std::string(255, 'n'));
    std::string deep;
    for (int i = 0; i < 31; ++i)
        deep += "d/";
    row(deep + "end", "end");
}

void TestRelativePath::takes()
{
    QFETCH(std::string, text);
    QFETCH(std::string, name);
    const auto path = RelativePath::parse(text);
    SG_VERIFY_OK(path);
    QCOMPARE(path->text(), text);
    QCOMPARE(path->name(), name);
}

void TestRelativePath::refuses_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("why");
    const auto row = [](const std::string& text, const char* why) {
        QTest::addRow("%s %s", why, text.substr(0, 20).c_str()) << text << std::string(why);
    };
    row("", "empty");
    row("/etc/passwd", "relative");
    row("..", "\"..\"");
    row("a/../b", "\"..\"");
    row("./a", "\".\"");
    row("a//b", "empty part");
    row("a/", "empty part");
    row(std::string("a\0b", 3), "control");
    row("a\nb", "control");
    row("a\x1B[2J", "control");
    row("a\x7F", "control");
    row("a\xC2\x9B", "control"); // C1: begins an escape sequence
    row("a\xFF", "UTF-8");
    row("\xC0\xAE\xC0\xAE/a", "UTF-8"); // overlong ".."
    row("\xED\xA0\x80", "UTF-8");
    row(std::string(256, 'n'), "255");
    std::string deep;
    for (int i = 0; i < 32; ++i)
        deep += "d/";
    row(deep + "end", "32 parts");
    row(std::string(5000, 'n'), "4096");
}

void TestRelativePath::refuses()
{
    QFETCH(std::string, text);
    QFETCH(std::string, why);
    const auto path = RelativePath::parse(text);
    QVERIFY(!path);
    QCOMPARE(path.error().code, sg::Errc::InvalidArgument);
    SG_VERIFY_CONTAINS(path.error().message, why);
    QVERIFY(path.error().message.find('\x1B') == std::string::npos);
    QVERIFY(path.error().message.size() < 600);
}

SG_TEST(TestRelativePath)
#include "tst_relative_path.moc"
