#include "app/cli/edited_line.h"
#include "app/cli/python_input.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg::cli;

class TestPythonInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsAWholePiece_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isWhole");
        const auto row = [](const char* text, bool isWhole) {
            QTest::newRow(text) << QByteArray(text) << isWhole;
        };
        row("", true);
        row("x = 1", true);
        row("f(1,", false);
        row("f(1,\n2)", true);
        row("x = [1, {2: (3", false);
        row("x = ')'", true);
        row("x = '('", true);
        row("x = '\\'('", true);
        row("x = 'open", true); // wrong: the interpreter says so
        row("x = \"\"\"a", false);
        row("x = \"\"\"a\nb\"\"\"", true);
        row("x = '''it's", false);
        row("x = '''it's'''", true);
        row("# (", true);
        row("x = 1 # [", true);
        row("x = 1 + \\", false);
        row("x = 1 + \\\n2", true);
        row("def f():", false);
        row("def f():\n  return 1", false);
        row("def f():\n  return 1\n", true);
        row("if x: y = 1", true);
        row("if x:  # why", false);
        row("x = {1: 2}", true);
        row("x[1:]", true);
        row("@decorator", false);
        row("@decorator\ndef f(): pass\n", true);
        row("a @ b", true);
        row("print(1))", true);
        row("for i in range(3):\n  print(i)\n\n", true);
    }
    void knowsAWholePiece()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isWhole);
        QCOMPARE(isWholePython(text.toStdString()), isWhole);
    }

    void editsALine_data()
    {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QByteArray>("line"); // with | at the cursor
        const auto row = [](const char* name, const char* keys, const char* line) {
            QTest::newRow(name) << QByteArray(keys) << QByteArray(line);
        };
        row("letters", "abc", "abc|");
        row("left and insert", "ac\x1b[Db", "ab|c");
        row("home and end", "bc\x1b[Ha\x1b[Fd", "abcd|");
        row("ctrl a and e",
            "bc\x01"
            "a\x05"
            "d",
            "abcd|");
        row("backspace", "abc\x7f\x7f", "a|");
        row("backspace at the start",
            "\x7f"
            "a",
            "a|");
        row("delete", "abc\x01\x1b[3~", "|bc");
        row("ctrl d in a line", "ab\x02\x04", "a|");
        row("kill to the end", "abc\x02\x0b", "ab|");
        row("kill to the start", "abc\x02\x15", "|c");
        row("kill a word", "x = foo bar\x17", "x = foo |");
        row("umlauts", "\xC3\xA4\xC3\xB6\x1b[D\x7f", "|\xC3\xB6");
        row("right over umlauts",
            "\xC3\xA4"
            "b\x01\x06",
            "\xC3\xA4|b");
        row("an unknown key", "a\x1b[24~b", "ab|");
        row("a tab", "\tx", "    x|");
        row("words by alt",
            "foo bar baz\x1b"
            "b\x1b"
            "bX\x1b"
            "f",
            "foo Xbar| baz");
        row("words by ctrl", "foo bar\x1b[1;5D\x1b[1;5DX\x1b[1;5C", "Xfoo| bar");
        row("a paste",
            "a\x1b[200~\tb\x03\x01"
            "c\x1b[201~\x01"
            "x",
            "x|a    bc");
        row("older", "new\x1b[A", "second|");
        row("oldest", "\x1b[A\x1b[A\x1b[A", "first|");
        row("and back", "new\x1b[A\x1b[A\x1b[B\x1b[B", "new|");
    }
    void editsALine()
    {
        QFETCH(QByteArray, keys);
        QFETCH(QByteArray, line);
        const std::vector<std::string> history{ "first", "second" };
        for (const bool inPieces : { false, true }) {
            EditedLine edited(history);
            std::size_t used = 0;
            if (!inPieces)
                QVERIFY(edited.take(keys.toStdString(), used) == EditedLine::Done::No);
            else
                for (const char key : keys)
                    QVERIFY(edited.take(std::string(1, key), used) == EditedLine::Done::No);
            std::string text = edited.text();
            text.insert(edited.cursor(), "|");
            QCOMPARE(text, line.toStdString());
        }
    }

    void tellsHowALineEnds()
    {
        const std::vector<std::string> history;
        std::size_t used = 0;
        EditedLine line(history);
        QVERIFY(line.take("ab\rcd", used) == EditedLine::Done::Entered);
        QCOMPARE(used, std::size_t(3));
        QCOMPARE(line.text(), std::string("ab"));
        QVERIFY(EditedLine(history).take("ab\x03", used) == EditedLine::Done::Interrupted);
        QVERIFY(EditedLine(history).take("\x04", used) == EditedLine::Done::Ended);
        QVERIFY(EditedLine(history).take("a\x0c", used) == EditedLine::Done::Clearing);
        EditedLine pasted(history);
        QVERIFY(pasted.take("\x1b[200~ab\rcd\x1b[201~", used) == EditedLine::Done::Entered);
        QVERIFY(pasted.isPasting());
        EditedLine next(history, pasted.isPasting());
        QVERIFY(next.take("cd\x1b[201~\r", used) == EditedLine::Done::Entered);
        QVERIFY(!next.isPasting());
    }

    void completesUpToTheCursor()
    {
        const std::vector<std::string> history;
        std::size_t used = 0;
        EditedLine line(history);
        QVERIFY(line.take("f(val)\x1b[D\t", used) == EditedLine::Done::Completing);
        line.complete(2, "value");
        QCOMPARE(line.text(), std::string("f(value)"));
        QCOMPARE(line.cursor(), std::size_t(7));
    }
};

SG_TEST(TestPythonInput)
#include "tst_python_input.moc"
