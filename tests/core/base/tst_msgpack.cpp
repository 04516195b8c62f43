#include "core/base/hash.h"
#include "core/base/msgpack.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <bit>
#include <limits>
#include <random>

using namespace sg;

namespace {

std::string fromHex(const char* hex)
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    return bytes.toStdString();
}

Value randomValue(std::mt19937_64& random, int depth)
{
    switch (random() % (depth > 0 ? 11 : 8)) {
    case 0: return nullptr;
    case 1: return random() % 2 == 0;
    case 2: return static_cast<std::int64_t>(random()) >> (random() % 64);
    case 3: return std::size_t{ random() };
    case 4: return static_cast<double>(static_cast<std::int64_t>(random())) / 1024.0;
    case 5: return std::string(random() % 300, 's');
    case 6: return Bytes{ std::string(random() % 300, '\xFE') };
    case 7: return Ext{ static_cast<std::int8_t>(random()), std::string(random() % 20, 'e') };
    case 8: {
        Value list = Value::list();
        for (std::uint64_t count = random() % 20; count > 0; --count)
            list.editList().push_back(randomValue(random, depth - 1));
        return list;
    }
    default: {
        Value map = Value::map();
        for (std::uint64_t count = random() % 20; count > 0; --count)
            map.editMap().set(randomValue(random, depth - 2), randomValue(random, depth - 1));
        return map;
    }
    }
}

} // namespace

class TestMsgpack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheShortestForm_data();
    void writesTheShortestForm();
    void writesEveryLengthForm_data();
    void writesEveryLengthForm();
    void readsLongForms_data();
    void readsLongForms();
    void keepsTheOrderOfKeys();
    void theLastOfEqualKeysWins();
    void refusesHostileData_data();
    void refusesHostileData();
    void refusesEveryTruncation();
    void boundsDepthAndSize();
    void roundTripsRandomValues();
    void survivesRandomBytes();
    void tuplesAreStoredAsLists_data();
    void tuplesAreStoredAsLists();
    void smallValuesAreCounted();
    void nestedTuplesAreBounded();
};

void TestMsgpack::writesTheShortestForm_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<std::string>("hex");
    const auto row = [](const Value& value, const char* hex) {
        QTest::newRow(hex) << value << std::string(hex);
    };
    row(nullptr, "c0");
    row(false, "c2");
    row(true, "c3");
    row(0, "00");
    row(127, "7f");
    row(128, "cc80");
    row(255, "ccff");
    row(256, "cd0100");
    row(65535, "cdffff");
    row(65536, "ce00010000");
    row(std::int64_t{ 4294967295 }, "ceffffffff");
    row(std::int64_t{ 4294967296 }, "cf0000000100000000");
    row(std::numeric_limits<std::int64_t>::max(), "cf7fffffffffffffff");
    row(std::numeric_limits<std::size_t>::max(), "cfffffffffffffffff");
    row(-1, "ff");
    row(-32, "e0");
    row(-33, "d0df");
    row(-128, "d080");
    row(-129, "d1ff7f");
    row(-32768, "d18000");
    row(-32769, "d2ffff7fff");
    row(std::int64_t{ -2147483648 }, "d280000000");
    row(std::int64_t{ -2147483649 }, "d3ffffffff7fffffff");
    row(std::numeric_limits<std::int64_t>::min(), "d38000000000000000");
    row(1.5, "cb3ff8000000000000");
    row(-0.0, "cb8000000000000000");
    row("", "a0");
    row("abc", "a3616263");
    row(Bytes{ "abc" }, "c403616263");
    row(Bytes{ "" }, "c400");
    row(Value::list(), "90");
    row(Value::list({ 1, "a" }), "9201a161");
    row(Value::map(), "80");
    row(Value::map({ { "a", 1 }, { 2, nullptr } }), "82a1610102c0");
    row(Ext{ 5, "a" }, "d40561");
    row(Ext{ 5, "ab" }, "d5056162");
    row(Ext{ 5, "abcd" }, "d60561626364");
    row(Ext{ -1, "abcdefgh" }, "d7ff6162636465666768");
    row(Ext{ 5, "0123456789abcdef" }, "d80530313233343536373839616263646566");
    row(Ext{ 5, "abc" }, "c70305616263");
    row(Ext{ 5, "" }, "c70005");
}

void TestMsgpack::writesTheShortestForm()
{
    QFETCH(Value, value);
    QFETCH(std::string, hex);
    const std::string bytes = sg::encodeMsgpack(value);
    QCOMPARE(sg::toHex(bytes), hex);
    const auto back = sg::decodeMsgpack(bytes);
    SG_VERIFY_OK(back);
    QCOMPARE(*back, value);
    QCOMPARE(back->kind(), value.kind());
}

