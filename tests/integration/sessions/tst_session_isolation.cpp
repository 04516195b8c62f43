// Secrets and the network in real sandboxes: what comes in, and that nothing else goes out.

#include "core/audit/audit_log.h"
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/sandbox/docker/engine_api.h"
#include "core/sandbox/runtime_folder.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_processes.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/local_server.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace sg;
using namespace sg::test;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::string randomSecret()
{
    std::string bytes(24, '\0');
    fillRandomBytes(bytes.data(), bytes.size());
    return "planted\"" + toHex(bytes) + "\\end";
}

// Returns what the engine tells of a container; empty for other backends.
std::string inspected(const QByteArray& backend, const std::string& name)
{
    if (backend != "docker")
        return {};
    const auto candidates = sandbox::engineCandidates({});
    if (!candidates)
        return {};
    for (const sandbox::EngineEndpoint& endpoint : *candidates)
        if (auto engine = sandbox::EngineApi::connect(endpoint))
            if (auto answer = (*engine)->call("GET", "/containers/" + name + "/json"))
                return toJson(answer->body);
    return {};
}

void killSandbox(const QByteArray& backend, const std::string& name)
{
    if (backend != "docker") {
        ::kill(std::stoi(name.substr(name.rfind(' ') + 1)), SIGKILL);
        return;
    }
    const auto candidates = sandbox::engineCandidates({});
    if (!candidates)
        return;
    for (const sandbox::EngineEndpoint& endpoint : *candidates)
        if (auto engine = sandbox::EngineApi::connect(endpoint))
            if ((*engine)->call("POST", "/containers/" + name + "/kill"))
                return;
}

// Environment and arguments of every process of this machine that can be looked at.
std::string allProcesses()
{
    std::string text;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator("/proc", failed))
        for (const char* file : { "cmdline", "environ" }) {
            std::ifstream in(entry.path() / file, std::ios::binary);
            text.append(std::istreambuf_iterator<char>(in), {});
        }
    return text;
}

std::vector<audit::AuditEntry> auditOf(World& world, audit::Kind kind)
{
    const std::lock_guard lock(world.auditMutex);
    std::vector<audit::AuditEntry> found;
    std::ranges::copy_if(world.audited, std::back_inserter(found),
                         [&](const audit::AuditEntry& entry) { return entry.kind == kind; });
    return found;
}

std::string cellFile(const char* name)
{
    const auto text = readFile(std::string(SG_SOURCE_DIR) + "/tests/data/isolation/" + name);
    return text ? *text : std::string();
}

// A server of this machine that sessions may reach.
class Hello : public LocalServer {
public:
    Hello()
        : LocalServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    {
    }
    [[nodiscard]] std::string place() const { return "127.0.0.1:" + std::to_string(port()); }
    void allow(SessionSpec& spec) const
    {
        spec.egress.push_back(place());
        spec.egressTrusts.push_back(place());
    }
    [[nodiscard]] std::string code() const
    {
        return "import urllib.request\nassert urllib.request.urlopen('http://" + place()
            + "/').read() == b'hello'";
    }
};

void replace(std::string& text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

} // namespace

