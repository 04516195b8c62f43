// Files in a project's folder of data: their names, and copies into it.

#include "core/projects/dataset_files.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <filesystem>

using namespace sg;
using namespace sg::projects;

namespace {

struct Project {
    test::TempDir folder;
    ProjectPaths paths;

    Project() { paths.datasets = folder / "project/datasets"; }
};

} // namespace

class TestDatasetFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesWhatLiesThere()
    {
        const Project project;
        project.folder.write("project/datasets/2026/heights.csv", "a\n1\n");
        QCOMPARE(*datasetName(project.paths, project.paths.datasets / "2026/heights.csv"),
                 std::string("2026/heights.csv"));
        QCOMPARE(*datasetName(project.paths, project.paths.datasets / "../datasets/2026/heights.csv"),
                 std::string("2026/heights.csv"));
        for (const char* other : { "project/datasets", "project/graph.json", "elsewhere.csv" })
            QVERIFY(datasetName(project.paths, project.folder / other).error().code == Errc::NotFound);
    }

    void copiesAFileOnce()
    {
        const Project project;
        const auto file = project.folder.write("penguins.csv", "mass\n4000\n");
        QCOMPARE(*addDatasetFile(project.paths, file), std::string("penguins.csv"));
        QVERIFY(std::filesystem::is_regular_file(project.paths.datasets / "penguins.csv"));
        QCOMPARE(*addDatasetFile(project.paths, file), std::string("penguins.csv")); // it is there already
        project.folder.write("penguins.csv", "mass\n5000\n");
        const auto other = addDatasetFile(project.paths, file);
        QVERIFY(!other && other.error().code == Errc::Exists);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(project.paths.datasets), {}), 1);
    }

    void aFolderIsNoDataset()
    {
        const Project project;
        QVERIFY(addDatasetFile(project.paths, project.folder.path()).error().code == Errc::InvalidArgument);
        QVERIFY(addDatasetFile(project.paths, project.folder / "absent.csv").error().code
                == Errc::InvalidArgument);
    }
};

SG_TEST(TestDatasetFiles)
#include "tst_dataset_files.moc"
