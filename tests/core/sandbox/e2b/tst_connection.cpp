#include "core/sandbox/e2b/connection.h"
#include "core/sandbox/e2b/remote_records.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sandbox::e2b;

namespace {

Connection connection()
{
    Connection made;
    made.name = "cloud";
    made.api = "https://api.e2b.app";
    made.sandboxes = "https://sandbox.e2b.app";
    made.key = "e2b";
    made.sandboxTemplate = "base";
    return made;
}

} // namespace

class TestConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leadsToASandbox_data()
    {
        QTest::addColumn<int>("routing");
        QTest::addColumn<std::string>("sandboxes");
        QTest::addColumn<std::string>("url");
        QTest::newRow("headers") << static_cast<int>(Routing::Headers)
                                 << std::string("https://sandbox.e2b.app")
                                 << std::string("https://sandbox.e2b.app");
        QTest::newRow("host") << static_cast<int>(Routing::Host) << std::string("e2b.app")
                              << std::string("https://49983-abc.e2b.app");
        QTest::newRow("path") << static_cast<int>(Routing::Path) << std::string("https://kruise.test")
                              << std::string("https://kruise.test/kruise/abc/49983");
    }
    void leadsToASandbox()
    {
        QFETCH(const int, routing);
        QFETCH(const std::string, sandboxes);
        QFETCH(const std::string, url);
        Connection made = connection();
        made.routing = static_cast<Routing>(routing);
        made.sandboxes = sandboxes;
        QVERIFY(checkConnection(made));
        const Place place = placeOf(made, "abc", 49983);
        QCOMPARE(place.url, url);
        QCOMPARE(place.headers.at(0).second, std::string("abc"));
        QCOMPARE(place.headers.at(1).second, std::string("49983"));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<std::string>("field");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* field, const char* value, const char* says) {
            QTest::addRow("%s %s", field, value)
                << std::string(field) << std::string(value) << std::string(says);
        };
        for (const char* name : { "", "a b", "../up", "a/b", "a.b" })
            row("name", name, "name");
        for (const char* api :
             { "", "api.e2b.app", "ftp://a", "https://", "https://a/", "https://key@host", "https://a b" })
            row("api", api, "\"api\"");
        row("sandboxes", "e2b.app", "\"sandboxes\"");
        row("domain", "https://e2b.app", "domain");
        row("domain", ".e2b.app", "domain");
        row("key", "", "\"key\"");
        row("template", "", "\"template\"");
        row("time", "29", "\"time_s\"");
        row("time", "86401", "\"time_s\"");
    }
    void saysWhatIsWrong()
    {
        QFETCH(const std::string, field);
        QFETCH(const std::string, value);
        QFETCH(const std::string, says);
        Connection made = connection();
        if (field == "domain")
            made.routing = Routing::Host;
        (field == "name"           ? made.name
             : field == "api"      ? made.api
             : field == "key"      ? made.key
             : field == "template" ? made.sandboxTemplate
                                   : made.sandboxes) = field == "time" ? made.sandboxes : value;
        if (field == "time")
            made.time = std::chrono::seconds(std::stoi(value));
        const auto checked = checkConnection(made);
        QVERIFY(!checked);
        SG_VERIFY_CONTAINS(checked.error().message, says);
    }

    void notesWhatMayCost()
    {
        const test::TempDir folder;
        const RemoteRecords records(folder / "notes");
        QVERIFY(records.all().empty());
        QVERIFY(records.write({ "cloud", "s-1", "7e570001", "1.2.3.4" }));
        QVERIFY(records.write({ "cloud", "s-2", "7e570001", "1.2.3.4" }));
        QVERIFY(records.write({ "cloud", "s-1", "7e570001", "5.2.3.4" })); // taken up by another program
        folder.write("notes/broken.json", "{");
        folder.write("notes/odd.json", R"({"connection": "../../x", "session": "s"})");
        QCOMPARE(records.all().size(), std::size_t{ 2 });
        records.remove("cloud", "s-1");
        records.remove("cloud", "s-1");
        const auto left = records.all();
        QCOMPARE(left.size(), std::size_t{ 1 });
        QCOMPARE(left.front().session, std::string("s-2"));
        QVERIFY(RemoteRecords({}).write({ "cloud", "s-1", "", "" }));
    }
};

SG_TEST(TestConnection)
#include "tst_connection.moc"
