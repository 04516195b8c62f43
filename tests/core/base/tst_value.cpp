#include "core/base/value.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <limits>
#include <optional>
#include <thread>

using sg::Bytes;
using sg::Ext;
using sg::Value;
using sg::ValueList;
using sg::ValueMap;

class TestValue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void movingOverAValueLetsGoOfTheOldOneAlone();
    void addsNewKeys();
    void knowsItsKind();
    void copiesNeverSeeEachOthersChanges();
    void keepsInsertionOrder();
    void findsEveryKeyAtAnySize_data();
    void findsEveryKeyAtAnySize();
    void findsKeysThatShareTheirLowBits();
    void takesAnyKindAsKey();
    void overwritingKeepsThePlace();
    void erasesKeys();
    void comparesMapsWithoutOrder();
    void tellsIntegersFromDoubles();
    void hashesEqualValuesEqually();
    void lookupToleratesAnyKind();
    void assignsAPartOfItselfToItself();
    void isReadFromSeveralThreads();
};

void TestValue::movingOverAValueLetsGoOfTheOldOneAlone()
{
    const Value shared = Value::list({ 1 });
    {
        std::optional<Value> held = Value::list({ 2 });
        std::optional<Value> given = shared;
        held = std::move(given);
        Value last;
        last = std::move(*held);
        QVERIFY(last == shared);
    }
    QVERIFY(shared == Value::list({ 1 }));
}

void TestValue::addsNewKeys()
{
    ValueMap map;
    for (int i = 0; i < 40; ++i)
        map.add(Value(i), Value(i * i));
    for (int i = 0; i < 40; ++i)
        QVERIFY(map.find(Value(i)) != nullptr && *map.find(Value(i)) == Value(i * i));
    QCOMPARE(map.size(), std::size_t{ 40 });
}

void TestValue::knowsItsKind()
{
    QVERIFY(Value().isNull());
    QVERIFY(Value(nullptr).isNull());
    QVERIFY(Value(true).isBool());
    QVERIFY(Value(1).isInt());
    QVERIFY(Value(1.0).isDouble());
    QVERIFY(Value("a").isString());
    QVERIFY(Value(Bytes{ "a" }).isBytes());
    QVERIFY(Value::list().isList());
    QVERIFY(Value::map().isMap());
    QVERIFY((Value(Ext{ 5, "x" }).isExt()));
    const std::size_t large = std::numeric_limits<std::size_t>::max();
    QCOMPARE(Value(large).kind(), Value::Kind::Unsigned);
    QCOMPARE(Value(large).asUnsigned(), large);
    QCOMPARE(Value(std::size_t{ 7 }), Value(7));
    QVERIFY(Value(large).isNumber());
}

void TestValue::copiesNeverSeeEachOthersChanges()
{
    Value first = Value::map({ { "list", Value::list({ 1, 2 }) } });
    Value second = first;
    second.editMap().at("list").editList().push_back(3);
    second.editMap().set("new", true);
    QCOMPARE(first, Value::map({ { "list", Value::list({ 1, 2 }) } }));
    QCOMPARE(second, Value::map({ { "list", Value::list({ 1, 2, 3 }) }, { "new", true } }));
}

void TestValue::keepsInsertionOrder()
{
    ValueMap map;
    std::string expected;
    for (int i = 0; i < 100; ++i) {
        const std::string key = std::to_string(i * 37 % 100);
        map.set(key, i);
        expected += key + ' ';
    }
    std::string found;
    for (const auto& [key, value] : map)
        found += key.asString() + ' ';
    QCOMPARE(found, expected);
}

void TestValue::findsEveryKeyAtAnySize_data()
{
    QTest::addColumn<int>("size");
    for (const int size : { 0, 1, 8, 9, 10, 16, 17, 33, 1000 })
        QTest::addRow("%d", size) << size;
}

void TestValue::findsEveryKeyAtAnySize()
{
    QFETCH(int, size);
    ValueMap map;
    for (int i = 0; i < size; ++i)
        map.set("key" + std::to_string(i), i);
    QCOMPARE(map.size(), static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        const Value* found = map.find("key" + std::to_string(i));
        QVERIFY(found);
        QCOMPARE(*found, Value(i));
    }
    QVERIFY(!map.find("key" + std::to_string(size)));
    QVERIFY(!map.contains(""));
}

void TestValue::findsKeysThatShareTheirLowBits()
{
    ValueMap map;
    for (std::int64_t i = 0; i < 20000; ++i)
        map.set(i << 40, i);
    QCOMPARE(map.size(), std::size_t{ 20000 });
    QCOMPARE(*map.find(Value(std::int64_t{ 19999 } << 40)), Value(19999));
}

