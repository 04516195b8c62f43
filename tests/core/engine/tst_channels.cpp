#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/channels/aggregate.h"
#include "core/engine/channels/barrier.h"
#include "core/engine/channels/topic.h"
#include "core/engine/channels/values.h"
#include "core/engine/errors/python_text.h"
#include "tests/core/engine/engine_thread.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::engine;

namespace {

test::CountingRandom randomSource;

std::unique_ptr<Channel> channelNamed(const std::string& name)
{
    using graph::Reducer;
    const std::map<std::string, Reducer> reducers{
        { "add", Reducer::Add },       { "append", Reducer::Append },
        { "concat", Reducer::Concat }, { "max", Reducer::Max },
        { "min", Reducer::Min },       { "mul", Reducer::Mul },
        { "merge", Reducer::Merge },   { "union", Reducer::Union },
        { "last", Reducer::Last },     { "messages", Reducer::AddMessages },
    };
    const std::string reducer = name.substr(0, name.find(" from "));
    if (reducers.contains(reducer)) {
        graph::Channel channel;
        channel.reducer = reducers.at(reducer);
        channel.hasDefault = reducer.size() < name.size();
        if (channel.hasDefault)
            channel.defaultValue = test::json(name.substr(reducer.size() + 6));
        return makeAggregate(channel, randomSource);
    }
    if (name == "last value")
        return makeLastValue("k");
    if (name == "any value")
        return makeAnyValue();
    if (name == "ephemeral")
        return makeEphemeral("k", true);
    if (name == "ephemeral many")
        return makeEphemeral("k", false);
    if (name == "untracked")
        return makeUntracked("k", true);
    if (name == "topic")
        return makeTopic(false);
    if (name == "gathering topic")
        return makeTopic(true);
    if (name == "delta")
        return makeDelta();
    if (name == "barrier")
        return makeBarrier("k", { "a", "b" }, false);
    if (name == "late barrier")
        return makeBarrier("k", { "a", "b" }, true);
    return makeLastValueAfterFinish();
}

// Each list is one superstep's writes; "consume" and "finish" are told to the channel. What it answers: "+"
// where it changed, then its value, "-" where it has none.
std::string play(Channel& channel, const Value& steps)
{
    std::string out;
    for (const Value& step : steps.asList()) {
        bool changed = false;
        if (step.isString()) {
            changed = step.asString() == "consume" ? channel.consume() : channel.finish();
        } else {
            std::vector<Value> writes = step.asList();
            auto result = channel.update(writes);
            if (const Failure* error = errorOf(result))
                return out + error->type;
            changed = std::get<bool>(result);
        }
        out += (changed ? "+" : " ") + (channel.available() ? toJson(channel.get()) : "-") + "|";
    }
    return out;
}

} // namespace

class TestChannels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folds_data();
    void folds();
    void storedChannelsComeBackEqual_data() { folds_data(); }
    void storedChannelsComeBackEqual();
    void appendsInPlace();
    void lendsItsListToABranch_data();
    void lendsItsListToABranch();
    void deltaReplaysFromItsLastOverwrite();
    void messages_data();
    void messages();
    void namesWhatABarrierRefuses();
};

