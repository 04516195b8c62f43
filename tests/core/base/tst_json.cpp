#include "core/base/json.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using sg::Bytes;
using sg::Errc;
using sg::Ext;
using sg::JsonStyle;
using sg::Value;

class TestJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsValues_data();
    void readsValues();
    void refusesWithLineAndColumn_data();
    void refusesWithLineAndColumn();
    void boundsDepthAndSize();
    void notesWhereEachValueStands();
    void writesAsPythonDoes_data();
    void writesAsPythonDoes();
    void writesStyles();
    void writesWhatJsonLacks_data();
    void writesWhatJsonLacks();
    void escapesPointerTokens();
    void survivesRandomText();
    void roundTripsDoubles();
};

void TestJson::readsValues_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<Value>("expected");
    const auto row = [](const char* text, const Value& expected) {
        QTest::newRow(text) << std::string(text) << expected;
    };
    row("null", nullptr);
    row(" true ", true);
    row("false", false);
    row("0", 0);
    row("-0", 0);
    row("-17", -17);
    row("9223372036854775807", std::numeric_limits<std::int64_t>::max());
    row("-9223372036854775808", std::numeric_limits<std::int64_t>::min());
    row("9223372036854775808", std::size_t{ 9223372036854775808ULL });
    row("18446744073709551615", std::numeric_limits<std::size_t>::max());
    row("18446744073709551616", 18446744073709551616.0);
    row("-9223372036854775809", -9223372036854775808.0);
    row("1.0", 1.0);
    row("1e3", 1000.0);
    row("\"\\u00e4\\n\\ud83d\\ude00\"", "\xC3\xA4\n\xF0\x9F\x98\x80");
    row("\"a\\u0000b\"", std::string("a\0b", 3));
    row("[]", Value::list());
    row("{}", Value::map());
    row("[1,[2,{\"a\":null}]]", Value::list({ 1, Value::list({ 2, Value::map({ { "a", nullptr } }) }) }));
    row("\xEF\xBB\xBF[1]", Value::list({ 1 }));
}

void TestJson::readsValues()
{
    QFETCH(std::string, text);
    QFETCH(Value, expected);
    const auto value = sg::parseJson(text);
    SG_VERIFY_OK(value);
    QCOMPARE(*value, expected);
    const auto source = sg::parseJsonSource(text);
    SG_VERIFY_OK(source);
    QCOMPARE(source->value, expected);
}

void TestJson::refusesWithLineAndColumn_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");
    const auto row = [](const char* text, const char* message) {
        QTest::newRow(text) << std::string(text) << std::string(message);
    };
    row("", "line 1, column 1: ");
    row("{\"a\" 1}", "line 1, column 6: expected ':', found number literal");
    row("{\"a\": 1,\n \"b\" \"c\"}", "line 2, column 6: expected ':', found string literal");
    row("[1,,2]", "line 1, column 4: ");
    row("[1 2]", "line 1, column 4: ");
    row("[1, 2", "line 1, column 6: expected ']', found end of input");
    row("[1, 2 \n", "line 2, column 1: expected ']', found end of input");
    row("[\"abc", "line 1, column 6: invalid string: missing closing quote");
    row("{\"a\": 1} x", "line 1, column 10: ");
    row("{\"a\": 1} {", "line 1, column 10: ");
    row("[tru]", "line 1, column 5: invalid literal");
    row("[01]", "line 1, column 3: ");
    row("[\"a\nb\"]", "line 1, column 4: invalid string");
    row("[\"\xFF\"]", "line 1, column 3: invalid string: ill-formed UTF-8");
    row("[\"\\ud800\"]", "line 1, column ");
    row("{\n  \"a\": 1,\n  \"a\": 2\n}", "line 3, column 3: the key \"a\" appears twice");
    row("{\"x\":{\"b\":1,\"b\":2}}", "line 1, column 13: the key \"b\" appears twice");
    row("1e999", "line 1, column 1: number");
    row("{a: 1}", "line 1, column 2: invalid literal");
    row("// no comments\n1", "line 1, column 1: invalid literal");
}

void TestJson::refusesWithLineAndColumn()
{
    QFETCH(std::string, text);
    QFETCH(std::string, message);
    const auto value = sg::parseJson(text);
    QVERIFY(!value);
    QCOMPARE(value.error().code, Errc::InvalidArgument);
    QCOMPARE(value.error().message.substr(0, message.size()), message);
    const auto source = sg::parseJsonSource(text);
    QVERIFY(!source);
    QCOMPARE(source.error().message, value.error().message);
}

void TestJson::boundsDepthAndSize()
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    SG_VERIFY_OK(sg::parseJson(nested(256)));
    const auto deep = sg::parseJson(nested(257));
    QVERIFY(!deep);
    QCOMPARE(deep.error().message, std::string("line 1, column 257: more than 256 levels of nesting"));
    QVERIFY(!sg::parseJson(std::string(1'000'000, '[')));
    QVERIFY(!sg::parseJson(std::string(1'000'000, '{')));
    const auto large = sg::parseJson("[1, 2, 3]", { .bytes = 8 });
    QVERIFY(!large);
    QCOMPARE(large.error().code, Errc::LimitExceeded);
}

