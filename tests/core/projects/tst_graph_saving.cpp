// A graph's file, saved by several windows at once: none of them goes silently over another's work.

#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/projects/project_text.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace sg;
using namespace sg::projects;

namespace {

constexpr int kWindows = 3;
constexpr int kSaves = 60; // of each

struct Project {
    test::TempDir folder;
    ProjectPaths paths;

    Project()
    {
        paths.folder = folder.path();
        paths.data = folder / ".sandglass";
        paths.graph = folder.write("a.graph.json", "{}");
    }
};

// Reads the file, adds a channel of its own and saves, until it has saved often enough. What was refused is
// read and tried again. Returns the number of failures that were no conflicts.
int saveOften(const ProjectPaths& paths, int window)
{
    int failures = 0;
    for (int saved = 0; saved < kSaves && failures == 0;) {
        const auto before = readFile(paths.graph);
        auto file = before ? graph::parseGraph(*before) : Result<graph::GraphFile>(before.error());
        if (!file)
            return 1;
        graph::Channel channel;
        channel.name = "w" + std::to_string(window) + "_" + std::to_string(saved);
        file->graph.channels.push_back(channel);
        const auto done = saveGraphText(paths, graph::graphText(file->graph), *before);
        if (done)
            ++saved;
        else if (done.error().code != Errc::Conflict)
            ++failures;
    }
    return failures;
}

} // namespace

class TestGraphSaving : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Each version that was said to be saved is in the next one: those that would have gone over it were told
    // of a conflict.
    void noSaveIsLostAmongProcesses()
    {
        const Project project;
        std::vector<pid_t> windows;
        for (int i = 0; i < kWindows; ++i) {
            const pid_t window = ::fork();
            if (window == 0)
                ::_exit(saveOften(project.paths, i));
            windows.push_back(window);
        }
        for (const pid_t window : windows) {
            int status = 0;
            QCOMPARE(::waitpid(window, &status, 0), window);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
        const auto file = graph::loadGraph(project.paths.graph);
        SG_VERIFY_OK(file);
        for (int i = 0; i < kWindows; ++i)
            for (int saved = 0; saved < kSaves; ++saved) {
                const std::string name = "w" + std::to_string(i) + "_" + std::to_string(saved);
                QVERIFY2(std::ranges::count(file->graph.channels, name, &graph::Channel::name) == 1,
                         name.c_str());
            }
    }

    void whatAnotherWroteStays()
    {
        const Project project;
        const auto saved = saveGraphText(project.paths, "{\"name\": \"mine\"}", "{ }");
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, Errc::Conflict);
        QCOMPARE(*readFile(project.paths.graph), std::string("{}"));
        SG_VERIFY_OK(saveGraphText(project.paths, "{\"name\": \"mine\"}", "{}"));
        SG_VERIFY_OK(saveGraphText(project.paths, "{\"name\": \"mine\"}", "{}")); // it says that already
    }

    void codeFilesAreMadeAndNeverWrittenOver()
    {
        const Project project;
        const std::string graph = R"({"nodes": [{"name": "a", "kind": "python", "file": "nodes/a.py"}]})";
        SG_VERIFY_OK(saveGraphText(project.paths, graph, "{}"));
        const auto code = readFile(project.folder / "nodes/a.py");
        SG_VERIFY_OK(code);
        QVERIFY(code->starts_with("def node("));
        SG_VERIFY_OK(writeFileAtomically(project.folder / "nodes/a.py", "mine\n"));
        SG_VERIFY_OK(saveGraphText(project.paths, "{}", graph));
        SG_VERIFY_OK(saveGraphText(project.paths, graph, "{}"));
        QCOMPARE(*readFile(project.folder / "nodes/a.py"), std::string("mine\n"));
    }
};

SG_TEST(TestGraphSaving)
#include "tst_graph_saving.moc"
