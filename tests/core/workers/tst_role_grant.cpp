// A worker's pool file decides, whatever a graph asks for.

#include "core/base/json.h"
#include "core/workers/role_grant.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::test;
using namespace sg::workers;

namespace {

Value json(const char* text)
{
    return *parseJson(text);
}

// Returns what a graph gets of this pool file, or why it gets nothing.
std::string granted(const char* pool, const char* wish, sessions::SessionSpec& spec,
                    sessions::CellLimits& limits)
{
    const TempDir folder;
    const auto grant = readRoleGrant(folder.write("pool.json", pool), "research");
    if (!grant)
        return grant.error().message;
    const auto applied = applyGrant(*grant, json(wish), "research", spec, limits);
    return applied ? "" : applied.error().message;
}

std::string granted(const char* pool, const char* wish)
{
    sessions::SessionSpec spec;
    sessions::CellLimits limits;
    return granted(pool, wish, spec, limits);
}

} // namespace

class TestRoleGrant : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesWhatIsAskedForAndGranted()
    {
        sessions::SessionSpec spec;
        sessions::CellLimits limits;
        spec.egress = { "everywhere.test" };
        spec.secrets = { "mine" };
        QCOMPARE(
            granted(
                R"({"roles": {"research": {"secrets": ["a", "b"], "egress": ["*.example.com", "x.test:8080"],
                             "images": ["one", "two"], "mounts": {"/data": "/srv/papers"}}}})",
                R"({"secrets": ["b"], "egress": ["api.example.com", "x.test:8080"], "image": "two",
                             "mounts": ["/data"]})",
                spec, limits),
            std::string());
        QCOMPARE(spec.secrets, std::vector<std::string>{ "b" });
        QCOMPARE(spec.egress, (std::vector<std::string>{ "api.example.com", "x.test:8080" }));
        QCOMPARE(spec.image, std::string("two"));
        QCOMPARE(spec.datasetFolder.string(), std::string("/srv/papers"));
    }

    void givesNothingThatIsNotAskedFor()
    {
        sessions::SessionSpec spec;
        sessions::CellLimits limits;
        spec.egress = { "everywhere.test" };
        spec.secrets = { "mine" };
        QCOMPARE(granted(R"({"roles": {"research": {"secrets": ["a"], "egress": ["b.test"]}}})", "{}", spec,
                         limits),
                 std::string());
        QVERIFY(spec.secrets.empty());
        QVERIFY(spec.egress.empty());
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("wish");
        QTest::addColumn<QString>("names");
        QTest::newRow("secret") << R"({"secrets": ["other"]})"
                                << "the secret other";
        QTest::newRow("host") << R"({"egress": ["evil.test"]})"
                              << "the host evil.test";
        QTest::newRow("wildcard") << R"({"egress": ["*.example.com"]})"
                                  << "";
        QTest::newRow("wider wildcard") << R"({"egress": ["*.com"]})"
                                        << "the host *.com";
        QTest::newRow("suffix of another name") << R"({"egress": ["evilexample.com"]})"
                                                << "the host";
        QTest::newRow("port") << R"({"egress": ["api.example.com:22"]})"
                              << "the host";
        QTest::newRow("folder") << R"({"mounts": ["/etc"]})"
                                << "the folder /etc";
        QTest::newRow("image") << R"({"image": "evil"})"
                               << "the image evil";
    }
    void refuses()
    {
        QFETCH(QString, wish);
        QFETCH(QString, names);
        const std::string why = granted(
            R"({"roles": {"research": {"secrets": ["a"], "egress": ["*.example.com"]}}})", wish.toUtf8());
        QVERIFY2(QString::fromStdString(why).contains(names), why.c_str());
        QCOMPARE(why.empty(), names.isEmpty());
    }

    void aRoleThatIsNotNamedGetsNothing()
    {
        QVERIFY(!granted(R"({"roles": {"review": {"secrets": ["a"]}}})", R"({"secrets": ["a"]})").empty());
    }

    void limitsOnlyShrinkUnlessTheFileGrantsMore()
    {
        sessions::SessionSpec spec;
        sessions::CellLimits limits;
        spec.limits.memoryBytes = 1LL << 30;
        static_cast<void>(
            granted(R"({"roles": {}})", R"({"limits": {"memory_mb": 100000, "pids": 50}})", spec, limits));
        QCOMPARE(spec.limits.memoryBytes, std::int64_t(1) << 30);
        QCOMPARE(spec.limits.pids, std::int64_t(50));
        static_cast<void>(
            granted(R"({"roles": {"research": {"limits": {"memory_mb": 4096, "cell_s": 600}}}})",
                    R"({"limits": {"memory_mb": 2048, "cell_s": 9999}})", spec, limits));
        QCOMPARE(spec.limits.memoryBytes, std::int64_t(2) << 30);
        QCOMPARE(limits.deadline.count(), std::int64_t(600'000));
    }

    void namesWhatIsWrongInTheFile_data()
    {
        QTest::addColumn<QString>("pool");
        QTest::newRow("no JSON") << "{";
        QTest::newRow("no roles") << "{}";
        QTest::newRow("role") << R"({"roles": {"research": 1}})";
        QTest::newRow("list") << R"({"roles": {"research": {"secrets": "a"}}})";
        QTest::newRow("unknown") << R"({"roles": {"research": {"secret": ["a"]}}})";
        QTest::newRow("mount") << R"({"roles": {"research": {"mounts": {"/etc": "/etc"}}}})";
        QTest::newRow("relative") << R"({"roles": {"research": {"mounts": {"/data": "papers"}}}})";
    }
    void namesWhatIsWrongInTheFile()
    {
        QFETCH(QString, pool);
        const std::string why = granted(pool.toUtf8(), "{}");
        QVERIFY2(why.find("pool.json") != std::string::npos, why.c_str());
    }
};

SG_TEST(TestRoleGrant)
#include "tst_role_grant.moc"
