// Datasets in real sandboxes: staged, mounted read-only, exported; what hostile code makes of it.

#include "core/base/file.h"
#include "core/datasets/dataset_desk.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace sg;
using namespace sg::test;
using sg::datasets::addSource;
using sg::datasets::loadSources;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

// A project beside the world's, whose sessions have its datasets.
struct DatasetWorld {
    DatasetWorld(World& in, const char* mode)
        : world(in)
        , folders({ in.folder / "p", in.folder / "p/datasets.json", in.folder / "p/secrets",
                    in.folder / "p/exports", in.folder / "user/allowed" })
        , desk(
              folders, [this] { return folders.project / "datasets"; }, *in.store, in.clock)
    {
        fs::create_directories(folders.project / "datasets");
        fs::permissions(folders.project, fs::perms(0755));
        const bool isLocal = std::string(mode) == "LOCAL_RO";
        in.spec.mode.datasets = isLocal ? sessions::DatasetAccess::LocalRo : sessions::DatasetAccess::Api;
        if (isLocal)
            in.spec.datasetFolder = folders.project / "datasets";
        in.answerTool = [this](sessions::Session& session, const sessions::ToolCall& call) {
            return desk.answer(session, call);
        };
    }

    void write(const char* name, const std::string& content) const
    {
        if (!writeFileAtomically(folders.project / "datasets" / name, content))
            std::abort();
        fs::permissions(folders.project / "datasets" / name, fs::perms(0644));
    }

    World& world;
    datasets::DatasetFolders folders;
    datasets::DatasetDesk desk;
};

} // namespace

