#include "core/base/json.h"
#include "core/models/json_schema.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <chrono>

using namespace sg;

class TestJsonSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatDoesNotMatch_data();
    void tellsWhatDoesNotMatch();
    void endsWhereASchemaRefersToItself_data();
    void endsWhereASchemaRefersToItself();
    void showsTheBeginningOfALargeValue();
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
    row("beside a reference", R"({"$ref":"#/$defs/p","minLength":3,"$defs":{"p":{"type":"string"}}})",
        "\"ab\"", "the answer: \"ab\" breaks minLength 3");
    row("a reference elsewhere", R"({"$ref":"https://x.test/s"})", "1",
        "the answer: 1 cannot be checked: the schema refers to \"https://x.test/s\", which it does not hold");
    row("a reference with a slash", R"({"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"string"}}})", "1",
        "the answer: 1 is no string");
    row("multiple", R"({"multipleOf":0.1})", "0.3", "");
    row("no multiple", R"({"multipleOf":2})", "3", "the answer: 3 breaks multipleOf 2");
    row("too few fields", R"({"minProperties":1})", "{}", "the answer: {} breaks minProperties 1");
    row("too many fields", R"({"maxProperties":1})", R"({"a":1,"b":2})",
        R"(the answer: {"a":1,"b":2} breaks maxProperties 1)");
    row("names of fields", R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})",
        "/abc: \"abc\" breaks maxLength 2");
    row("fields by a pattern", R"({"patternProperties":{"^x":{}},"additionalProperties":false})",
        R"({"x1":1})", "");
    row("needs another", R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})",
        "the answer: \"b\" is missing, which \"a\" needs");
    row("needs a schema", R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1})",
        "the answer: \"b\" is missing");
    row("then", R"({"if":{"type":"integer"},"then":{"minimum":5},"else":{"type":"string"}})", "4",
        "the answer: 4 breaks minimum 5");
    row("else", R"({"if":{"type":"integer"},"then":{"minimum":5},"else":{"type":"string"}})", "null",
        "the answer: null is no string");
    row("first items", R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})", R"(["a",1,"b"])",
        "/2: \"b\" is no integer");
    row("first items of old", R"({"items":[{"type":"string"}],"additionalItems":false})", R"(["a",1])",
        "/1: 1 is not wanted");
    row("twice", R"({"uniqueItems":true})", "[1,2,1.0]", "the answer: 1.0 occurs twice");
    row("contains none", R"({"contains":{"type":"string"}})", "[1]",
        "the answer: [1] holds too few items that \"contains\" wants");
    row("contains too many", R"({"contains":{"type":"string"},"maxContains":1})", R"(["a","b"])",
        R"(the answer: ["a","b"] holds too many items that "contains" wants)");
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

void TestJsonSchema::endsWhereASchemaRefersToItself_data()
{
    QTest::addColumn<std::string>("schema");
    QTest::newRow("without end") << std::string(R"({"$ref":"#"})");
    QTest::newRow("twice at each level") << std::string(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})");
    QTest::newRow("not, twice at each level")
        << std::string(R"({"not":{"oneOf":[{"$ref":"#"},{"$ref":"#"}]}})");
    QTest::newRow("for each item") << std::string(
        R"({"items":{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}})");
}

void TestJsonSchema::endsWhereASchemaRefersToItself()
{
    QFETCH(std::string, schema);
    const auto read = parseJson(schema);
    QVERIFY(read);
    Value nested(1);
    for (int i = 0; i < 60; ++i)
        nested = Value::list({ nested });
    const auto begin = std::chrono::steady_clock::now();
    const auto why = models::schemaMismatch(*read, nested);
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    QVERIFY2(why && why->find("cannot be checked") != std::string::npos, why.value_or("it fits").c_str());
}

// A server's schema with many choices, and its answer of megabytes: the answer is not written out for each.
void TestJsonSchema::showsTheBeginningOfALargeValue()
{
    ValueList choices;
    for (int i = 0; i < 20'000; ++i)
        choices.push_back(Value::map({ { "const", i } }));
    const Value schema = Value::map({ { "anyOf", Value(std::move(choices)) } });
    const Value large = Value::list({ Value::map({ { "k", std::string(4U << 20, 'x') } }), 7 });
    const auto begin = std::chrono::steady_clock::now();
    const auto why = models::schemaMismatch(schema, large);
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    QVERIFY(why && why->size() < 200);
    QVERIFY2(why->starts_with("the answer: [{\"k"), why->c_str());
}

SG_TEST(TestJsonSchema)
#include "tst_json_schema.moc"
