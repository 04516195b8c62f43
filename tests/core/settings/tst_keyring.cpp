// The keyring: a real one on a bus of its own, and programs that answer badly.

#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/settings/keyring.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <signal.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <stop_token>
#include <thread>

using namespace sg;
using namespace sg::settings;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

using Variables = std::map<std::string, std::string>;

Keyring keyringOf(const Variables& variables, const std::string& program = "secret-tool",
                  std::chrono::milliseconds patience = 20s)
{
    return Keyring({ [variables](const std::string& name) -> std::optional<std::string> {
                        const auto found = variables.find(name);
                        return found == variables.end() ? std::nullopt : std::optional(found->second);
                    },
                     program, patience });
}

// A session bus and a keyring of nobody's, in a folder of its own.
class OwnKeyring {
public:
    bool start()
    {
        fs::create_directories(m_folder / "run");
        fs::permissions(m_folder / "run", fs::perms(0700));
        variables = { { "HOME", m_folder.path() },
                      { "XDG_RUNTIME_DIR", m_folder / "run" },
                      { "XDG_DATA_HOME", m_folder / "data" },
                      { "PATH", "/usr/bin:/bin" } };
        ProcessSpec bus;
        bus.program = "/usr/bin/dbus-daemon";
        bus.arguments = { "--session", "--nofork", "--nopidfile", "--print-address" };
        bus.environment = environment();
        bus.pipeStdout = true;
        auto started = ChildProcess::start(bus);
        if (!started)
            return false;
        m_bus.emplace(std::move(*started));
        std::string address;
        for (char each = 0; ::read(m_bus->stdoutPipe().get(), &each, 1) == 1 && each != '\n';)
            address += each;
        variables["DBUS_SESSION_BUS_ADDRESS"] = address;
        return startDaemon();
    }
    bool startDaemon()
    {
        ProcessSpec daemon;
        daemon.program = "/usr/bin/gnome-keyring-daemon";
        daemon.arguments = { "--unlock", "--components=secrets", "--foreground" };
        daemon.environment = environment();
        daemon.pipeStdin = true;
        auto started = ChildProcess::start(daemon);
        if (!started || ::write(started->stdinPipe().get(), "password", 8) != 8)
            return false;
        started->stdinPipe().reset();
        m_daemon.emplace(std::move(*started));
        return test::waitFor(
            [&] { return static_cast<bool>(keyringOf(variables).store("unlocked", "yes")); });
    }
    bool lock()
    {
        ProcessSpec send;
        send.program = "/usr/bin/dbus-send";
        send.arguments = { "--session",
                           "--print-reply",
                           "--dest=org.freedesktop.secrets",
                           "/org/freedesktop/secrets",
                           "org.freedesktop.Secret.Service.Lock",
                           "array:objpath:/org/freedesktop/secrets/collection/login" };
        send.environment = environment();
        const auto sent = runProcess(send, {}, 10s);
        return sent && sent->exit.code == 0;
    }
    Variables variables;

private:
    [[nodiscard]] std::vector<std::string> environment() const
    {
        std::vector<std::string> all;
        for (const auto& [name, value] : variables)
            all.push_back(name + '=' + value);
        return all;
    }
    test::TempDir m_folder;
    std::optional<ChildProcess> m_bus;
    std::optional<ChildProcess> m_daemon;
};

} // namespace

