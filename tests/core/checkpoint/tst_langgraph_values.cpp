#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/core/checkpoint/langgraph_fixture.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <map>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::test;
using sg::test::TempDir;

namespace {

const Value& written(const CheckpointRecord& record, std::string_view channel)
{
    static const Value kNone = "no such write";
    for (const PendingWrite& write : record.writes) {
        if (write.channel == channel)
            return write.value;
    }
    return kNone;
}

} // namespace

class TestLangGraphValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatARunLeft();
    void readsInterruptsAndAnswers();
    void readsErrorsAndSends();
    void readsMessages();
    void readsNestedNamespaces();
    void describesEveryPythonType();
    void readsOldLayouts();
};

void TestLangGraphValues::readsWhatARunLeft()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "langgraph.db"));
    QVERIFY(store);
    const auto threads = store->threads();
    SG_VERIFY_OK(threads);
    std::map<std::string, std::int64_t> counts;
    for (const ThreadSummary& thread : *threads) {
        counts[thread.thread.value] = thread.checkpoints;
        QVERIFY(thread.updatedAt.ends_with("+00:00"));
        QCOMPARE(thread.updatedAt, record(*store, thread.thread.value.c_str()).checkpoint.timestamp);
    }
    const std::map<std::string, std::int64_t> expected{
        { "answered", 3 }, { "counter", 4 }, { "failed", 2 },
        { "messages", 5 }, { "nested", 3 },  { "pending", 2 }
    };
    QVERIFY(counts == expected);

    const CheckpointRecord head = record(*store, "counter");
    QCOMPARE(head.checkpoint.version, 4);
    QCOMPARE(head.checkpoint.id.value, head.ref.id.value);
    QCOMPARE(Value(head.checkpoint.channelValues),
             Value::map({ { "count", 4 }, { "log", Value::list({ "at 1" }) } }));
    QVERIFY(head.metadata.source == Source::Loop);
    QCOMPARE(head.metadata.step, std::int64_t(2));
    const Value user = "Zoë \"Z\"";
    QCOMPARE(
        Value(head.metadata.extra),
        Value::map({ { "user", user }, { "turn", 0 }, { "ratio", 0.1 }, { "big", 1e22 }, { "ok", true } }));
    QVERIFY(head.parent && *head.parent < head.ref.id);
    QVERIFY(head.checkpoint.updatedChannels == std::vector<std::string>({ "count" }));

    CheckpointQuery byStep;
    byStep.thread = ThreadId("counter");
    byStep.metadataFilter = { { "step", 0 }, { "user", user } };
    int found = 0;
    SG_VERIFY_OK(store->list(byStep, [&](const CheckpointRecord& item) {
        ++found;
        return item.metadata.step == 0 && item.writes.size() == 3;
    }));
    QCOMPARE(found, 1);
}

void TestLangGraphValues::readsInterruptsAndAnswers()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "langgraph.db"));
    QVERIFY(store);
    const CheckpointRecord pending = record(*store, "pending");
    const Value& asked = written(pending, "__interrupt__");
    QVERIFY(asked.isList());
    const auto interrupt = asInterrupt(asked[0]);
    QVERIFY(interrupt);
    QCOMPARE(interrupt->value, Value::map({ { "q", "who?" } }));
    QCOMPARE(interrupt->id.size(), std::size_t(32));
    QCOMPARE(makeInterrupt(interrupt->value, interrupt->id), asked[0]);
    QCOMPARE(plainValue(asked[0]),
             Value::map({ { "value", Value::map({ { "q", "who?" } }) }, { "id", interrupt->id } }));
    QCOMPARE(written(pending, "log"), Value::list({ "ok" }));

    CheckpointQuery query;
    query.thread = ThreadId("answered");
    std::string resumes;
    SG_VERIFY_OK(store->list(query, [&](const CheckpointRecord& item) {
        for (const PendingWrite& write : item.writes) {
            if (write.channel == "__resume__")
                resumes += std::to_string(write.index) + toJson(write.value) + " ";
        }
        return true;
    }));
    QCOMPARE(resumes, std::string("-4\"me\" -4[\"me\"] "));
}

