#include "core/servers/e2b/envd.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::servers::e2b;

// The values were made by E2B's own SDK (get_signature of 2.63.0).
class TestEnvdSignature : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThatOfTheSdk_data()
    {
        QTest::addColumn<std::string>("method");
        QTest::addColumn<std::string>("target");
        QTest::addColumn<std::string>("signature");
        QTest::newRow("read") << std::string("GET") << std::string("/files?path=a.txt")
                              << std::string("v1_tVAlheGl3HhTc37bQx/NUf71vHs7EB7EjIl6Kp2vcXw");
        QTest::newRow("write for a user, for some time")
            << std::string("POST")
            << std::string("/files?path=%2Ftmp%2Fa%20b&username=user&signature_expiration=1800000000")
            << std::string("v1_VRLGqr5oOY2Jmd/TA2Eo38JUmNStSVWYVyTqF6YcUvY");
    }
    void isThatOfTheSdk()
    {
        QFETCH(const std::string, method);
        QFETCH(const std::string, target);
        QFETCH(const std::string, signature);
        net::HttpHead head;
        head.method = method;
        head.target = target;
        QCOMPARE(Envd::signature(head, "the-token"), signature);
        QVERIFY(Envd::signature(head, "another-token") != signature);
    }
};

SG_TEST(TestEnvdSignature)
#include "tst_envd_signature.moc"
