#include "core/config/setting_layers.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;

class TestEnvFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsValues_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("entries"); // NAME=value|…
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& entries) {
            QTest::newRow(name) << text << entries;
        };
        row("plain", "A=1\nB=two words \n", "A=1|B=two words|");
        row("nothing", "", "");
        row("comments and empty lines", "# x\n\n  # y\nA=1 # why\n", "A=1|");
        row("a number sign inside", "SANDBOX_IMAGE=a#b\nKEY=sk#1\n", "SANDBOX_IMAGE=a#b|KEY=sk#1|");
        row("a comment alone", "A= # nothing\n", "A=|");
        row("export", "export A=1\n", "A=1|");
        row("spaces around", "  A = 1\n", "A=1|");
        row("single quotes", "A='x # y\\n'  # c\n", "A=x # y\\n|");
        row("double quotes", "A=\"x\\n\\\"y\\\" \\$HOME \\\\ \\q #\"", "A=x\n\"y\" $HOME \\ \\q #|");
        row("over lines", "A=\"x\ny\"\nB='1\n2'\n", "A=x\ny|B=1\n2|");
        row("a continued line", "A=\"x\\\ny\"\n", "A=xy|");
        row("carriage returns", "A=1\r\nB='2'\r\n", "A=1|B=2|");
        row("a byte order mark",
            "\xEF\xBB\xBF"
            "A=1\n",
            "A=1|");
        row("without a last newline", "A=1", "A=1|");
        row("twice", "A=1\nA=2\n", "A=1|A=2|");
        row("an equals sign", "A=b=c\n", "A=b=c|");
        row("an empty one in quotes", "A=\"\"\n", "A=|");
    }
    void readsValues()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, entries);
        const auto read = config::parseEnvFile(text.toStdString());
        SG_VERIFY_OK(read);
        std::string joined;
        for (const auto& [name, value] : *read)
            joined += name + "=" + value + "|";
        QCOMPARE(joined, entries.toStdString());
    }

    void namesTheLineOfAFault_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no equals") << QByteArray("A=1\nB\n") << QByteArray("line 2: expected NAME=value");
        QTest::newRow("at the end") << QByteArray("B") << QByteArray("line 1: expected NAME=value");
        QTest::newRow("a digit first") << QByteArray("1A=1\n") << QByteArray("line 1");
        QTest::newRow("an odd name") << QByteArray("\n\nA-B=1\n") << QByteArray("line 3");
        QTest::newRow("open quote") << QByteArray("A=1\nB='x\n\n")
                                    << QByteArray("line 2: the quote ' is not closed");
        QTest::newRow("text behind") << QByteArray("A=\"1\" 2\n") << QByteArray("line 1: nothing may follow");
        QTest::newRow("binary") << QByteArray("A=1\0B", 5) << QByteArray("zero byte");
    }
    void namesTheLineOfAFault()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto read = config::parseEnvFile(text.toStdString());
        QVERIFY(!read);
        SG_VERIFY_CONTAINS(read.error().message, says.toStdString());
    }
};

SG_TEST(TestEnvFile)
#include "tst_env_file.moc"
