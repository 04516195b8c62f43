#include "core/config/placed_project.h"
#include "core/config/project_sessions.h"
#include "core/config/session_settings.h"
#include "core/graph/graph_file.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::config;
using namespace sg::projects;

class TestSessionSettings : public QObject {
    Q_OBJECT

private:
    static Result<SessionSettings> settings(const test::TempDir& folder, const std::string& sandbox,
                                            const SessionChoice& choice = {})
    {
        auto file = graph::parseGraph(R"({"nodes": [], "edges": [], "sandbox": )" + sandbox + "}");
        if (!file)
            return std::move(file.error());
        auto paths = locateProject(folder.path());
        if (!paths)
            return std::move(paths.error());
        return sessionSettings(file->graph, *paths, choice);
    }

private Q_SLOTS:
    void haveDefaults()
    {
        const test::TempDir folder;
        const auto made = settings(folder, "{}");
        SG_VERIFY_OK(made);
        QCOMPARE(made->session.backend, std::string("auto"));
        QCOMPARE(nameOf(made->session.mode), std::string("TMPFS_NONE"));
        QCOMPARE(made->session.image, std::string("sandglass/python"));
        QVERIFY(made->session.limits.memoryBytes == (2LL << 30));
        QCOMPARE(made->cell.deadline.count(), 120'000);
        QVERIFY(made->cell.outputBytes == (8 << 20));
    }

    void followTheGraphAndThenTheChoice()
    {
        const test::TempDir folder;
        const std::string sandbox =
            R"({"backend": "docker", "storage": "BIND", "image": "mine", "limits": )"
            R"({"memory_mb": 64, "pids": 9, "cpus": 0.5, "cell_s": 1.5, "output_mb": 1}})";
        const auto made = settings(folder, sandbox);
        SG_VERIFY_OK(made);
        QCOMPARE(made->session.backend, std::string("docker"));
        QCOMPARE(nameOf(made->session.mode), std::string("BIND_NONE"));
        QCOMPARE(made->session.image, std::string("mine"));
        QVERIFY(made->session.limits.memoryBytes == (64LL << 20));
        QVERIFY(made->session.limits.pids == 9);
        QCOMPARE(made->cell.deadline.count(), 1500);
        QVERIFY(made->cell.outputBytes == (1 << 20));
        QCOMPARE(settings(folder, sandbox, { "bubblewrap", false, {} })->session.backend,
                 std::string("bubblewrap"));
        QVERIFY(settings(folder, sandbox, { "", true, {} })->session.keep);
    }

    void anImageOfItsOwnNeedsDocker_data()
    {
        QTest::addColumn<std::string>("sandbox");
        QTest::addColumn<std::string>("choice");
        QTest::addColumn<std::string>("backend");
        const auto row = [](const char* name, const char* sandbox, const char* choice, const char* backend) {
            QTest::newRow(name) << std::string(sandbox) << std::string(choice) << std::string(backend);
        };
        row("image alone", R"({"image": "mine:1"})", "", "docker");
        row("with auto", R"({"image": "mine:1", "backend": "auto"})", "", "docker");
        row("with auto as choice", R"({"image": "mine:1"})", "auto", "docker");
        row("the default image", R"({"image": "sandglass/python"})", "", "auto");
        row("bubblewrap was chosen", R"({"image": "mine:1"})", "bubblewrap", "bubblewrap");
    }
    void anImageOfItsOwnNeedsDocker()
    {
        QFETCH(std::string, sandbox);
        QFETCH(std::string, choice);
        QFETCH(std::string, backend);
        const test::TempDir folder;
        const auto made = settings(folder, sandbox, { choice, false, {} });
        SG_VERIFY_OK(made);
        QCOMPARE(made->session.backend, backend);
    }

    void aPoolImportsWhatTakesLong_data()
    {
        QTest::addColumn<std::string>("sandbox");
        QTest::addColumn<std::string>("preload");
        const auto row = [](const char* name, const char* sandbox, const char* preload) {
            QTest::newRow(name) << std::string(sandbox) << std::string(preload);
        };
        row("no pool", "{}", "");
        row("a pool", R"({"pool": 1})", "pandas ");
        row("a pool with modules of its own", R"({"pool": 1, "preload": ["json", "csv"]})", "json csv ");
        row("modules without a pool", R"({"preload": ["json"]})", "json ");
    }
    void aPoolImportsWhatTakesLong()
    {
        QFETCH(std::string, sandbox);
        QFETCH(std::string, preload);
        const test::TempDir folder;
        const auto made = settings(folder, sandbox, {});
        SG_VERIFY_OK(made);
        std::string names;
        for (const std::string& name : made->session.preload)
            names += name + ' ';
        QCOMPARE(names, preload);
    }

    void tellTheNetworkAndItsTrusts()
    {
        const test::TempDir folder;
        auto made = settings(folder, R"({"egress": ["api.test", "*.example.com:80"]})", {});
        SG_VERIFY_OK(made);
        QCOMPARE(made->session.egress, (std::vector<std::string>{ "api.test", "*.example.com:80" }));
        QVERIFY(made->session.egressTrusts.empty());
        const SettingValue none{ "egress", "none", SettingLayer::Environment, "SANDBOX_EGRESS" };
        made = settings(folder, R"({"egress": ["api.test"]})", { {}, false, { none } });
        SG_VERIFY_OK(made);
        QVERIFY(made->session.egress.empty());
    }

    // Kept sessions and those of a pool reach the network as every other.
    void aKeptOneAndAPoolReachTheNetwork()
    {
        const test::TempDir folder;
        auto made = settings(folder, R"({"egress": ["api.test"], "backend": "docker"})", { {}, true, {} });
        SG_VERIFY_OK(made);
        QVERIFY(made->session.keep && made->session.egress.size() == 1);
        made = settings(folder, R"({"egress": ["api.test"], "pool": 1})", {});
        SG_VERIFY_OK(made);
        QCOMPARE(made->pool.size, 1);
    }

    // A sandbox.env comes with the graph.
    void aProjectsFileOpensNoPrivateAddressAndShowsNoSecret_data()
    {
        QTest::addColumn<std::string>("key");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("wrong");
        QTest::newRow("egress_trusts")
            << std::string("egress_trusts") << std::string("127.0.0.1:8080") << std::string("localhost:8080");
        QTest::newRow("secret_headers")
            << std::string("secret_headers")
            << std::string("key@api.test; other@http://10.0.0.1:1 X-Key: {secret};")
            << std::string("key@api.test; key");
    }
    void aProjectsFileOpensNoPrivateAddressAndShowsNoSecret()
    {
        QFETCH(const std::string, key);
        QFETCH(const std::string, text);
        QFETCH(const std::string, wrong);
        const test::TempDir folder;
        std::string trusted = key == "egress_trusts" ? "key@api.test" : "10.0.0.1:1";
        const auto with = [&](const std::string& value, SettingLayer layer) {
            return settings(folder, R"({"egress": ["api.test"]})",
                            { {},
                              false,
                              { { key, value, layer, "there" },
                                { key == "egress_trusts" ? "secret_headers" : "egress_trusts", trusted,
                                  SettingLayer::Environment, "here" } } });
        };
        const auto refused = with(text, SettingLayer::EnvFile);
        QVERIFY(!refused);
        SG_VERIFY_CONTAINS(refused.error().message, "a project's own file does not decide");
        const auto made = with(text, SettingLayer::Environment);
        SG_VERIFY_OK(made);
        if (key == "secret_headers") {
            QCOMPARE(made->session.secretHeaders,
                     (std::vector<std::string>{ "key@api.test", "other@http://10.0.0.1:1 X-Key: {secret}" }));
            QVERIFY(mayGiveSecret(made->merged, "other"));
            QVERIFY(!mayGiveSecret(made->merged, "another"));
            QVERIFY(!mayHaveSecret(made->merged, "key")); // the proxy's alone
        }
        QVERIFY(!with(wrong, SettingLayer::CommandLine));
        if (key == "secret_headers") {
            trusted = "10.0.0.2:1";
            const auto clear = with(text, SettingLayer::Environment);
            QVERIFY(!clear);
            SG_VERIFY_CONTAINS(clear.error().message, "\"other\" would go to 10.0.0.1:1 without TLS");
        }
    }

    // A key is shown to the named place, and to no other, whatever the graph says.
    void aKeyGoesToItsPlaceAlone()
    {
        const test::TempDir folder;
        const auto may = [&](const char* text, ModelPlace place,
                             SettingLayer layer = SettingLayer::Environment) {
            const auto made =
                settings(folder, "{}", { {}, false, { { "model_keys", text, layer, "there" } } });
            return made && mayShowKey(made->merged, "key", place);
        };
        const ModelPlace usual{ "https", "api.test:443", false };
        QVERIFY(may("key@api.test", usual));
        QVERIFY(may("other@x.test  key@api.test:443", usual));
        QVERIFY(!may("other@api.test", usual));
        QVERIFY(!may("key@api.test.evil.test", usual));
        QVERIFY(!may("key@api.test", { "https", "api.test:8443", false }));
        QVERIFY(!may("key@api.test", { "http", "api.test:80", false })); // without TLS only where it is said
        QVERIFY(may("key@http://api.test", { "http", "api.test:80", false }));
        QVERIFY(!may("key@http://api.test", usual));
        for (const char* text : { "key@127.0.0.1:8000", "key@http://127.0.0.1:8000" })
            QVERIFY(may(text, { "http", "127.0.0.1:8000", true }));
        QVERIFY(!may("key@http://127.0.0.1:8000", { "https", "127.0.0.1:8000", true }));
        QVERIFY(!may("key@api.test:80", { "http", "api.test:80", false }));
        QVERIFY(!may("", usual));
        QVERIFY(!may("key@api.test", usual, SettingLayer::EnvFile));
        QVERIFY(!may("key@api.test", usual, SettingLayer::Graph));
    }

    // Which secrets a graph gets is said by this user, and not by what comes with the graph.
    void aGraphAloneGetsNoSecret()
    {
        const test::TempDir folder;
        const auto may = [&](std::vector<SettingValue> values) {
            const auto made =
                settings(folder, R"({"secrets": ["token", "key"]})", { {}, false, std::move(values) });
            return made && made->session.secrets == std::vector<std::string>{ "key", "token" }
            && mayHaveSecret(made->merged, "key");
        };
        QVERIFY(!may({}));
        QVERIFY(!may({ { "secrets", "key", SettingLayer::EnvFile, "sandbox.env" } }));
        QVERIFY(!may({ { "secrets", "token", SettingLayer::Environment, "SANDBOX_SECRETS" } }));
        QVERIFY(may({ { "secrets", "token,key", SettingLayer::Environment, "SANDBOX_SECRETS" } }));
        QVERIFY(may({ { "secrets", "key", SettingLayer::CommandLine, "--set" } }));
    }

    // A secret that a node may know alone is not in the session of others, and the other way round.
    void aSessionOfItsOwnGetsItsOwnSecretsAlone()
    {
        const auto parsed = graph::parseGraph(R"({"state": {"x": {}}, "nodes": [
            {"name": "shared", "file": "a.py"}, {"name": "bare", "file": "a.py"},
            {"name": "bank", "file": "a.py", "secrets": ["pin", "iban", "pin"]}],
            "sandbox": {"own_sessions": ["bank", "bare"], "secrets": ["token"]}})");
        SG_VERIFY_OK(parsed);
        using Names = std::vector<std::string>;
        sessions::SessionSpec spec;
        spec.secrets = { "token" };
        QCOMPARE(specOfPart(spec, parsed->graph, sessions::SessionPart::parse("")).secrets, Names{ "token" });
        QCOMPARE(specOfPart(spec, parsed->graph, sessions::SessionPart::parse("run 1")).secrets,
                 Names{ "token" });
        QCOMPARE(specOfPart(spec, parsed->graph, sessions::SessionPart::parse("node bare")).secrets, Names());
        QCOMPARE(specOfPart(spec, parsed->graph, sessions::SessionPart::parse("run 1 node bank")).secrets,
                 (Names{ "iban", "pin" }));
        sessions::SessionSharing sharing;
        sharing.ownNodes = { "bank", "bare" };
        sharing.ownSecrets = ownSecretsOf(parsed->graph);
        for (const char* node : { "shared", "bare", "bank" }) { // a run says the same as a look from outside
            const sessions::SessionPart part = sharing.part(NodeId(node), RunId("1"));
            QVERIFY(sharing.specOf(spec, part) == specOfPart(spec, parsed->graph, part));
        }
    }

    // The proxy puts a header into the requests of the one node that names its secret; no other session, and
    // no node beside it, may send requests in its name.
    void aHeaderOfANodeReachesThatNodeAlone()
    {
        const auto parsed = graph::parseGraph(R"({"state": {"x": {}}, "nodes": [
            {"name": "shared", "file": "a.py"}, {"name": "bare", "file": "a.py"},
            {"name": "shop", "file": "a.py", "secret_headers": ["coin"]},
            {"name": "bank", "file": "a.py", "secret_headers": ["pin", "coin"]}],
            "sandbox": {"own_sessions": ["bank", "bare", "shop"]}})");
        SG_VERIFY_OK(parsed);
        using Texts = std::vector<std::string>;
        sessions::SessionSpec spec;
        spec.secretHeaders = { "pin@bank.test", " coin@shop.test X-Coin: {secret}", "token@api.test",
                               "pin-2@bank.test" };
        const auto headers = [&](const char* part) {
            return specOfPart(spec, parsed->graph, sessions::SessionPart::parse(part)).secretHeaders;
        };
        for (const char* part : { "", "run 1" })
            QCOMPARE(headers(part), (Texts{ "token@api.test", "pin-2@bank.test" }));
        for (const char* part : { "node bare", "run 1 node bare", "node unknown" })
            QCOMPARE(headers(part), Texts());
        QCOMPARE(headers("node shop"), (Texts{ " coin@shop.test X-Coin: {secret}" }));
        QCOMPARE(headers("run 1 node bank"), (Texts{ "pin@bank.test", " coin@shop.test X-Coin: {secret}" }));
    }

    void refuseWhatContradictsItself_data()
    {
        QTest::addColumn<std::string>("sandbox");
        QTest::addColumn<std::string>("backend");
        QTest::addColumn<bool>("keep");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const char* sandbox, const char* backend, bool keep,
                            const char* says) {
            QTest::newRow(name) << std::string(sandbox) << std::string(backend) << keep << std::string(says);
        };
        row("no host", R"({"egress": ["api.test:x"]})", "", false,
            "/sandbox/egress of the graph file: \"api.test:x\"");
        row("a pool of folders", R"({"storage": "BIND", "pool": 1})", "", false,
            "(/sandbox/pool of the graph file) where each has a folder of its own: storage is BIND "
            "(/sandbox/storage of the graph file)");
        row("a pool of kept ones", R"({"pool": 1})", "", true, "and be kept");
        row("two storages", R"({"mode": "BIND_API", "storage": "TMPFS"})", "", false, "says TMPFS, but");
        row("no hybrid folder", R"({"mode": "TMPFS_HYBRID"})", "", false, "HYBRID_LOCAL_PATH");
        row("no datasets folder", R"({"datasets": "LOCAL_RO"})", "", false,
            "datasets is missing. Put the files there");
        row("bubblewrap cannot keep", "{}", "bubblewrap", true, "--keep-session needs docker");
        row("nor by the graph", R"({"backend": "bubblewrap"})", "", true, "--keep-session needs docker");
    }
    void refuseWhatContradictsItself()
    {
        QFETCH(std::string, sandbox);
        QFETCH(std::string, backend);
        QFETCH(bool, keep);
        QFETCH(std::string, says);
        const test::TempDir folder;
        const auto made = settings(folder, sandbox, { backend, keep, {} });
        QVERIFY(!made);
        SG_VERIFY_CONTAINS(made.error().message, says);
    }

    void aFolderThatNobodyReadsIsRefused()
    {
        const test::TempDir folder;
        folder.write("heavy/a.parquet", "x");
        SettingValues set{ { "hybrid_folder", "heavy", SettingLayer::CommandLine, "--set hybrid_folder" } };
        const auto refused = settings(folder, R"({"datasets": "API"})", { "", false, set });
        QVERIFY(!refused);
        SG_VERIFY_CONTAINS(
            refused.error().message,
            std::string("it is API (/sandbox/datasets of the graph file): remove one of them"));
        const auto read = settings(folder, R"({"datasets": "HYBRID"})", { "", false, set });
        SG_VERIFY_OK(read);
        QCOMPARE(read->session.datasetFolder.filename().string(), std::string("heavy"));
        // The environment is the same for many projects: what it says beyond need is no contradiction.
        set.front().layer = SettingLayer::Environment;
        SG_VERIFY_OK(settings(folder, R"({"datasets": "API"})", { "", false, set }));
    }

    void placesFoldersOfTheProject()
    {
        const test::TempDir folder;
        auto paths = locateProject(folder.path());
        SG_VERIFY_OK(paths);
        const EnvironmentLookup lookup = [](const std::string& name) -> std::optional<std::string> {
            if (name == "BLOBSTORE_DIR")
                return "/elsewhere/blobs";
            return name == "SESSIONS_ROOT" ? std::optional<std::string>("mine") : std::nullopt;
        };
        folder.write("sandbox.env", "SESSIONS_ROOT=theirs\nARTIFACTS_DB=a.db\n");
        const auto outer = outerSettings(*paths, {}, lookup, {});
        SG_VERIFY_OK(outer);
        const auto placed = placedProject(*paths, *outer);
        SG_VERIFY_OK(placed);
        QCOMPARE(placed->blobs.string(), std::string("/elsewhere/blobs"));
        QCOMPARE(placed->sessions, paths->folder / "mine");
        QCOMPARE(placed->artifacts, paths->folder / "a.db");
        QVERIFY(!outerSettings(*paths, folder / "missing.env", lookup, {}));
    }

    // A project may be anybody's: neither its sandbox.env nor a link in it leads out of it.
    void aProjectsOwnFilesLeadNowhereElse_data()
    {
        QTest::addColumn<std::string>("file"); // sandbox.env; {} is the folder around the project
        QTest::addColumn<std::string>("mode");
        QTest::addColumn<std::string>("says"); // empty: it is let through
        const auto row = [](const char* name, const char* file, const char* mode, const char* says) {
            QTest::newRow(name) << std::string(file) << std::string(mode) << std::string(says);
        };
        const char* local = R"({"datasets": "LOCAL_RO"})";
        const char* hybrid = R"({"datasets": "HYBRID"})";
        row("an absolute one", "DATASETS_HOST_RO={}/keys", local, "DATASETS_HOST_RO in ");
        row("an absolute one, hybrid", "HYBRID_LOCAL_PATH={}/keys", hybrid, "HYBRID_LOCAL_PATH in ");
        row("by two points", "DATASETS_HOST_RO=../keys", local, "/keys, is not in the project ");
        row("by many points", "DATASETS_HOST_RO=data/./../../project/../keys", local,
            "is not in the project");
        row("a link", "DATASETS_HOST_RO=link", local, "/link, which is ");
        row("below a link", "DATASETS_HOST_RO=up/keys", local, "/up/keys, which is ");
        row("the default, a link", "", local, "/datasets, which is ");
        row("the default, a link, hybrid", "", hybrid, "set HYBRID_LOCAL_PATH in the environment");
        row("nothing there", "DATASETS_HOST_RO=/nowhere/at/all", local, "is not in the project");
        row("the project with its keys", "DATASETS_HOST_RO=.", local,
            "has what the project keeps for itself");
        row("the project's keys", "DATASETS_HOST_RO=.sandglass/sessions", local, "keeps for itself");
        row("one of its own", "DATASETS_HOST_RO=data", local, "");
        row("a link within", "HYBRID_LOCAL_PATH=inner", hybrid, "");
        row("sessions", "SESSIONS_ROOT={}/keys", "{}", "SESSIONS_ROOT in ");
        row("contents", "BLOBSTORE_DIR=link/blobs", "{}", "BLOBSTORE_DIR in ");
        row("a database", "ARTIFACTS_DB=up/a.sqlite", "{}", "ARTIFACTS_DB in ");
        row("a database that a link would make", "ARTIFACTS_DB=new", "{}", "ARTIFACTS_DB in ");
        row("a database of its own", "ARTIFACTS_DB=data/a.sqlite", "{}", "");
    }
    void aProjectsOwnFilesLeadNowhereElse()
    {
        QFETCH(std::string, file);
        QFETCH(const std::string, mode);
        QFETCH(const std::string, says);
        const test::TempDir outer;
        outer.write("keys/id", "a key");
        outer.write("project/data/a.csv", "1");
        const std::filesystem::path project = std::filesystem::canonical(outer / "project");
        for (const auto& [target, link] : { std::pair<const char*, const char*>{ "../keys", "link" },
                                            { "../keys", "datasets" },
                                            { "..", "up" },
                                            { "data", "inner" },
                                            { "../not-there-yet", "new" } })
            std::filesystem::create_symlink(target, project / link);
        if (const std::size_t at = file.find("{}"); at != std::string::npos)
            file.replace(at, 2, std::filesystem::canonical(outer.path()).string());
        outer.write("project/sandbox.env", file + "\n");
        const auto paths = locateProject(project);
        SG_VERIFY_OK(paths);
        const auto tried = [&](const SettingValues& values) -> Result<void> {
            const auto placed = placedProject(*paths, values);
            if (!placed)
                return placed.error();
            const auto graph = graph::parseGraph(R"({"nodes": [], "edges": [], "sandbox": )" + mode + "}");
            const auto made = sessionSettings(graph->graph, *placed, { {}, false, values });
            return made ? Result<void>() : made.error();
        };
        auto values = outerSettings(*paths, {}, [](const std::string&) { return std::nullopt; }, {});
        SG_VERIFY_OK(values);
        const auto made = tried(*values);
        QVERIFY2(bool(made) == says.empty(), made ? "it was let through" : made.error().message.c_str());
        if (made)
            return;
        QCOMPARE(made.error().code, Errc::PermissionDenied);
        SG_VERIFY_CONTAINS(made.error().message, says);
        if (file.empty() || made.error().message.find("keeps for itself") != std::string::npos
            || file.find("/nowhere") != std::string::npos)
            return;
        SG_VERIFY_CONTAINS(made.error().message, "in the environment or in a file for --env-file, or --set ");
        // The same file, named by this user.
        auto named = outerSettings(*paths, project / "sandbox.env",
                                   [](const std::string&) { return std::nullopt; }, {});
        SG_VERIFY_OK(named);
        const auto byName = tried(*named);
        QVERIFY2(byName, byName ? "" : byName.error().message.c_str());
        for (SettingValue& value : *values) // the same, said by this user
            value.layer = SettingLayer::Environment;
        const auto allowed = tried(*values);
        QVERIFY2(allowed, allowed ? "" : allowed.error().message.c_str());
    }

    void knowsWhatSharesASession_data()
    {
        QTest::addColumn<std::string>("sandbox");
        QTest::addColumn<std::string>("part"); // of node "a" in run "r"
        const auto row = [](const char* sandbox, const char* part) {
            QTest::newRow(sandbox) << std::string(sandbox) << std::string(part);
        };
        row("{}", "");
        row(R"({"scope": "node"})", "node a");
        row(R"({"scope": "run"})", "run r");
        row(R"({"own_sessions": ["a"]})", "node a");
        row(R"({"own_sessions": ["b"]})", "");
        row(R"({"scope": "run", "own_sessions": ["a"]})", "run r node a");
    }
    void knowsWhatSharesASession()
    {
        QFETCH(std::string, sandbox);
        QFETCH(std::string, part);
        const test::TempDir folder;
        const auto made = settings(folder, sandbox);
        SG_VERIFY_OK(made);
        const sessions::SessionPart found = made->sharing.part(NodeId("a"), RunId("r"));
        QCOMPARE(found.text(), part);
        QCOMPARE(found.isOf(RunId("r")), part.starts_with("run r"));
        QVERIFY(!found.isOf(RunId("r2")));
    }

    void readDatasetsOfTheProject()
    {
        const test::TempDir folder;
        folder.write("datasets/a.csv", "x");
        const auto made = settings(folder, R"({"datasets": "LOCAL_RO"})");
        SG_VERIFY_OK(made);
        QCOMPARE(made->session.datasetFolder, std::filesystem::canonical(folder / "datasets"));
    }
};

SG_TEST(TestSessionSettings)
#include "tst_session_settings.moc"
