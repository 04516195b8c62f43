#include "core/base/msgpack.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"
#include "core/checkpoint/serde/typed_value.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::checkpoint;

namespace {

std::string bytesOf(const char* hex)
{
    return QByteArray::fromHex(hex).toStdString();
}

// An Ext whose payload holds an Ext whose payload …
Value nestedExts(int levels)
{
    Value value = 1;
    for (int i = 0; i < levels; ++i)
        value = makeOverwrite(value);
    return value;
}

} // namespace

class TestSerde : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choosesTheTypeTag_data();
    void choosesTheTypeTag();
    void refusesBlobsThatAreNotWhatTheirTypeSays_data();
    void refusesBlobsThatAreNotWhatTheirTypeSays();
    void writesLangGraphsObjects_data();
    void writesLangGraphsObjects();
    void recognizesOnlyLangGraphsObjects();
    void recognizesEveryFormOfOverwrite();
    void aSetHoldsEachItemOnce();
    void describesHostileExtsWithoutFailing_data();
    void describesHostileExtsWithoutFailing();
    void describesDeepNestingUpToALimit();
    void hidesSecrets();
    void readsADeltaSnapshot();
    void writesTheCheckpointsKeysInOrder();
    void toleratesOddCheckpoints();
    void keepsASourceOfAnotherVersion_data();
    void keepsASourceOfAnotherVersion();
    void writesMetadataAsPythonDoes();
    void peeksAtTheTimestamp();
};

void TestSerde::choosesTheTypeTag_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<QByteArray>("tag");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("hex");
    const auto row = [](const char* name, const Value& value, const char* tag, const char* type,
                        const char* hex) {
        QTest::newRow(name) << value << QByteArray(tag) << QByteArray(type) << QByteArray(hex);
    };
    row("null", {}, "", "null", "");
    row("bytes", Bytes{ "ab" }, "", "bytes", "6162");
    row("bytearray", Bytes{ "ab" }, "bytearray", "bytearray", "6162");
    row("text", "bob", "", "msgpack", "a3626f62");
    row("a value that changed its kind", "bob", "bytearray", "msgpack", "a3626f62");
    row("no bytes", Bytes{}, "", "bytes", "");
    row("pickle", Ext{ kOpaqueExt, "xyz" }, "pickle", "pickle", "78797a");
    row("ext 127 of somebody else", Ext{ kOpaqueExt, "x" }, "", "msgpack", "d47f78");
}

void TestSerde::choosesTheTypeTag()
{
    QFETCH(Value, value);
    QFETCH(QByteArray, tag);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, hex);
    const TypedBlob typed = dumpsTyped(value, tag.toStdString());
    QCOMPARE(typed.type, type.toStdString());
    QCOMPARE(QByteArray::fromStdString(typed.blob).toHex(), hex);
    const auto back = loadsTyped(typed.type, typed.blob);
    SG_VERIFY_OK(back);
    QCOMPARE(*back, value);
}

void TestSerde::refusesBlobsThatAreNotWhatTheirTypeSays_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("blob");
    QTest::newRow("msgpack, empty") << QByteArray("msgpack") << QByteArray();
    QTest::newRow("msgpack, cut") << QByteArray("msgpack") << QByteArray("\xA5hel");
    QTest::newRow("msgpack, promises 4 GB")
        << QByteArray("msgpack") << QByteArray("\xDD\xFF\xFF\xFF\xFF\x01");
    QTest::newRow("msgpack, more behind") << QByteArray("msgpack") << QByteArray("\x01\x02");
    QTest::newRow("json, cut") << QByteArray("json") << QByteArray("{\"a\":");
    QTest::newRow("json, deep") << QByteArray("json") << QByteArray(100'000, '[');
    QTest::newRow("msgpack, deep") << QByteArray("msgpack") << QByteArray(100'000, '\x91');
}

void TestSerde::refusesBlobsThatAreNotWhatTheirTypeSays()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, blob);
    const auto value = loadsTyped(type.toStdString(), blob.toStdString());
    QVERIFY(!value);
    QCOMPARE(value.error().code, Errc::Corrupt);
}

