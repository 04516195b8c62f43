// Folders, addresses and commands as sources of datasets; what has to be allowed first.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/datasets/dataset_providers.h"
#include "tests/core/net/scripted_http_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace sg;
using namespace sg::datasets;
namespace fs = std::filesystem;

namespace {

struct Project {
    Project()
    {
        fs::create_directories(folder / "p/datasets");
        folders.project = folder / "p";
        folders.config = folder / "p/datasets.json";
        folders.secrets = folder / "p/secrets";
        folders.consent = folder / "user/allowed";
        folders.variables = [](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
        };
    }

    void write(const char* name, const std::string& content) const
    {
        static_cast<void>(writeFileAtomically(folders.project / name, content));
    }

    void add(const ValueMap& entry, bool allow = true) const
    {
        const auto added = addSource(folders.config, Value(entry));
        const auto sources = loadSources(folders.config);
        if (!added || !sources)
            qFatal("%s", (added ? sources.error() : added.error()).message.c_str());
        for (const DatasetSource& source : *sources)
            if (allow)
                static_cast<void>(DatasetProviders(folders).consent().allow(source));
    }

    // "name: content", or "error: …"
    std::string fetch(
        const std::string& id, std::function<bool()> goesOn = [] { return true; }) const
    {
        std::string text;
        const auto fetched =
            DatasetProviders(folders).fetch(id, [&](const std::string& name) { text = name + ": "; },
                                            { [&](std::string_view bytes) -> Result<void> {
                                                 text += bytes;
                                                 return {};
                                             },
                                              std::move(goesOn) });
        return fetched ? text : "error: " + fetched.error().message;
    }

