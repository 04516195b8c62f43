#include "core/expressions/jq_programs.h"
#include "core/expressions/program_shape.h"
#include "tests/support/cpu_time.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg::expressions;

namespace {

std::string problemOf(const std::string& program)
{
    const auto problems = JqPrograms({ program }).check();
    return problems.empty() ? "compiles" : problems.front().message;
}

} // namespace

class TestProgramShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isOneForProgramsThatCompileAlike_data()
    {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::newRow("number") << "{n: (.n + 1)}"
                                << "{n: (.n + 20417)}";
        QTest::newRow("field") << ".first | .second.b_2"
                               << ".x1 | ._y.z";
        QTest::newRow("string") << R"({"a": "b"})"
                                << "{\"\": \"c d ([\"}";
        QTest::newRow("string as a field") << R"(."a")"
                                           << R"(."if")";
        QTest::newRow("keyword as a field") << ".if.end"
                                            << ".a.b";
        QTest::newRow("fails") << ".a | | 1"
                               << ".bb | | 22";
        QTest::newRow("fails in a later line") << ".a\n| nope(1)"
                                               << ".b\n| nope(2)";
    }
    void isOneForProgramsThatCompileAlike()
    {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QCOMPARE(programShape(one.toStdString()), programShape(other.toStdString()));
        QCOMPARE(problemOf(one.toStdString()), problemOf(other.toStdString()));
    }

    void differsWhereTheCompilerMayTellThemApart_data()
    {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::newRow("constant divisor") << "1 / 2"
                                          << "1 / 0";
        QTest::newRow("constant remainder") << "5 % 2"
                                            << "5 % 0";
        QTest::newRow("names of functions") << "keys"
                                            << "keyz";
        QTest::newRow("names of variables") << "1 as $x | $x"
                                            << "1 as $x | $y";
        QTest::newRow("number of arguments") << "range(1; 2)"
                                             << "range(1; 2; 3; 4)";
        QTest::newRow("kinds of numbers") << "1.5"
                                          << "1.";
        QTest::newRow("number and word") << "1 and 2"
                                         << "1 end 2";
        QTest::newRow("keys without quotes") << "{a: 1}"
                                             << "{1: 1}";
        QTest::newRow("escapes") << R"("\n")"
                                 << R"("\q")";
        QTest::newRow("interpolation") << "\"\\(.a)\""
                                       << "\"\\(nope)\"";
        QTest::newRow("comment") << "1 # a"
                                 << "1 # b\n | nope";
        QTest::newRow("lines in a string") << "\"a\" | nope"
                                           << "\"a\n\" | nope";
        QTest::newRow("modules") << R"(import "a" as a; 1)"
                                 << R"(import "b" as a; 1)";
        QTest::newRow("recursion and a word") << "..a"
                                              << "..b";
        QTest::newRow("brackets") << "(1)"
                                  << "(1";
    }
    void differsWhereTheCompilerMayTellThemApart()
    {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QVERIFY(programShape(one.toStdString()) != programShape(other.toStdString()));
    }

    // A compiled state for each hundred of them would take half a minute.
    void isWhatIsCompiledWhereManyAreChecked()
    {
        std::vector<std::string> programs;
        for (int i = 0; i < 30'000; ++i)
            programs.push_back("{n: (.n" + std::to_string(i) + " + " + std::to_string(i) + ")}"
                               + (i % 10'000 == 9'999 ? " | nope(" + std::to_string(i) + ")" : ""));
        const sg::test::CpuTime time;
        const auto problems = JqPrograms(programs).check();
        QVERIFY2(time.ms() < 5'000, qPrintable(QString::number(time.ms())));
        QCOMPARE(problems.size(), std::size_t(3));
        QCOMPARE(problems[1].program, std::size_t(19'999));
        QCOMPARE(problems[1].message, std::string("nope/1 is not defined (line 1)"));
    }
};

SG_TEST(TestProgramShape)
#include "tst_program_shape.moc"
