#include "core/base/json.h"
#include "core/nodes/node_catalog.h"
#include "tests/core/nodes/fake_task_context.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <filesystem>
#include <thread>

using namespace sg;
using test::FakeTaskContext;

namespace {

std::string json(const Value& value)
{
    return toJson(value);
}

// A project with code files and sessions over plain processes.
struct Project {
    explicit Project(std::vector<std::string> missingPackages = {}, sessions::CellLimits limits = {})
    {
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        auto local = std::make_unique<test::LocalProcessBackend>(folder / "sandboxes");
        backend = local.get();
        sessions::SessionManager::Backends backends;
        backends.emplace("bubblewrap", std::move(local));
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.project = "12345678";
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
        nodes::NodeWorld world;
        world.projectFolder = folder / "project";
        world.sessions = manager.get();
        world.limits = limits;
        world.artifacts = store.get();
        world.missingPackages = std::move(missingPackages);
        world.artifactStored = [this](const engine::TaskInfo& task, const artifacts::Artifact& artifact) {
            stored.push_back(task.node.value + " " + artifact.path);
        };
        catalog = nodes::makeNodeCatalog(world);
    }

    void code(const std::string& source) const { folder.write("project/nodes/analyze.py", source); }
    std::unique_ptr<engine::NodeBody> body(ValueMap settings = { { "file", "nodes/analyze.py" } }) const
    {
        graph::Node node;
        node.name = NodeId("analyze");
        node.kind = "python";
        node.settings = std::move(settings);
        auto made = catalog->makeNode(node);
        return made ? std::move(*made) : nullptr;
    }
    std::string run(FakeTaskContext& context, ValueMap settings = { { "file", "nodes/analyze.py" } }) const
    {
        return test::outcomeText(body(std::move(settings))->run(context), json);
    }

    test::TempDir folder;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    test::LocalProcessBackend* backend = nullptr;
    std::vector<std::string> stored;
    std::unique_ptr<sessions::SessionManager> manager;
    std::unique_ptr<engine::NodeCatalog> catalog;
};

engine::Failure failureOf(const engine::NodeOutcome& outcome)
{
    const auto* failure = std::get_if<engine::Failure>(&outcome);
    return failure != nullptr ? *failure : engine::Failure{ "no failure", {} };
}

} // namespace

class TestPythonNode : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void returnsTheUpdate();
    void takesUpChangedCode();
    void keepsNamesBetweenNodesOfAThread();
    void logsWhatIsPrinted();
    void returnsLangGraphsObjects();
    void recordsAnswersAndAsks();
    void storesArtifacts();
    void keepsWhatItShows();
    void tellsTypeMessageAndTraceback();
    void namesAMissingCodeFile();
    void saysThatNoSessionCanStart();
    void saysWhichLimitStoppedIt();
    void saysThatTheCellLimitStoppedIt();
    void saysThatPackagesAreNotBuilt_data();
    void saysThatPackagesAreNotBuilt();
    void stops();
    void saysThatTheStateIsNotPlain();
};

void TestPythonNode::returnsTheUpdate()
{
    Project project;
    project.code("def node(state, config):\n"
                 "    return {'value': state['value'] + 1, 'thread': config['configurable']['thread_id']}\n");
    FakeTaskContext context(Value::map({ { "value", 1 } }));
    QCOMPARE(project.run(context), std::string(R"(returned {"value":2,"thread":"alice"})"));
    SG_VERIFY_CONTAINS(context.events, "started: bubblewrap");
}

void TestPythonNode::takesUpChangedCode()
{
    Project project;
    project.code("def node(state): return {'v': 1}\n");
    FakeTaskContext context;
    QCOMPARE(project.run(context), std::string(R"(returned {"v":1})"));
    project.code("def node(state): return {'v': 2}\ndef other(state): return {'v': 3}\n");
    QCOMPARE(project.run(context), std::string(R"(returned {"v":2})"));
    QCOMPARE(project.run(context, { { "file", "nodes/analyze.py" }, { "function", "other" } }),
             std::string(R"(returned {"v":3})"));
}

void TestPythonNode::keepsNamesBetweenNodesOfAThread()
{
    Project project;
    project.code("def node(state):\n    global seen\n    seen = globals().get('seen', 0) + 1\n    return "
                 "{'seen': seen}\n");
    FakeTaskContext alice;
    FakeTaskContext bob;
    bob.task.thread = ThreadId("bob");
    QCOMPARE(project.run(alice), std::string(R"(returned {"seen":1})"));
    QCOMPARE(project.run(alice), std::string(R"(returned {"seen":2})"));
    QCOMPARE(project.run(bob), std::string(R"(returned {"seen":1})"));
    QCOMPARE(project.backend->alive.load(), 2);
}