    test::TempDir folder;
    DatasetFolders folders;
};

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

std::string answer(const char* status, const std::string& body, const std::string& headers = {})
{
    return "HTTP/1.1 " + std::string(status) + "\r\n" + headers
        + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace

class TestDatasetProviders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsFoldersAndFollowsNoLinks()
    {
        const Project project;
        project.write("datasets/sales.csv", "a,b\n");
        project.write("secret.csv", "mine");
        fs::create_symlink(project.folders.project / "secret.csv",
                           project.folders.project / "datasets/link.csv");
        fs::create_directory(project.folders.project / "datasets/folder.csv");
        QCOMPARE(project.fetch("sales"), std::string("sales.csv: a,b\n"));
        QCOMPARE(project.fetch("sales.csv"), std::string("sales.csv: a,b\n"));
        QVERIFY(has(project.fetch("link"), "no provider has the dataset 'link'"));
        QVERIFY(has(project.fetch("folder"), "error: "));
        const auto offered = DatasetProviders(project.folders).offered();
        QVERIFY(offered && offered->size() == 1 && offered->at(0).id == "sales.csv");
    }

    void refusesContentThatIsNotTheFormat()
    {
        const Project project;
        project.write("datasets/a.parquet", "<!DOCTYPE html><p>log in");
        project.write("datasets/b.parquet", "");
        QVERIFY(has(project.fetch("a"), "is no parquet file: it begins with '<!DOCTYPE"));
        QVERIFY(has(project.fetch("b"), "nothing came"));
    }

    void fetchesByHttpWithASecretInAHeader()
    {
        const Project project;
        std::string asked;
        test::ScriptedHttpServer server([&](const std::string& request) {
            asked = request;
            if (has(request, "/v1/gone"))
                return answer("404 Not Found", "no");
            if (has(request, "/v1/moved"))
                return answer("302 Found", "", "Location: http://127.0.0.1:1/\r\n");
            if (has(request, "/v1/no"))
                return answer("403 Forbidden", "Bearer hunter2 is wrong");
            if (has(request, "/v1/ill"))
                return answer("500 Oops", "broken\x1b[31m");
            if (has(request, "/v1/short"))
                return std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na,b\n");
            return answer("200 OK", std::string("a,b\n") + std::string(3'000'000, '1'));
        });
        ::setenv("SG_TEST_TOKEN", "hunter2", 1);
        project.add({ { "name", "api" },
                      { "url", server.url("/v1/{id}?x=1") },
                      { "format", "csv" },
                      { "timeout_s", 3 },
                      { "secret", "SG_TEST_TOKEN" },
                      { "headers", Value::map({ { "Authorization", "Bearer {secret}" } }) } });
        QCOMPARE(project.fetch("sales").size(), std::string("sales.csv: a,b\n").size() + 3'000'000);
        QVERIFY2(has(asked, "GET /v1/sales?x=1 "), asked.c_str());
        QVERIFY(has(asked, "Authorization: Bearer hunter2"));
        QVERIFY(has(project.fetch("gone"), "does not have it (status 404)"));
        QVERIFY(has(project.fetch("moved"), "redirects are not followed"));
        const std::string refused = project.fetch("no");
        QVERIFY2(has(refused, "check the secret SG_TEST_TOKEN") && !has(refused, "hunter2"), refused.c_str());
        QVERIFY(has(project.fetch("ill"), "status 500: broken\\x1b[31m"));
        QVERIFY(has(project.fetch("short"), "error: "));
    }

    void stopsAServerThatSaysNothing()
    {
        const Project project;
        std::atomic<bool> over = false;
        test::ScriptedHttpServer server([&](const std::string&) {
            while (!over)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return std::string();
        });
        project.add({ { "name", "api" }, { "url", server.url("/{id}") } });
        const auto begin = std::chrono::steady_clock::now(); // for ever, if it did not stop
        const auto goesOn = [&] {
            return std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(200);
        };
        QCOMPARE(project.fetch("x", goesOn), std::string("error: it was stopped"));
        over = true;
    }

    void runsCommandsWithOnlyTheirSecret()
    {
        const Project project;
        ::setenv("SG_OTHER_KEY", "private", 1);
        ::setenv("SG_TEST_TOKEN", "hunter2", 1);
        const auto command = [](const char* script) {
            return ValueList{ "/bin/sh", "-c", script, "sh", "{id}" };
        };
        project.add({ { "name", "c" },
                      { "command", command("echo $1,$SG_TEST_TOKEN,$SG_OTHER_KEY") },
                      { "format", "csv" },
                      { "secret", "SG_TEST_TOKEN" } });
        QCOMPARE(project.fetch("x"), std::string("x.csv: x,hunter2,\n"));
        project.add({ { "name", "c" }, { "command", command("echo bad >&2; exit 3") }, { "format", "csv" } });
        QVERIFY2(has(project.fetch("x"), "c: the command ended with exit code 3: bad"),
                 project.fetch("x").c_str());
        project.add({ { "name", "c" },
                      { "command", command("yes | head -c 30000000") },
                      { "format", "csv" },
                      { "max_mb", 10 } });
        QVERIFY(has(project.fetch("x"), "larger than the 10 MiB"));
        project.add({ { "name", "c" }, { "command", command("sleep 100 & sleep 100") }, { "timeout_s", 1 } });
        QVERIFY(has(project.fetch("x"), "did not end within its time"));
        project.add({ { "name", "c" }, { "command", ValueList{ "/does/not/exist" } } });
        QVERIFY(has(project.fetch("x"), "error: c: "));
    }

    // Whoever is given a secret may send it back, in what is told of a failure, too.
    void whatAProviderSaysHoldsNoSecret()
    {
        const Project project;
        const std::string secret = "planted+a/token of \"40\" characters";
        ::setenv("SG_TEST_TOKEN", secret.c_str(), 1);
        test::ScriptedHttpServer server(
            [&](const std::string&) { return answer("500 Oops", "no: Bearer " + secret); });
        project.add({ { "name", "p" },
                      { "url", server.url("/{id}") },
                      { "secret", "SG_TEST_TOKEN" },
                      { "headers", Value::map({ { "Authorization", "Bearer {secret}" } }) } });
        std::string told = project.fetch("x");
        QVERIFY2(has(told, "status 500: no: Bearer [secret SG_TEST_TOKEN]"), told.c_str());
        project.add({ { "name", "p" },
                      { "command", ValueList{ "/bin/sh", "-c", "env >&2; exit 1" } },
                      { "secret", "SG_TEST_TOKEN" } });
        told = project.fetch("x");
        QVERIFY2(has(told, "SG_TEST_TOKEN=[secret SG_TEST_TOKEN]"), told.c_str());
        QVERIFY2(!has(told, "planted"), told.c_str());
        int used = 0;
        const auto fetched =
            DatasetProviders(project.folders)
                .fetch("x", [](const std::string&) {},
                       { [](std::string_view) { return Result<void>(); }, [] { return true; },
                         [&](const DatasetSource& source) { used += source.secret.empty() ? 0 : 1; } });
        QVERIFY(!fetched);
        QCOMPARE(used, 1);
    }

    void asksBeforeAProjectsProgramFolderOrSecretIsUsed()
    {
        const Project project;
        project.add({ { "name", "c" }, { "command", ValueList{ "/bin/sh", "-c", "touch ran" } } }, false);
        QVERIFY2(
            has(project.fetch("x"), "runs a program on this machine: /bin/sh -c touch ran. Allow that once"),
            project.fetch("x").c_str());
        QVERIFY(!fs::exists(project.folders.project / "ran"));
        project.add({ { "name", "c" }, { "directory", "/etc" } }, false);
        QVERIFY(has(project.fetch("passwd"), "reads /etc, a folder outside of the project"));
        fs::create_directory_symlink("/etc", project.folders.project / "inside");
        project.add({ { "name", "c" }, { "directory", "inside" } }, false);
        QVERIFY(has(project.fetch("passwd"), "a folder outside of the project"));
        project.add({ { "name", "c" }, { "url", "http://127.0.0.1:1/{id}" }, { "secret", "HOME" } }, false);
        QVERIFY(has(project.fetch("x"), "sends the secret HOME to http://127.0.0.1:1/"));
        // Only the very provider that was allowed is.
        project.add({ { "name", "c" }, { "command", ValueList{ "/bin/echo", "a,b" } }, { "format", "csv" } });
        QVERIFY(has(project.fetch("x"), "x.csv: a,b"));
        project.add({ { "name", "c" }, { "command", ValueList{ "/bin/echo", "b,c" } }, { "format", "csv" } },
                    false);
        QVERIFY(has(project.fetch("x"), "Allow that once"));
    }

    void readsSecretsOnlyFromFilesOfTheirOwner()
    {
        const Project project;
        fs::create_directory(project.folders.secrets);
        const fs::path file = project.folders.secrets / "SG_TEST_FILE";
        QVERIFY(writeFileAtomically(file, "s3\n"));
        fs::permissions(file, fs::perms(0644));
        QVERIFY(readSecret(project.folders.secrets, "SG_TEST_FILE", project.folders.variables).error().code
                == Errc::PermissionDenied);
        fs::permissions(file, fs::perms(0600));
        QCOMPARE(readSecret(project.folders.secrets, "SG_TEST_FILE", project.folders.variables)->reveal(),
                 std::string("s3"));
        fs::create_symlink(file, project.folders.secrets / "SG_TEST_LINK");
        QVERIFY(!readSecret(project.folders.secrets, "SG_TEST_LINK", project.folders.variables));
        if (::geteuid() == 0) { // else nothing can be made another user's
            QCOMPARE(::chown(file.c_str(), 65534, 65534), 0);
            if (::setegid(65533) == 0 && ::seteuid(65533) == 0) {
                const auto theirs =
                    readSecret(project.folders.secrets, "SG_TEST_FILE", project.folders.variables);
                QVERIFY(::seteuid(0) == 0 && ::setegid(0) == 0);
                QVERIFY(!theirs);
            }
            QVERIFY(
                readSecret(project.folders.secrets, "SG_TEST_FILE", project.folders.variables).error().code
                == Errc::PermissionDenied);
        }
        QVERIFY(readSecret(project.folders.secrets, "SG_TEST_NONE", project.folders.variables).error().code
                == Errc::NotFound);
    }
};

SG_CORE_TEST(TestDatasetProviders)
#include "tst_dataset_providers.moc"