void TestSerde::writesLangGraphsObjects_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<QByteArray>("hex"); // what LangGraph 1.2.22 writes
    QTest::newRow("Send") << makeSend("n", 1)
                          << QByteArray("c71a0193af6c616e6767726170682e7479706573a453656e6492a16e01");
    QTest::newRow("Interrupt")
        << makeInterrupt("v", "i")
        << QByteArray("c73a0293af6c616e6767726170682e7479706573a9496e7465727275707483a576616c7565"
                      "a176a26964a169af726573706f6e73655f736368656d61c0");
    CommandView command;
    command.update = Value::map({ { "a", 1 } });
    command.goTo = "n";
    QTest::newRow("Command")
        << makeCommand(command)
        << QByteArray("c73b0293af6c616e6767726170682e7479706573a7436f6d6d616e6484a56772617068c0a6"
                      "75706461746581a16101a6726573756d65c0a4676f746fa16e");
    CommandView resume;
    resume.resume = 1;
    QTest::newRow("Command that resumes")
        << makeCommand(resume)
        << QByteArray("c7370293af6c616e6767726170682e7479706573a7436f6d6d616e6484a56772617068c0a6"
                      "757064617465c0a6726573756d6501a4676f746f90");
    QTest::newRow("Overwrite")
        << makeOverwrite(Value::list({ 1 }))
        << QByteArray("c7370293af6c616e6767726170682e7479706573a94f766572777269746582a576616c7565"
                      "9101a474797065ad5f5f6f76657277726974655f5f");
    QTest::newRow("set") << makeSet({ 3 }) << QByteArray("d80093a86275696c74696e73a37365749103");
}

void TestSerde::writesLangGraphsObjects()
{
    QFETCH(Value, value);
    QFETCH(QByteArray, hex);
    QCOMPARE(QByteArray::fromStdString(encodeMsgpack(value)).toHex(), hex);
}

void TestSerde::recognizesOnlyLangGraphsObjects()
{
    const Value other =
        makePythonObject({ PythonExt::Arguments, "evil", "Send", Value::list({ "n", 1 }), {} });
    const Value tooShort =
        makePythonObject({ PythonExt::Arguments, "langgraph.types", "Send", Value::list({ "n" }), {} });
    const Value noName =
        makePythonObject({ PythonExt::Arguments, "langgraph.types", "Send", Value::list({ 1, 1 }), {} });
    const Value older = makePythonObject(
        { PythonExt::Arguments, "langgraph.constants", "Send", Value::list({ "n", 1 }), {} });
    for (const Value& value :
         { other, tooShort, noName, Value(Ext{ 1, "" }), Value(Ext{ 1, "\xC1" }), Value(), Value("Send") })
        QVERIFY(!asSend(value));
    QVERIFY(asSend(older));
    const Value send = makeSend("n", 1);
    QVERIFY(!asInterrupt(send) && !asCommand(send) && !asOverwrite(send) && !asSet(send) && !asMessage(send)
            && !asDeltaSnapshot(send));
    const Value interrupt = makeInterrupt(1, "x");
    QVERIFY(asInterrupt(interrupt) && !asSend(interrupt) && !asCommand(interrupt) && !asOverwrite(interrupt));
    const Value noFields = makePythonObject(
        { PythonExt::KeywordArguments, "langgraph.types", "Interrupt", Value::list({ 1 }), {} });
    QVERIFY(!asInterrupt(noFields));
    const Value model = makePythonObject({ PythonExt::PydanticV2, "app.models", "HumanMessage",
                                           Value::map({ { "type", "human" } }), "model_validate_json" });
    QVERIFY(!asMessage(model));
    const Value timed = makePythonObject(
        { PythonExt::Arguments, "langgraph.types", "Send", Value::list({ "n", 1, 2.5 }), {} });
    QCOMPARE(*asSend(timed)->timeout, Value(2.5));
}

void TestSerde::recognizesEveryFormOfOverwrite()
{
    QCOMPARE(*asOverwrite(makeOverwrite(7)), Value(7));
    QCOMPARE(*asOverwrite(Value::map({ { "__overwrite__", 7 } })), Value(7));
    QCOMPARE(*asOverwrite(Value::map({ { "type", "__overwrite__" }, { "value", 7 } })), Value(7));
    QCOMPARE(*asOverwrite(Value::map({ { "value", 7 }, { "type", "__overwrite__" }, { "x", 1 } })), Value(7));
    QVERIFY(!asOverwrite(Value::map({ { "__overwrite__", 7 }, { "x", 1 } })));
    QVERIFY(!asOverwrite(Value::map({ { "type", "__overwrite__" } })));
    QVERIFY(!asOverwrite(Value::map({ { "type", "other" }, { "value", 7 } })));
    QVERIFY(!asOverwrite(Value(7)));
}

void TestSerde::aSetHoldsEachItemOnce()
{
    const Value set = makeSet({ "b", "a", "b", 1, Value::list({ 1 }), Value::list({ 1 }) });
    QCOMPARE(Value(*asSet(set)), Value::list({ "b", "a", 1, Value::list({ 1 }) }));
}

