// Secrets of the environment: this process's alone.

#include "core/base/file.h"
#include "core/config/secrets.h"
#include "core/config/setting_layers.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace sg;
using namespace sg::config;

class TestSecretVariables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsThem_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<bool>("isOne");
        const auto row = [](const char* name, bool isOne) {
            QTest::newRow(name) << std::string(name) << isOne;
        };
        row("SANDGLASS_SECRET_API_KEY", true);
        row("ARTIFACTS_SECRET", true);
        row("ARTIFACTS_SECRETS", false);
        row("SANDGLASS_PYTHON", false);
        row("SANDBOX_SECRETS", false); // names
        row("PATH", false);
    }
    void knowsThem()
    {
        QFETCH(const std::string, name);
        QFETCH(const bool, isOne);
        QCOMPARE(isSecretVariable(name), isOne);
    }

    // Started anew, so that the variables lie where /proc shows them.
    void takesThemOutOfTheEnvironment()
    {
        if (std::getenv("SANDGLASS_SECRET_TAKEN") == nullptr) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::setenv("SANDGLASS_SECRET_TAKEN", "a-value-of-the-environment", 1);
                ::setenv("SG_TEST_LEFT", "as it was", 1);
                ::execl("/proc/self/exe", "tests", "tst_secret_variables", "takesThemOutOfTheEnvironment",
                        nullptr);
                ::_exit(99);
            }
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QCOMPARE(status, 0);
            return;
        }
        const auto shown = [] {
            std::ifstream file("/proc/self/environ", std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        SG_VERIFY_CONTAINS(shown(), std::string("a-value-of-the-environment"));
        takeSecretVariables();
        QVERIFY(std::getenv("SANDGLASS_SECRET_TAKEN") == nullptr);
        QVERIFY(shown().find("a-value-of") == std::string::npos);
        SG_VERIFY_CONTAINS(shown(), std::string("SG_TEST_LEFT=as it was"));
        QCOMPARE(processEnvironment("SANDGLASS_SECRET_TAKEN").value_or(""),
                 std::string("a-value-of-the-environment"));
        QVERIFY(!processEnvironment("SANDGLASS_SECRET_OTHER"));
        giveSecretVariablesBack();
        QCOMPARE(std::string(std::getenv("SANDGLASS_SECRET_TAKEN")),
                 std::string("a-value-of-the-environment"));
    }
};

SG_TEST(TestSecretVariables)
#include "tst_secret_variables.moc"
