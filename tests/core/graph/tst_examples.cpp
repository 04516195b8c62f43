#include "core/base/file.h"
#include "core/expressions/jq_evaluator.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <filesystem>

using namespace sg;
using namespace sg::graph;

namespace {

std::vector<std::filesystem::path> examples()
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(SG_SOURCE_DIR "/resources/examples"))
        if (entry.path().string().ends_with(".graph.json"))
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

ValidationHost hostFor(const std::filesystem::path& folder)
{
    ValidationHost host;
    host.folder = folder;
    host.checkJq = [](const std::vector<std::string>& programs) {
        std::vector<std::pair<std::size_t, std::string>> result;
        auto problems = expressions::checkJqPrograms(programs, SG_BIN_DIR "/sandglass-jq");
        if (!problems)
            return std::vector{ std::pair(std::size_t{ 0 }, problems.error().message) };
        for (const auto& problem : *problems)
            result.emplace_back(problem.program, problem.message);
        return result;
    };
    return host;
}

} // namespace

class TestExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areThere() { QVERIFY(examples().size() >= 3); }

    void areRightAndAsSaved_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto& path : examples())
            QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
    }
    void areRightAndAsSaved()
    {
        QFETCH(QString, path);
        const std::filesystem::path place = path.toStdString();
        auto file = loadGraph(place);
        SG_VERIFY_OK(file);
        for (const Problem& problem : validate(*file, hostFor(place.parent_path())))
            QFAIL(describe(problem, place.string()).c_str());
        auto text = readFile(place);
        SG_VERIFY_OK(text);
        QCOMPARE(graphText(file->graph), *text);
        QVERIFY(std::filesystem::exists(place.parent_path() / "README.md"));
    }
};

SG_TEST(TestExamples)
#include "tst_examples.moc"