class TestSessionIsolation : public QObject {
    Q_OBJECT

private:
    using Look = std::function<CellResult(const std::string& code)>;
    static void codeTriesToTell(const Look& look, const std::string& secret)
    {
        QVERIFY(look(cellFile("secret_is_told.py")).status == CellStatus::Ok);
        QVERIFY(look("open('/run/secrets/planted').read()").status == CellStatus::Ok);
        QVERIFY(look("raise ValueError(open('/run/secrets/planted').read())").status == CellStatus::Error);
        const CellResult artifact = look("open('/session/artifacts/leak.txt', 'w').write('x' + "
                                         "open('/run/secrets/planted').read())\nNone");
        QVERIFY2(artifact.artifacts.empty(), summary(artifact).c_str());
        QVERIFY(!artifact.warnings.empty());
        const std::string quoted = "'planted\"" + secret.substr(8, 48) + "\\\\end'";
        QVERIFY(look("held = " + quoted + "\nassert held == open('/run/secrets/planted').read()").status
                == CellStatus::Ok);
        const CellResult named = look(cellFile("secret_is_a_name.py"));
        QVERIFY2(named.status == CellStatus::Ok, summary(named).c_str());
        QCOMPARE(named.artifacts.size(), std::size_t{ 1 });
        SG_VERIFY_CONTAINS(named.warnings.at(0), "a file whose name holds a secret");
    }

private Q_SLOTS:
    void aPlantedSecretIsNowhereButInItsFile_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<bool>("bound"); // to a folder of this machine
        for (const char* backend : { "bubblewrap", "docker" })
            for (const bool bound : { false, true })
                QTest::addRow("%s, %s", backend, bound ? "BIND" : "TMPFS") << QByteArray(backend) << bound;
    }
    void aPlantedSecretIsNowhereButInItsFile()
    {
        SG_USE_BACKEND();
        QFETCH(const bool, bound);
        if (bound)
            world.spec.mode.storage = sessions::SessionStorage::Bind;
        const std::string secret = randomSecret();
        world.secrets["planted"] = secret;
        world.spec.secrets = { "planted" };
        const auto session = world.session("with a secret");
        QVERIFY2(session, world.problem.c_str());
        std::string seen;
        const auto look = [&](const std::string& code) {
            Printed printed;
            const CellResult result = run(*session, code, Millis(30'000), &printed);
            seen += printed.out + toJson(result.value) + summary(result);
            if (result.error)
                seen += result.error->repr + toJson(result.error->raised);
            for (const Value& shown : result.displays)
                seen += toJson(shown);
            for (const std::string& warning : result.warnings)
                seen += warning;
            return result;
        };
        // It is there, for this session's code alone.
        const CellResult there = look(cellFile("secret_is_there.py"));
        QVERIFY2(there.status == CellStatus::Ok, summary(there).c_str());
        QCOMPARE(there.value["text/plain"], Value("'0o400 " + std::to_string(secret.size()) + "'"));
        codeTriesToTell(look, secret);
        if (QTest::currentTestFailed())
            return;
        const auto processes = sessions::listProcesses(*session->link());
        SG_VERIFY_OK(processes);
        for (const sessions::SessionProcess& process : processes->processes)
            seen += process.command + '\n';
        SG_VERIFY_CONTAINS(seen, "sleep [secret planted]");
        const std::string half = "table['plan";
        if (const auto completions = sessions::completeCode(*session->link(), half, half.size()))
            for (const sessions::Completion& match : completions->matches)
                seen += match.text + '\n';
        if (bound) {
            const fs::path state = world.folder / "sessions" / session->info().id.value / "python_state.json";
            QTRY_VERIFY(fs::exists(state));
        }
        // Code may do as it likes with its own folder.
        QVERIFY(look(cellFile("secret_is_removed.py")).status == CellStatus::Ok);
        // The secret could be in /proc, in what the engine tells, or in this machine's processes.
        const CellResult inside = look(cellFile("secret_is_not_in_proc.py"));
        QVERIFY2(inside.status == CellStatus::Ok, summary(inside).c_str());
        QCOMPARE(inside.value["text/plain"], Value("[]"));
        seen += inspected(backend, session->info().sandboxName) + allProcesses();
        session->end();
        for (const auto& entry : fs::recursive_directory_iterator(world.folder.path()))
            if (seen += entry.path().string(); entry.is_regular_file())
                if (const auto bytes = readFile(entry.path()))
                    seen += *bytes;
        for (const audit::AuditEntry& entry : world.audited)
            seen += toJson(audit::auditDocument(entry));
        SG_VERIFY_CONTAINS(seen, "[secret planted]");
        for (const std::string& form :
             { secret, toBase64(secret).substr(0, 40), toHex(secret), secret.substr(8, 48) })
            QVERIFY2(!has(seen, form), form.c_str());
        const auto rows = auditOf(world, audit::Kind::Secret);
        QCOMPARE(rows.size(), std::size_t{ 1 });
        QCOMPARE(rows[0].subject, std::string("planted"));
        QVERIFY(rows[0].outcome == audit::Outcome::Given);
    }

    // Another sandbox of the same session has it, too; without one nothing is started.
    void secretsComeBackAndAreRequired_data() { backends(); }
    void secretsComeBackAndAreRequired()
    {
        SG_USE_BACKEND();
        world.secrets["token"] = "a-token-of-some-length";
        world.spec.secrets = { "token" };
        const auto session = world.session("first");
        QVERIFY2(session, world.problem.c_str());
        killSandbox(backend, session->info().sandboxName);
        (void)run(*session, "1"); // may still be sent to the dead one
        const CellResult again = run(*session, "open('/run/secrets/token').read()[:2]");
        QVERIFY2(again.status == CellStatus::Ok, summary(again).c_str());
        QCOMPARE(again.value["text/plain"], Value("'a-'"));
        world.spec.secrets = { "missing" };
        QVERIFY(!world.session("second"));
        SG_VERIFY_CONTAINS(world.problem, "this test has no secret missing");
    }

    void anAllowlistHolds_data() { backends(); }
    void anAllowlistHolds()
    {
        SG_USE_BACKEND();
        LocalServer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
        const std::string place = "127.0.0.1:" + std::to_string(server.port());
        world.spec.egress = { place, "*.allowed.invalid" };
        world.spec.egressTrusts = { place };
        const auto session = world.session("with network");
        QVERIFY2(session, world.problem.c_str());
        QCOMPARE(session->info().egress, world.spec.egress);
        std::string code = cellFile("network.py");
        replace(code, "PLACE", place);
        const CellResult result = run(*session, code);
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"],
                 Value("['hello', 403, 403, 403, 403, 'Network is unreachable', 'no name']"));
        QCOMPARE(server.requests(), 1);
        std::string told;
        for (const audit::AuditEntry& entry : auditOf(world, audit::Kind::Egress))
            told += entry.outcome.text() + ' ' + entry.subject + '\n';
        SG_VERIFY_CONTAINS(told, "checked sandglass-check.invalid:443");
        SG_VERIFY_CONTAINS(told, "allowed " + place);
        SG_VERIFY_CONTAINS(told, "denied 169.254.169.254:80");
        // An interpreter that takes another's place, and a session without a rule.
        QVERIFY(run(*session, "import os; os.kill(os.getpid(), 9)").status == CellStatus::Died);
        const CellResult again = run(*session, code);
        QVERIFY2(again.status == CellStatus::Ok, summary(again).c_str());
        world.spec.egress.clear();
        const auto without = world.session("without");
        QVERIFY2(without, world.problem.c_str());
        const CellResult none = run(*without, "import socket\nsocket.create_connection(('127.0.0.1', 3128))");
        QVERIFY(none.status == CellStatus::Error);
    }

    void anotherSandboxHasItsNetworkToo_data() { backends(); }
    void anotherSandboxHasItsNetworkToo()
    {
        SG_USE_BACKEND();
        LocalServer server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
        const std::string place = "127.0.0.1:" + std::to_string(server.port());
        world.spec.egress = { place };
        world.spec.egressTrusts = { place };
        const auto session = world.session("with network");
        QVERIFY2(session, world.problem.c_str());
        killSandbox(backend, session->info().sandboxName);
        (void)run(*session, "1"); // may still be sent to the dead one
        const CellResult result =
            run(*session, "import urllib.request\nurllib.request.urlopen('http://" + place + "/').read()");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("b'hello'"));
    }

    // Started before its thread was known; and beside the thread's own.
    void pooledAndAgentsSessionsReachTheNetwork_data() { backends(); }
    void pooledAndAgentsSessionsReachTheNetwork()
    {
        SG_USE_BACKEND();
        Hello server;
        server.allow(world.spec);
        world.manager->startAhead(world.spec, { 1, true });
        QTRY_COMPARE(world.manager->readyAhead(), 1);
        const std::size_t before = auditOf(world, audit::Kind::Egress).size();
        const auto pooled = world.session("pooled");
        QVERIFY2(pooled, world.problem.c_str());
        QCOMPARE(summary(run(*pooled, server.code())), std::string("ok"));
        QCOMPARE(server.requests(), 1);
        // It was tried when it was started, and again for this session; both are told as this session's.
        QTRY_COMPARE(auditOf(world, audit::Kind::Egress).size() - before,
                     std::size_t{ 3 }); // one may follow a second later
        const auto rows = auditOf(world, audit::Kind::Egress);
        for (const audit::AuditEntry& row : rows)
            QVERIFY(row.session == pooled->info().id);
        world.spec.part = sessions::SessionPart::parse("node worker");
        const auto agent = world.session("pooled");
        QVERIFY2(agent, world.problem.c_str());
        QVERIFY(agent->info().id != pooled->info().id);
        QCOMPARE(summary(run(*agent, server.code())), std::string("ok"));
        QVERIFY2(run(*agent, "urllib.request.urlopen('http://127.0.0.1:1/')").status == CellStatus::Error,
                 "a rule lets more through than it names");
        world.spec.egress = { "another.invalid" }; // what waits has the other rules
        const auto other = world.session("another");
        QVERIFY2(other, world.problem.c_str());
        QVERIFY(run(*other, server.code()).status == CellStatus::Error);
    }

    void aKeptSessionReachesTheNetworkAgain_data()
    {
        QTest::addColumn<bool>("killed");
        QTest::newRow("let go of") << false;
        QTest::newRow("killed") << true;
    }
    void aKeptSessionReachesTheNetworkAgain()
    {
        QFETCH(const bool, killed);
        SG_NEED("docker");
        Hello server;
        const auto start = [&](World& world) {
            world.spec.keep = true;
            world.secrets["token"] = "a-token-of-some-length";
            world.spec.secrets = { "token" };
            server.allow(world.spec);
            const auto session = world.session(killed ? "killed keeper" : "keeper");
            return session && summary(run(*session, "x = 42\n" + server.code())) == "ok" ? session->info().id
                                                                                         : SessionId();
        };
        const pid_t child = killed ? ::fork() : -1;
        if (child == 0) {
            World world("docker", "first");
            const bool isWell = !start(world).value.empty();
            ::kill(::getpid(), isWell ? SIGKILL : SIGTERM);
        }
        SessionId id;
        if (killed) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY2(WTERMSIG(status) == SIGKILL, "the first session failed");
        } else {
            World first("docker", "first");
            id = start(first);
            QVERIFY2(!id.value.empty(), first.problem.c_str());
        }
        const int before = server.requests();
        World second("docker", "second");
        if (!killed) { // what cannot be had is a secret: the sandbox stays
            second.spec.secretHeaders = { "missing@http://" + server.place() };
            QVERIFY(start(second).value.empty());
            SG_VERIFY_CONTAINS(second.problem, "this test has no secret missing");
            const auto left = second.manager->list();
            QVERIFY(std::ranges::any_of(left, [&](const auto& one) { return one.id == id; }));
            second.spec.secretHeaders.clear();
        }
        id = start(second); // by the new program's proxy
        QVERIFY2(!id.value.empty(), second.problem.c_str());
        QCOMPARE(server.requests(), before + 1);
        const auto session = second.manager->find(ThreadId(killed ? "killed keeper" : "keeper"));
        QVERIFY(session);
        const CellResult still = run(*session, "x, open('/run/secrets/token').read()[:2]");
        QCOMPARE(still.value["text/plain"], Value("(42, 'a-')"));
        std::string told;
        for (const audit::AuditEntry& entry : auditOf(second, audit::Kind::Egress))
            told += entry.outcome.text() + ' ';
        QCOMPARE(told, std::string("checked allowed "));
        SG_VERIFY_OK(second.manager->stop(id));
        for (const auto& entry : fs::directory_iterator(sandbox::runtimeFolderPath()))
            QVERIFY2(!has(entry.path().string(), id.value), entry.path().c_str());
    }

    // A request that the code makes of the host carries the secret; nothing that the code can see holds any
    // of it.
    void aHeadersSecretIsNowhereInTheSandbox_data() { backends(); }
    void aHeadersSecretIsNowhereInTheSandbox()
    {
        SG_USE_BACKEND();
        const std::string secret = "planted-" + toHex(randomSecret().substr(8, 24));
        Hello api;
        Hello other;
        api.allow(world.spec);
        other.allow(world.spec);
        world.headerSecrets["key"] = secret;
        world.spec.secretHeaders = { "key@http://" + api.place(), "missing@elsewhere.invalid" };
        const auto session = world.session("with a header");
        QVERIFY2(session, world.problem.c_str());
        const CellResult asked = run(*session, api.code() + "\n" + other.code());
        QVERIFY2(asked.status == CellStatus::Ok, summary(asked).c_str());
        SG_VERIFY_CONTAINS(api.last(), "authorization: Bearer " + secret + "\r\n");
        QVERIFY(!has(other.last(), "planted"));
        std::string code = cellFile("header_is_nowhere.py");
        // The sandbox looks for the secret by its hash: the code itself must not hold it.
        replace(code, "LENGTH", std::to_string(secret.size()));
        replace(code, "HASH", sha256Hex(secret));
        const CellResult looked = run(*session, code, Millis(120'000));
        QVERIFY2(looked.status == CellStatus::Ok, summary(looked).c_str());
        QCOMPARE(looked.value["text/plain"], Value("[]"));
        std::string seen = inspected(backend, session->info().sandboxName) + allProcesses();
        for (const audit::AuditEntry& entry : world.audited)
            seen += toJson(audit::auditDocument(entry));
        for (const auto& entry : fs::recursive_directory_iterator(world.folder.path()))
            if (entry.is_regular_file())
                if (const auto bytes = readFile(entry.path()))
                    seen += *bytes;
        QVERIFY(!has(seen, secret.substr(8)));
        const auto rows = auditOf(world, audit::Kind::Secret);
        QCOMPARE(rows.size(), std::size_t{ 1 });
        QCOMPARE(rows[0].subject + ' ' + toJson(rows[0].details),
                 "key {\"as\":\"header authorization\",\"to\":\"" + api.place() + "\"}");
        world.spec.secretHeaders = { "missing@" + api.place() };
        QVERIFY(!world.session("without"));
        SG_VERIFY_CONTAINS(world.problem, "this test has no secret missing");
    }
};

SG_TEST(TestSessionIsolation)
#include "tst_session_isolation.moc"
