// A sandbox reaches the store only beneath its tenant.

#include "core/base/json.h"
#include "core/store/store_door.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::store;

namespace {

// JSON with ' for ".
std::string ask(StoreDoor& door, std::string request)
{
    std::replace(request.begin(), request.end(), '\'', '"');
    auto parsed = parseJson(request);
    if (!parsed)
        return parsed.error().message;
    auto answer = door.answer(*parsed);
    if (!answer)
        return "!" + answer.error().message;
    std::string text = toJson(*answer);
    std::replace(text.begin(), text.end(), '"', '\'');
    return text;
}

std::string keys(StoreDoor& door, const std::string& prefix)
{
    std::string request = "{'op': 'search', 'prefix': " + prefix + "}";
    std::replace(request.begin(), request.end(), '\'', '"');
    auto answer = door.answer(*parseJson(request));
    std::string text;
    if (answer)
        for (const Value& item : answer->asList())
            text += toJson(item["namespace"]) + item.stringOr("key", "") + " ";
    return text;
}

} // namespace

class TestStoreDoor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenantsDoNotSeeEachOther()
    {
        test::TempDir folder;
        const test::FakeClock clock;
        const auto store = std::move(*LongTermStore::open(folder / "s.sqlite", {}, clock));
        StoreDoor acme = std::move(*StoreDoor::open(*store, "acme"));
        StoreDoor other = std::move(*StoreDoor::open(*store, "other"));
        StoreDoor all = std::move(*StoreDoor::open(*store, ""));
        QCOMPARE(ask(acme, "{'op': 'put', 'namespace': ['notes'], 'key': 'a', 'value': {'n': 1}}"),
                 std::string("null"));
        QCOMPARE(ask(other, "{'op': 'put', 'namespace': ['notes'], 'key': 'b', 'value': {'n': 2}}"),
                 std::string("null"));
        QCOMPARE(keys(acme, "[]"), std::string("[\"notes\"]a "));
        QCOMPARE(keys(other, "['notes']"), std::string("[\"notes\"]b "));
        QCOMPARE(keys(all, "[]"), std::string("[\"other\",\"notes\"]b [\"acme\",\"notes\"]a "));
        QCOMPARE(ask(acme, "{'op': 'get', 'namespace': ['notes'], 'key': 'b'}"), std::string("null"));
        QCOMPARE(ask(acme, "{'op': 'list'}"), std::string("[['notes']]"));
        QCOMPARE(ask(acme, "{'op': 'list', 'prefix': ['*']}"), std::string("[['notes']]"));
        QCOMPARE(ask(acme, "{'op': 'list', 'suffix': ['notes'], 'max_depth': 1}"),
                 std::string("[['notes']]"));
        QCOMPARE(ask(all, "{'op': 'list', 'max_depth': 1}"), std::string("[['acme'],['other']]"));
        // Not by any label, either.
        SG_VERIFY_CONTAINS(ask(acme, "{'op': 'get', 'namespace': ['x.notes'], 'key': 'b'}"), "holds '.'");
        QCOMPARE(keys(acme, "['*']"), std::string());
        QCOMPARE(ask(acme, "{'op': 'put', 'namespace': ['notes'], 'key': 'a', 'value': null}"),
                 std::string("null"));
        QCOMPARE(keys(acme, "[]"), std::string());
    }

    void aTenantIsOneLabel()
    {
        test::TempDir folder;
        const test::FakeClock clock;
        const auto store = std::move(*LongTermStore::open(folder / "s.sqlite", {}, clock));
        for (const char* tenant : { "a.b", "*", "langgraph" })
            QVERIFY2(!StoreDoor::open(*store, tenant), tenant);
    }

    void refusesWhatIsNoRequest_data()
    {
        QTest::addColumn<std::string>("request");
        for (const char* request :
             { "null", "[]", "{}", "{'op': 'drop'}", "{'op': 'get', 'namespace': 'x', 'key': 'k'}",
               "{'op': 'get', 'namespace': [1], 'key': 'k'}", "{'op': 'get', 'namespace': [], 'key': 'k'}",
               "{'op': 'put', 'namespace': [], 'key': 'k', 'value': {}}",
               "{'op': 'put', 'namespace': ['a'], 'key': 'k', 'value': [1]}",
               "{'op': 'put', 'namespace': ['a'], 'key': 'k', 'value': {}, 'ttl': 'soon'}",
               "{'op': 'put', 'namespace': ['a'], 'key': 'k', 'value': {}, 'ttl': -1}",
               "{'op': 'search', 'prefix': ['a'], 'limit': 'x'}",
               "{'op': 'search', 'prefix': ['a'], 'filter': 1}",
               "{'op': 'search', 'prefix': ['a'], 'limit': 99999999}", "{'op': 'list', 'max_depth': 1.5}" })
            QTest::newRow(request) << std::string(request);
    }
    void refusesWhatIsNoRequest()
    {
        QFETCH(std::string, request);
        test::TempDir folder;
        const test::FakeClock clock;
        const auto store = std::move(*LongTermStore::open(folder / "s.sqlite", {}, clock));
        StoreDoor door = std::move(*StoreDoor::open(*store, ""));
        QVERIFY2(ask(door, request).starts_with('!'), ask(door, request).c_str());
    }
};

SG_TEST(TestStoreDoor)
#include "tst_store_door.moc"
