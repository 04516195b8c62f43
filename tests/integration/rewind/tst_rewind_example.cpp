#include "tests/integration/rewind/rewind_project.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <map>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;

// resources/examples/rewind: a fork in the middle of a training gives the numbers of two unbroken ones.
class TestRewindExample final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aForkGivesTheNumbersOfUnbrokenRuns();
};

namespace {

struct Run {
    RunResult result;
    std::string log; // what the sandbox's open file held
};

Run finish(workbench::Workbench& project, const std::string& thread, RunInput input)
{
    runs::RunRequest request;
    request.thread = ThreadId(thread);
    request.input = std::move(input);
    Run run;
    const auto started = project.runs().start(request);
    if (!started) {
        run.result.error = started.error().message;
        return run;
    }
    run.result = project.runs().wait(*started);
    artifacts::ArtifactFilter filter;
    filter.run = run.result.run;
    filter.name = "training.log";
    if (const auto found = project.artifacts().list(filter); found && !found->empty())
        if (const auto text = project.artifacts().read(found->front(), 1 << 20))
            run.log = *text;
    return run;
}

} // namespace

void TestRewindExample::aForkGivesTheNumbersOfUnbrokenRuns()
{
    SG_NEED(testBackend());
    const TempDir folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    std::filesystem::copy(std::filesystem::path(SG_SOURCE_DIR) / "resources/examples/rewind", folder.path(),
                          std::filesystem::copy_options::recursive);
    workbench::WorkbenchOptions options;
    auto paths = projects::locateProject(folder.path());
    SG_VERIFY_OK(paths);
    options.project = *paths;
    options.backend = testBackend();
    auto opened = workbench::Workbench::open(std::move(options));
    SG_VERIFY_OK(opened);
    workbench::Workbench& project = **opened;

    const Run first = finish(project, "branches", RunInput::input(Value::map({ { "rate", 0.05 } })));
    QCOMPARE(first.result.error, std::string());
    CheckpointId third;
    const auto rows = project.history().checkpoints(ThreadId("branches"));
    SG_VERIFY_OK(rows);
    for (const history::CheckpointRow& row : *rows)
        if (row.step == 3)
            third = row.id;
    const auto forked = project.states().fork({ ThreadId("branches"), "", third },
                                              { Value::map({ { "rate", 0.4 } }), std::nullopt });
    SG_VERIFY_OK(forked);
    const Run second = finish(project, "branches", RunInput::goOn());
    QCOMPARE(second.result.error, std::string());

    const Run slow = finish(project, "slow", RunInput::input(Value::map({ { "rate", 0.05 } })));
    const Value change = Value::map({ { "after", 3 }, { "rate", 0.4 } });
    const Run changed =
        finish(project, "changed", RunInput::input(Value::map({ { "rate", 0.05 }, { "change", change } })));
    QCOMPARE(first.result.values["losses"], slow.result.values["losses"]);
    QCOMPARE(second.result.values["losses"], changed.result.values["losses"]);
    QVERIFY(first.result.values["losses"] != second.result.values["losses"]);
    QCOMPARE(second.result.values["losses"].asList().size(), std::size_t(8));
    QVERIFY(!changed.log.empty());
    QCOMPARE(first.log, slow.log);
    QCOMPARE(second.log, changed.log);
}

SG_CORE_TEST(TestRewindExample)
#include "tst_rewind_example.moc"
