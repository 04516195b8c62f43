// Applied by another library, the patch makes the one value out of the other.

#include "core/base/json.h"
#include "core/base/json_patch.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <random>

using namespace sg;

namespace {

Value parsed(const std::string& text)
{
    auto value = parseJson(text);
    return value ? std::move(*value) : Value("not JSON");
}

std::string applied(const Value& from, const Value& patch)
{
    try {
        return nlohmann::json::parse(toJson(from)).patch(nlohmann::json::parse(toJson(patch))).dump();
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::string sorted(const Value& value)
{
    return nlohmann::json::parse(toJson(value)).dump();
}

Value randomValue(std::mt19937& random, int depth)
{
    const auto pick = [&random](unsigned count) { return static_cast<int>(random() % count); };
    switch (depth > 0 ? pick(7) : pick(5)) {
    case 0: return {};
    case 1: return Value(pick(2) == 0);
    case 2: return Value(pick(3));
    case 3: return Value(pick(3) + 0.5);
    case 4: return Value(std::string(static_cast<std::size_t>(pick(3)), 'x'));
    case 5: {
        ValueList list;
        for (int i = pick(5); i > 0; --i)
            list.push_back(randomValue(random, depth - 1));
        return list;
    }
    default: {
        ValueMap map;
        static const char* const kKeys[] = { "a", "b", "a/b", "m~n", "", "é" };
        for (int i = pick(5); i > 0; --i)
            map.set(kKeys[pick(6)], randomValue(random, depth - 1));
        return map;
    }
    }
}

} // namespace

class TestJsonPatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void says_data()
    {
        QTest::addColumn<std::string>("from");
        QTest::addColumn<std::string>("to");
        QTest::addColumn<std::string>("patch");
        const auto row = [](const char* name, const char* from, const char* to, const char* patch) {
            QTest::newRow(name) << std::string(from) << std::string(to) << std::string(patch);
        };
        row("same", "[1, {}]", "[1, {}]", "[]");
        row("whole", "1", "2", "[replace  2]");
        row("added", "{'a': 1}", "{'a': 1, 'b': null}", "[add /b null]");
        row("removed", "{'a': 1, 'b': 2}", "{'b': 2}", "[remove /a]");
        row("nested", "{'a': {'b': 1}}", "{'a': {'b': 2}}", "[replace /a/b 2]");
        row("escaped", "{'a/b': {'m~n': 1}}", "{'a/b': {'m~n': 2}}", "[replace /a~1b/m~0n 2]");
        row("appended", "[1]", "[1, 2, 3]", "[add /1 2][add /2 3]");
        row("first removed", "[1, 2, 3]", "[2, 3]", "[remove /0]");
        row("inserted", "[1, 3]", "[1, 2, 3]", "[add /1 2]");
        row("two removed", "[1, 2, 3, 4]", "[1, 4]", "[remove /2][remove /1]");
        row("kind", "[]", "{}", "[replace  {}]");
        row("order of keys", "{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "[]");
    }
    void says()
    {
        QFETCH(std::string, from);
        QFETCH(std::string, to);
        QFETCH(std::string, patch);
        for (std::string* text : { &from, &to })
            std::replace(text->begin(), text->end(), '\'', '"');
        std::string said;
        const Value made = jsonPatch(parsed(from), parsed(to));
        for (const Value& step : made.asList()) {
            const Value* value = step.find("value");
            said += "[" + step.stringOr("op", "") + " " + step.stringOr("path", "?")
                + (value != nullptr ? " " + toJson(*value) : "") + "]";
        }
        QCOMPARE(said.empty() ? std::string("[]") : said, patch);
        QCOMPARE(applied(parsed(from), made), sorted(parsed(to)));
    }

    void makesTheOneOfTheOther()
    {
        std::mt19937 random(7);
        for (int i = 0; i < 5000; ++i) {
            const Value from = randomValue(random, 4);
            const Value to = randomValue(random, 4);
            const std::string place =
                "from " + toJson(from) + " to " + toJson(to) + " by " + toJson(jsonPatch(from, to));
            QVERIFY2(applied(from, jsonPatch(from, to)) == sorted(to), place.c_str());
        }
    }

    void keysThatAreNoTextStandAsTheirJson()
    {
        const Value from = Value::map({ { 1, "a" } });
        const Value to = Value::map({ { 1, "b" } });
        QCOMPARE(jsonPatch(from, to)[0]["path"], Value("/1"));
    }
};

SG_TEST(TestJsonPatch)
#include "tst_json_patch.moc"
