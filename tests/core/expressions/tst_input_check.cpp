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