void TestSerde::describesHostileExtsWithoutFailing_data()
{
    QTest::addColumn<Value>("value");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* name, int code, const std::string& payload, const char* json) {
        QTest::newRow(name) << Value(Ext{ static_cast<std::int8_t>(code), payload }) << QByteArray(json);
    };
    row("unknown code", 99, "abc", R"({"$ext":99,"bytes":3})");
    row("negative code", -1, "abc", R"({"$ext":-1,"bytes":3})");
    row("empty payload", 0, "", R"({"$ext":0,"bytes":0})");
    row("payload cut", 2, bytesOf("93a1"), R"({"$ext":2,"bytes":2})");
    row("payload no list", 2, encodeMsgpack(Value(1)), R"({"$ext":2,"bytes":1})");
    row("class no text", 0, encodeMsgpack(Value::list({ 1, 2, 3 })), R"({"$ext":0,"bytes":4})");
    row("method missing", 3, encodeMsgpack(Value::list({ "a", "b", 3 })), R"({"$ext":3,"bytes":6})");
    row("array without bytes", 6, encodeMsgpack(Value::list({ "<i4", Value::list({ 2 }), "C", "text" })),
        R"({"$ext":6,"bytes":14})");
    row("snapshot cut", 7, "\x92", R"({"$ext":7,"bytes":1})");
    row("date of texts", 1, encodeMsgpack(Value::list({ "datetime", "date", Value::list({ "x", {}, 3 }) })),
        R"("0000-00-03")");
    row("date without fields", 1, encodeMsgpack(Value::list({ "datetime", "date", 1 })), R"("0000-00-00")");
    row("time without fields", 2, encodeMsgpack(Value::list({ "datetime", "time", 1 })), R"("00:00:00")");
    row("huge offset", 1,
        encodeMsgpack(Value::list({ "datetime", "timezone",
                                    Value::list({ makePythonObject(
                                        { PythonExt::Arguments,
                                          "datetime",
                                          "timedelta",
                                          Value::list({ std::int64_t(1) << 62, std::int64_t(1) << 62, 1 }),
                                          {} }) }) })),
        R"("UTC?")");
    row("uuid of a number", 0, encodeMsgpack(Value::list({ "uuid", "UUID", 5 })), "5");
    row("path of a map", 1, encodeMsgpack(Value::list({ "pathlib", "PosixPath", Value::map() })), "{}");
    row("system call", 1, encodeMsgpack(Value::list({ "os", "system", Value::list({ "id" }) })),
        R"({"$object":"os.system","value":["id"]})");
}

void TestSerde::describesHostileExtsWithoutFailing()
{
    QFETCH(Value, value);
    QFETCH(QByteArray, json);
    QCOMPARE(toJson(plainValue(value)), json.toStdString());
    const Value inMap = Value::map({ { value, Value::list({ 1, value }) } });
    SG_VERIFY_CONTAINS(toJson(plainValue(inMap)), json.toStdString());
}

