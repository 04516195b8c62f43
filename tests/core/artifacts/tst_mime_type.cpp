#include "core/artifacts/mime_type.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QByteArray>

using namespace sg;

class TestMimeType : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsTypeByNameAndContent_data();
    void tellsTypeByNameAndContent();
    void takesTextWhoseLastCharacterWasCut();
};

void TestMimeType::tellsTypeByNameAndContent_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* title, const char* name, const QByteArray& bytes, const char* expected) {
        QTest::newRow(title) << QByteArray(name) << bytes << QByteArray(expected);
    };
    const QByteArray png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    const QByteArray elf("\x7f"
                         "ELF\x02\x01\x01\0\0",
                         9);
    row("png", "a.png", png, "image/png");
    row("upper case extension", "A.PNG", png, "image/png");
    row("a picture without an extension", "plot", png, "image/png");
    row("a picture with a wrong extension", "plot.jpg", png, "image/png");
    row("a program that calls itself a picture", "plot.png", elf, "application/x-executable");
    row("text that calls itself a picture", "plot.png", "hello\n", "text/plain");
    row("csv", "t.csv", "a,b\n1,2\n", "text/csv");
    row("binary that calls itself csv", "t.csv", QByteArray("a\0b", 3), "application/octet-stream");
    row("invalid UTF-8 in a csv", "t.csv", "a,\xff\n", "application/octet-stream");
    row("parquet", "t.parquet", "PAR1\x15\x04", "application/vnd.apache.parquet");
    row("svg", "a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml");
    row("svg that holds a picture's letters", "a.svg", "<svg a='WEBP'/>", "image/svg+xml");
    row("json", "a.json", "{}", "application/json");
    row("a zip container keeps its own type", "a.xlsx", "PK\x03\x04rest",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    row("a program that calls itself a spreadsheet", "a.xlsx", elf, "application/x-executable");
    row("empty text", "a.txt", "", "text/plain");
    row("empty picture", "a.png", "", "application/octet-stream");
    row("nothing known", "data.bin", QByteArray("\x01\x02\x03\0", 4), "application/octet-stream");
    row("text of unknown name", "README", "read me\n", "text/plain");
    row("a dot at the end", "a.", "x", "text/plain");
    row("two letters are no proof", "note", "BMW is a car", "text/plain");
}

void TestMimeType::tellsTypeByNameAndContent()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const QByteArray, expected);
    QCOMPARE(artifacts::mimeType(name.toStdString(), bytes.toStdString()), expected.toStdString());
}

void TestMimeType::takesTextWhoseLastCharacterWasCut()
{
    std::string text(artifacts::kMimeBytes - 1, 'a');
    text += "\xC3\xA4 and more";
    QCOMPARE(artifacts::mimeType("a.txt", text), std::string("text/plain"));
}

SG_TEST(TestMimeType)
#include "tst_mime_type.moc"
