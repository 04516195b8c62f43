#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/servers/e2b/client_keys.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <filesystem>

using namespace sg;
using namespace sg::servers::e2b;

class TestClientKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsToldOnceAndKeptAsItsHash()
    {
        const test::TempDir folder;
        ClientKeys keys(folder / "keys.json");
        QVERIFY(keys.isEmpty());
        const auto key = keys.add("laptop", { 3, std::chrono::seconds(60) });
        SG_VERIFY_OK(key);
        QVERIFY(key->starts_with("e2b_") && key->size() == 44);
        QVERIFY(!keys.isEmpty());
        const auto text = readFile(folder / "keys.json");
        QVERIFY(text->find(*key) == std::string::npos);
        SG_VERIFY_CONTAINS(*text, sha256Hex(*key));
        QCOMPARE(std::filesystem::status(folder / "keys.json").permissions(), std::filesystem::perms(0600));
        const auto client = keys.find(*key);
        QVERIFY(client);
        QCOMPARE(client->name, std::string("laptop"));
        QCOMPARE(client->quota.sandboxes, 3);
        QCOMPARE(client->quota.longest, std::chrono::seconds(60));
    }

    void anotherKeyReplacesTheOld()
    {
        const test::TempDir folder;
        ClientKeys keys(folder / "keys.json");
        const auto first = keys.add("a", {});
        const auto other = keys.add("b", {});
        const auto second = keys.add("a", {});
        QVERIFY(!keys.find(*first));
        QCOMPARE(keys.find(*second)->name, std::string("a"));
        QCOMPARE(keys.find(*other)->name, std::string("b"));
        QCOMPARE(ClientKeys(folder / "keys.json").find(*other)->name, std::string("b"));
    }

    void findsNobody_data()
    {
        QTest::addColumn<std::string>("key");
        for (const char* key : { "", "e2b_", "e2b_0000000000000000000000000000000000000000", "laptop" })
            QTest::newRow(key) << std::string(key);
    }
    void findsNobody()
    {
        QFETCH(const std::string, key);
        const test::TempDir folder;
        ClientKeys keys(folder / "keys.json");
        SG_VERIFY_OK(keys.add("laptop", {}));
        QVERIFY(!keys.find(key));
        QVERIFY(!keys.find(sha256Hex(key))); // the hash is no key
    }

    void aDamagedFileLetsNobodyInAndIsKept()
    {
        const test::TempDir folder;
        for (const char* text : { "{", "[]", R"({"clients": 7})" }) {
            folder.write("keys.json", text);
            ClientKeys keys(folder / "keys.json");
            QVERIFY(!keys.find("e2b_1"));
            QVERIFY(!keys.add("a", {}));
            QCOMPARE(*readFile(folder / "keys.json"), std::string(text));
        }
    }
};

SG_TEST(TestClientKeys)
#include "tst_client_keys.moc"
