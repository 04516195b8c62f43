#include "core/config/setting_layers.h"
#include "core/graph/graph_file.h"
#include "core/sandbox/backend_kinds.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::config;

namespace {

// "graph storage=BIND; env SESSION_STORAGE=TMPFS": graph, file, environment (env) and command line (cli).
SettingValues valuesOf(const std::string& text)
{
    SettingValues values;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(';', from), text.size());
        const std::string item = text.substr(from, end - from);
        from = end + 2;
        const std::size_t space = item.find(' ');
        const std::size_t equals = item.find('=');
        const std::string where = item.substr(0, space);
        const SettingLayer layer = where == "graph" ? SettingLayer::Graph
            : where == "file"                       ? SettingLayer::EnvFile
            : where == "env"                        ? SettingLayer::Environment
                                                    : SettingLayer::CommandLine;
        const std::string key = item.substr(space + 1, equals - space - 1);
        values.push_back({ key, item.substr(equals + 1), layer, where + " " + key });
    }
    return values;
}

} // namespace

class TestSettingLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStrongestLayerCounts_data()
    {
        QTest::addColumn<std::string>("set");
        QTest::addColumn<std::string>("mode");
        QTest::addColumn<std::string>("from"); // of storage, of datasets
        const auto row = [](const char* set, const char* mode, const char* from) {
            QTest::newRow(set) << std::string(set) << std::string(mode) << std::string(from);
        };
        row("", "TMPFS_NONE", "built in, built in");
        row("graph storage=BIND", "BIND_NONE", "graph storage, built in");
        row("graph mode=TMPFS_LOCAL", "TMPFS_LOCAL", "graph mode, graph mode");
        row("graph mode=API_TMPFS; env storage=BIND", "BIND_API", "env storage, graph mode");
        row("graph storage=BIND; file storage=TMPFS", "TMPFS_NONE", "file storage, built in");
        row("graph storage=BIND; file storage=TMPFS; env storage=BIND", "BIND_NONE", "env storage, built in");
        row("env datasets=API; cli datasets=none", "TMPFS_NONE", "built in, cli datasets");
        row("cli mode=BIND; env mode=TMPFS_HYBRID", "BIND_HYBRID", "cli mode, env mode");
        row("file storage=bind; cli mode=hybrid; graph datasets=NONE", "BIND_HYBRID",
            "file storage, cli mode");
        row("env mode=TMPFS_API; env storage=TMPFS; env datasets=API", "TMPFS_API",
            "env storage, env datasets");
    }
    void theStrongestLayerCounts()
    {
        QFETCH(std::string, set);
        QFETCH(std::string, mode);
        QFETCH(std::string, from);
        SettingValues values = valuesOf(set);
        for (int order = 0; order < 2; ++order, std::reverse(values.begin(), values.end())) {
            const auto merged = mergeSettings(values);
            SG_VERIFY_OK(merged);
            QCOMPARE(nameOf(merged->mode), mode);
            if (order == 0)
                QCOMPARE(merged->storageFrom + ", " + merged->datasetsFrom, from);
        }
    }

    // A backend that a graph may name can be named by every layer.
    void everyBackendCanBeChosen()
    {
        const auto key = std::ranges::find(settingKeys(), std::string_view("backend"), &SettingKey::name);
        QCOMPARE(std::string(key->words),
                 std::string(sandbox::kAutoBackend) + " "
                     + sandbox::backendNames([](const sandbox::BackendKind&) { return true; }, " "));
    }

    void everyKeyFollowsTheSameOrder()
    {
        for (const SettingKey& key : settingKeys()) {
            if (key.kind == SettingKey::Kind::Mode)
                continue;
            const bool isWord = key.kind == SettingKey::Kind::Word;
            const bool isNumber = key.kind == SettingKey::Kind::Count || key.kind == SettingKey::Kind::Number;
            const std::string words(key.words);
            const std::string low = isWord ? words.substr(0, words.find(' ')) : isNumber ? "64" : "low";
            const std::string high = isWord ? words.substr(words.rfind(' ') + 1)
                : isNumber                  ? std::to_string(static_cast<long>(std::min(key.most, 65.0)))
                                            : "high";
            const std::string name(key.name);
            const char* layers[] = { "graph", "file", "env", "cli" };
            for (int weak = 0; weak < 4; ++weak)
                for (int strong = weak + 1; strong < 4; ++strong) {
                    const auto merged =
                        mergeSettings(valuesOf(std::string(layers[strong]) + " " + name + "=" + high + "; "
                                               + layers[weak] + " " + name + "=" + low));
                    SG_VERIFY_OK(merged);
                    QCOMPARE(*merged->text(name), high);
                    QCOMPARE(merged->from(name), std::string(layers[strong]) + " " + name);
                }
        }
    }

    void refusesAndNamesThePlace_data()
    {
        QTest::addColumn<std::string>("set");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* set, const char* says) {
            QTest::newRow(set) << std::string(set) << std::string(says);
        };
        row("env storage=RAM", "env storage: \"RAM\" is no session mode");
        row("env storage=API", "env storage: \"API\" is not one of TMPFS, BIND");
        row("cli datasets=BIND", "is not one of NONE, LOCAL_RO, API, HYBRID");
        row("graph mode=TMPFS_API; graph storage=BIND", "graph storage says BIND, but graph mode says TMPFS");
        row("env mode=TMPFS_API; env datasets=NONE", "env datasets says NONE, but env mode says API");
        row("env storage=TMPFS_API; env datasets=NONE", "env datasets says NONE, but env storage says API");
        row("env tmpfs_mb=lots", "env tmpfs_mb: \"lots\" is not a whole number from 1 to 16777216");
        row("env tmpfs_mb=0", "is not a whole number");
        row("env tmpfs_mb=1.5", "is not a whole number");
        row("cli cpus=0", "is not a number from 0.01");
        row("cli cpus=nan", "is not a number");
        row("cli cpus=2x", "is not a number");
        row("cli memory_mb=1e300", "is not a whole number");
        row("cli memory_mb=-64", "is not a whole number");
        row("cli backend=podman", "\"podman\" is not one of auto, docker, bubblewrap");
        row("file scope=agent", "is not one of thread, node, run");
        row("cli preload=os;import", "cli preload"); // split at ";": an odd key is left
        row("cli preload=a b", "is not a list of Python modules");
        row("cli blobs=", "is not a name");
    }
    void refusesAndNamesThePlace()
    {
        QFETCH(std::string, set);
        QFETCH(std::string, says);
        if (set == "cli preload=os;import")
            set = "cli preload=os,,sys";
        const auto merged = mergeSettings(valuesOf(set));
        QVERIFY2(!merged, set.c_str());
        SG_VERIFY_CONTAINS(merged.error().message, says);
        QVERIFY(merged.error().code == Errc::InvalidArgument);
    }

    void aStrongerLayerHidesNoContradictionBelow()
    {
        QVERIFY(!mergeSettings(valuesOf("graph mode=TMPFS_API; graph storage=BIND; cli storage=BIND")));
    }

    void readsEnvironmentAndFile()
    {
        const auto fromEnvironment =
            environmentSettings([](const std::string& name) -> std::optional<std::string> {
                if (name == "SESSION_STORAGE")
                    return "BIND";
                if (name == "DATASET_ACCESS")
                    return "";
                return std::nullopt;
            });
        QCOMPARE(fromEnvironment.size(), std::size_t(1));
        QCOMPARE(fromEnvironment.front().from, std::string("SESSION_STORAGE in the environment"));
        const test::TempDir folder;
        folder.write("sandbox.env", "OPENAI_API_KEY='sk#1'\nTMPFS_SIZE_MB=64\nTMPFS_SIZE_MB=\"128\" # MiB\n");
        const auto fromFile = envFileSettings(folder / "sandbox.env");
        SG_VERIFY_OK(fromFile);
        QCOMPARE(fromFile->size(), std::size_t(1));
        QCOMPARE(fromFile->front().text, std::string("128"));
        SG_VERIFY_CONTAINS(fromFile->front().from, std::string("TMPFS_SIZE_MB in "));
        folder.write("broken.env", "A=1\nB\n");
        const auto broken = envFileSettings(folder / "broken.env");
        QVERIFY(!broken);
        SG_VERIFY_CONTAINS(broken.error().message, std::string("broken.env: line 2"));
        QVERIFY(!envFileSettings(folder / "missing.env"));
    }

    void readsTheGraph()
    {
        auto file =
            graph::parseGraph(R"j({"nodes": [], "edges": [], "sandbox": {"mode": "TMPFS_API", "pool": 2,
            "preload": ["numpy", "pandas"], "idle_timeout_s": 1.5, "limits": {"cpus": 0.5, "open_files": 100}}})j");
        SG_VERIFY_OK(file);
        const auto merged = mergeSettings(graphSettings(file->graph.sandbox));
        SG_VERIFY_OK(merged);
        QCOMPARE(nameOf(merged->mode), std::string("TMPFS_API"));
        QCOMPARE(*merged->text("preload"), std::string("numpy,pandas"));
        QCOMPARE(*merged->number("idle_timeout_s"), 1.5);
        QCOMPARE(merged->from("cpus"), std::string("/sandbox/limits/cpus of the graph file"));
    }

    void readsTheCommandLine()
    {
        const auto set = commandLineSetting("cpus=0.5");
        SG_VERIFY_OK(set);
        QCOMPARE(set->from, std::string("--set cpus on the command line"));
        for (const char* wrong : { "cpus", "cpu=1", "=1", "" })
            QVERIFY(!commandLineSetting(wrong));
        SG_VERIFY_CONTAINS(commandLineSetting("cpuz=1").error().message, std::string("cpus"));
    }
};

SG_TEST(TestSettingLayers)
#include "tst_setting_layers.moc"