void TestLangGraphValues::readsErrorsAndSends()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "langgraph.db"));
    QVERIFY(store);
    const CheckpointRecord failed = record(*store, "failed");
    SG_VERIFY_CONTAINS(written(failed, "__error__").asString(),
                       "ValueError('it broke: \"quoted\" \\n newline')");
    const auto send = asSend(written(failed, "__pregel_tasks"));
    QVERIFY(send);
    QCOMPARE(send->node, std::string("w"));
    QCOMPARE(send->arg, Value::map({ { "v", 1 } }));
    QVERIFY(!send->timeout);
    QCOMPARE(makeSend("w", send->arg), written(failed, "__pregel_tasks"));
}

void TestLangGraphValues::readsMessages()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "langgraph.db"));
    QVERIFY(store);
    const CheckpointRecord head = record(*store, "messages");
    const Value* messages = head.checkpoint.channelValues.find("messages");
    QVERIFY(messages && messages->isList());
    std::string text;
    for (const Value& item : messages->asList()) {
        const auto message = asMessage(item);
        QVERIFY(message);
        text += message->stringOr("type", "?") + ":" + message->stringOr("id", "?") + " ";
        const auto again = makeMessage(message->asMap());
        QVERIFY(again);
        QCOMPARE(*again, item); // all keys were there
        QCOMPARE(plainValue(item), *message);
    }
    QCOMPARE(text, std::string("human:h-1 ai:ai-1 tool:tool-1 "));

    // A part that is left out gets LangChain's default, in LangChain's order.
    const Value human = messages->asList()[0];
    const Value bare =
        *makeMessage({ { "id", "h-1" }, { "type", "human" }, { "content", (*asMessage(human))["content"] } });
    QCOMPARE(bare, human);
    const Value ai = messages->asList()[1];
    const Value call = Value::map(
        { { "name", "weather" }, { "args", Value::map({ { "city", "Oslo" } }) }, { "id", "call_1" } });
    QCOMPARE(*makeMessage({ { "type", "AIMessageChunk" },
                            { "id", "ai-1" },
                            { "content", "" },
                            { "tool_calls", Value::list({ call }) },
                            { "tool_call_chunks", Value::list() } }),
             ai);
    const Value tool = messages->asList()[2];
    QCOMPARE(*makeMessage({ { "type", "tool" },
                            { "content", "21C" },
                            { "name", "weather" },
                            { "id", "tool-1" },
                            { "tool_call_id", "call_1" },
                            { "artifact", Value::map({ { "raw", Value::list({ 1, 2 }) } }) } }),
             tool);
    QVERIFY(!makeMessage({ { "type", "robot" } }));
    QVERIFY(!makeMessage({}));
}

void TestLangGraphValues::readsNestedNamespaces()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "langgraph.db"));
    QVERIFY(store);
    CheckpointQuery query;
    query.thread = ThreadId("nested");
    int nested = 0;
    SG_VERIFY_OK(store->list(query, [&](const CheckpointRecord& item) {
        if (item.ref.ns.empty())
            return true;
        ++nested;
        const Value* parent = item.metadata.parents.find("");
        return item.ref.ns.starts_with("inner:") && parent && parent->isString();
    }));
    QCOMPARE(nested, 2);
}

