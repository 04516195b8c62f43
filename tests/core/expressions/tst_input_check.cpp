#include "core/expressions/input_check.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;

class TestInputCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesThePlaceOfWhatDoesNotFit_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("error"); // empty: fits
        QTest::newRow("plain") << R"({"a":[1,2.5,"x",null,true]})"
                               << "";
        QTest::newRow("2^53") << "9007199254740992"
                              << "";
        QTest::newRow("-2^53") << "-9007199254740992"
                               << "";
        QTest::newRow("2^53+1") << "9007199254740993"
                                << "jq input: the value is 9007199254740993: jq rounds integers beyond 2^53";
        QTest::newRow("nested") << R"({"a":[0,{"b/c":-9007199254740993}]})"
                                << "jq input: /a/1/b~1c is -9007199254740993";
        QTest::newRow("unsigned") << "[18446744073709551615]"
                                  << "jq input: /0 is 18446744073709551615";
    }
    void namesThePlaceOfWhatDoesNotFit()
    {
        QFETCH(QString, json);
        QFETCH(QString, error);
        const auto value = parseJson(json.toStdString());
        compare(*value, error);
    }

    void leavesOutWhatTheProgramDoesNotRead_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("given"); // the fields; empty: it is refused
        const auto row = [](const char* program, const char* given) {
            QTest::newRow(program) << program << given;
        };
        row("if .go then 1 else 2 end", "go");
        row("if .go and (.n | length) > 1 then .x else null end", "go n");
        row("{a: .n, go}", "go n");
        row(".n[0] // .n | test(\"x\")", "n");
        row("[.go, .\"n\"]", "go n");
        row(".go | map(.n)", "go n");
        row(".v", "");
        row("{v}", "");
        row("{\"v\"}", "");
        row(".", "");
        row("", "");
        row("keys", "");
        row("..", "");
        row(".[]", "");
        row(".[\"go\"]", "");
        row("if .go then 1 end", "");
        row(".go = 1", "");
        row(".go |= 1", "");
        row(".go += 1", "");
        row("del(.go)", "");
        row(". as $x | 1", "");
        row(".go as $x | length", "");
        row(".go, length", "");
        row("try error catch .", "");
        row("select(.go)", "");
        row("\"\\(.v)\"", "");
        row("$ENV", "");
        row("reduce .go[] as $x (.; 1)", "");
        row("def f: .; f", "");
        row(".go # | .v", "");
        row("@json", "");
    }
    void leavesOutWhatTheProgramDoesNotRead()
    {
        QFETCH(const QString, program);
        QFETCH(const QString, given);
        const Value input = Value::map({ { "go", true },
                                         { "v", Bytes{ "x" } },
                                         { "n", Value::list({ 1 }) },
                                         { "large", std::int64_t{ 1 } << 60 } });
        const auto fitted = expressions::fittedJqInput(program.toStdString(), input);
        if (given.isEmpty()) {
            QVERIFY(!fitted);
            SG_VERIFY_CONTAINS(fitted.error().message, "/v holds bytes");
            return;
        }
        SG_VERIFY_OK(fitted);
        QVERIFY(fitted->has_value());
        std::string names;
        for (const auto& [key, value] : (*fitted)->asMap())
            names += (names.empty() ? "" : " ") + key.asString();
        QCOMPARE(names, given.toStdString());
    }

    void refusesWhatJsonCannotHold()
    {
        compare(Value::map({ { "when", Ext{ 5, "x" } } }),
                QStringLiteral("/when holds a value of extension type 5"));
        compare(Value::map({ { "raw", Bytes{ "x" } } }), QStringLiteral("/raw holds bytes"));
        compare(Value::map({ { "m", Value::map({ { 1, 2 } }) } }),
                QStringLiteral("/m has the key 1, which is no string"));
    }

    void refusesDeepNesting()
    {
        Value deep;
        for (int i = 0; i < 256; ++i)
            deep = Value::list({ deep });
        compare(deep, QString());
        compare(Value::list({ deep }), QStringLiteral("nested deeper than 256 levels"));
    }

private:
    static void compare(const Value& value, const QString& error)
    {
        auto result = expressions::checkJqInput(value);
        QCOMPARE(static_cast<bool>(result), error.isEmpty());
        if (!result)
            SG_VERIFY_CONTAINS(result.error().message, error.toStdString());
    }
};

SG_TEST(TestInputCheck)
#include "tst_input_check.moc"
