#include "core/sessions/session_mode.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::sessions;

class TestSessionMode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void understandsNames_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("means"); // storage/datasets, "-" where it is open
        const auto row = [](const char* name, const char* means) {
            QTest::newRow(name) << std::string(name) << std::string(means);
        };
        row("TMPFS", "TMPFS/-");
        row("bind", "BIND/-");
        row("NONE", "-/NONE");
        row("LOCAL_RO", "-/LOCAL_RO");
        row("local", "-/LOCAL_RO");
        row("API", "-/API");
        row("Hybrid", "-/HYBRID");
        row("TMPFS_NONE", "TMPFS/NONE");
        row("TMPFS_LOCAL", "TMPFS/LOCAL_RO");
        row("BIND_LOCAL_RO", "BIND/LOCAL_RO");
        row("LOCAL_RO_BIND", "BIND/LOCAL_RO");
        row("TMPFS_API", "TMPFS/API");
        row("API_TMPFS", "TMPFS/API");
        row("bind-hybrid", "BIND/HYBRID");
        row("hybrid bind", "BIND/HYBRID");
        for (const char* wrong : { "", " ", "_", "RAM", "TMPFS_BIND", "API_NONE", "TMPFS_API_API", "RO",
                                   "TMPFS_RO", "RO_LOCAL", "TMPFSAPI", "API\n" })
            QTest::newRow(("refuses " + std::string(wrong)).c_str()) << std::string(wrong) << std::string();
        QTest::newRow("refuses a long one") << std::string(100, '_') + "API" << std::string();
    }
    void understandsNames()
    {
        QFETCH(std::string, name);
        QFETCH(std::string, means);
        const auto found = modeNamed(name);
        if (means.empty()) {
            QVERIFY(!found);
            SG_VERIFY_CONTAINS(found.error().message, std::string("TMPFS and BIND"));
            return;
        }
        SG_VERIFY_OK(found);
        const std::string storage(found->storage ? nameOf(*found->storage) : "-");
        const std::string datasets(found->datasets ? nameOf(*found->datasets) : "-");
        QCOMPARE(storage + "/" + datasets, means);
    }

    void namesAllEightAndReadsThemBack()
    {
        for (const auto storage : { SessionStorage::Tmpfs, SessionStorage::Bind })
            for (const auto access :
                 { DatasetAccess::None, DatasetAccess::LocalRo, DatasetAccess::Api, DatasetAccess::Hybrid }) {
                const SessionMode mode{ storage, access };
                const auto found = modeNamed(nameOf(mode));
                SG_VERIFY_OK(found);
                QVERIFY(found->storage == storage && found->datasets == access);
            }
        QCOMPARE(nameOf(SessionMode{ SessionStorage::Bind, DatasetAccess::LocalRo }),
                 std::string("BIND_LOCAL"));
    }
};

SG_TEST(TestSessionMode)
#include "tst_session_mode.moc"
