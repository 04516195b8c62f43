// The editor knows the parts of a jq program, what completion offers, and where marks stand.

#include "tests/support/test_main.h"
#include "ui/code/code_marks.h"
#include "ui/code/completion.h"
#include "ui/code/jq_tokens.h"

#include <QTest>

using namespace sg;
using namespace sg::ui;

namespace {

QString shapeOf(const std::string& program)
{
    QString shape;
    for (const JqRun& run : jqRuns(program))
        shape += QString(static_cast<int>(run.length), QLatin1Char(" cnskfvwo@"[static_cast<int>(run.kind)]));
    return shape;
}

} // namespace

class TestCodeWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProgramHasParts_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("shape");
        QTest::newRow("field") << QStringLiteral(".a + 12") << QStringLiteral("ff o nn");
        QTest::newRow("keyword") << QStringLiteral("if map(.x) then $y else @sh end")
                                 << QStringLiteral("kk wwwoffo kkkk vv kkkk @@@ kkk");
        QTest::newRow("comment") << QStringLiteral("1 # \"no\n2") << QStringLiteral("n ccccc n");
        QTest::newRow("string") << QStringLiteral("\"a\\\"b\".c") << QStringLiteral("ssssssff");
        QTest::newRow("interpolation")
            << QStringLiteral("\"a\\(.b|f(\"x\"))c\"") << QStringLiteral("ssooffowosssooss");
        QTest::newRow("being typed") << QStringLiteral("\"a\\(.b") << QStringLiteral("ssooff");
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("stray ends") << QStringLiteral(")\"\\") << QStringLiteral("oss");
    }
    void aProgramHasParts()
    {
        QFETCH(QString, program);
        QFETCH(QString, shape);
        QCOMPARE(shapeOf(program.toStdString()), shape);
    }

    void partsCoverEveryText()
    {
        const std::string all = "a\"\\(#)$@.0 \n\xff";
        std::string text;
        for (int i = 0; i < 4000; ++i) {
            text += all[static_cast<std::size_t>(i * 7919 + i / 11) % all.size()];
            std::size_t length = 0;
            for (const JqRun& run : jqRuns(text.substr(static_cast<std::size_t>(i) / 2)))
                length += run.length;
            QCOMPARE(length, text.size() - static_cast<std::size_t>(i) / 2);
        }
    }

    void completionFollowsThePlace_data()
    {
        QTest::addColumn<int>("language");
        QTest::addColumn<QString>("before");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<QString>("words"); // that are offered; "-word": is not
        const int python = int(CodeLanguage::Python);
        const int jq = int(CodeLanguage::Jq);
        QTest::newRow("state[") << python << QStringLiteral("x = state[\"") << false
                                << QStringLiteral("messages summary -print");
        QTest::newRow("state.get") << python << QStringLiteral("state.get('su") << false
                                   << QStringLiteral("summary -messages");
        QTest::newRow("update") << python << QStringLiteral("    return {\"a\": 1, \"me") << false
                                << QStringLiteral("messages");
        QTest::newRow("two letters") << python << QStringLiteral("  pr") << false
                                     << QStringLiteral("print -messages");
        QTest::newRow("one letter") << python << QStringLiteral("  p") << false << QStringLiteral("-print");
        QTest::newRow("asked") << python << QStringLiteral("  ") << true
                               << QStringLiteral("print return local_name table");
        QTest::newRow("in a string") << python << QStringLiteral("x = \"pr") << false
                                     << QStringLiteral("-print");
        QTest::newRow("in a comment")
            << python << QStringLiteral("# pr") << false << QStringLiteral("-print");
        QTest::newRow("attribute") << python << QStringLiteral("x.pr") << true << QStringLiteral("-print");
        QTest::newRow("session's name")
            << python << QStringLiteral("tab") << false << QStringLiteral("table");
        QTest::newRow("jq field") << jq << QStringLiteral("{a: .me") << false
                                  << QStringLiteral("messages -map");
        QTest::newRow("jq deeper") << jq << QStringLiteral(".a.me") << false << QStringLiteral("-messages");
        QTest::newRow("jq builtin") << jq << QStringLiteral(".a | ma") << false
                                    << QStringLiteral("map max -messages");
        QTest::newRow("jq key") << jq << QStringLiteral("{su") << false << QStringLiteral("summary sub");
        QTest::newRow("jq variable") << jq << QStringLiteral("$lo") << false << QStringLiteral("local");
        QTest::newRow("jq format") << jq << QStringLiteral("@b") << false << QStringLiteral("@base64");
        QTest::newRow("text") << int(CodeLanguage::Markdown) << QStringLiteral("pri") << true
                              << QStringLiteral("-print");
    }
    void completionFollowsThePlace()
    {
        QFETCH(int, language);
        QFETCH(QString, before);
        QFETCH(bool, asked);
        QFETCH(QString, words);
        const CompletionWords known{ { QStringLiteral("messages"), QStringLiteral("summary") },
                                     { QStringLiteral("table") } };
        const Completion found = completionAt(CodeLanguage(language), before,
                                              QStringLiteral("local_name = 1 as $local"), known, asked);
        for (const QString& word : words.split(QLatin1Char(' ')))
            if (word.startsWith(QLatin1Char('-')))
                QVERIFY2(!found.words.contains(word.mid(1)), qPrintable(word));
            else
                QVERIFY2(found.words.contains(word),
                         qPrintable(word + QStringLiteral(" not in ") + found.words.join(QLatin1Char(' '))));
    }

    void aTracebackMarksItsInnermostLineOfTheFile()
    {
        const QString traceback = QStringLiteral("Traceback (most recent call last):\n"
                                                 "  File \"/session/nodes/a.py\", line 4, in node\n"
                                                 "  File \"/session/nodes/a.py\", line 9, in inner\n"
                                                 "  File \"/usr/lib/python3/json.py\", line 300, in loads\n"
                                                 "KeyError: 'x'\n");
        const auto marks =
            tracebackMarks(traceback, QStringLiteral("nodes/a.py"), QStringLiteral("KeyError: 'x'"), {});
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks.front().line, 9);
        QVERIFY(tracebackMarks(traceback, QStringLiteral("a.pyx"), QString(), {}).empty());
        QVERIFY(tracebackMarks(traceback, QStringLiteral("es/a.py"), QString(), {}).empty());
    }

    void aFailureIsMarkedWhereItsLineStands_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line"); // 0: none
        QTest::newRow("as it was") << QStringLiteral("a\n    return x.y\nb\n") << 2;
        QTest::newRow("lines were added above") << QStringLiteral("n\nn\na\n    return x.y\nb\n") << 4;
        QTest::newRow("lines were taken away") << QStringLiteral("return x.y\n") << 1;
        QTest::newRow("the nearest of several")
            << QStringLiteral("return x.y\n\nreturn x.y\nreturn x.y") << 1;
        QTest::newRow("indented otherwise") << QStringLiteral("a\n\treturn x.y\r\nb\n") << 2;
        QTest::newRow("mended") << QStringLiteral("a\n    return x.z\nb\n") << 0;
        QTest::newRow("nothing") << QString() << 0;
    }
    void aFailureIsMarkedWhereItsLineStands()
    {
        QFETCH(QString, text);
        QFETCH(int, line);
        const QString traceback = QStringLiteral("  File \"nodes/a.py\", line 2, in helper\n"
                                                 "    return x.y\n"
                                                 "           ^^^\n"
                                                 "AttributeError: 'int' object has no attribute 'y'\n");
        const auto marks = tracebackMarks(traceback, QStringLiteral("nodes/a.py"), QString(), text);
        QCOMPARE(marks.size(), std::size_t(line == 0 ? 0 : 1));
        if (line != 0)
            QCOMPARE(marks.front().line, line);
    }

    void aPrintedLineFarBelowTheTextCostsNothing()
    {
        const QString text = QStringLiteral("b\n").repeated(1000);
        QString traceback;
        for (int i = 0; i < 2000; ++i)
            traceback += QStringLiteral("  File \"nodes/a.py\", line 9999999, in f\n    return x.y\n");
        QVERIFY(tracebackMarks(traceback, QStringLiteral("nodes/a.py"), QString(), text).empty());
        const auto marks = tracebackMarks(traceback, QStringLiteral("nodes/a.py"), QString(),
                                          QStringLiteral("return x.y\n") + text);
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks.front().line, 1);
    }

    void aProblemMarksTheLineThatItNames()
    {
        graph::Problem problem;
        problem.pointer = "/nodes/1/jq";
        problem.message = "syntax error, unexpected end, line 3";
        QCOMPARE(problemMarks({ problem }, 1, "jq").front().line, 3);
        QVERIFY(problemMarks({ problem }, 11, "jq").empty());
        QVERIFY(problemMarks({ problem }, 1, "file").empty());
        problem.message = "no line";
        QCOMPARE(problemMarks({ problem }, 1, "jq").front().line, 1);
    }

    void pythonsWordsStandAtTheirLine()
    {
        graph::Problem problem;
        problem.code = "bad-python";
        problem.pointer = "/nodes/4/file"; // another node names it first
        problem.message = "nodes/a.py:3:5: SyntaxError: invalid syntax: x = = 1";
        const auto marks = pythonMarks({ problem }, QStringLiteral("nodes/a.py"));
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks.front().line, 3);
        QCOMPARE(marks.front().message, QStringLiteral("SyntaxError: invalid syntax: x = = 1"));
        QVERIFY(pythonMarks({ problem }, QStringLiteral("nodes/b.py")).empty());
        QVERIFY(problemMarks({ problem }, 4, "file").empty()); // not twice
        problem.message = "nodes/a.py: it has no function 'node'";
        QCOMPARE(pythonMarks({ problem }, QStringLiteral("nodes/a.py")).front().line, 1);
    }
};

SG_CORE_TEST(TestCodeWords)
#include "tst_code_words.moc"