void TestSerde::describesDeepNestingUpToALimit()
{
    QCOMPARE(toJson(plainValue(nestedExts(2))), std::string(R"({"$overwrite":{"$overwrite":1}})"));
    const std::string deep = toJson(plainValue(nestedExts(5000)));
    SG_VERIFY_CONTAINS(deep, R"({"$ext":2,"bytes":)");
    QVERIFY(deep.size() < 10'000);
}

void TestSerde::hidesSecrets()
{
    const Value secret =
        makePythonObject({ PythonExt::OneArgument, "pydantic.types", "SecretStr", "hunter2", {} });
    QCOMPARE(plainValue(secret), Value("**********"));
}

void TestSerde::readsADeltaSnapshot()
{
    const Value snapshot(Ext{ 7, encodeMsgpack(Value::list({ 1, makeSet({ 2 }) })) });
    QCOMPARE(*asDeltaSnapshot(snapshot), Value::list({ 1, makeSet({ 2 }) }));
    QCOMPARE(toJson(plainValue(snapshot)), std::string(R"([1,{"$set":[2]}])"));
    QVERIFY(!asDeltaSnapshot(Ext{ 7, "" }));
    QVERIFY(!asDeltaSnapshot(Value(1)));
}

void TestSerde::writesTheCheckpointsKeysInOrder()
{
    Checkpoint checkpoint;
    checkpoint.timestamp = "T";
    checkpoint.id = CheckpointId("I");
    checkpoint.channelValues = { { "z", 1 }, { "a", 2 } };
    checkpoint.unknown = { { "later", 1 } };
    const auto decoded = decodeMsgpack(encodeCheckpoint(checkpoint));
    SG_VERIFY_OK(decoded);
    QCOMPARE(toJson(*decoded),
             std::string(R"({"v":4,"ts":"T","id":"I","channel_values":{"z":1,"a":2},"channel_versions":{},)"
                         R"("versions_seen":{},"updated_channels":null,"later":1})"));
    for (const std::size_t size : { 15U, 16U, 300U, 65536U }) {
        checkpoint.channelValues = {};
        for (std::size_t i = 0; i < size; ++i)
            checkpoint.channelValues.set(i, {});
        const auto back = decodeCheckpoint("msgpack", encodeCheckpoint(checkpoint));
        SG_VERIFY_OK(back);
        QCOMPARE(back->channelValues.size(), size);
    }
}

void TestSerde::toleratesOddCheckpoints()
{
    const auto decoded = [](const Value& value) { return decodeCheckpoint("msgpack", encodeMsgpack(value)); };
    const auto empty = decoded(Value::map());
    SG_VERIFY_OK(empty);
    QCOMPARE(empty->version, 1);
    QVERIFY(!empty->updatedChannels);
    const auto odd = decoded(Value::map({ { "v", "4" },
                                          { "ts", 5 },
                                          { "id", {} },
                                          { "channel_values", Value::list() },
                                          { "updated_channels", Value::list({ "a", 1 }) },
                                          { 7, "number key" } }));
    SG_VERIFY_OK(odd);
    QCOMPARE(odd->version, 0);
    QVERIFY(odd->updatedChannels == std::vector<std::string>({ "a" }));
    QCOMPARE(Value(odd->unknown), Value::map({ { 7, "number key" } }));

    for (const char* type : { "pickle", "", "cbor" })
        QCOMPARE(decodeCheckpoint(type, "x").error().code, Errc::Unsupported);
    QCOMPARE(decoded(Value::list()).error().code, Errc::Corrupt);
    QCOMPARE(decodeCheckpoint("msgpack", "\xC1").error().code, Errc::Corrupt);
    QCOMPARE(decodeMetadata("[]").error().code, Errc::Corrupt);
    QCOMPARE(decodeMetadata("{").error().code, Errc::Corrupt);
    SG_VERIFY_OK(decodeMetadata(""));
    const auto metadata = decodeMetadata(R"({"step": "x", "source": 1, "parents": null})");
    SG_VERIFY_OK(metadata);
    QCOMPARE(metadata->step, std::int64_t(-1));
}

void TestSerde::keepsASourceOfAnotherVersion_data()
{
    QTest::addColumn<std::string>("json");
    QTest::newRow("plain") << std::string(R"({"source": "rewind", "step": 3, "parents": {}})");
    QTest::newRow("no word") << std::string(R"({"source": "Re-wind \"2\"", "step": 3, "parents": {}})");
    QTest::newRow("more keys") << std::string(R"({"source": "rewind", "step": 3, "parents": {}, "a": 1})");
}

void TestSerde::keepsASourceOfAnotherVersion()
{
    QFETCH(std::string, json);
    const auto metadata = decodeMetadata(json);
    SG_VERIFY_OK(metadata);
    QVERIFY(!metadata->source.kind());
    QCOMPARE(encodeMetadata(*metadata), json);
}

void TestSerde::writesMetadataAsPythonDoes()
{
    CheckpointMetadata metadata;
    metadata.source = "input";
    metadata.extra = { { "text", "Zo\u00eb \"q\" \\ \n\t\x01\x7f/" },
                       { "nul", std::string("a\0b", 3) },
                       { "numbers", Value::list({ 1, -1, 1.0, 0.1, 1e22, 1e16, 1e-7, 123456789.125 }) },
                       { "list", Value::list({ true, false, nullptr, Value::list(), Value::map() }) } };
    const char* const expected =
        "{\"source\": \"input\", \"step\": -1, \"parents\": {}, \"text\": \"Zo\u00eb \\\"q\\\" \\\\ "
        "\\n\\t\\u0001\x7f/\","
        " \"nul\": \"ab\", \"numbers\": [1, -1, 1.0, 0.1, 1e+22, 1e+16, 1e-07, 123456789.125],"
        " \"list\": [true, false, null, [], {}]}";
    QCOMPARE(encodeMetadata(metadata), std::string(expected));
}

void TestSerde::peeksAtTheTimestamp()
{
    Checkpoint checkpoint;
    for (const char* time : { "2026-11-21T08:00:00+00:00", "2026-11-21T08:00:00.123456+00:00" }) {
        checkpoint.timestamp = time;
        const std::string blob = encodeCheckpoint(checkpoint);
        QCOMPARE(peekTimestamp(blob), std::string(time));
        QCOMPARE(peekTimestamp(blob.substr(0, 20)), std::string());
    }
    for (const std::string_view blob : { "", "\xA2ts", "\xA2ts\xD9", "\xA2ts\xD9\x50xx", "{\"ts\"" })
        QCOMPARE(peekTimestamp(blob), std::string());
}

SG_TEST(TestSerde)
#include "tst_serde.moc"
