// An installation may reach the hosts that pip's settings and the requirements name.

#include "core/layers/install_network.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::layers;

namespace {

std::string textOf(const sandbox::egress::EgressPolicy& policy)
{
    std::string text;
    for (const auto& place : policy.chosen)
        text += place.text() + ' ';
    text += '|';
    for (const auto& rule : policy.rules)
        text += ' ' + rule.text();
    return text;
}

PipSettings settings(std::map<std::string, std::string> environment)
{
    PipSettings made;
    made.environment = std::move(environment);
    return made;
}

} // namespace

class TestInstallNetwork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesWhatSettingsName()
    {
        const auto policy = installPolicy(
            settings({ { "PIP_INDEX_URL", "https://ada:word@index.corp.test:8443/simple" },
                       { "PIP_EXTRA_INDEX_URL", "http://10.0.0.7/simple https://index.corp.test:8443/other" },
                       { "PIP_FIND_LINKS", "/opt/sandglass/pip/0 https://links.test/wheels" },
                       { "PIP_TRUSTED_HOST", "files.corp.test mirror.test:8080" } }),
            { "https://wheels.test:9443/a.whl", "https://wheels.test/b.whl" });
        SG_VERIFY_OK(policy);
        QCOMPARE(textOf(*policy),
                 std::string("index.corp.test:8443 10.0.0.7:80 links.test:443 files.corp.test:443 "
                             "files.corp.test:80 mirror.test:8080 | wheels.test:9443"));
        QCOMPARE(policy->openPort, std::uint16_t{ 443 });
        QVERIFY(!policy->upstream);
    }

    void refusesWhatIsNoHost()
    {
        const auto policy = installPolicy(settings({ { "PIP_INDEX_URL", "http://2130706433/simple" } }), {});
        QVERIFY(!policy);
        SG_VERIFY_CONTAINS(policy.error().message, "2130706433");
    }

    void goesThroughTheUsersProxy()
    {
        const auto policy = installPolicy(
            settings({ { "HTTPS_PROXY", "http://proxy.corp.test:3128" }, { "NO_PROXY", "corp.test" } }), {});
        SG_VERIFY_OK(policy);
        QVERIFY(policy->upstream);
        QCOMPARE(policy->upstream->place.text(), std::string("proxy.corp.test:3128"));
        QCOMPARE(policy->upstream->without, std::vector<std::string>{ "corp.test" });
        const auto none = installPolicy(settings({ { "HTTPS_PROXY", "socks5://10.0.0.1:1080" } }), {});
        QVERIFY(!none);
        SG_VERIFY_CONTAINS(none.error().message, "PIP_PROXY");
    }

    void tellsPipOfOurOwn()
    {
        std::map<std::string, std::string> environment{ { "PIP_PROXY", "http://word@10.0.0.1:1" },
                                                        { "no_proxy", "*" },
                                                        { "PIP_RETRIES", "0" } };
        InstallNetwork::set(environment);
        QCOMPARE(environment["https_proxy"], std::string("http://127.0.0.1:3128"));
        QCOMPARE(environment["PIP_RETRIES"], std::string("0"));
        QVERIFY(!environment.contains("PIP_PROXY") && !environment.contains("no_proxy"));
    }
};

SG_TEST(TestInstallNetwork)
#include "tst_install_network.moc"
