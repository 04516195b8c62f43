// Graphs with code files, run by the engine: what a node asks, prints, returns and raises arrives where it
// should.

#include "core/base/json.h"
#include "core/base/thread_pool.h"
#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/engine/engine.h"
#include "core/graph/graph_file.h"
#include "core/nodes/node_catalog.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using engine::RunInput;
using engine::RunResult;

namespace {

// A project folder, its sessions over plain processes, and an engine on one graph of it.
struct Project {
    Project()
    {
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        artifactStore = std::move(*opened);
        sessions::SessionManager::Backends backends;
        backends.emplace("bubblewrap", std::make_unique<test::LocalProcessBackend>(folder / "sandboxes"));
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.project = "12345678";
        manager = std::make_unique<sessions::SessionManager>(std::move(backends), *artifactStore, clock,
                                                             random, options);
        nodes::NodeWorld world;
        world.projectFolder = folder / "project";
        world.sessions = manager.get();
        world.jqHelper = std::string(SG_BIN_DIR) + "/sandglass-jq";
        catalog = nodes::makeNodeCatalog(world);
    }

    void code(const char* name, const char* source) const
    {
        folder.write(std::string("project/") + name, source);
    }
    std::string open(const char* graph)
    {
        auto file = graph::parseGraph(graph);
        if (!file)
            return file.error().message;
        if (file->hasErrors())
            return graph::describe(file->problems.front(), "graph");
        auto program = engine::compile(file->graph, *catalog);
        if (!program)
            return program.error().message;
        runner =
            std::make_unique<engine::Engine>(*program, engine::Services{ store.get(), clock, random, &pool });
        return {};
    }
    RunResult run(const RunInput& input, const char* thread = "alice")
    {
        engine::RunOptions options;
        options.thread = ThreadId(thread);
        return runner->run(input, options, [this](const engine::RunEvent& event) {
            if (const auto* line = std::get_if<engine::LogLine>(&event.body);
                line != nullptr && line->stream == engine::LogLine::Stream::Stdout)
                printed += line->bytes;
            if (const auto* custom = std::get_if<engine::CustomEvent>(&event.body))
                printed += custom->node.value + " sent " + toJson(custom->value) + "\n";
        });
    }

    test::TempDir folder;
    SystemClock clock;
    SystemRandom random;
    ThreadPool pool{ 4 };
    std::unique_ptr<artifacts::ArtifactStore> artifactStore;
    std::unique_ptr<sessions::SessionManager> manager;
    std::unique_ptr<engine::NodeCatalog> catalog;
    std::unique_ptr<checkpoint::CheckpointStore> store = checkpoint::makeMemoryCheckpointStore();
    std::unique_ptr<engine::Engine> runner;
    std::string printed;
};

std::string summary(const RunResult& result)
{
    return runStatusName(result.status) + " " + toJson(result.values)
        + (result.error.empty()
               ? ""
               : " " + result.failedNode.value + ": " + result.errorType + ": " + result.error);
}

constexpr const char* kTwoNodes = R"({"format": 1, "name": "two",
  "state": {"value": {}, "messages": {"type": "reduce", "reducer": "append"}},
  "nodes": [{"name": "load", "kind": "python", "file": "nodes/load.py"},
            {"name": "double", "kind": "python", "file": "nodes/double.py", "timeout_s": 5}],
  "edges": [["__start__", "load"], ["load", "double"], ["double", "__end__"]]})";

} // namespace

class TestNodesInEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passesStateAndNames();
    void asksAndGoesOn();
    void retriesWhatFailed();
    void stopsAtAFailure();
    void followsCommandsAndSends();
    void routesByCode();
    void loopsForEverOnlyUntilItsLimit();
};

void TestNodesInEngine::passesStateAndNames()
{
    Project project;
    project.code("nodes/load.py",
                 "def node(state):\n    global table\n    table = [1, 2, 3]\n    print('loaded')\n"
                 "    return {'value': len(table), 'messages': ['load']}\n");
    project.code("nodes/double.py",
                 "from langgraph.config import get_stream_writer\n"
                 "def node(state):\n    get_stream_writer()({'rows': len(table)})\n"
                 "    return {'value': state['value'] * 2, 'messages': ['double']}\n");
    QCOMPARE(project.open(kTwoNodes), std::string());
    QCOMPARE(summary(project.run(RunInput::input(Value::map({ { "value", 0 } })))),
             std::string(R"(done {"value":6,"messages":["load","double"]})"));
    QCOMPARE(project.printed, std::string("loaded\ndouble sent {\"rows\":3}\n"));
}

void TestNodesInEngine::asksAndGoesOn()
{
    Project project;
    project.code("nodes/load.py",
                 "from langgraph.types import interrupt\n"
                 "def node(state):\n    name = interrupt({'q': 'name?'})\n    age = interrupt('age?')\n"
                 "    return {'value': [name, age]}\n");
    project.code("nodes/double.py", "def node(state): return None\n");
    QCOMPARE(project.open(kTwoNodes), std::string());
    const RunResult first = project.run(RunInput::input(Value::map({ { "value", 0 } })));
    QCOMPARE(first.status, RunStatus::Interrupted);
    QCOMPARE(first.interrupts.size(), std::size_t(1));
    QCOMPARE(first.interrupts.front().value, Value::map({ { "q", "name?" } }));
    const RunResult second = project.run(RunInput::resume("Ann"));
    QCOMPARE(second.status, RunStatus::Interrupted);
    QCOMPARE(second.interrupts.front().value, Value("age?"));
    QCOMPARE(summary(project.run(RunInput::resume(7))),
             std::string(R"(done {"value":["Ann",7],"messages":[]})"));
}

