// Values keep their types from a node in a real sandbox to the database and back.

#include "core/checkpoint/serde/python_object.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

using namespace sg;
using test::Answer;
using test::CommandLine;

namespace {

// "kind" of plain values, "module.Class/code" of Python objects.
std::string kindOf(const Value& value)
{
    static const char* const kNames[] = { "null",   "bool",  "int",  "unsigned", "double",
                                          "string", "bytes", "list", "map",      "ext" };
    if (!value.isExt())
        return kNames[static_cast<std::size_t>(value.kind())];
    const auto object = checkpoint::asPythonObject(value.asExt());
    if (!object)
        return "ext/" + std::to_string(value.asExt().code);
    return object->module + "." + object->name + "/" + std::to_string(value.asExt().code);
}

} // namespace

class TestCliValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        std::filesystem::copy(SG_SOURCE_DIR "/tests/data/app/values", m_shell.project(),
                              std::filesystem::copy_options::recursive
                                  | std::filesystem::copy_options::overwrite_existing);
        SG_NEED("bubblewrap");
        const Answer asked = run({ "run", "--input", "{\"messages\": \"hello\"}" });
        SG_EXIT(asked, 5);
        QCOMPARE(asked.json()["interrupts"][0]["value"]["at"], Value("2024-05-06"));
        const Answer done = run({ "resume", "--answer", "{\"deep\": [1, 2.5, null]}" });
        SG_EXIT(done, 0);
        QCOMPARE(toJson(done.json()["values"]["wrong"]), std::string("[]"));
        auto store = checkpoint::openSqliteCheckpointStore(m_shell.database(), { true });
        SG_VERIFY_OK(store);
        auto record = (*store)->get(ThreadId("t"), "", {});
        SG_VERIFY_OK(record);
        m_channels = (**record).checkpoint.channelValues;
    }

    void standsInTheCheckpoint_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("kind");
        const auto row = [](const char* name, const char* kind) {
            QTest::newRow(name) << std::string(name) << std::string(kind);
        };
        row("none", "null");
        row("bool", "bool");
        row("int", "int");
        row("large", "unsigned");
        row("float", "double");
        row("infinity", "double");
        row("text", "string");
        row("bytes", "bytes");
        row("list", "list");
        row("dict", "map");
        row("numbered", "map");
        row("tuple", "list");
        row("set", "builtins.set/0");
        row("frozenset", "builtins.frozenset/0");
        row("deque", "collections.deque/0");
        row("datetime", "datetime.datetime/3");
        row("zoned", "datetime.datetime/3");
        row("date", "datetime.date/1");
        row("time", "datetime.time/2");
        row("timedelta", "datetime.timedelta/1");
        row("timezone", "datetime.timezone/1");
        row("zone", "zoneinfo.ZoneInfo/0");
        row("decimal", "decimal.Decimal/0");
        row("uuid", "uuid.UUID/0");
        row("path", "pathlib.PosixPath/1");
        row("address", "ipaddress.IPv4Address/0");
        row("pattern", "re.compile/1");
        row("enum", "values.Colour/0");
        row("named", "values.Point/2");
        row("dataclass", "values.Size/2");
        row("nested", "list");
        row("int64", "int");
        row("float32", "double");
        row("bool_", "bool");
        row("array", "ext/6");
    }
    void standsInTheCheckpoint()
    {
        QFETCH(std::string, name);
        QFETCH(std::string, kind);
        const Value& values = *m_channels.find("values");
        if (kind == "ext/6" || name == "int64" || name == "float32" || name == "bool_")
            SG_NEED("runtime"); // numpy's
        QVERIFY2(values.find(name) != nullptr, name.c_str());
        QCOMPARE(kindOf(values[name]), kind);
    }

    void keysThatAreNumbersStayNumbers()
    {
        const Value& numbered = (*m_channels.find("values"))["numbered"];
        QCOMPARE(numbered.asMap().begin()->first, Value(1));
    }

    void aMessageIsTheSameBytesAfterANode()
    {
        const Value& message = m_channels.find("messages")->asList().front();
        QCOMPARE(kindOf(message), std::string("langchain_core.messages.human.HumanMessage/5"));
        QCOMPARE(*m_channels.find("copy"), message);
    }

    void anAnswerIsTheValueThatWasGiven()
    {
        QCOMPARE(toJson(*m_channels.find("answer")), std::string("{\"deep\":[1,2.5,null]}"));
    }

    void commandsSendsAndWritersAreLangGraphs()
    {
        const CommandLine shell;
        std::filesystem::copy(SG_SOURCE_DIR "/tests/data/app/commands", shell.project(),
                              std::filesystem::copy_options::recursive);
        SG_EXIT(shell.run({ "validate", "." }), 0);
        const Answer answer = shell.run(
            { "--json", "run", ".", "--thread", "t", "--backend", "bubblewrap", "--stream", "custom" }, {},
            std::chrono::seconds(180));
        SG_EXIT(answer, 0);
        const ValueList lines = answer.jsonLines();
        QCOMPARE(toJson(lines.front()["data"]), std::string("{\"planned\":2,\"thread\":\"t\"}"));
        QCOMPARE(lines.size(), std::size_t(4));
        const Value& end = lines.back()["data"]["values"];
        QCOMPARE(end["total"], Value(3));
        QCOMPARE(toJson(end["log"]), std::string("[4]")); // plan, work 1, work 2, left
    }

private:
    Answer run(std::vector<std::string> words) const
    {
        words.insert(words.begin() + 1, "values.graph.json");
        words.insert(words.begin(), "--json");
        words.insert(words.end(), { "--thread", "t", "--backend", "bubblewrap" });
        return m_shell.run(words, {}, std::chrono::seconds(180));
    }

    CommandLine m_shell;
    ValueMap m_channels;
};

SG_TEST(TestCliValues)
#include "tst_cli_values.moc"