class TestSessionDatasets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stagesWhatTheCodeSelects_data() { everywhere(); }
    void stagesWhatTheCodeSelects()
    {
        SG_USE_BACKEND();
        DatasetWorld datasets(world, "API");
        datasets.write("sales.csv", "a,b\n1,2\n");
        const auto session = world.session("staging");
        QVERIFY2(session, world.problem.c_str());
        Printed printed;
        CellResult result = run(*session,
                                "from sandglass import list_datasets, select_dataset, export_datasets\n"
                                "path = select_dataset('sales')\nopen(path).read()",
                                Millis(30'000), &printed);
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("'a,b\\n1,2\\n'"));
        QVERIFY2(has(printed.told, "dataset sales: 1 KiB from local at "), printed.out.c_str());
        QCOMPARE(
            run(*session, "[d['status'] for d in list_datasets() if d['id'] == 'sales']").value["text/plain"],
            Value("['LOADED']"));

        // Fetched once; again where it is gone.
        datasets.write("sales.csv", "new\n");
        QCOMPARE(run(*session, "open(select_dataset('sales')).read()").value["text/plain"],
                 Value("'a,b\\n1,2\\n'"));
        QCOMPARE(run(*session, "import os; os.remove(path); open(select_dataset('sales')).read()")
                     .value["text/plain"],
                 Value("'new\\n'"));

        // FAILED, and tried again.
        result = run(*session, "select_dataset('later')");
        QCOMPARE(result.error->type, std::string("RuntimeError"));
        QVERIFY2(has(result.error->message, "the dataset 'later' could not be loaded: no provider has"),
                 result.error->message.c_str());
        QVERIFY(datasets.desk.list(*session)->back().state == datasets::DatasetStatus::State::Loaded);
        datasets.write("later.csv", "x\n");
        QVERIFY(run(*session, "select_dataset('later')").status == CellStatus::Ok);

        for (const char* id : { "../sales", "/etc/passwd", "", "a b", "sales\\n" }) {
            result = run(*session, std::string("select_dataset('") + id + "')");
            QVERIFY2(result.error && result.error->type == "ValueError", id);
        }
        QVERIFY(run(*session, "1").status == CellStatus::Ok);
    }

    void stagesALargeOneInBoundedMemoryAndStops_data() { backends(); }
    void stagesALargeOneInBoundedMemoryAndStops()
    {
        SG_USE_BACKEND();
        DatasetWorld datasets(world, "API");
        world.spec.limits.memoryBytes = 512LL << 20;
        world.spec.limits.tmpfsBytes = 256LL << 20;
        std::string content = "a\n";
        content.resize(40U << 20, '1');
        datasets.write("large.csv", content);
        const auto session = world.session("large");
        QVERIFY2(session, world.problem.c_str());
        const CellResult result =
            run(*session, "import sandglass, os; os.path.getsize(sandglass.select_dataset('large'))");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value(std::to_string(content.size())));

        QVERIFY(
            addSource(datasets.folders.config,
                      Value::map({ { "name", "slow" },
                                   { "command", ValueList{ "/bin/sh", "-c", "echo 1; sleep 3; exec yes" } },
                                   { "format", "csv" } })));
        const auto sources = loadSources(datasets.folders.config);
        QVERIFY(datasets.desk.providers().consent().allow(sources->back()));
        std::stop_source stop;
        std::thread stopping([&] {
            std::this_thread::sleep_for(Millis(300));
            stop.request_stop();
        });
        const CellResult stopped = session->runCell("sandglass.select_dataset('endless')",
                                                    { Millis(60'000), 1 << 20 }, {}, {}, stop.get_token());
        stopping.join();
        QVERIFY2(stopped.status == CellStatus::Stopped, summary(stopped).c_str());
        QVERIFY(!stopped.restarted);
        QCOMPARE(run(*session,
                     "[f for f in os.listdir(os.path.dirname(sandglass.select_dataset('large'))) "
                     "if 'large' not in f]")
                     .value["text/plain"],
                 Value("[]"));
        // Full there: the session goes on.
        const CellResult full =
            session->runCell("sandglass.select_dataset('endless')", { Millis(120'000), 1 << 20 }, {}, {}, {});
        QVERIFY2(full.error && has(full.error->message, "space"), summary(full).c_str());
        QVERIFY(run(*session, "1").status == CellStatus::Ok);
    }

    void fetchesOnceHoweverManyAsk_data() { everywhere(); }
    void fetchesOnceHoweverManyAsk()
    {
        SG_USE_BACKEND();
        DatasetWorld datasets(world, "API");
        const std::string count = (datasets.folders.project / "count").string();
        QVERIFY(addSource(
            datasets.folders.config,
            Value::map(
                { { "name", "c" },
                  { "command", ValueList{ "/bin/sh", "-c", "echo x >> " + count + "; sleep 0.2; echo a,b" } },
                  { "format", "csv" } })));
        const auto sources = loadSources(datasets.folders.config);
        QVERIFY(datasets.desk.providers().consent().allow(sources->back()));
        const auto session = world.session("many");
        QVERIFY2(session, world.problem.c_str());
        std::atomic<int> fine = 0;
        std::vector<std::thread> askers;
        for (int i = 0; i < 6; ++i)
            askers.emplace_back(
                [&] { fine += datasets.desk.select(*session, "x", [] { return true; }, {}) ? 1 : 0; });
        for (std::thread& asker : askers)
            asker.join();
        QCOMPARE(fine.load(), 6);
        QCOMPARE(*readFile(count), std::string("x\n"));
    }

    void mountsALocalFolderThatCannotBeWrittenOrLeft_data() { backends(); }
    void mountsALocalFolderThatCannotBeWrittenOrLeft()
    {
        SG_USE_BACKEND();
        DatasetWorld datasets(world, "LOCAL_RO");
        datasets.write("a.csv", "1\n");
        fs::create_symlink("/etc/shadow", datasets.folders.project / "datasets/shadow.csv");
        fs::create_symlink("../", datasets.folders.project / "datasets/up");
        QVERIFY(writeFileAtomically(datasets.folders.project / "host.txt", "host"));
        const auto session = world.session("local");
        QVERIFY2(session, world.problem.c_str());
        QCOMPARE(run(*session, "import sandglass, os\nopen(sandglass.select_dataset('a')).read()")
                     .value["text/plain"],
                 Value("'1\\n'"));
        QCOMPARE(run(*session, "sandglass.select_dataset('a')").value["text/plain"], Value("'/data/a.csv'"));
        for (const char* code :
             { "open('/data/new', 'w')", "open('/data/a.csv', 'a')", "os.remove('/data/a.csv')",
               "os.chmod('/data/a.csv', 0o777)", "os.rename('/data/a.csv', '/data/b.csv')",
               "os.symlink('/etc', '/data/l')", "open('/data/up/host.txt')", "open('/data/../host.txt')" }) {
            const CellResult result = run(*session, code);
            QVERIFY2(result.error, code);
        }
        QVERIFY(run(*session, "sandglass.select_dataset('shadow')").error);
        QVERIFY(run(*session,
                    "import subprocess\nassert subprocess.run(['mount', '-o', 'remount,rw', '/data'])"
                    ".returncode == 0")
                    .error);
        QCOMPARE(*readFile(datasets.folders.project / "datasets/a.csv"), std::string("1\n"));
    }

    void exportsACopyAndAnArtifact_data() { everywhere(); }
    void exportsACopyAndAnArtifact()
    {
        SG_USE_BACKEND();
        DatasetWorld datasets(world, "API");
        const auto session = world.session("export");
        QVERIFY2(session, world.problem.c_str());
        CellResult result = run(*session,
                                "import sandglass, os\nopen('result.csv', 'w').write('x' * 3000000)\n"
                                "e = sandglass.export_datasets('/session/result.csv')\ne['bytes']");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        artifacts::ArtifactOrigin origin{ ThreadId("export"), RunId("r1"),        {}, NodeId("report"),
                                          TaskId("t1"),       CheckpointId("c1"), 3 };
        QVERIFY(session
                    ->runCell("sandglass.export_datasets('result.csv')", { Millis(30'000), 1 << 20 }, origin,
                              {}, {})
                    .status
                == CellStatus::Ok);
        std::vector<std::string> copies;
        for (const auto& entry : fs::directory_iterator(datasets.folders.exports))
            copies.push_back(entry.path().filename().string());
        QCOMPARE(copies.size(), std::size_t{ 2 });
        QVERIFY2(copies.front().ends_with("_result.csv") && copies.front().size() >= 26,
                 copies.front().c_str());
        const auto artifacts = world.store->list({});
        QCOMPARE(artifacts->size(), std::size_t{ 2 });
        QVERIFY(artifacts->front().path.starts_with("exports/") && artifacts->front().size == 3'000'000);
        const artifacts::ArtifactOrigin& made = artifacts->front().origin; // the newest
        QCOMPARE(made.node, origin.node);
        QCOMPARE(made.run, origin.run);
        QCOMPARE(made.step, origin.step);
        QCOMPARE(made.session, session->info().id);
        for (const char* path : { "/etc/passwd", "../etc/passwd", "/proc/1/environ", "/session/../etc/passwd",
                                  "link", "fifo", "none", "" }) {
            result = run(*session,
                         std::string("for n in ('link', 'fifo'):\n    os.path.lexists(n) and os.remove(n)\n"
                                     "os.symlink('/etc/passwd', 'link'); os.mkfifo('fifo')\n"
                                     "sandglass.export_datasets('")
                             + path + "')");
            QVERIFY2(result.error, path);
        }
        QCOMPARE(world.store->list({})->size(), std::size_t{ 2 });
    }
};

SG_CORE_TEST(TestSessionDatasets)
#include "tst_session_datasets.moc"
