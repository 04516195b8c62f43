// Messages to a worker and back are bytes that anybody who reaches Redis could have written.

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/workers/module_texts.h"
#include "core/workers/task_message.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::test;
using namespace sg::workers;

namespace {

TaskMessage sample()
{
    TaskMessage message;
    message.info = { ThreadId("t"), RunId("r"), NodeId("n"), TaskId("k"), "ns", CheckpointId("c"), 3, 2 };
    message.place = { 4, true };
    message.settings = ValueMap{ { "file", "nodes/n.py" } };
    message.source = "def node(state): ...";
    message.modules = { { "lib", "a/b.py", "x = 1" } };
    message.requirements = { "networkx==3.3" };
    message.input =
        Value(ValueMap{ { "value", 1 }, { "pair", Ext{ kTupleExt, encodeMsgpack(Value::list({ 1, 2 })) } } });
    message.config = Value(ValueMap{ { "configurable", Value::map() } });
    message.answers = { Value("yes") };
    message.wish = Value(ValueMap{ { "attempts", 3 } });
    message.seconds = 1.5;
    return message;
}

} // namespace

class TestTaskMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void taskGoesThereUnchanged()
    {
        const TaskMessage before = sample();
        const auto after = decodeTask(encode(before));
        QVERIFY(after);
        QCOMPARE(encode(*after), encode(before));
        QVERIFY(after->input == before.input); // tuples stay tuples
        QCOMPARE(after->info.node.value, std::string("n"));
        QCOMPARE(after->modules.front().text, std::string("x = 1"));
    }

    void sameWorkHasTheSameDigest()
    {
        const TaskMessage first = sample();
        TaskMessage again = sample();
        again.info.run = RunId("another");
        again.info.attempt = 7;
        QCOMPARE(again.digest(), first.digest());
        again.source += "\n";
        QVERIFY(again.digest() != first.digest());
        TaskMessage answered = sample();
        answered.answers.emplace_back("no");
        QVERIFY(answered.digest() != first.digest());
    }

    void replyComesBackUnchanged()
    {
        TaskReply reply;
        reply.outcome = engine::Failure{ "ValueError", "no", "traceback", false, "ValueError('no')" };
        reply.told = { { 'o', Bytes{ "printed" } }, { 'c', Value(1) } };
        reply.artifacts = { { "report.txt", 5, "=bytes" } };
        reply.answersUsed = 2;
        const auto after = decodeReply(encode(reply));
        QVERIFY(after);
        QCOMPARE(std::get<engine::Failure>(after->outcome).message, std::string("no"));
        QVERIFY(!std::get<engine::Failure>(after->outcome).retryable);
        QCOMPARE(encode(*after), encode(reply));
    }

    void damagedBytesAreRefused()
    {
        QVERIFY(!decodeTask(""));
        QVERIFY(!decodeTask("nonsense"));
        QVERIFY(!decodeReply(encodeMsgpack(Value::map({ { "v", 2 } }))));
        QVERIFY(!decodeReply(encodeMsgpack(Value::map({ { "v", 1 } }))));
        const std::string bytes = encode(sample());
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!decodeTask(std::string_view(bytes).substr(0, size)));
    }

    void modulesStayInTheirFolder()
    {
        const TempDir folder;
        const auto written =
            writeModules({ { "lib", "a/b.py", "x = 1" }, { "more", "c.py", "" } }, folder.path());
        QVERIFY(written);
        QCOMPARE(written->size(), std::size_t(2));
        QVERIFY(std::filesystem::exists(written->front().folder / "a/b.py"));
        QVERIFY(!writeModules({ { "lib", "../../escape.py", "" } }, folder.path()));
        QVERIFY(!writeModules({ { "..", "x.py", "" } }, folder.path()));
        QVERIFY(!writeModules({ { "/etc", "x.py", "" } }, folder.path()));
    }
};

SG_TEST(TestTaskMessage)
#include "tst_task_message.moc"
