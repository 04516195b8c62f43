// pip in a session, from an index that its rules let it reach: plainly, and by TLS of its own through the
// proxy.

#include "core/base/file.h"
#include "tests/integration/sessions/session_world.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "tests/support/tls_server.h"

#include <QTest>

#include <unistd.h>

using namespace sg;
using namespace sg::test;
namespace fs = std::filesystem;

namespace {

void replace(std::string& text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

Result<void> makeIndex(const fs::path& folder)
{
    fs::create_directories(folder / "simple/demo-a");
    ProcessSpec make;
    make.program = "/usr/bin/python3";
    make.arguments = { std::string(SG_SOURCE_DIR) + "/tests/data/layers/make_wheel.py",
                       (folder / "simple/demo-a").string(), "demo_a", "1.0" };
    const auto made = runProcess(make, {}, std::chrono::seconds(30));
    return made ? Result<void>() : made.error();
}

// Its port; empty: it did not start.
std::string servePlainly(const fs::path& folder, std::optional<ChildProcess>& server)
{
    ProcessSpec serve;
    serve.program = "/usr/bin/python3";
    serve.arguments = {
        "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.string()
    };
    serve.pipeStdout = true;
    auto started = ChildProcess::start(serve);
    if (!started)
        return {};
    server.emplace(std::move(*started));
    std::string line; // "Serving HTTP on 127.0.0.1 port 43210 (http://…) ..."
    for (char each = 0;
         line.find('\n') == std::string::npos && ::read(server->stdoutPipe().get(), &each, 1) == 1;)
        line += each;
    const std::size_t at = line.find(" port ");
    return at == std::string::npos ? std::string() : line.substr(at + 6, line.find(' ', at + 6) - at - 6);
}

} // namespace

class TestSessionPip : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void installsFromAnAllowedIndex_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<std::string>("scheme");
        for (const char* backend : { "bubblewrap", "docker" })
            for (const char* scheme : { "http", "https" })
                QTest::addRow("%s, %s", backend, scheme) << QByteArray(backend) << std::string(scheme);
    }
    void installsFromAnAllowedIndex()
    {
        SG_USE_BACKEND();
        QFETCH(const std::string, scheme);
        SG_VERIFY_OK(makeIndex(world.folder / "index"));
        fs::create_directories(world.folder / "tools");
        std::optional<ChildProcess> plain;
        std::optional<TlsServer> tls;
        std::string place;
        if (scheme == "https") {
            tls.emplace(world.folder.path());
            place = "localhost:" + tls->port;
            world.spec.egressTrusts = { "127.0.0.1:" + tls->port, "[::1]:" + tls->port };
            fs::copy(world.folder / "authority.pem", world.folder / "tools/authority.pem");
        } else {
            place = "127.0.0.1:" + servePlainly(world.folder / "index", plain);
            world.spec.egressTrusts = { place };
        }
        QVERIFY2(!place.ends_with(':'), "no server");
        world.spec.egress = { place };
        // Where the sandboxes' Python has no pip, Debian's wheel of it does.
        std::error_code none;
        for (const auto& wheel : fs::directory_iterator("/usr/share/python-wheels", none))
            if (wheel.path().filename().string().starts_with("pip-"))
                fs::copy(wheel.path(), world.folder / "tools" / wheel.path().filename().string());
        world.spec.mode.datasets = sessions::DatasetAccess::LocalRo;
        world.spec.datasetFolder = world.folder / "tools";
        const auto session = world.session("with an index");
        QVERIFY2(session, world.problem.c_str());
        const auto file = readFile(std::string(SG_SOURCE_DIR) + "/tests/data/isolation/pip_install.py");
        SG_VERIFY_OK(file);
        std::string code = *file;
        replace(code, "PLACE", place);
        replace(code, "SCHEME", scheme);
        const CellResult result = run(*session, code, Millis(120'000));
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("42"));
        if (plain)
            plain->kill(9);
        if (tls)
            tls->child->kill(9);
    }
};

SG_TEST(TestSessionPip)
#include "tst_session_pip.moc"
