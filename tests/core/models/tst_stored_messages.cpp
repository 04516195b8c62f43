// Messages are stored as LangChain stores the same replies, byte for byte; tests/conformance/models records
// it.

#include "core/base/hash.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/core/models/recorded_scenario.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::models;
using test::RecordedScenario;

namespace {

constexpr const char* kNoId = "lc_run--00000000-0000-7000-8000-000000000000";

std::string bytesOf(const std::string& hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

// The fields of a message in their order, which maps do not compare.
std::string readable(const std::string& payload)
{
    const auto value = decodeMsgpack(payload);
    return value ? toJson(*value) : "no MessagePack: " + value.error().message;
}

void addScenarios()
{
    QTest::addColumn<std::string>("name");
    for (const std::string& name : RecordedScenario::names())
        QTest::newRow(name.c_str()) << name;
}

// LangChain tells some fields that nobody needs, and leaves some of ours away.
Value comparable(const Value& body)
{
    ValueMap map = body.asMap();
    if (map.find("parallel_tool_calls") != nullptr)
        map.erase("parallel_tool_calls");
    if (map.find("stream") != nullptr && *map.find("stream") == Value(false))
        map.erase("stream");
    return Value(std::move(map));
}

} // namespace

class TestStoredMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsLangChain_data() { addScenarios(); }
    void equalsLangChain();
    void asksAsLangChainAsks_data() { addScenarios(); }
    void asksAsLangChainAsks();
    void streamsTheChunksOfLangChain_data() { addScenarios(); }
    void streamsTheChunksOfLangChain();
    void hasEveryScenario();
};

void TestStoredMessages::hasEveryScenario()
{
    QVERIFY(RecordedScenario::names().size() >= 40);
}

void TestStoredMessages::equalsLangChain()
{
    QFETCH(std::string, name);
    const RecordedScenario scenario = RecordedScenario::read(name);
    for (const std::size_t cut : { std::size_t{ 1 }, std::size_t{ 7 }, std::size_t{ 1U << 20 } }) {
        ChatOutcome outcome = test::folded(scenario, scenario.replyBody(), cut);
        auto* reply = std::get_if<ChatReply>(&outcome);
        QVERIFY2(reply != nullptr, reply == nullptr ? std::get<ChatFault>(outcome).message.c_str() : "");
        reply->message.set("id", std::string(kNoId) + (reply->isOfStream ? "" : "-0"));
        const auto message = checkpoint::makeMessage(reply->message);
        QVERIFY(message);
        const std::string expected = bytesOf(scenario.file["langchain"].stringOr("stored", ""));
        QCOMPARE(readable(message->asExt().payload), readable(expected));
        QVERIFY(message->asExt().payload == expected);
    }
}

void TestStoredMessages::asksAsLangChainAsks()
{
    QFETCH(std::string, name);
    const RecordedScenario scenario = RecordedScenario::read(name);
    const auto body = parseJson(wireFormat(scenario.wire).body(scenario.request));
    QVERIFY(body);
    QCOMPARE(comparable(*body), comparable(scenario.file["langchain"]["request"]));
}

void TestStoredMessages::streamsTheChunksOfLangChain()
{
    QFETCH(std::string, name);
    const RecordedScenario scenario = RecordedScenario::read(name);
    if (!scenario.request.streams)
        return;
    ValueList chunks;
    static_cast<void>(test::folded(scenario, scenario.replyBody(), 11, [&](ValueMap chunk) {
        chunk.set("id", kNoId);
        chunk.erase("tool_calls");
        chunk.erase("invalid_tool_calls");
        chunks.emplace_back(std::move(chunk));
    }));
    const Value& expected = scenario.file["langchain"]["chunks"];
    for (std::size_t i = 0; i < std::min(chunks.size(), expected.asList().size()); ++i)
        QCOMPARE(chunks[i], expected[i]);
    QCOMPARE(chunks.size(), expected.asList().size());
}

SG_TEST(TestStoredMessages)
#include "tst_stored_messages.moc"
