#include "core/sandbox/e2b/e2b_backend.h"
#include "tests/conformance/runner_client.h"
#include "tests/conformance/sandbox_backend_suite.h"
#include "tests/support/e2b_server.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox;

// This backend must pass the suite as far as it is this program's to do: limits, the root file system and
// folders of this machine are the service's, or are not to be had there. The service is its own server.
class TestE2b final : public test::SandboxBackendSuite {
    Q_OBJECT

public:
    using SandboxBackendSuite::SandboxBackendSuite;

protected:
    [[nodiscard]] std::string part() const override { return "bubblewrap"; }
    [[nodiscard]] bool mustLimit() const override { return false; }
    [[nodiscard]] bool managesWithoutGroups() const override { return false; }
    std::unique_ptr<SandboxBackend> makeBackend(const std::string& instance) override
    {
        return makeE2bBackend(server().options(instance));
    }
    std::vector<std::string> leftovers(int /*owner*/) override
    {
        std::vector<std::string> found;
        const auto state =
            tryConnection(server().connection(),
                          [this](const std::string&) -> Result<std::string> { return server().key(); });
        if (!state)
            found.push_back("the service does not answer: " + state.error().message);
        else
            for (const FoundSandbox& each : state->sandboxes)
                found.push_back(each.name);
        return found;
    }

private:
    test::E2bServer& server()
    {
        if (!m_server)
            m_server = std::make_unique<test::E2bServer>(
                std::vector<std::string>(), R"({"limits": {"memory_mb": 256, "tmpfs_mb": 64, "pids": 64}})");
        return *m_server;
    }
    std::unique_ptr<test::E2bServer> m_server;

private Q_SLOTS:
    void findsAndAttachesWhatItKept();
    void pausesAndGoesOn();
    void tellsItsUse();
    void saysWhyARunnerDoesNotStart();
};

void TestE2b::findsAndAttachesWhatItKept()
{
    SandboxSpec wanted = spec();
    wanted.keep = true;
    wanted.thread = ThreadId("a thread");
    wanted.orphanTimeout = std::chrono::seconds(600);
    {
        auto sandbox = started(wanted);
        QVERIFY(sandbox);
        test::RunnerClient client(sandbox->stream());
        QVERIFY(client.hello());
        QCOMPARE(client.run("x = 41").status, std::string("ok"));
    }
    const auto all = backend().find();
    SG_VERIFY_OK(all);
    QCOMPARE(all->size(), std::size_t{ 1 });
    const FoundSandbox& found = all->front();
    QCOMPARE(found.session.value + " " + found.thread.value + " " + found.connection
                 + (found.kept ? " kept" : ""),
             wanted.session.value + " a thread near kept");
    QVERIFY(found.ownerAlive && !found.endsAt.empty());
    {
        const auto again = backend().attach(found);
        SG_VERIFY_OK(again);
        test::RunnerClient client((*again)->stream());
        QVERIFY(client.hello());
        QCOMPARE(client.run("print(x + 1)").text, std::string("42\n"));
    }
    FoundSandbox another = found;
    another.session = SessionId("another");
    QVERIFY(!backend().attach(another));
    QVERIFY(!backend().remove(another));
    SG_VERIFY_OK(backend().remove(found));
    SG_VERIFY_OK(backend().remove(found));
}

void TestE2b::pausesAndGoesOn()
{
    const auto sandbox = started(spec());
    QVERIFY(sandbox);
    test::RunnerClient client(sandbox->stream());
    QVERIFY(client.hello());
    QCOMPARE(client.run("x = 41").status, std::string("ok"));
    SG_VERIFY_OK(sandbox->pause());
    SG_VERIFY_OK(sandbox->unpause());
    QCOMPARE(client.run("print(x + 1)").text, std::string("42\n"));
}

void TestE2b::tellsItsUse()
{
    const auto sandbox = started(spec());
    QVERIFY(sandbox);
    const auto sample = sandbox->sample();
    SG_VERIFY_OK(sample);
    QVERIFY(sample->memoryBytes > (1 << 20));
    QCOMPARE(sample->memoryLimit, std::int64_t{ 256 << 20 });
    QVERIFY(sandbox->endsAt());
}

void TestE2b::saysWhyARunnerDoesNotStart()
{
    const test::TempDir folder;
    folder.write("start.py", ""); // of backends that mount the folder
    folder.write("boot.py", "import sys\nsys.exit('nothing to do')\n");
    SandboxSpec wanted = spec();
    wanted.runnerFolder = folder.path();
    const auto sandbox = started(wanted);
    QVERIFY(sandbox);
    test::RunnerClient client(sandbox->stream());
    QVERIFY(!client.hello());
    SG_VERIFY_CONTAINS(sandbox->lastWords(), "nothing to do");
}

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv, argv + argc);
    if (argc == 1)
        words.insert(words.end(),
                     { "executesCells", "hasNoRights", "hasNoNetwork", "sharesNothingWithItsNeighbour",
                       "hidesEnvironmentAndPaths", "closesInheritedDescriptors",
                       "refusesDangerousSystemCalls", "endsWhatIgnoresSignals", "endsWithItsLastReference",
                       "wakesAReaderWhenItEnds", "outlivesTheThreadThatStartedIt",
                       "leavesNothingBehindAfterTenSessions", "findsAndAttachesWhatItKept", "pausesAndGoesOn",
                       "tellsItsUse", "saysWhyARunnerDoesNotStart" });
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    TestE2b test(SG_SOURCE_DIR "/resources/sandbox");
    return test::exitCode(QTest::qExec(&test, static_cast<int>(pointers.size()), pointers.data()));
}
#include "tst_e2b.moc"
