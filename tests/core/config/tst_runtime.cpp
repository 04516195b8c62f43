#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/user_folders.h"
#include "core/config/runtime.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

using namespace sg;
using namespace sg::config;

namespace {

// An environment variable for one test; an empty value takes it away.
class Variable {
public:
    Variable(const char* name, const std::string& value)
        : m_name(name)
        , m_wasSet(qEnvironmentVariableIsSet(name))
        , m_before(qgetenv(name))
    {
        if (value.empty())
            qunsetenv(name);
        else
            qputenv(name, QByteArray::fromStdString(value));
    }
    ~Variable()
    {
        if (m_wasSet)
            qputenv(m_name, m_before);
        else
            qunsetenv(m_name);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    const bool m_wasSet;
    const QByteArray m_before;
};

RuntimePaths scripts(const test::TempDir& folder, const std::string& script)
{
    RuntimePaths paths;
    paths.scripts = folder.path();
    paths.python = folder / "python";
    folder.write("make-venv.sh", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder / "make-venv.sh", std::filesystem::perms(0755));
    return paths;
}

} // namespace

class TestRuntime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dataLiesInTheUsersFolder_data()
    {
        QTest::addColumn<std::string>("data");
        QTest::addColumn<std::string>("home");
        QTest::addColumn<std::string>("folder");
        const std::string account = ::getpwuid(::getuid())->pw_dir;
        const auto row = [](const char* name, const std::string& data, const std::string& home,
                            const std::string& folder) { QTest::newRow(name) << data << home << folder; };
        row("data folder", "/data", "/home/a", "/data");
        row("home", "", "/home/a", "/home/a/.local/share");
        row("relative data folder", "data", "/home/a", "/home/a/.local/share");
        row("neither", "", "", account + "/.local/share");
        row("relative home", "", "a", account + "/.local/share");
    }
    void dataLiesInTheUsersFolder()
    {
        QFETCH(std::string, data);
        QFETCH(std::string, home);
        QFETCH(std::string, folder);
        const Variable first("XDG_DATA_HOME", data);
        const Variable second("HOME", home);
        const Variable third("SANDGLASS_PYTHON", "");
        QCOMPARE(userDataFolder().string(), folder);
        QCOMPARE(locateRuntime().python.string(), folder + "/sandglass/python");
    }

    void nothingIsBuiltWithoutAPlace()
    {
        const test::TempDir folder;
        RuntimePaths paths = scripts(folder, "touch built");
        paths.python.clear();
        const auto built = buildRuntime(paths, "bubblewrap", "", [](const std::string&) {});
        QVERIFY(!built);
        SG_VERIFY_CONTAINS(built.error().message, "HOME");
    }

    void aPlaceThatCannotBeWrittenIsNamed()
    {
        const test::TempDir folder;
        RuntimePaths paths = locateRuntime();
        paths.python = folder.write("file", "") / "sandglass/python"; // no folder, also for root
        const auto built = buildRuntime(paths, "bubblewrap", "", [](const std::string&) {});
        QVERIFY(!built);
        SG_VERIFY_CONTAINS(built.error().message, "XDG_DATA_HOME");
        QVERIFY(built.error().code == Errc::Io);
    }

    void missingPackagesAreModules()
    {
        RuntimePaths paths = locateRuntime();
        const test::TempDir folder;
        paths.python = folder / "python";
        const std::vector<std::string> modules = missingPackages(paths);
        for (const char* name : { "pandas", "numpy", "matplotlib", "pyarrow", "PIL", "dateutil" })
            QVERIFY2(std::ranges::find(modules, name) != modules.end(), name);
        folder.write("python/bin/python3", "");
        QCOMPARE(missingPackages(paths), std::vector<std::string>());
    }

    void saysWhatTheScriptSaid_data()
    {
        QTest::addColumn<std::string>("script");
        QTest::addColumn<int>("code");
        QTest::addColumn<std::string>("message");
        QTest::newRow("nothing to use")
            << std::string("echo 'error: no engine. Start it.' >&2; exit 6")
            << static_cast<int>(Errc::Unavailable) << std::string("no engine. Start it.");
        QTest::newRow("failed") << std::string("echo 'error: no room.' >&2; exit 1")
                                << static_cast<int>(Errc::Io) << std::string("no room.");
        QTest::newRow("another word") << std::string("echo 'no prefix' >&2; exit 1")
                                      << static_cast<int>(Errc::Io) << std::string("no prefix");
    }
    void saysWhatTheScriptSaid()
    {
        QFETCH(std::string, script);
        QFETCH(int, code);
        QFETCH(std::string, message);
        const test::TempDir folder;
        const RuntimePaths paths = scripts(folder, script);
        std::vector<std::string> shown;
        const auto built =
            buildRuntime(paths, "bubblewrap", "", [&](const std::string& line) { shown.push_back(line); });
        QVERIFY(!built);
        QCOMPARE(built.error().message, message);
        QCOMPARE(static_cast<int>(built.error().code), code);
        for (const std::string& line : shown) // the caller shows the error, once
            QVERIFY2(!line.starts_with("error: "), line.c_str());
        const auto checked = checkRuntime(paths, "bubblewrap", "");
        QVERIFY(!checked);
        QCOMPARE(checked.error().message, message);
        QCOMPARE(static_cast<int>(checked.error().code), code);
    }

    // Both ways to make the image end in one that `image check` accepts.
    void theDockerfileNamesItsPackages()
    {
        const RuntimePaths paths = locateRuntime();
        const auto requirements = readFile(paths.scripts / "requirements.txt");
        const auto dockerfile = readFile(paths.scripts / "Dockerfile");
        SG_VERIFY_OK(requirements);
        SG_VERIFY_OK(dockerfile);
        SG_VERIFY_CONTAINS(*dockerfile, "io.sandglass.runtime=" + sha256Hex(*requirements).substr(0, 16));
    }

    void tellsHowFarABuildIs()
    {
        config::BuildProgress progress(4);
        QCOMPARE(progress.percent(), 0);
        progress.take("Preparing the Python of local sandboxes in /x (once, about 30 s) …");
        QCOMPARE(progress.percent(), 0);
        progress.take("Collecting pandas==2.2.2 (from -r requirements.txt (line 1))");
        QCOMPARE(progress.step(), std::string("pandas 2.2.2"));
        QCOMPARE(progress.percent(), 20);
        progress.take("  Downloading pandas-2.2.2-cp311.whl (13.0 MB)");
        QCOMPARE(progress.percent(), 20);
        for (const char* name : { "a", "b", "c", "one too many" })
            progress.take(std::string("Collecting ") + name);
        QCOMPARE(progress.percent(), 80);
        progress.take("Installing collected packages: pandas, a, b, c");
        QVERIFY(progress.percent() > 80 && progress.percent() < 100);
    }
};

SG_TEST(TestRuntime)
#include "tst_runtime.moc"