void TestPythonNode::logsWhatIsPrinted()
{
    Project project;
    project.code("import sys\nfrom langgraph.config import get_stream_writer\n"
                 "def node(state):\n    print('out')\n    print('err', file=sys.stderr)\n    "
                 "get_stream_writer()([1])\n");
    FakeTaskContext context;
    QCOMPARE(project.run(context), std::string("returned null"));
    QCOMPARE(context.out, std::string("out\n"));
    QCOMPARE(context.err, std::string("err\n"));
    QCOMPARE(Value(context.custom), Value::list({ Value::list({ 1 }) }));
}

void TestPythonNode::returnsLangGraphsObjects()
{
    Project project;
    project.code("from langgraph.types import Command, Send\n"
                 "def node(state):\n    return Command(update={'a': 1}, goto=[Send('b', {'n': 2})])\n");
    FakeTaskContext context;
    const engine::NodeOutcome outcome = project.body()->run(context);
    const auto* returned = std::get_if<engine::Returned>(&outcome);
    QVERIFY(returned != nullptr);
    QVERIFY(returned->value.isExt());
    QCOMPARE(int(returned->value.asExt().code), 2);
}

void TestPythonNode::recordsAnswersAndAsks()
{
    Project project;
    project.code("from langgraph.types import interrupt\n"
                 "def node(state):\n    a = interrupt('first?')\n    b = interrupt('second?')\n    return "
                 "{'ab': a + b}\n");
    FakeTaskContext context;
    context.answers = { "x" };
    QCOMPARE(project.run(context), std::string("interrupted"));
    QCOMPARE(context.used, std::size_t(1));
    QCOMPARE(Value(context.asked), Value::list({ "second?" }));

    FakeTaskContext again;
    again.answers = { "x", "y" };
    QCOMPARE(project.run(again), std::string(R"(returned {"ab":"xy"})"));
    QCOMPARE(again.used, std::size_t(2));
}

void TestPythonNode::storesArtifacts()
{
    Project project;
    project.code("import os\ndef node(state):\n"
                 "    os.chdir(os.environ['HOME'])\n    open('artifacts/table.csv', 'w').write('a\\n1\\n')\n"
                 "    os.symlink('/etc/passwd', 'artifacts/link')\n");
    FakeTaskContext context;
    QCOMPARE(project.run(context), std::string("returned null"));
    QCOMPARE(project.stored, std::vector<std::string>{ "analyze table.csv" });
    SG_VERIFY_CONTAINS(context.events, "artifacts/link: a link, not stored");
    const auto rows = project.store->list({});
    SG_VERIFY_OK(rows);
    QCOMPARE(rows->size(), std::size_t(1));
    QCOMPARE(rows->front().origin.thread, ThreadId("alice"));
    QCOMPARE(rows->front().origin.node, NodeId("analyze"));
    QCOMPARE(rows->front().origin.step, std::int64_t(2));
    QVERIFY(!rows->front().origin.session.empty());
}

void TestPythonNode::keepsWhatItShows()
{
    Project project;
    project.code("class Table:\n"
                 "    def _repr_html_(self): return '<table><script>alert(1)</script></table>'\n"
                 "    def __repr__(self): return 'a table'\n"
                 "class Picture:\n"
                 "    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n' + b'0' * 12000\n"
                 "def node(state):\n"
                 "    print('before')\n"
                 "    display(Picture())\n"
                 "    display(Table())\n"
                 "    display('text alone')\n"
                 "    for i in range(120): display({'image/svg+xml': '<svg/>'}, raw=True)\n");
    FakeTaskContext context;
    QCOMPARE(project.run(context), std::string("returned null"));
    QCOMPARE(context.out, std::string("before\na table\n'text alone'\n"));
    SG_VERIFY_CONTAINS(context.events, "[figure 12 kB: analyze-task-1.png]");
    SG_VERIFY_CONTAINS(context.events, "[html 40 B: analyze-task-2.html]");
    SG_VERIFY_CONTAINS(context.events, "[more is shown than the 100 that are kept of a task]");
    QCOMPARE(project.stored.size(), std::size_t(100));
    QCOMPARE(project.stored.front(), std::string("analyze displays/analyze-task-1.png"));
    const auto kept = project.store->list({});
    SG_VERIFY_OK(kept);
    QCOMPARE(kept->back().mime, std::string("image/png"));
    QCOMPARE(kept->back().origin.task, TaskId("task"));
}

