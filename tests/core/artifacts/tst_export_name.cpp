#include "core/artifacts/artifact_store.h"
#include "core/artifacts/export_name.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QByteArray>

using namespace sg;

class TestExportName : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void makesNamesSafe_data();
    void makesNamesSafe();
    void keepsTheExtensionOfLongNames();
    void numbersNames();
};

void TestExportName::makesNamesSafe_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* title, const QByteArray& name, const char* expected) {
        QTest::newRow(title) << name << QByteArray(expected);
    };
    row("plain", "plot.png", "plot.png");
    row("unicode", "größe 图.png", "größe 图.png");
    row("folders", "out/deep/plot.png", "plot.png");
    row("climbing", "../../etc/passwd", "passwd");
    row("only dots", "..", "artifact");
    row("empty", "", "artifact");
    row("folder alone", "a/", "artifact");
    row("windows separators", "..\\..\\evil.txt", ".._.._evil.txt");
    row("drive", "C:evil.txt", "C_evil.txt");
    row("forbidden", "a<b>c:d\"e|f?g*.txt", "a_b_c_d_e_f_g_.txt");
    row("control characters", QByteArray("a\nb\x1b[2Jc\0d.txt", 14), "a_b_[2Jc_d.txt");
    row("c1 control", "a\xC2\x9B.txt", "a_.txt");
    row("reordering mark", "photo\xE2\x80\xAEgpj.exe", "photo_gpj.exe");
    row("invalid UTF-8", "a\xFF.txt", "a_.txt");
    row("trailing dots and spaces", "name. . ", "name");
    row("leading spaces", "  name.txt", "name.txt");
    row("device", "CON", "_CON");
    row("device with extension", "nul.txt", "_nul.txt");
    row("device with two extensions", "Aux.tar.gz", "_Aux.tar.gz");
    row("port", "com1.csv", "_com1.csv");
    row("superscript port", "LPT\xC2\xB2.csv", "_LPT\xC2\xB2.csv");
    row("no device", "console.txt", "console.txt");
    row("no port", "com10.txt", "com10.txt");
    row("hidden", ".profile", ".profile");
}

void TestExportName::makesNamesSafe()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    QCOMPARE(artifacts::exportName(name.toStdString()), expected.toStdString());
}

void TestExportName::keepsTheExtensionOfLongNames()
{
    const std::string ascii = artifacts::exportName(std::string(300, 'a') + ".parquet");
    QCOMPARE(ascii.size(), std::size_t(120));
    QVERIFY(ascii.ends_with("a.parquet"));

    std::string wide;
    for (int i = 0; i < 150; ++i)
        wide += "\xF0\x9F\x90\xA7";
    const std::string penguins = artifacts::exportName(wide + ".png");
    QVERIFY(penguins.size() <= 255);
    QVERIFY(penguins.ends_with("\xF0\x9F\x90\xA7.png"));
}

void TestExportName::numbersNames()
{
    QCOMPARE(artifacts::numberedExportName("plot.png", 1), std::string("plot.png"));
    QCOMPARE(artifacts::numberedExportName("plot.png", 2), std::string("plot (2).png"));
    QCOMPARE(artifacts::numberedExportName("README", 12), std::string("README (12)"));
    const std::string longest = std::string(116, 'a') + ".png";
    QCOMPARE(artifacts::numberedExportName(longest, 2), std::string(112, 'a') + " (2).png");
}

SG_TEST(TestExportName)
#include "tst_export_name.moc"