void TestMsgpack::writesEveryLengthForm_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<std::string>("head");
    const auto text = [](std::size_t length) { return std::string(length, 'x'); };
    const auto list = [](std::size_t length) { return Value(sg::ValueList(length)); };
    const auto map = [](int length) {
        sg::ValueMap made;
        for (int i = 0; i < length; ++i)
            made.set(i, 0);
        return Value(made);
    };
    QTest::newRow("str 31") << Value(text(31)) << std::string("bf78");
    QTest::newRow("str 32") << Value(text(32)) << std::string("d92078");
    QTest::newRow("str 255") << Value(text(255)) << std::string("d9ff78");
    QTest::newRow("str 256") << Value(text(256)) << std::string("da010078");
    QTest::newRow("str 65536") << Value(text(65536)) << std::string("db0001000078");
    QTest::newRow("bin 255") << Value(Bytes{ text(255) }) << std::string("c4ff78");
    QTest::newRow("bin 256") << Value(Bytes{ text(256) }) << std::string("c5010078");
    QTest::newRow("bin 65536") << Value(Bytes{ text(65536) }) << std::string("c60001000078");
    QTest::newRow("ext 17") << Value(Ext{ 7, text(17) }) << std::string("c7110778");
    QTest::newRow("ext 256") << Value(Ext{ 7, text(256) }) << std::string("c801000778");
    QTest::newRow("ext 65536") << Value(Ext{ 7, text(65536) }) << std::string("c9000100000778");
    QTest::newRow("array 15") << list(15) << std::string("9fc0");
    QTest::newRow("array 16") << list(16) << std::string("dc0010c0");
    QTest::newRow("array 65536") << list(65536) << std::string("dd00010000c0");
    QTest::newRow("map 15") << map(15) << std::string("8f0000");
    QTest::newRow("map 16") << map(16) << std::string("de00100000");
    QTest::newRow("map 65536") << map(65536) << std::string("df000100000000");
}

void TestMsgpack::writesEveryLengthForm()
{
    QFETCH(Value, value);
    QFETCH(std::string, head);
    const std::string bytes = sg::encodeMsgpack(value);
    QCOMPARE(sg::toHex(bytes.substr(0, head.size() / 2)), head);
    const auto back = sg::decodeMsgpack(bytes);
    SG_VERIFY_OK(back);
    QVERIFY(*back == value);
}

void TestMsgpack::readsLongForms_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<Value>("expected");
    const auto row = [](const char* hex, const Value& expected) {
        QTest::newRow(hex) << fromHex(hex) << expected;
    };
    row("cc05", 5);
    row("cf0000000000000005", 5);
    row("d005", 5);
    row("d30000000000000005", 5);
    row("d3ffffffffffffffff", -1);
    row("cf8000000000000000", std::size_t{ 9223372036854775808ULL });
    row("ca3fc00000", 1.5);
    row("d90161", "a");
    row("db0000000161", "a");
    row("c60000000161", Bytes{ "a" });
    row("c9000000010561", Ext{ 5, "a" });
    row("dd0000000101", Value::list({ 1 }));
    row("df00000001a16101", Value::map({ { "a", 1 } }));
    row("81910102", Value::map({ { Value::list({ 1 }), 2 } }));
}

void TestMsgpack::readsLongForms()
{
    QFETCH(std::string, bytes);
    QFETCH(Value, expected);
    const auto value = sg::decodeMsgpack(bytes);
    SG_VERIFY_OK(value);
    QCOMPARE(*value, expected);
}

void TestMsgpack::keepsTheOrderOfKeys()
{
    const std::string bytes = fromHex("83a17a01a16102a16d03");
    const auto value = sg::decodeMsgpack(bytes);
    SG_VERIFY_OK(value);
    QCOMPARE(sg::toHex(sg::encodeMsgpack(*value)), sg::toHex(bytes));
}

void TestMsgpack::theLastOfEqualKeysWins()
{
    const auto value = sg::decodeMsgpack(fromHex("82a16101a16102"));
    SG_VERIFY_OK(value);
    QCOMPARE(*value, Value::map({ { "a", 2 } }));
}

void TestMsgpack::refusesHostileData_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::newRow("empty") << std::string();
    QTest::newRow("unknown type") << fromHex("c1");
    QTest::newRow("bytes behind the value") << fromHex("0101");
    QTest::newRow("array that promises 2^32-1") << fromHex("ddffffffff01");
    QTest::newRow("map that promises 2^32-1") << fromHex("dfffffffff0101");
    QTest::newRow("str that promises 2^32-1") << fromHex("dbffffffff61");
    QTest::newRow("bin that promises 2^32-1") << fromHex("c6ffffffff61");
    QTest::newRow("ext that promises 2^32-1") << fromHex("c9ffffffff0561");
    QTest::newRow("arrays that all promise") << fromHex("ddffffffffddffffffffddffffffffddffffffff");
    QTest::newRow("map without its last value") << fromHex("81a161");
}

void TestMsgpack::refusesHostileData()
{
    QFETCH(std::string, bytes);
    const auto value = sg::decodeMsgpack(bytes);
    QVERIFY(!value);
    QCOMPARE(value.error().code, Errc::Corrupt);
    SG_VERIFY_CONTAINS(value.error().message, "MessagePack");
}