void TestNodesInEngine::retriesWhatFailed()
{
    Project project;
    project.code("nodes/load.py",
                 "def node(state):\n    global tries\n    tries = globals().get('tries', 0) + 1\n"
                 "    if tries < 3:\n        raise ConnectionError(f'try {tries}')\n"
                 "    return {'value': tries}\n");
    QCOMPARE(project.open(R"({"format": 1, "name": "retry", "state": {"value": {}},
      "nodes": [{"name": "load", "kind": "python", "file": "nodes/load.py",
                 "retry": {"max_attempts": 3, "initial_interval": 0.01, "jitter": false}}],
      "edges": [["__start__", "load"]]})"),
             std::string());
    QCOMPARE(summary(project.run(RunInput::input(Value::map({ { "value", 0 } })))),
             std::string(R"(done {"value":3})"));
}

void TestNodesInEngine::stopsAtAFailure()
{
    Project project;
    project.code("nodes/load.py", "def node(state):\n    return {'value': 1 / state['value']}\n");
    project.code("nodes/double.py", "def node(state): return None\n");
    QCOMPARE(project.open(kTwoNodes), std::string());
    const RunResult result = project.run(RunInput::input(Value::map({ { "value", 0 } })));
    QCOMPARE(result.status, RunStatus::Failed);
    QCOMPARE(result.errorType, std::string("ZeroDivisionError"));
    QCOMPARE(result.failedNode, NodeId("load"));
    SG_VERIFY_CONTAINS(result.detail, "nodes/load.py\", line 2, in node");
    // The code is mended: the run goes on where it stopped.
    project.code("nodes/load.py", "def node(state):\n    return {'value': 5}\n");
    QCOMPARE(summary(project.run(RunInput::goOn())), std::string(R"(done {"value":5,"messages":[]})"));
}

void TestNodesInEngine::followsCommandsAndSends()
{
    Project project;
    project.code("nodes/plan.py",
                 "from langgraph.types import Command, Send\n"
                 "def node(state):\n    return Command(update={'log': ['plan']}, "
                 "goto=[Send('work', {'n': n}) for n in (1, 2)])\n");
    project.code("nodes/work.py", "def node(state):\n    return {'log': [state['n'] * 10]}\n");
    QCOMPARE(project.open(
                 R"({"format": 1, "name": "fan", "state": {"log": {"type": "reduce", "reducer": "append"}},
      "nodes": [{"name": "plan", "kind": "python", "file": "nodes/plan.py", "ends": ["work"]},
                {"name": "work", "kind": "python", "file": "nodes/work.py"}],
      "edges": [["__start__", "plan"]]})"),
             std::string());
    QCOMPARE(summary(project.run(RunInput::input(Value::map()))),
             std::string(R"(done {"log":["plan",10,20]})"));
}

void TestNodesInEngine::routesByCode()
{
    Project project;
    project.code("nodes/route.py",
                 "def route(state):\n    return 'big' if state['value'] > 3 else 'again'\n");
    QCOMPARE(project.open(R"({"format": 1, "name": "loop", "state": {"value": {}},
      "nodes": [{"name": "add", "kind": "jq", "jq": "{value: (.value + 1)}"},
                {"name": "end", "kind": "jq", "jq": "{value: -.value}"}],
      "edges": [["__start__", "add"]],
      "branches": [{"from": "add", "file": "nodes/route.py", "function": "route",
                    "targets": {"big": "end", "again": "add"}}]})"),
             std::string());
    QCOMPARE(summary(project.run(RunInput::input(Value::map({ { "value", 0 } })))),
             std::string(R"(done {"value":-4})"));
}

void TestNodesInEngine::loopsForEverOnlyUntilItsLimit()
{
    Project project;
    project.code("nodes/load.py", "def node(state): return {'value': 1}\n");
    project.code("nodes/double.py", "def node(state):\n    while True: pass\n");
    QCOMPARE(
        project.open(std::string(kTwoNodes)
                         .replace(std::string(kTwoNodes).find("\"timeout_s\": 5"), 14, "\"timeout_s\": 0.3")
                         .c_str()),
        std::string());
    const RunResult result = project.run(RunInput::input(Value::map({ { "value", 0 } })));
    QCOMPARE(result.errorType, std::string("TimeoutError"));
    SG_VERIFY_CONTAINS(result.error, "Node double (step 2) was stopped after 0.3 s");
    project.code("nodes/double.py", "def node(state): return {'value': state['value'] + 1}\n");
    QCOMPARE(summary(project.run(RunInput::goOn())), std::string(R"(done {"value":2,"messages":[]})"));
}

SG_TEST(TestNodesInEngine)
#include "tst_nodes_in_engine.moc"