class TestKeyring : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { ::signal(SIGPIPE, SIG_IGN); }

    void keepsSecrets()
    {
        SG_NEED("keyring");
        OwnKeyring own;
        QVERIFY2(own.start(), "the keyring does not start or does not take a secret");
        const Keyring keyring = keyringOf(own.variables);
        SG_VERIFY_OK(keyring.probe());
        auto found = keyring.find("api-key");
        SG_VERIFY_OK(found);
        QVERIFY(!*found);
        const std::string secret = "of \"any\"\n\ttext \xc3\xa9 '$HOME'\n";
        SG_VERIFY_OK(keyring.store("api-key", "the first"));
        SG_VERIFY_OK(keyring.store("api-key", secret)); // in its place
        found = keyring.find("api-key");
        SG_VERIFY_OK(found);
        QCOMPARE(**found, secret);
        SG_VERIFY_OK(keyring.find("api"));
        QVERIFY(!*keyring.find("api"));
        // Nobody is here to unlock it.
        QVERIFY(own.lock());
        found = keyring.find("api-key");
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::PermissionDenied);
        SG_VERIFY_CONTAINS(found.error().message, "locked");
    }

    void removesSecrets()
    {
        SG_NEED("keyring");
        OwnKeyring own;
        QVERIFY2(own.start(), "the keyring does not start or does not take a secret");
        const Keyring keyring = keyringOf(own.variables);
        SG_VERIFY_OK(keyring.store("token", "a-long-enough-token"));
        QVERIFY(*keyring.remove("token"));
        QVERIFY(!*keyring.remove("token"));
        QVERIFY(!*keyring.find("token"));
    }

    void saysThatThereIsNone_data()
    {
        QTest::addColumn<Variables>("variables");
        QTest::addColumn<std::string>("script");
        QTest::addColumn<std::string>("says");
        const Variables bus{ { "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere" } };
        QTest::newRow("no bus") << Variables{ { "DISPLAY", ":0" } } << std::string()
                                << std::string("session bus");
        QTest::newRow("no program") << bus << std::string() << std::string("libsecret-tools");
        QTest::newRow("its words") << bus << std::string("echo 'secret-tool: no such interface' >&2; exit 1")
                                   << std::string(": no such interface");
        QTest::newRow("killed") << bus << std::string("kill -9 $$") << std::string("was ended");
    }
    void saysThatThereIsNone()
    {
        QFETCH(const Variables, variables);
        QFETCH(const std::string, script);
        QFETCH(const std::string, says);
        const test::TempDir folder;
        const Keyring keyring = keyringOf(variables, programOf(folder, script));
        const auto found = keyring.find("token");
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::Unavailable);
        SG_VERIFY_CONTAINS(found.error().message, says.c_str());
        QVERIFY(!keyring.probe());
    }

    // A person is asked, and is not there.
    void doesNotWaitForEver()
    {
        const test::TempDir folder;
        const Keyring keyring = keyringOf({ { "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere" } },
                                          programOf(folder, "exec sleep 60"), 200ms);
        const auto found = keyring.find("token");
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::Timeout);
    }

    void aStopEndsTheWait()
    {
        const test::TempDir folder;
        const Keyring keyring = keyringOf({ { "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere" } },
                                          programOf(folder, "exec sleep 60"), 60s);
        std::stop_source source;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(200ms);
            source.request_stop();
        });
        const auto begin = std::chrono::steady_clock::now();
        const auto found = keyring.find("token", source.get_token());
        QVERIFY(!found);
        QCOMPARE(found.error().code, Errc::Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
    }

    void secretsAreInNoArgument()
    {
        const test::TempDir folder;
        const std::string log = (folder / "log").string();
        const Keyring keyring =
            keyringOf({ { "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere" } },
                      programOf(folder, "echo \"$@\" >" + log + "; /usr/bin/env >>" + log));
        SG_VERIFY_OK(keyring.store("token", "a-planted-secret"));
        const auto told = readFile(log);
        SG_VERIFY_OK(told);
        SG_VERIFY_CONTAINS(*told, "application sandglass name token");
        QVERIFY(told->find("planted") == std::string::npos);
    }

private:
    static std::string programOf(const test::TempDir& folder, const std::string& script)
    {
        if (script.empty())
            return (folder / "no-such-program").string();
        const fs::path file = folder.write("program", "#!/bin/sh\n" + script + "\n");
        fs::permissions(file, fs::perms(0700));
        return file.string();
    }
};

SG_TEST(TestKeyring)
#include "tst_keyring.moc"