void TestPythonNode::tellsTypeMessageAndTraceback()
{
    Project project;
    project.code("def helper():\n    raise ValueError('boom')\n\ndef node(state):\n    helper()\n");
    FakeTaskContext context;
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, std::string("ValueError"));
    QCOMPARE(failure.message, std::string("boom"));
    QCOMPARE(failure.repr, std::string("ValueError('boom')"));
    SG_VERIFY_CONTAINS(failure.detail, "nodes/analyze.py\", line 2, in helper");
    QVERIFY(failure.retryable);
}

void TestPythonNode::namesAMissingCodeFile()
{
    Project project;
    FakeTaskContext context;
    project.folder.write("project/x", "");
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, std::string("FileNotFoundError"));
    SG_VERIFY_CONTAINS(failure.message, "Node analyze (step 2): there is no code file nodes/analyze.py");
    QVERIFY(!failure.retryable);
    QCOMPARE(project.backend->starts.load(), 0);
}

void TestPythonNode::saysThatNoSessionCanStart()
{
    Project project;
    project.code("def node(state): pass\n");
    project.backend->unavailable = "bubblewrap is not installed; apt install bubblewrap";
    FakeTaskContext context;
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, std::string("SandboxUnavailable"));
    SG_VERIFY_CONTAINS(failure.message, "apt install bubblewrap");
    QVERIFY(!failure.retryable);
}

void TestPythonNode::saysWhichLimitStoppedIt()
{
    Project project;
    project.code("def node(state):\n    while True: pass\n");
    FakeTaskContext context;
    const engine::Failure failure =
        failureOf(project.body({ { "file", "nodes/analyze.py" }, { "timeout_s", 0.3 } })->run(context));
    QCOMPARE(failure.type, std::string("TimeoutError"));
    QCOMPARE(
        failure.message,
        std::string(
            "Node analyze (step 2) was stopped after 0.3 s, its limit (timeout_s). Raise \"timeout_s\" of "
            "the node, or make its code faster."));
    QVERIFY(failure.retryable);
    project.code("def node(state): return {'fine': True}\n");
    QCOMPARE(project.run(context), std::string(R"(returned {"fine":true})"));
}

void TestPythonNode::saysThatTheCellLimitStoppedIt()
{
    sessions::CellLimits limits;
    limits.deadline = std::chrono::milliseconds(300);
    Project project({}, limits);
    project.code("def node(state):\n    while True: pass\n");
    FakeTaskContext context;
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, std::string("TimeoutError"));
    SG_VERIFY_CONTAINS(failure.message, "was stopped after 0.3 s, the limit of every cell");
    SG_VERIFY_CONTAINS(failure.message, "\"cell_s\"");
}

void TestPythonNode::saysThatPackagesAreNotBuilt_data()
{
    QTest::addColumn<std::string>("code");
    QTest::addColumn<std::string>("type");
    const std::string node = "\ndef node(state): return {}\n";
    QTest::newRow("a package") << "import sg_absent" + node << std::string("SandboxUnavailable");
    QTest::newRow("a part of it") << "import sg_absent.part" + node << std::string("SandboxUnavailable");
    QTest::newRow("another") << "import sg_unknown" + node << std::string("ModuleNotFoundError");
}

void TestPythonNode::saysThatPackagesAreNotBuilt()
{
    QFETCH(std::string, code);
    QFETCH(std::string, type);
    Project project({ "sg_absent" });
    project.code(code);
    FakeTaskContext context;
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, type);
    QCOMPARE(failure.message.find("sandglass image build") != std::string::npos,
             type == "SandboxUnavailable");
}

void TestPythonNode::stops()
{
    Project project;
    project.code("import time\ndef node(state):\n    print('on')\n    time.sleep(60)\n");
    FakeTaskContext context;
    std::thread stopper([&] {
        static_cast<void>(test::waitFor([&] {
            const auto session = project.manager->find(ThreadId("alice"));
            return session != nullptr && session->info().state.is(sessions::SessionState::Kind::Busy);
        }));
        context.stop.request_stop();
    });
    const engine::Failure failure = failureOf(project.body()->run(context));
    stopper.join();
    QCOMPARE(failure.type, std::string("Stopped"));
    QVERIFY(!failure.retryable);
}

void TestPythonNode::saysThatTheStateIsNotPlain()
{
    Project project;
    project.code("def node(state): return {'f': open('/dev/null')}\n");
    FakeTaskContext context;
    const engine::Failure failure = failureOf(project.body()->run(context));
    QCOMPARE(failure.type, std::string("TypeError"));
    SG_VERIFY_CONTAINS(failure.message, "'f'");
}

SG_TEST(TestPythonNode)
#include "tst_python_node.moc"