void TestLangGraphValues::describesEveryPythonType()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "exotic.db"));
    QVERIFY(store);
    const CheckpointRecord head = record(*store, "all");
    const Value* values = head.checkpoint.channelValues.find("v");
    QVERIFY(values);
    const Value shown = plainValue(*values);
    const std::pair<const char*, const char*> expected[] = {
        { "dt_naive", R"("2024-05-06T07:08:09.123456")" },
        { "dt_zone", R"("2024-05-06T00:00:00+05:30")" },
        { "date", R"("2024-02-29")" },
        { "time", R"("01:02:03.000004+00:00")" },
        { "timedelta", R"({"$timedelta":{"days":-1,"seconds":5,"microseconds":6}})" },
        { "timezone", R"("UTC+05:30")" },
        { "named_zone", R"("X")" },
        { "zoneinfo", R"("Europe/Oslo")" },
        { "uuid", R"("12345678-1234-5678-1234-567812345678")" },
        { "decimal", R"("1.10")" },
        { "set", R"({"$set":[3]})" },
        { "frozenset", R"({"$set":["a"]})" },
        { "deque", "[1,2]" },
        { "tuple", R"([1,[2,"x"]])" },
        { "true", "true" },
        { "big", "9223372036854775808" },
        { "small", "-9223372036854775808" },
        { "float", "1.5" },
        { "enum", R"("red")" },
        { "dataclass", R"({"x":1,"y":2.5})" },
        { "pydantic", R"({"id":1,"tags":["t"]})" },
        { "namedtuple", R"({"a":1,"b":"b"})" },
        { "ip", R"("10.0.0.1")" },
        { "path", R"("/a/b")" },
        { "regex", R"({"$regex":"a+","flags":34})" },
        { "send", R"({"$send":{"node":"n","arg":{"k":[1]}}})" },
        { "command", R"({"$command":{"graph":null,"update":{"a":1},"resume":null,"goto":"n"}})" },
        { "overwrite", R"({"$overwrite":[1]})" },
        { "document", R"({"id":"d1","metadata":{"a":1},"page_content":"pc","type":"Document"})" },
        { "nested",
          R"({"l":[{"u":"00000000-0000-0000-0000-000000000001","s":{"$set":["x"]}},["2020-01-01"]]})" },
        { "array", R"({"$numpy":{"dtype":"<i4","shape":[2,3],"order":"C","bytes":24}})" },
        { "fortran", R"({"$numpy":{"dtype":"<f8","shape":[2,3],"order":"F","bytes":48}})" },
    };
    for (const auto& [key, text] : expected)
        QCOMPARE(std::string(key) + " " + toJson(shown[key]), std::string(key) + " " + text);
    QCOMPARE(plainValue(shown), shown);

    const auto overwrite = asOverwrite((*values)["overwrite"]);
    QVERIFY(overwrite);
    QCOMPARE(makeOverwrite(*overwrite), (*values)["overwrite"]);
    const auto command = asCommand((*values)["command"]);
    QVERIFY(command);
    QCOMPARE(command->goTo, Value("n"));
    QCOMPARE(command->update, Value::map({ { "a", 1 } }));
    QCOMPARE(makeCommand(*command), (*values)["command"]);
    const auto set = asSet((*values)["set"]);
    QVERIFY(set);
    QCOMPARE(makeSet(*set), (*values)["set"]);
    QVERIFY(asSet((*values)["frozenset"]));
    QVERIFY(!asSet((*values)["deque"]));
}

void TestLangGraphValues::readsOldLayouts()
{
    const TempDir folder;
    const auto store = opened(copied(folder, "legacy.db"));
    QVERIFY(store);
    const CheckpointRecord sends = record(*store, "v3_sends");
    QCOMPARE(sends.checkpoint.version, 3);
    QVERIFY(!sends.checkpoint.updatedChannels);
    const Value* pending = sends.checkpoint.unknown.find("pending_sends");
    QVERIFY(pending && asSend((*pending)[1]));
    QCOMPARE(asSend((*pending)[1])->arg, Value::map({ { "v", "s2" } }));
    QVERIFY(sends.metadata.extra.find("writes")->isNull());

    const CheckpointRecord ints = record(*store, "v1_ints");
    QCOMPARE(ints.checkpoint.version, 1);
    QCOMPARE(*ints.checkpoint.channelVersions.find("log"), Value(3));

    const CheckpointRecord json = record(*store, "json_row");
    QCOMPARE(json.checkpoint.version, 1);
    QCOMPARE(json.checkpoint.timestamp, std::string("2024-05-04T06:32:42.235444+00:00"));
    const ValueMap& values = json.checkpoint.channelValues;
    QCOMPARE(*values.find("log"), Value::list({ "in" }));
    QCOMPARE(plainValue(*values.find("uuid")), Value("12345678-1234-5678-1234-567812345678"));
    QCOMPARE(*values.find("set"), makeSet({ 1, 2 }));
    QCOMPARE(plainValue(*values.find("when")), Value("2024-05-06T07:08:09"));
    QCOMPARE(*values.find("send"), makeSend("w", 1));
    QCOMPARE(plainValue(*values.find("model")), Value::map({ { "id", 1 } }));
    QCOMPARE((*asMessage(*values.find("message")))["content"], Value("hi"));

    const auto threads = store->threads();
    SG_VERIFY_OK(threads);
    QCOMPARE(threads->size(), std::size_t(4));
    for (const ThreadSummary& thread : *threads)
        QCOMPARE(thread.updatedAt, std::string("2024-05-04T06:32:42.235444+00:00"));
}

SG_TEST(TestLangGraphValues)
#include "tst_langgraph_values.moc"
