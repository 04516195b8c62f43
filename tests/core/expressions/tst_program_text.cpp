#include "core/expressions/program_text.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <array>

using namespace sg::expressions;

class TestProgramText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seesWhatCouldEscapeItsBrackets_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("canShare");
        QTest::newRow("plain") << "{a: (.b + 1)}" << true;
        QTest::newRow("closes more than it opens") << "1); def map(f): 5; def q: (2" << false;
        QTest::newRow("open") << "(1" << false;
        QTest::newRow("crossed") << "([)]" << false;
        QTest::newRow("bracket in string") << "\")))\" | ." << true;
        QTest::newRow("escaped quote") << "\"\\\")\" | \".\"" << true;
        QTest::newRow("interpolation") << "\"a \\(1 + (2)) ) \\(\"x)\") b\"" << true;
        QTest::newRow("interpolation left open") << "\"a \\(1 \"" << false;
        QTest::newRow("string left open") << ". | \"abc" << false;
        QTest::newRow("bracket in comment") << ". # ) ( \"\n | 1" << true;
        QTest::newRow("comment at the end") << "1 # (" << true;
        QTest::newRow("hash in string") << "\"#\" | (\"x\")" << true;
        QTest::newRow("our names") << "__sandglass_0" << false;
        QTest::newRow("modules") << R"(import "a" as a; 1)" << false;
        QTest::newRow("lines") << "$__loc__" << false;
        QTest::newRow("empty") << "" << true;
        QTest::newRow("ends in a backslash") << "\"\\" << false;
    }
    void seesWhatCouldEscapeItsBrackets()
    {
        QFETCH(QString, program);
        QFETCH(bool, canShare);
        QCOMPARE(canShareState(program.toStdString()), canShare);
    }

    void joinsPrograms()
    {
        const std::array<std::string, 3> programs{ ".a", "1 # c", ".b" };
        QCOMPARE(sharedText(programs),
                 std::string("def __sandglass_0: (.a\n);\n"
                             "def __sandglass_1: (1 # c\n);\n"
                             "def __sandglass_2: (.b\n);\n"
                             ".[0] as $__sandglass_ | .[1] | if $__sandglass_ < 1 then __sandglass_0 else "
                             "if $__sandglass_ < 2 then __sandglass_1 else __sandglass_2 end end"));
    }

    void findsTheProgramThatIsToBlame()
    {
        const std::array<std::string, 3> programs{ ".a", "1\n| nope", ".b |" };
        const auto blamed = [&](const char* message) {
            const auto found = programOfMessage(programs, message);
            return found ? static_cast<int>(*found) : -1;
        };
        QCOMPARE(blamed("jq: error: x at <top-level>, line 1:\n"), 0);
        QCOMPARE(blamed("jq: error: x at <top-level>, line 2:\n"), 0);
        QCOMPARE(blamed("jq: error: nope/0 is not defined at <top-level>, line 4:\n"), 1);
        QCOMPARE(blamed("jq: error: x at <top-level>, line 7:\n"), 2);
        QCOMPARE(blamed("jq: error: x at <top-level>, line 8:\n"), -1);
        QCOMPARE(blamed("jq: error: x at <top-level>, line 0:\n"), -1);
        QCOMPARE(blamed("jq: error: x at <top-level>, line 99999999999999999999:\n"), -1);
        QCOMPARE(blamed("jq: 1 compile error"), -1);
    }

    void saysWhatTheCompilerMeans_data()
    {
        QTest::addColumn<QString>("raw");
        QTest::addColumn<QString>("message");
        QTest::newRow("syntax")
            << "jq: error: syntax error, unexpected '|' (Unix shell quoting issues?) at <top-level>, "
               "line 1:\n.a | | b     "
            << "syntax error, unexpected '|' (line 1)";
        QTest::newRow("end")
            << "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line "
               "2:\n.["
            << "syntax error, unexpected the end of the program (line 2)";
        QTest::newRow("name") << "jq: error: foo/0 is not defined at <top-level>, line 1:\nfoo,bar"
                              << "foo/0 is not defined (line 1)";
        QTest::newRow("module") << "jq: error: module not found: a\n"
                                << "module not found: a";
    }
    void saysWhatTheCompilerMeans()
    {
        QFETCH(QString, raw);
        QFETCH(QString, message);
        QCOMPARE(compileMessage(raw.toStdString()), message.toStdString());
    }
};

SG_TEST(TestProgramText)
#include "tst_program_text.moc"
