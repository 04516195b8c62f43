// The tests that tests/conformance/THREATS.md names must exist, or the table would promise what no test
// holds.

#include "core/base/file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <map>
#include <regex>
#include <string>

namespace fs = std::filesystem;
using namespace sg;

namespace {

const fs::path kTests = fs::path(SG_SOURCE_DIR) / "tests";

// The tests' texts by the name that the table uses: "tst_session", "test_files.py", "suite".
std::map<std::string, std::string> testTexts()
{
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(kTests)) {
        const std::string name = entry.path().filename().string();
        const bool isSuite =
            entry.path().parent_path() == kTests / "conformance" && name.ends_with("_suite.cpp");
        const bool isTest = name.starts_with("tst_") && name.ends_with(".cpp");
        const bool isScript = name.starts_with("test_") && name.ends_with(".py");
        if (!isSuite && !isTest && !isScript)
            continue;
        const auto text = readFile(entry.path());
        texts[isSuite      ? "suite"
                  : isTest ? entry.path().stem().string()
                           : name] += text ? *text : std::string();
    }
    return texts;
}

} // namespace

class TestThreats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTestsThatExist()
    {
        const auto table = readFile(kTests / "conformance/THREATS.md");
        SG_VERIFY_OK(table);
        const auto texts = testTexts();
        const std::regex reference("`(suite|tst_[a-z_]+|test_[a-z_]+\\.py)::([A-Za-z_]+)`");
        std::string missing;
        int count = 0;
        for (std::sregex_iterator found(table->begin(), table->end(), reference), end; found != end;
             ++found) {
            const std::string file = (*found)[1];
            const std::string name = (*found)[2];
            const auto text = texts.find(file);
            const std::string wanted = file.ends_with(".py") ? "def " + name + "(" : name + "()";
            if (text == texts.end() || text->second.find(wanted) == std::string::npos)
                missing += file + "::" + name + " ";
            ++count;
        }
        QVERIFY2(missing.empty(), missing.c_str());
        QVERIFY2(count > 60, std::to_string(count).c_str());
    }

    // Each row of the table names a test.
    void leavesNoThreatWithoutATest()
    {
        const auto table = readFile(kTests / "conformance/THREATS.md");
        SG_VERIFY_OK(table);
        int rows = 0;
        for (std::size_t from = 0; from < table->size();) {
            const std::size_t end = std::min(table->find('\n', from), table->size());
            const std::string line = table->substr(from, end - from);
            from = end + 1;
            if (!line.starts_with("| ") || line.starts_with("| threat |") || line.starts_with("| --- "))
                continue;
            QVERIFY2(line.find("::") != std::string::npos, line.c_str());
            ++rows;
        }
        QVERIFY2(rows > 20, std::to_string(rows).c_str());
    }

    void unpacksNothingOfASandbox()
    {
        std::string found;
        for (const char* folder : { "core/sandbox", "core/sessions", "core/artifacts", "core/layers" })
            for (const auto& entry : fs::recursive_directory_iterator(fs::path(SG_SOURCE_DIR) / folder)) {
                const auto text =
                    entry.is_regular_file() ? readFile(entry.path()) : Result<std::string>(std::string());
                for (const char* word : { "<archive.h>", "LibArchive", "/archive?" })
                    if (text && text->find(word) != std::string::npos)
                        found += entry.path().string() + " ";
            }
        QCOMPARE(found, std::string());
    }
};

SG_TEST(TestThreats)
#include "tst_threats.moc"
