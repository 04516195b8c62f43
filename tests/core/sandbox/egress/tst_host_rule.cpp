// Which hosts a rule allows, and which spellings of private addresses are none.

#include "core/sandbox/egress/host_rule.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>

using namespace sg;
using namespace sg::sandbox::egress;

namespace {

sockaddr_storage addressOf(const std::string& text)
{
    sockaddr_storage address{};
    auto* const four = reinterpret_cast<sockaddr_in*>(&address);
    auto* const six = reinterpret_cast<sockaddr_in6*>(&address);
    if (::inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1)
        address.ss_family = AF_INET;
    else if (::inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1)
        address.ss_family = AF_INET6;
    return address;
}

} // namespace

class TestHostRule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allows_data()
    {
        QTest::addColumn<std::string>("rule");
        QTest::addColumn<std::string>("asked");
        QTest::addColumn<bool>("isAllowed");
        const auto row = [](const char* rule, const char* asked, bool isAllowed) {
            QTest::addRow("%s, %s", rule, asked) << std::string(rule) << std::string(asked) << isAllowed;
        };
        row("api.test", "api.test:443", true);
        row("api.test", "Api.TEST:443", true);
        row("api.test", "api.test:80", false);
        row("api.test", "files.api.test:443", false);
        row("api.test", "evilapi.test:443", false);
        row("api.test:8443", "api.test:8443", true);
        row("*.example.com", "a.example.com:443", true);
        row("*.example.com", "a.b.example.com:443", true);
        row("*.example.com", "example.com:443", false);
        row("*.example.com", "badexample.com:443", false);
        row("*.example.com", "example.com.evil.org:443", false);
        row("127.0.0.1:80", "127.0.0.1:80", true);
        row("127.0.0.1:80", "127.0.0.2:80", false);
        row("[::1]:80", "[::1]:80", true);
        row("[::1]:80", "[0:0::1]:80", true);
    }
    void allows()
    {
        QFETCH(const std::string, rule);
        QFETCH(const std::string, asked);
        QFETCH(const bool, isAllowed);
        const auto parsed = parseEgressRule(rule);
        SG_VERIFY_OK(parsed);
        const auto place = parseHostPort(asked, 0);
        SG_VERIFY_OK(place);
        QCOMPARE(parsed->allows(*place), isAllowed);
    }

    void refusesWhatIsNoHost_data()
    {
        QTest::addColumn<std::string>("text");
        const auto row = [](const std::string& text) {
            QTest::newRow(QByteArray::fromStdString(text).toPercentEncoding().constData()) << text;
        };
        for (const char* text :
             { "", ":443", "a b:443", "a@b:443", "a%2e:443", "a_b.org:443", "-a.org:443", "a-.org:443",
               "a..b:443", ".a:443", "a.:443", "a/b:443", "a\\b:443", "a?b:443", "a#b:443",
               "user:pw@a.org:443", "http://a.org:443", "a.org:0", "a.org:65536", "a.org:", "a.org:x",
               "a.org:+80", "a.org: 80", "a.org:443:443", "::1", "[::1", "[::1]x:80", "[::1%eth0]:80",
               "[a.org]:80", "b\xC3\xBC.de:443",
               // other ways to write an IPv4 address
               "0x7f.1:80", "0x7f000001:80", "2130706433:80", "2852039166:80", "127.1:80", "127.0.1:80",
               "0177.0.0.1:80", "010.0.0.1:80", "127.0.0.01:80", "0x7f.0x0.0x0.0x1:80", "1:80",
               "256.0.0.1:80", "127.0.0.1.:80", "169.254.169.254.5:80", "a.0x7f:80", "a.1:80" })
            row(text);
        row(std::string("attacker.example\0.google.com:443", 32));
        row(std::string("a\r\nb:443"));
        row(std::string(254, 'a') + ":443");
        row(std::string(64, 'a') + ".org:443");
    }
    void refusesWhatIsNoHost()
    {
        QFETCH(const std::string, text);
        const auto place = parseHostPort(text, 0);
        QVERIFY2(!place, place ? place->text().c_str() : "");
        QCOMPARE(place.error().code, Errc::InvalidArgument);
    }

    void tellsPublicAddresses_data()
    {
        QTest::addColumn<std::string>("address");
        QTest::addColumn<bool>("isPublic");
        for (const char* text : { "0.0.0.0",
                                  "0.1.2.3",
                                  "10.0.0.1",
                                  "10.255.255.255",
                                  "100.64.0.1",
                                  "100.127.255.255",
                                  "127.0.0.1",
                                  "127.255.0.1",
                                  "169.254.169.254",
                                  "172.16.0.1",
                                  "172.31.255.255",
                                  "192.0.0.1",
                                  "192.0.2.1",
                                  "192.88.99.1",
                                  "192.168.0.1",
                                  "198.18.0.1",
                                  "198.19.255.255",
                                  "198.51.100.1",
                                  "203.0.113.1",
                                  "224.0.0.1",
                                  "239.1.1.1",
                                  "240.0.0.1",
                                  "255.255.255.255",
                                  "::",
                                  "::1",
                                  "::ffff:169.254.169.254",
                                  "::ffff:8.8.8.8",
                                  "::127.0.0.1",
                                  "64:ff9b::a9fe:a9fe",
                                  "64:ff9b:1::1",
                                  "100::1",
                                  "fc00::1",
                                  "fd00::1",
                                  "fe80::1",
                                  "fec0::1",
                                  "ff02::1",
                                  "2001::1",
                                  "2001:db8::1",
                                  "2002:7f00:1::1",
                                  "3fff::1" })
            QTest::newRow(text) << std::string(text) << false;
        // Where clouds tell a machine its secrets: AWS and most others, its tasks and its keys, Alibaba,
        // Azure, Oracle, Tencent, AWS, Google, Linode and Scaleway by IPv6, and those behind a translation.
        for (const char* text :
             { "169.254.170.2", "169.254.170.23", "100.100.100.200", "168.63.129.16", "192.0.0.192",
               "169.254.0.23", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:a9fe:a9fe::1",
               "fd00:42::42", "fe80::a9fe:a9fe", "::ffff:168.63.129.16", "64:ff9b::a83f:8110",
               "2002:a83f:8110::1", "2002:a9fe:a9fe::1" })
            QTest::newRow(text) << std::string(text) << false;
        for (const char* text :
             { "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.1", "168.63.129.15",
               "168.63.129.17", "172.15.0.1", "172.32.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
               "2606:4700::1111", "2a00:1450:4001::200e" })
            QTest::newRow(text) << std::string(text) << true;
    }
    void tellsPublicAddresses()
    {
        QFETCH(const std::string, address);
        QFETCH(const bool, isPublic);
        const sockaddr_storage real = addressOf(address);
        QVERIFY(real.ss_family != AF_UNSPEC);
        QCOMPARE(isPublicAddress(reinterpret_cast<const sockaddr*>(&real)), isPublic);
        if (real.ss_family == AF_INET)
            QCOMPARE(addressText(reinterpret_cast<const sockaddr*>(&real)), address);
    }

    void aUsersSettingsLeadAnywhereButWhereCloudsTellOfThemselves()
    {
        const auto may = [](const char* address) {
            const sockaddr_storage real = addressOf(address);
            return mayBeNamed(reinterpret_cast<const sockaddr*>(&real));
        };
        for (const char* good :
             { "10.0.0.1", "127.0.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "192.0.2.7", "203.0.113.9",
               "192.88.99.1", "93.184.216.34", "::1", "fd12::1", "2001:db8::1", "2606:4700::1" })
            QVERIFY2(may(good), good);
        for (const char* bad :
             { "169.254.169.254", "169.254.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "0.0.0.0",
               "224.0.0.1", "255.255.255.255", "fd00:ec2::254", "fe80::1", "ff02::1", "::ffff:10.0.0.1",
               "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1" })
            QVERIFY2(!may(bad), bad);
    }

    void refusesRules()
    {
        for (const char* text : { "*", "*.com", "*.1.2.3.4", "**.example.com", "a.*.com", "https://a.org" })
            QVERIFY2(!parseEgressRule(text), text);
    }
};

SG_TEST(TestHostRule)
#include "tst_host_rule.moc"