void TestJson::notesWhereEachValueStands()
{
    const std::string text = "{\n  \"a\": [10, {\"b/c\": \"x,:]\\\"y\"}],\n  \"d~\": \xC3\xA4\n}";
    QVERIFY(!sg::parseJsonSource(text)); // a bare word
    const auto source =
        sg::parseJsonSource("{\n  \"a\": [10, {\"b/c\": \"x,:]\\\"y\"}, -1.5e3],\n  \"d~\" : true\n}");
    SG_VERIFY_OK(source);
    std::string found;
    for (const auto& [pointer, at] : source->positions)
        found += pointer + ' ' + std::to_string(at.line) + ':' + std::to_string(at.column) + '\n';
    QCOMPARE(found, std::string(" 1:1\n/a 2:8\n/a/0 2:9\n/a/1 2:13\n/a/1/b~1c 2:21\n/a/2 2:33\n/d~0 3:10\n"));
}

void TestJson::writesAsPythonDoes_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<std::string>("expected"); // json.dumps(value, ensure_ascii=False)
    const auto row = [](const Value& value, const char* expected) {
        QTest::newRow(expected) << value << std::string(expected);
    };
    row(1.0, "1.0");
    row(-0.0, "-0.0");
    row(0.1, "0.1");
    row(0.1 + 0.2, "0.30000000000000004");
    row(1e16, "1e+16");
    row(1e15, "1000000000000000.0");
    row(123456789012345680.0, "1.2345678901234568e+17");
    row(1e22, "1e+22");
    row(1.5e300, "1.5e+300");
    row(0.0001, "0.0001");
    row(0.00001, "1e-05");
    row(1.25e-7, "1.25e-07");
    row(5e-324, "5e-324");
    row(1.7976931348623157e308, "1.7976931348623157e+308");
    row(1234.5, "1234.5");
    row(-17, "-17");
    row(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    row(std::numeric_limits<std::size_t>::max(), "18446744073709551615");
    row("\"\\/\b\f\n\r\t\x01\x1f\x7f", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
    row("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    row(Value::list(), "[]");
    row(Value::map(), "{}");
    row(Value::list({ 1, nullptr, true, "a" }), R"([1, null, true, "a"])");
    row(Value::map({ { "b", 1 }, { "a", Value::map({ { "c", Value::list({ 2 }) } }) } }),
        R"({"b": 1, "a": {"c": [2]}})");
    row(Value::map({ { 1, 1 }, { true, 2 }, { nullptr, 3 }, { 1.5, 4 } }),
        R"({"1": 1, "true": 2, "null": 3, "1.5": 4})");
}

void TestJson::writesAsPythonDoes()
{
    QFETCH(Value, value);
    QFETCH(std::string, expected);
    QCOMPARE(sg::toJson(value, JsonStyle::Spaced), expected);
}

void TestJson::writesStyles()
{
    const Value value =
        Value::map({ { "a", Value::list({ 1, 2 }) }, { "b", Value::map() }, { "c", Value::list() } });
    const std::string compact = R"({"a":[1,2],"b":{},"c":[]})";
    QCOMPARE(sg::toJson(value), compact);
    QCOMPARE(sg::toJson(value, JsonStyle::Indented),
             std::string("{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}"));
}

void TestJson::writesWhatJsonLacks_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("not a number") << Value(std::nan("")) << std::string("null");
    QTest::newRow("infinity") << Value(-std::numeric_limits<double>::infinity()) << std::string("null");
    QTest::newRow("bytes") << Value(Bytes{ std::string("\0\xFF", 2) }) << std::string(R"({"$bytes":"AP8="})");
    QTest::newRow("ext") << Value(Ext{ -1, "abc" }) << std::string(R"({"$ext":-1,"data":"YWJj"})");
    QTest::newRow("invalid UTF-8") << Value("a\xFFz\xC3") << std::string("\"a\xEF\xBF\xBDz\xEF\xBF\xBD\"");
    QTest::newRow("surrogate") << Value("\xED\xA0\x80")
                               << std::string("\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    QTest::newRow("list as key") << Value::map({ { Value::list({ 1, "a" }), 2 } })
                                 << std::string(R"({"[1,\"a\"]":2})");
}

void TestJson::writesWhatJsonLacks()
{
    QFETCH(Value, value);
    QFETCH(std::string, expected);
    QCOMPARE(sg::toJson(value), expected);
}

void TestJson::escapesPointerTokens()
{
    QCOMPARE(sg::jsonPointerToken("a/b~c"), std::string("a~1b~0c"));
}

void TestJson::survivesRandomText()
{
    std::mt19937 random(7);
    const std::string alphabet = "{}[]\",:\\u0123e-+.truefalsn \n\xC3\xA4\xFF";
    for (int round = 0; round < 10000; ++round) {
        std::string text;
        for (std::size_t length = random() % 24; text.size() < length;)
            text += alphabet[random() % alphabet.size()];
        const auto plain = sg::parseJson(text);
        const auto source = sg::parseJsonSource(text);
        QCOMPARE(static_cast<bool>(plain), static_cast<bool>(source));
        if (plain)
            QCOMPARE(source->value, *plain);
        else
            QCOMPARE(source.error().message, plain.error().message);
    }
}

void TestJson::roundTripsDoubles()
{
    std::mt19937_64 random(11);
    for (int round = 0; round < 20000; ++round) {
        const auto number = std::bit_cast<double>(random());
        if (!std::isfinite(number))
            continue;
        const auto back = sg::parseJson(sg::toJson(number));
        SG_VERIFY_OK(back);
        QVERIFY(back->isDouble());
        QCOMPARE(std::bit_cast<std::uint64_t>(back->asDouble()), std::bit_cast<std::uint64_t>(number));
    }
}

SG_TEST(TestJson)
#include "tst_json.moc"
