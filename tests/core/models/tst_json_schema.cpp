#include "core/base/json.h"
#include "core/models/json_schema.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;

class TestJsonSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatDoesNotMatch_data();
    void tellsWhatDoesNotMatch();
    void endsWhereASchemaRefersToItself();
};

void TestJsonSchema::tellsWhatDoesNotMatch_data()
{
    QTest::addColumn<std::string>("schema");
    QTest::addColumn<std::string>("value");
    QTest::addColumn<std::string>("mismatch");
    const auto row = [](const char* name, const char* schema, const char* value, const char* mismatch) {
        QTest::newRow(name) << std::string(schema) << std::string(value) << std::string(mismatch);
    };
    constexpr const char* kPerson = R"({"type":"object","properties":{"name":{"type":"string","minLength":1},
        "age":{"type":"integer","minimum":0}},"required":["name"],"additionalProperties":false})";
    row("fits", kPerson, R"({"name":"Ada","age":36})", "");
    row("a whole number as a fraction", kPerson, R"({"name":"Ada","age":36.0})", "");
    row("missing", kPerson, R"({"age":1})", "the answer: \"name\" is missing");
    row("another type", kPerson, R"({"name":"Ada","age":"x"})", "/age: \"x\" is no integer");
    row("too small", kPerson, R"({"name":"Ada","age":-1})", "/age: -1 breaks minimum 0");
    row("too short", kPerson, R"({"name":""})", "/name: \"\" breaks minLength 1");
    row("unknown field", kPerson, R"({"name":"Ada","x/y":1})", "/x~1y: there is no such field");
    row("no object", kPerson, "[1]", "the answer: [1] is no object");
    row("items", R"({"items":{"type":"number"},"maxItems":2})", "[1,\"a\"]", "/1: \"a\" is no number");
    row("too many items", R"({"maxItems":2})", "[1,2,3]", "the answer: [1,2,3] breaks maxItems 2");
    row("enum", R"({"enum":["a","b"]})", "\"c\"", "the answer: \"c\" is none of [\"a\",\"b\"]");
    row("types", R"({"type":["string","null"]})", "1",
        "the answer: 1 is none of the types [\"string\",\"null\"]");
    row("any of", R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "null", "");
    row("none of any", R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1", "the answer: 1 is no string");
    row("reference", R"({"$ref":"#/$defs/p","$defs":{"p":{"type":"string"}}})", "1",
        "the answer: 1 is no string");
    row("tree", R"({"type":"object","properties":{"of":{"items":{"$ref":"#"}}},"required":["of"]})",
        R"({"of":[{"of":[]},{}]})", "/of/1: \"of\" is missing");
    row("not", R"({"not":{"type":"string"}})", "\"x\"", "the answer: \"x\" is what it must not be");
    row("further fields", R"({"additionalProperties":{"type":"integer"}})", R"({"a":"b"})",
        "/a: \"b\" is no integer");
}

void TestJsonSchema::tellsWhatDoesNotMatch()
{
    QFETCH(std::string, schema);
    QFETCH(std::string, value);
    QFETCH(std::string, mismatch);
    const auto read = parseJson(schema);
    const auto given = parseJson(value);
    QVERIFY(read && given);
    QCOMPARE(models::schemaMismatch(*read, *given).value_or(""), mismatch);
}

void TestJsonSchema::endsWhereASchemaRefersToItself()
{
    const auto schema = parseJson(R"({"$ref":"#"})");
    QVERIFY(schema);
    QVERIFY(!models::schemaMismatch(*schema, Value(1)));
}

SG_TEST(TestJsonSchema)
#include "tst_json_schema.moc"
