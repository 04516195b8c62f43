// The user's settings of pip are handed to a pip that sees nothing but what is mounted.

#include "core/layers/pip_settings.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>

using namespace sg;
using namespace sg::layers;

namespace {

using Variables = std::map<std::string, std::string>;

Lookup lookup(Variables variables)
{
    return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

} // namespace

class TestPipSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsConfigurationFiles()
    {
        const auto read = readPipConfig("# a comment\n[global]\nindex-url = https://one/simple\ntimeout=60\n"
                                        "find-links =\n    /a\n    /b\n; another\n[freeze]\ntimeout = 10\n"
                                        "[install]\nindex_url: https://two/simple\n");
        QCOMPARE(read.at("index-url"), std::string("https://two/simple"));
        QCOMPARE(read.at("timeout"), std::string("60"));
        QCOMPARE(read.at("find-links"), std::string("/a /b"));
        QCOMPARE(read.size(), std::size_t{ 3 });
    }

    // Environment over PIP_CONFIG_FILE over the user's file.
    void putsTheStrongerPlaceOverTheWeaker()
    {
        const test::TempDir folder;
        folder.write("home/.config/pip/pip.conf",
                     "[global]\nindex-url = https://user/\nretries = 1\ntimeout = 7\n");
        folder.write("chosen.conf", "[global]\nretries = 2\nproxy = http://p:1\n");
        const PipSettings settings =
            pipSettings(lookup({ { "HOME", (folder / "home").string() },
                                 { "PIP_CONFIG_FILE", (folder / "chosen.conf").string() },
                                 { "PIP_PROXY", "http://q:2" },
                                 { "https_proxy", "http://r:3" } }));
        QCOMPARE(settings.environment.at("PIP_INDEX_URL"), std::string("https://user/"));
        QCOMPARE(settings.environment.at("PIP_RETRIES"), std::string("2"));
        QCOMPARE(settings.environment.at("PIP_TIMEOUT"), std::string("7"));
        QCOMPARE(settings.environment.at("PIP_PROXY"), std::string("http://q:2"));
        QCOMPARE(settings.environment.at("https_proxy"), std::string("http://r:3"));
        QVERIFY(settings.usesNetwork);
    }

    void mountsLocalPlacesAndNamesThemAsInside()
    {
        const test::TempDir folder;
        folder.write("wheels/x", "");
        folder.write("ca.pem", "");
        const std::string wheels = (folder / "wheels").string();
        const PipSettings settings = pipSettings(
            lookup({ { "PIP_CONFIG_FILE", "/dev/null" },
                     { "PIP_FIND_LINKS", wheels + " file://" + wheels + " https://host/links /nowhere" },
                     { "PIP_CERT", (folder / "ca.pem").string() },
                     { "PIP_NO_INDEX", "1" } }));
        QCOMPARE(settings.mounts.size(), std::size_t{ 3 });
        const std::string links = settings.environment.at("PIP_FIND_LINKS");
        QCOMPARE(links,
                 settings.mounts[0].inside + " file://" + settings.mounts[1].inside + " https://host/links");
        QCOMPARE(settings.environment.at("PIP_CERT"), settings.mounts[2].inside);
        for (const sandbox::Mount& mount : settings.mounts)
            QVERIFY(mount.readOnly);
        QVERIFY(settings.usesNetwork); // one of the links
    }

    void knowsWhenNoNetworkIsNeeded_data()
    {
        QTest::addColumn<std::string>("variable");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<bool>("usesNetwork");
        QTest::newRow("as pip is by default") << std::string("PIP_TIMEOUT") << std::string("3") << true;
        QTest::newRow("folders alone") << std::string("PIP_NO_INDEX") << std::string("true") << false;
        QTest::newRow("an index in a folder")
            << std::string("PIP_INDEX_URL") << std::string("file:///srv/x") << false;
        QTest::newRow("an index somewhere")
            << std::string("PIP_INDEX_URL") << std::string("http://h/x") << true;
    }
    void knowsWhenNoNetworkIsNeeded()
    {
        QFETCH(const std::string, variable);
        QFETCH(const std::string, value);
        QFETCH(const bool, usesNetwork);
        const PipSettings settings =
            pipSettings(lookup({ { "PIP_CONFIG_FILE", "/dev/null" }, { variable, value } }));
        QCOMPARE(settings.usesNetwork, usesNetwork);
    }

    void tellsTheHostsThatAreAsked()
    {
        PipSettings settings;
        settings.environment = { { "PIP_INDEX_URL", "https://me:secret@index.test:8443/simple" },
                                 { "PIP_FIND_LINKS",
                                   "/opt/wheels https://index.test:8443/more http://b.test?x" },
                                 { "PIP_TRUSTED_HOST", "c.test" } };
        QCOMPARE(remoteHosts(settings), (std::vector<std::string>{ "index.test:8443", "b.test" }));
    }
};

SG_TEST(TestPipSettings)
#include "tst_pip_settings.moc"