void TestChannels::folds_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* kind, const char* steps, const char* expected) {
        QTest::addRow("%s %s", kind, steps)
            << QString::fromUtf8(kind) << QString::fromUtf8(steps) << QString::fromUtf8(expected);
    };
    row("last value", "[[],[1],[],[2]]", " -|+1| 1|+2|");
    row("last value", "[[1,2]]", "InvalidUpdateError");
    row("any value", "[[1,2],[]]", "+2|+-|");
    row("ephemeral", "[[1],[],[]]", "+1|+-| -|");
    row("ephemeral", "[[1,2]]", "InvalidUpdateError");
    row("ephemeral many", "[[1,2]]", "+2|");
    row("untracked", "[[1],[]]", "+1| 1|");
    row("topic", "[[1,[2,3]],[[4]],[],[]]", "+[1,2,3]|+[4]|+-| -|");
    row("topic", "[[[]]]", " -|");
    row("gathering topic", "[[1],[],[[2]]]", "+[1]| [1]|+[1,2]|");
    row("add", "[[],[1,2],[2.5]]", " 0|+3|+5.5|");
    row("add", "[[true,true]]", "+2|");
    row("add", "[[\"a\"]]", "TypeError");
    row("add", "[[9223372036854775807],[9223372036854775807],[9223372036854775807]]",
        "+9223372036854775807|+18446744073709551614|TypeError");
    row("append", "[[[1],[2]],[[3]]]", "+[1,2]|+[1,2,3]|");
    row("append", "[[1]]", "TypeError");
    row("append", "[[[1],{\"__overwrite__\":[9]},[2]]]", "+[9]|");
    row("append", "[[{\"type\":\"__overwrite__\",\"value\":[9]},[2]],[[3]]]", "+[9]|+[9,3]|");
    row("append", "[[{\"__overwrite__\":[9]},{\"__overwrite__\":[8]}]]", "InvalidUpdateError");
    row("append", "[[{\"__overwrite__\":[9],\"more\":1}]]", "TypeError");
    row("concat", "[[\"a\",\"b\"]]", "+\"ab\"|");
    row("max", "[[3,7,5]]", "+7|");
    row("max", "[[\"a\"]]", "TypeError");
    row("min", "[[3,-7,5]]", "+-7|");
    row("mul", "[[3]]", "+0|");
    row("add from 10", "[[],[1]]", " 10|+11|");
    row("append from [\"seed\"]", "[[[1]]]", "+[\"seed\",1]|");
    row("min from null", "[[],[5,3]]", " -|+3|");
    row("mul from 1", "[[3,4]]", "+12|");
    row("merge", "[[{\"a\":1},{\"b\":2,\"a\":3}]]", "+{\"a\":3,\"b\":2}|");
    row("merge", "[[[1]]]", "TypeError");
    row("union", "[[[2,1],[\"a\",1]]]", "+[\"a\",1,2]|");
    row("last", "[[],[1,2]]", " -|+2|");
    row("last", "[[{\"__overwrite__\":9}],[1]]", "+{\"__overwrite__\":9}|+1|");
    row("delta", "[[],[[1],[2]],[{\"__overwrite__\":[9]},[3]]]", " []|+[1,2]|+[9]|");
    row("delta", "[[\"äb\"],[{\"k\":1}]]", "+[\"ä\",\"b\"]|+[\"ä\",\"b\",\"k\"]|");
    row("delta", "[[1]]", "TypeError");
    row("barrier", "[[\"a\"],[\"a\"],[\"b\"],\"consume\",\"consume\"]", "+-| -|+null|+-| -|");
    row("barrier", "[[\"c\"]]", "InvalidUpdateError");
    row("late barrier", "[[\"a\",\"b\"],\"finish\",\"finish\",\"consume\"]", "+-|+null| null|+-|");
    row("late barrier", "[[\"a\"],\"finish\"]", "+-| -|");
    row("deferred", "[[1],\"finish\",[2],\"consume\",\"finish\",\"consume\"]", "+-|+1|+-| -|+2|+-|");
}

void TestChannels::folds()
{
    QFETCH(QString, kind);
    QFETCH(QString, steps);
    QFETCH(QString, expected);
    const auto channel = channelNamed(kind.toStdString());
    QCOMPARE(play(*channel, test::json(steps.toStdString())), expected.toStdString());
}

void TestChannels::storedChannelsComeBackEqual()
{
    QFETCH(QString, kind);
    QFETCH(QString, steps);
    const auto channel = channelNamed(kind.toStdString());
    (void)play(*channel, test::json(steps.toStdString()));
    const auto stored = channel->checkpoint();
    const auto copy = channelNamed(kind.toStdString());
    copy->restore(stored);
    if (kind == QStringLiteral("untracked") || kind == QStringLiteral("delta")) {
        QVERIFY(!stored.has_value());
        return;
    }
    QCOMPARE(copy->available(), channel->available());
    if (channel->available())
        QCOMPARE(toJson(copy->get()), toJson(channel->get()));
    QVERIFY(copy->checkpoint() == stored);
}

void TestChannels::appendsInPlace()
{
    const auto channel = channelNamed("append");
    std::vector<Value> first{ Value::list({ 1, 2, 3, 4, 5, 6, 7, 8 }) };
    QVERIFY(std::get<bool>(channel->update(first)));
    const Value* before = channel->get().asList().data();
    std::vector<Value> none{ Value::list({}) };
    QVERIFY(std::get<bool>(channel->update(none)));
    QCOMPARE(channel->get().asList().data(), before);
}

void TestChannels::lendsItsListToABranch_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("write");
    QTest::addColumn<bool>("lends");
    const auto row = [](const char* kind, const char* write, bool lends) {
        QTest::addRow("%s %s", kind, write) << QString::fromUtf8(kind) << QString::fromUtf8(write) << lends;
    };
    const char* message = R"([{"role":"ai","content":"b","id":"2"}])";
    row("append", "[3]", true);
    row("add", "[3]", false); // its value is a number
    row("append", R"({"__overwrite__":[9]})", false);
    row("append", "3", false);
    row("delta", "[3]", true);
    row("union", "[3]", false);
    row("messages", message, true);
    row("messages", R"([{"role":"ai","content":"b","id":"1"}])", false); // replaces
    row("messages", R"([{"role":"remove","content":"","id":"1"}])", false);
    row("messages", R"([{"role":"ai","content":"b","id":"3"},{"role":"ai","content":"c","id":"3"}])", false);
}

