#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/uuid.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/conformance/checkpoint_store_suite.h"
#include "tests/support/machine.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QProcess>

using namespace sg;
using namespace sg::checkpoint;
using namespace sg::checkpoint::conformance;

namespace {

const char* const kScript = SG_SOURCE_DIR "/tests/conformance/checkpoint/langgraph_reads.py";

struct Output {
    int exitCode = -1;
    std::string out;
    std::string err;
};

Output python(const QStringList& arguments)
{
    const QString program = qEnvironmentVariable("SG_LANGGRAPH_PYTHON", QStringLiteral("python3"));
    QProcess process;
    process.start(program, QStringList{ QString::fromUtf8(kScript) } + arguments);
    if (!process.waitForFinished(50'000))
        return { -1, {}, process.errorString().toStdString() };
    return { process.exitCode(), process.readAllStandardOutput().toStdString(),
             process.readAllStandardError().toStdString() };
}

std::string versionOf(int number)
{
    return std::string(31, '0') + std::to_string(number) + ".0.5167863651320748";
}

// A thread as our engine leaves it when it is stopped between "a" and "b".
void putContinued(CheckpointStore& store, Uuid6Source& ids)
{
    const CheckpointId first(ids.next(-1));
    const CheckpointId second(ids.next(0));
    Checkpoint input =
        checkpointOf(first.value, { { "__start__", Value::map({ { "log", Value::list({ "in" }) } }) } });
    input.channelVersions = { { "__start__", versionOf(1) } };
    input.updatedChannels = std::vector<std::string>{ "__start__" };
    Checkpoint loop = checkpointOf(second.value, { { "log", Value::list({ "in" }) }, { "branch:to:a", {} } });
    loop.channelVersions = { { "__start__", versionOf(2) },
                             { "log", versionOf(2) },
                             { "branch:to:a", versionOf(2) } };
    loop.versionsSeen = { { "__input__", Value::map() },
                          { "__start__", Value::map({ { "__start__", versionOf(1) } }) } };
    loop.updatedChannels = std::vector<std::string>{ "branch:to:a", "log" };
    SG_VERIFY_OK(store.put(refOf("continued", first.value), {}, input, metadataOf(-1)));
    SG_VERIFY_OK(store.put(refOf("continued", second.value), first, loop, metadataOf(0)));
}

ValueMap everyKindOfValue()
{
    CommandView command;
    command.goTo = Value::list({ "n", makeSend("m", 1) });
    ValueMap values{ { "send", makeSend("n", Value::map({ { "k", Value::list({ 1 }) } })) },
                     { "interrupt", makeInterrupt("why?", "0123456789abcdef0123456789abcdef") },
                     { "command", makeCommand(command) },
                     { "overwrite", makeOverwrite(Value::list({ 1 })) },
                     { "set", makeSet({ "b" }) },
                     { "bytes", Bytes{ std::string("\0\xFF", 2) } },
                     { "float", 1.0 },
                     { "big", Value(std::size_t{ 18446744073709551615U }) },
                     { "text", "h\u00e9llo \U0001F600" } };
    for (const char* type : { "human", "ai", "system", "tool", "function", "chat", "remove" }) {
        ValueMap message{ { "type", type }, { "id", "id-1" } };
        message.set("content", type == std::string("remove") ? "" : "hi");
        message.set("name", type == std::string("function") ? Value("f") : Value());
        values.set(type, makeMessage(message).value_or(Value()));
    }
    return values;
}

} // namespace

class TestLangGraphReads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatWeWrite();
};

void TestLangGraphReads::initTestCase()
{
    SG_NEED("langgraph");
    const Output probe = python({ QStringLiteral("probe") });
    QVERIFY2(probe.exitCode == 0, "the Python with LangGraph does not open its own SqliteSaver");
}

void TestLangGraphReads::whatWeWrite()
{
    const test::TempDir folder;
    const auto path = folder / "checkpoints.sqlite";
    SystemClock clock;
    SystemRandom random;
    Uuid6Source ids(clock, random);
    auto store = openSqliteCheckpointStore(path);
    SG_VERIFY_OK(store);
    const ValueMap values = everyKindOfValue();
    const CheckpointRef made = refOf("made", ids.next(0));
    SG_VERIFY_OK((*store)->put(made, {}, checkpointOf(made.id.value, values),
                               metadataOf(0, { { "user", "Zoë" }, { "r", 0.1 } })));
    std::vector<PendingWrite> writes;
    for (const auto& [key, value] : values)
        writes.push_back(writeOf("a", key.asString(), value, "~__pregel_pull, a"));
    writes.push_back(writeOf("a", "null", {}, "~__pregel_pull, a"));
    SG_VERIFY_OK((*store)->putWrites(made, writes));
    SG_VERIFY_OK((*store)->runLog().startRun(runOf("r", "made", 1)));
    putContinued(**store, ids);

    const Output output = python({ QString::fromStdString(path.string()) });
    QVERIFY2(output.exitCode == 0, output.err.c_str());
    const auto read = parseJson(output.out);
    SG_VERIFY_OK(read);
    QCOMPARE(toJson((*read)["different"], JsonStyle::Indented), std::string("[]"));
    QCOMPARE((*read)["listed"], Value(3));
    QCOMPARE((*read)["rows"], Value(values.size() + 4));
    QCOMPARE((*read)["filtered"], Value::list({ made.id.value }));
    const Value& shown = (*read)["values"];
    const std::pair<const char*, const char*> expected[] = {
        { "send", "Send(node='n', arg={'k': [1]})" },
        { "interrupt",
          "Interrupt(value='why?', id='0123456789abcdef0123456789abcdef', response_schema=None)" },
        { "command", "Command(goto=['n', Send(node='m', arg=1)])" },
        { "set", "{'b'}" },
        { "big", "18446744073709551615" },
        { "human", "HumanMessage(content='hi', additional_kwargs={}, response_metadata={}, id='id-1')" },
    };
    for (const auto& [key, text] : expected)
        QCOMPARE(shown.stringOr(key, "missing"), std::string(text));

    // It went on where we stopped, and we read what it wrote while our store stayed open.
    QCOMPARE((*read)["next"], Value::list({ "a" }));
    QCOMPARE((*read)["result"], Value::map({ { "log", Value::list({ "in", "a", "b" }) } }));
    const auto head = (*store)->get(ThreadId("continued"), "", {});
    SG_VERIFY_OK(head);
    QCOMPARE((*head)->metadata.step, std::int64_t(2));
    QCOMPARE(Value((*head)->checkpoint.channelValues), (*read)["result"]);
}

SG_CORE_TEST(TestLangGraphReads)
#include "tst_langgraph_reads.moc"
