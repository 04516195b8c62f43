#include "core/exchange/code_modules.h"
#include "core/exchange/python_text.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::exchange;

class TestPythonText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesLiterals_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("literal");
        const auto row = [](const char* name, const char* text, const char* literal) {
            QTest::newRow(name) << std::string(text) << std::string(literal);
        };
        row("empty", "", "\"\"");
        row("plain", "a b", "\"a b\"");
        row("double quotes", "say \"no\"", "'say \"no\"'");
        row("single quote", "don't", "\"don't\"");
        row("both quotes", "\"don't\"", "\"\\\"don't\\\"\"");
        row("backslash", "\\(.a)", "r\"\\(.a)\"");
        row("backslash and quotes", "\"\\(.a)\"", "r'\"\\(.a)\"'");
        row("backslash at the end", "a\\", "\"a\\\\\"");
        row("lines", "a\nb", "\"\"\"a\nb\"\"\"");
        row("lines with backslash", "a\n\\(.b)", "r\"\"\"a\n\\(.b)\"\"\"");
        row("lines that end in a quote", "a\n\"b\"", "\"a\\n\\\"b\\\"\"");
        row("lines with three quotes", "a\n\"\"\"b", "\"a\\n\\\"\\\"\\\"b\"");
        row("carriage return", "a\r\nb", "\"a\\x0d\\nb\"");
        row("escape", "\x1b[0m", "\"\\x1b[0m\"");
        row("beyond ASCII", "größer", "\"größer\"");
    }
    void writesLiterals()
    {
        QFETCH(std::string, text);
        QFETCH(std::string, literal);
        QCOMPARE(pythonText(text), literal);
    }

    void writesValues()
    {
        const Value value = Value::map({ { "a", Value::list({ 1, 2.5, true, Value() }) }, { "b", "c" } });
        QCOMPARE(pythonLiteral(value), std::string("{\"a\": [1, 2.5, True, None], \"b\": \"c\"}"));
    }

    void findsNames()
    {
        QCOMPARE(snakeName("Read mail!", "node"), std::string("read_mail"));
        QCOMPARE(snakeName("2 fast", "node"), std::string("node_2_fast"));
        QCOMPARE(snakeName("日本", "node"), std::string("node"));
        QCOMPARE(camelName("read mail", "node"), std::string("ReadMail"));
        PythonNames names;
        QCOMPARE(names.take("work"), std::string("work"));
        QCOMPARE(names.take("work"), std::string("work_2"));
        QCOMPARE(names.take("class"), std::string("class_"));
        QCOMPARE(names.take("sum"), std::string("sum_"));
        QCOMPARE(names.take("sum"), std::string("sum_2"));
    }

    void readsAFunctionsShape_data()
    {
        QTest::addColumn<std::string>("source");
        QTest::addColumn<bool>("isAsync");
        QTest::addColumn<std::string>("second");
        const auto row = [](const char* source, bool isAsync, const char* second) {
            QTest::newRow(source) << std::string(source) << isAsync << std::string(second);
        };
        row("def node(state): pass", false, "");
        row("def node(state, config): pass", false, "config");
        row("x = 1\nasync def node(state: dict[str, int], cfg: Config): pass", true, "cfg");
        row("def node(state, cfg=None): pass", false, "");
        row("def node(\n    state,\n    *,\n    store,\n): pass", false, "*");
        row("def nodes(state, other): pass", false, "");
        row("node = make()", false, "");
    }
    void readsAFunctionsShape()
    {
        QFETCH(std::string, source);
        QFETCH(bool, isAsync);
        QFETCH(std::string, second);
        const FunctionShape shape = shapeOf(source, "node");
        QCOMPARE(shape.isAsync, isAsync);
        QCOMPARE(shape.second, second);
    }
};

SG_TEST(TestPythonText)
#include "tst_python_text.moc"
