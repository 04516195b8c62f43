// All that read the description of a backend can rely on it.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/sandbox/backend_kinds.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace sg;
using namespace sg::sandbox;

class TestBackendKinds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindIsWhole()
    {
        std::set<std::string_view> names;
        for (const BackendKind& kind : backendKinds()) {
            const std::string name(kind.name);
            QVERIFY2(names.insert(kind.name).second, name.c_str());
            QCOMPARE(findBackendKind(kind.name), &kind);
            for (const std::string_view text : { kind.title, kind.note, kind.ready, kind.help })
                QVERIFY2(!text.empty(), name.c_str());
            QVERIFY2(!kind.diesWithProgram || !kind.mayBeKept, name.c_str());
            QCOMPARE(kind.package.empty(), kind.runsOn == RunsOn::Service);
            QCOMPARE(diesWithProgram(kind.name), kind.diesWithProgram);
            QCOMPARE(mayBeKept(kind.name), kind.mayBeKept);
        }
        QVERIFY(!names.contains(kAutoBackend));
        QVERIFY(findBackendKind(kAutoBackend) == nullptr);
        QVERIFY(!mayBeKept("no such backend") && !diesWithProgram("no such backend"));
    }

    void someBackendHasItsPythonOnThisMachine()
    {
        for (const RunsOn place : { RunsOn::Image, RunsOn::Environment })
            QVERIFY(firstBackendOn(place).runsOn == place);
        QVERIFY(runsOnEnvironment(firstBackendOn(RunsOn::Environment).name));
        QVERIFY(!runsOnEnvironment(firstBackendOn(RunsOn::Image).name));
    }

    void namesAreListed()
    {
        const auto all = [](const BackendKind&) { return true; };
        QCOMPARE(backendNames(all), std::string("docker or bubblewrap or e2b"));
        QCOMPARE(backendNames(all, ", "), std::string("docker, bubblewrap, e2b"));
        QCOMPARE(backendNames([](const BackendKind& kind) { return kind.mayBeKept; }),
                 std::string("docker or e2b"));
    }

    void theGraphsSchemaKnowsThemAll()
    {
        const auto text = readFile(SG_BIN_DIR "/../share/sandglass/schemas/graph.schema.json");
        const auto schema = text ? parseJson(*text) : Result<Value>(text.error());
        QVERIFY(schema);
        std::string known;
        for (const Value& name : (*schema)["$defs"]["sandbox"]["properties"]["backend"]["enum"].asList())
            known += name.asString() + " ";
        QCOMPARE(known,
                 " " + std::string(kAutoBackend) + " "
                     + backendNames([](const BackendKind&) { return true; }, " ") + " ");
    }
};

SG_TEST(TestBackendKinds)
#include "tst_backend_kinds.moc"