void TestMsgpack::refusesEveryTruncation()
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        const std::string bytes = sg::encodeMsgpack(Value::list({ randomValue(random, 2), 1.5, "end" }));
        for (std::size_t length = 0; length < bytes.size(); ++length)
            QVERIFY(!sg::decodeMsgpack(std::string_view(bytes).substr(0, length)));
        SG_VERIFY_OK(sg::decodeMsgpack(bytes));
    }
}

void TestMsgpack::boundsDepthAndSize()
{
    const auto nested = [](std::size_t depth) { return std::string(depth - 1, '\x91') + '\x90'; };
    SG_VERIFY_OK(sg::decodeMsgpack(nested(256)));
    const auto deep = sg::decodeMsgpack(nested(257));
    QVERIFY(!deep);
    SG_VERIFY_CONTAINS(deep.error().message, "256 levels");
    QVERIFY(!sg::decodeMsgpack(std::string(10'000'000, '\x91')));
    QVERIFY(!sg::decodeMsgpack(std::string(10'000'000, '\x81')));
    QVERIFY(!sg::decodeMsgpack(sg::encodeMsgpack(std::string(100, 'x')), { .bytes = 100 }));
}

void TestMsgpack::roundTripsRandomValues()
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 1000; ++round) {
        const Value value = randomValue(random, 4);
        const std::string bytes = sg::encodeMsgpack(value);
        const auto back = sg::decodeMsgpack(bytes);
        SG_VERIFY_OK(back);
        QVERIFY(*back == value);
        QVERIFY(sg::encodeMsgpack(*back) == bytes);
    }
}

void TestMsgpack::survivesRandomBytes()
{
    std::mt19937_64 random(9);
    for (int round = 0; round < 10000; ++round) {
        std::string bytes(random() % 64, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 0x60 : random());
        const auto value = sg::decodeMsgpack(bytes);
        if (!value)
            QCOMPARE(value.error().code, Errc::Corrupt);
        else
            QVERIFY(sg::decodeMsgpack(sg::encodeMsgpack(*value)));
    }
}

void TestMsgpack::tuplesAreStoredAsLists_data()
{
    QTest::addColumn<Value>("ofRun");
    QTest::addColumn<Value>("stored");
    const auto tuple = [](const Value& items) { return Value(Ext{ kTupleExt, encodeMsgpackOfRun(items) }); };
    const auto scalar = [](const Value& parts) {
        return Value(Ext{ kNumpyScalarExt, encodeMsgpack(parts) });
    };
    const Value pair = Value::list({ 1, 2 });
    QTest::newRow("a tuple") << tuple(pair) << pair;
    QTest::newRow("in a tuple") << tuple(Value::list({ tuple(pair) })) << Value::list({ pair });
    QTest::newRow("in a map") << Value::map({ { "a", tuple(pair) } }) << Value::map({ { "a", pair } });
    QTest::newRow("a scalar") << scalar(Value::list({ "<f8", 0.5 })) << Value(0.5);
    for (const std::int8_t code : { kTupleExt, kNumpyScalarExt }) {
        const Value forged(Ext{ code, encodeMsgpack(7) });
        QTest::newRow(code == kTupleExt ? "no list" : "no scalar") << forged << forged;
    }
}

void TestMsgpack::tuplesAreStoredAsLists()
{
    QFETCH(Value, ofRun);
    QFETCH(Value, stored);
    QCOMPARE(*decodeMsgpack(encodeMsgpack(ofRun)), stored);
    QCOMPARE(*decodeMsgpack(encodeMsgpackOfRun(ofRun)), ofRun);
    QCOMPARE(*decodeMsgpack(encodeMsgpack(asStored(ofRun))), stored);
}

// A byte may be a list, for which memory is taken: what is small on the wire need not be so here.
void TestMsgpack::smallValuesAreCounted()
{
    ValueList items;
    for (int i = 0; i < 1000; ++i)
        items.emplace_back(i);
    const std::string numbers = encodeMsgpack(Value(items));
    const std::string lists = encodeMsgpack(Value(ValueList(1000, Value(ValueList()))));
    const auto units = [](std::size_t most) { return MsgpackLimits{ 1U << 20U, 8, most }; };
    SG_VERIFY_OK(decodeMsgpack(numbers, units(1005)));
    SG_VERIFY_OK(decodeMsgpack(lists, units(5005)));
    for (const std::string& bytes : { numbers, lists }) {
        const auto refused = decodeMsgpack(bytes, units(bytes == numbers ? 1004 : 5004));
        QVERIFY(!refused && refused.error().code == Errc::LimitExceeded);
    }
}

// Each opens a nesting of its own: the stack must not pay for it.
void TestMsgpack::nestedTuplesAreBounded()
{
    Value value = 1;
    for (int i = 0; i < 5000; ++i)
        value = Value(Ext{ kTupleExt, encodeMsgpackOfRun(Value::list({ value })) });
    QVERIFY(decodeMsgpack(encodeMsgpack(value)));
}

SG_TEST(TestMsgpack)
#include "tst_msgpack.moc"