void TestChannels::lendsItsListToABranch()
{
    QFETCH(QString, kind);
    QFETCH(QString, write);
    QFETCH(bool, lends);
    const auto channel = channelNamed(kind.toStdString());
    const char* first = kind == QStringLiteral("messages") ? R"([{"role":"user","content":"a","id":"1"}])"
        : kind == QStringLiteral("add")                    ? "1"
                                                           : "[1,2]";
    std::vector<Value> writes{ test::json(first) };
    QVERIFY(std::get<bool>(channel->update(writes)));
    const std::string before = toJson(channel->get());
    const auto copy = channel->clone();

    writes = { test::json(write.toStdString()) };
    auto lent = channel->lend(writes);
    QCOMPARE(lent.has_value(), lends);
    if (!lent) {
        QCOMPARE(toJson(channel->get()), before);
        return;
    }
    std::vector<Value> sameWrites = writes;
    QVERIFY(std::get<bool>(copy->update(sameWrites)));
    const std::string after = toJson(copy->get());
    QCOMPARE(toJson(*lent), after);
    const Value kept = *lent; // by a branch that keeps what it saw
    channel->giveBack(*std::move(lent));
    QCOMPARE(toJson(channel->get()), before);
    QVERIFY(std::get<bool>(channel->update(writes)));
    QCOMPARE(toJson(channel->get()), after);
    QCOMPARE(toJson(kept), after);
}

void TestChannels::deltaReplaysFromItsLastOverwrite()
{
    const auto channel = makeDelta();
    channel->restore(makeDeltaSnapshot(test::json("[1]")));
    std::vector<Value> writes{ test::json("[2]"), test::json(R"({"__overwrite__":[7]})"), test::json("[8]") };
    QVERIFY(!replayDelta(*channel, writes));
    QCOMPARE(toJson(channel->get()), std::string("[7,8]"));
}

void TestChannels::messages_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* steps, const char* expected) {
        QTest::newRow(name) << QString::fromUtf8(steps) << QString::fromUtf8(expected);
    };
    // A list of two texts is two messages, not a pair of role and text.
    row("plain forms",
        R"([[["user","a"]], [{"role":"ai","content":"b","id":"2"}], ["c"], [[["system","d"]]]])",
        "human:user human:a ai:b human:c system:d");
    row("by id", R"([[{"role":"user","content":"a","id":"1"}], [{"role":"ai","content":"b","id":"2"}],
                     [{"role":"user","content":"A","id":"1"}]])",
        "human:A ai:b");
    row("remove", R"([[{"role":"user","content":"a","id":"1"}], [{"role":"ai","content":"b","id":"2"}],
                      [{"role":"remove","content":"","id":"1"}]])",
        "ai:b");
    row("remove all", R"([[{"role":"user","content":"a","id":"1"}],
                          [[{"role":"remove","content":"","id":"__remove_all__"},{"role":"user","content":"z"}]]])",
        "human:z");
    row("unknown id", R"([[{"role":"remove","content":"","id":"1"}]])", "ValueError");
    row("no role", R"([[{"content":"a"}]])", "ValueError");
    row("single text", R"([["hi"]])", "human:hi");
    row("number", R"([[3]])", "NotImplementedError");
}

void TestChannels::messages()
{
    QFETCH(QString, steps);
    QFETCH(QString, expected);
    const auto channel = channelNamed("messages");
    std::string out;
    const Value played = test::json(steps.toStdString());
    for (const Value& step : played.asList()) {
        std::vector<Value> writes = step.asList();
        auto result = channel->update(writes);
        if (const Failure* error = errorOf(result)) {
            QCOMPARE(error->type, expected.toStdString());
            return;
        }
    }
    for (const Value& message : channel->get().asList()) {
        const auto map = checkpoint::asMessage(message);
        QVERIFY(map.has_value());
        QVERIFY(!map->stringOr("id", "").empty());
        out += (out.empty() ? "" : " ") + map->stringOr("type", "?") + ":" + map->stringOr("content", "?");
    }
    QCOMPARE(out, expected.toStdString());
}

void TestChannels::namesWhatABarrierRefuses()
{
    const auto channel = channelNamed("barrier");
    std::vector<Value> writes{ Value("c") };
    const auto result = channel->update(writes);
    const Failure* error = errorOf(result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->message, std::string("At key 'k': Value c not in {'a', 'b'}"));
}

SG_TEST(TestChannels)
#include "tst_channels.moc"