void TestValue::takesAnyKindAsKey()
{
    const ValueList keys = { nullptr,
                             false,
                             true,
                             0,
                             1,
                             1.0,
                             1.5,
                             "1",
                             Bytes{ "1" },
                             Value::list({ 1, "a" }),
                             Value::list({ 1, "b" }),
                             Value::map({ { 1, 2 } }),
                             Ext{ 1, "1" },
                             Ext{ 2, "1" } };
    ValueMap map;
    for (std::size_t i = 0; i < keys.size(); ++i)
        map.set(keys[i], i);
    QCOMPARE(map.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        QCOMPARE(*map.find(keys[i]), Value(i));
    QCOMPARE(*map.find("1"), Value(7));
}

void TestValue::overwritingKeepsThePlace()
{
    ValueMap map = { { "a", 1 }, { "b", 2 } };
    map.set("a", 3);
    QCOMPARE(map.size(), std::size_t{ 2 });
    QCOMPARE(map.begin()->first, Value("a"));
    QCOMPARE(map.begin()->second, Value(3));
}

void TestValue::erasesKeys()
{
    ValueMap map;
    for (int i = 0; i < 40; ++i)
        map.set(i, i);
    for (int i = 0; i < 40; i += 2)
        QVERIFY(map.erase(i));
    QVERIFY(!map.erase(0));
    QCOMPARE(map.size(), std::size_t{ 20 });
    for (int i = 0; i < 40; ++i)
        QCOMPARE(map.find(Value(i)) != nullptr, i % 2 == 1);
    map.set(0, "again");
    QCOMPARE(*map.find(Value(0)), Value("again"));
}

void TestValue::comparesMapsWithoutOrder()
{
    const Value a = Value::map({ { "x", 1 }, { "y", 2 } });
    const Value b = Value::map({ { "y", 2 }, { "x", 1 } });
    QCOMPARE(a, b);
    QCOMPARE(a.hash(), b.hash());
    QVERIFY(a != Value::map({ { "x", 1 } }));
    QVERIFY(a != Value::map({ { "x", 1 }, { "z", 2 } }));
    QVERIFY(Value::list({ 1, 2 }) != Value::list({ 2, 1 }));
}

void TestValue::tellsIntegersFromDoubles()
{
    QVERIFY(Value(1) != Value(1.0));
    QVERIFY(Value(1) != Value(true));
    QVERIFY(Value("a") != Value(Bytes{ "a" }));
    QVERIFY(Value(std::nan("")) != Value(std::nan("")));
}

void TestValue::hashesEqualValuesEqually()
{
    QCOMPARE(Value("text").hash(), Value(std::string("text")).hash());
    QCOMPARE(Value("text").hash(), Value::hash("text"));
    QCOMPARE(Value(0.0).hash(), Value(-0.0).hash());
    QVERIFY(Value("1").hash() != Value(1).hash());
}

void TestValue::lookupToleratesAnyKind()
{
    const Value value = Value::map({ { "text", "a" }, { "number", 5 }, { "flag", true } });
    QCOMPARE(value.stringOr("text", "x"), std::string("a"));
    QCOMPARE(value.stringOr("number", "x"), std::string("x"));
    QCOMPARE(value.intOr("number", 1), 5);
    QCOMPARE(value.intOr("none", 1), 1);
    QCOMPARE(value.boolOr("flag", false), true);
    QCOMPARE(value.boolOr("text", false), false);
    QVERIFY(value["none"]["deeper"][3].isNull());
    QVERIFY(Value(5)["none"].isNull());
    QCOMPARE(Value::list({ 1, 2 })[1], Value(2));
    QVERIFY(Value::list({ 1, 2 })[2].isNull());
}

void TestValue::assignsAPartOfItselfToItself()
{
    Value value = Value::map({ { "inner", Value::list({ "kept" }) } });
    value = value["inner"];
    QCOMPARE(value, Value::list({ "kept" }));
    value = Value(value.editList()[0]);
    QCOMPARE(value, Value("kept"));
    Value& same = value;
    value = same;
    QCOMPARE(value, Value("kept"));
}

void TestValue::isReadFromSeveralThreads()
{
    ValueMap map;
    for (int i = 0; i < 100; ++i)
        map.set(std::to_string(i), Value::list({ i }));
    const Value shared = map;
    std::vector<std::thread> threads;
    std::atomic<int> sum{ 0 };
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&shared, &sum] {
            for (int i = 0; i < 100; ++i) {
                Value copy = shared;
                copy.editMap().at(std::to_string(i)).editList().push_back(1);
                sum += static_cast<int>(shared[std::to_string(i)].asList().size());
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(sum.load(), 400);
}

SG_TEST(TestValue)
#include "tst_value.moc"
