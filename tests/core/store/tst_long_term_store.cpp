// Items by namespace and key: what is found, in which order, and for how long.

#include "core/base/json.h"
#include "core/sqlite/db.h"
#include "core/store/long_term_store.h"
#include "tests/support/fake_clock.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::store;

namespace {

Value parsed(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    auto value = parseJson(text);
    return value ? std::move(*value) : Value();
}

class Stored {
public:
    explicit Stored(StoreOptions options = {})
        : m_options(options)
    {
        reopen();
    }
    void reopen()
    {
        m_store.reset();
        auto opened = LongTermStore::open(file(), m_options, clock);
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        m_store = std::move(*opened);
    }
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "store.sqlite"; }
    LongTermStore* operator->() { return m_store.get(); }
    void put(const std::string& ns, const std::string& key, const std::string& value,
             const PutOptions& options = {})
    {
        clock.advance(std::chrono::seconds(1));
        const auto done = m_store->put(namespaceOf(ns), key, parsed(value), options);
        if (!done)
            qFatal("%s", done.error().message.c_str());
    }
    // "key key": in the order found; the error's message where there is one.
    std::string found(const SearchQuery& query)
    {
        auto items = m_store->search(query);
        if (!items)
            return items.error().message;
        std::string text;
        for (const Item& item : *items)
            text += (text.empty() ? "" : " ") + item.key;
        return text;
    }
    std::string listed(const NamespaceQuery& query)
    {
        auto all = m_store->listNamespaces(query);
        if (!all)
            return all.error().message;
        std::string text;
        for (const Namespace& ns : *all)
            text += (text.empty() ? "" : " ") + namespaceText(ns);
        return text;
    }

    test::FakeClock clock;

private:
    const StoreOptions m_options;
    test::TempDir m_folder;
    std::unique_ptr<LongTermStore> m_store;
};

SearchQuery beneath(const std::string& prefix, const std::string& filter = "{}")
{
    SearchQuery query;
    query.prefix = namespaceOf(prefix);
    query.filter = parsed(filter).asMap();
    return query;
}

PutOptions minutes(double count)
{
    return { PutOptions::Ttl::Minutes, count };
}

} // namespace

class TestLongTermStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anItemIsWhatWasPut()
    {
        Stored store;
        store.put("a.b", "k", "{'n': 1, 'list': [1, 2.5, null, 'é']}");
        const auto first = store->get({ "a", "b" }, "k");
        SG_VERIFY_OK(first);
        QCOMPARE((*first)->value, parsed("{'n': 1, 'list': [1, 2.5, null, 'é']}"));
        QCOMPARE((*first)->createdAt, (*first)->updatedAt);
        store.put("a.b", "k", "{'n': 2}");
        const auto second = store->get({ "a", "b" }, "k");
        QCOMPARE((*second)->value, parsed("{'n': 2}"));
        QCOMPARE((*second)->createdAt, (*first)->createdAt);
        QVERIFY((*second)->updatedAt > (*first)->updatedAt);
        QVERIFY(!store->get({ "a" }, "k")->has_value());
        QVERIFY(*store->remove({ "a", "b" }, "k"));
        QVERIFY(!*store->remove({ "a", "b" }, "k"));
        QVERIFY(!store->get({ "a", "b" }, "k")->has_value());
    }

    void searchesFields_data()
    {
        QTest::addColumn<std::string>("filter");
        QTest::addColumn<std::string>("keys");
        const auto row = [](const char* filter, const char* keys) {
            QTest::newRow(filter) << std::string(filter) << std::string(keys);
        };
        row("{}", "d c b a");
        row("{'kind': 'note'}", "c a");
        row("{'size': 3}", "b");
        row("{'size': 3.0}", "b");
        row("{'size': {'$gt': 1}}", "c b");
        row("{'size': {'$gte': 1, '$lt': 5}}", "b a");
        row("{'size': {'$lte': 1}}", "a");
        row("{'kind': {'$ne': 'note'}}", "d b");
        row("{'kind': 'note', 'size': {'$gt': 1}}", "c");
        row("{'done': true}", "b");
        row("{'done': false}", "a");
        row("{'size': null}", "d");
        row("{'size': {'$ne': null}}", "c b a");
        row("{'deep.x': 1}", "d");
        row("{'tags': ['x', 'y']}", "d");
        row("{'kind': {'$gt': 'm'}}", "d c a");
        row("{'kind': {'$in': []}}", "the filter's operator '$in' is none of $eq, $ne, $gt, $gte, $lt, $lte");
        row("{\"x') OR 1=1 --\": 1}",
            "the filter's field 'x') OR 1=1 --' may hold letters, digits, '_', '.' and '-' alone");
    }
    void searchesFields()
    {
        QFETCH(std::string, filter);
        QFETCH(std::string, keys);
        Stored store;
        store.put("n", "a", "{'kind': 'note', 'size': 1, 'done': false}");
        store.put("n", "b", "{'kind': 'job', 'size': 3, 'done': true}");
        store.put("n", "c", "{'kind': 'note', 'size': 9}");
        store.put("n", "d", "{'kind': 'other', 'deep': {'x': 1}, 'tags': ['x', 'y']}");
        SearchQuery query;
        auto wanted = parseJson(filter);
        query.filter = wanted ? wanted->asMap() : parsed(filter).asMap();
        QCOMPARE(store.found(query), keys);
    }

    void searchesBeneathANamespace()
    {
        Stored store;
        store.put("acme", "1", "{}");
        store.put("acme.triage", "2", "{}");
        store.put("acme.triage.bot", "3", "{}");
        store.put("acmeplus", "4", "{}");
        store.put("ACME", "5", "{}");
        store.put("a*", "6", "{}");
        QCOMPARE(store.found(beneath("acme")), std::string("3 2 1"));
        QCOMPARE(store.found(beneath("acme.triage")), std::string("3 2"));
        QCOMPARE(store.found(beneath("a*")), std::string("6")); // not a pattern
        QCOMPARE(store.found(beneath("")), std::string("6 5 4 3 2 1"));
        SearchQuery page = beneath("");
        page.limit = 2;
        page.offset = 1;
        QCOMPARE(store.found(page), std::string("5 4"));
        page.limit = -1;
        SG_VERIFY_CONTAINS(store.found(page), "from 0 to 100000");
    }

    void listsNamespaces_data()
    {
        QTest::addColumn<std::string>("prefix");
        QTest::addColumn<std::string>("suffix");
        QTest::addColumn<int>("depth");
        QTest::addColumn<std::string>("all");
        const auto row = [](const char* name, const char* prefix, const char* suffix, int depth,
                            const char* all) {
            QTest::newRow(name) << std::string(prefix) << std::string(suffix) << depth << std::string(all);
        };
        row("all", "", "", 0, "a a.b.x a.c.x b.b.y");
        row("prefix", "a", "", 0, "a a.b.x a.c.x");
        row("suffix", "", "x", 0, "a.b.x a.c.x");
        row("pattern", "*.b", "", 0, "a.b.x b.b.y");
        row("both", "a", "*.x", 0, "a.b.x a.c.x");
        row("depth", "", "", 1, "a b");
        row("depth of two", "", "", 2, "a a.b a.c b.b");
    }
    void listsNamespaces()
    {
        QFETCH(std::string, prefix);
        QFETCH(std::string, suffix);
        QFETCH(int, depth);
        QFETCH(std::string, all);
        Stored store;
        for (const char* ns : { "b.b.y", "a.c.x", "a.b.x", "a" })
            store.put(ns, "k", "{}");
        NamespaceQuery query;
        query.prefix = namespaceOf(prefix);
        query.suffix = namespaceOf(suffix);
        if (depth > 0)
            query.maxDepth = static_cast<std::size_t>(depth);
        QCOMPARE(store.listed(query), all);
        query.limit = 1;
        query.offset = 1;
        QCOMPARE(store.listed(query),
                 QString::fromStdString(all).split(QLatin1Char(' ')).value(1).toStdString());
    }

    void itemsExpire()
    {
        Stored store;
        store.put("n", "short", "{}", minutes(1));
        store.put("n", "long", "{}", minutes(60));
        store.put("n", "ever", "{}");
        store.clock.advance(std::chrono::seconds(61));
        SearchQuery look = beneath("n");
        look.refresh = false;
        QCOMPARE(store.found(look), std::string("ever long"));
        QVERIFY(!store->get({ "n" }, "short")->has_value());
        QCOMPARE(*store->sweep(), std::int64_t(1));
        QCOMPARE(*store->sweep(), std::int64_t(0));
        store.clock.advance(std::chrono::hours(2));
        store.reopen(); // sweeps
        QCOMPARE(store.listed({}), std::string("n"));
        QCOMPARE(store.found(look), std::string("ever"));
    }

    void readingKeepsAnItemAlive()
    {
        Stored store({ false, 1.0, true });
        store.put("n", "read", "{}");
        store.put("n", "looked at", "{}");
        store.put("n", "ever", "{}", { PutOptions::Ttl::None, 0 });
        store.clock.advance(std::chrono::seconds(40));
        QVERIFY(store->get({ "n" }, "read", true)->has_value());
        QVERIFY(store->get({ "n" }, "looked at", false)->has_value());
        store.clock.advance(std::chrono::seconds(40));
        QCOMPARE(store.found(beneath("n")), std::string("ever read"));
        store.clock.advance(std::chrono::seconds(40)); // the search was a use, too
        QVERIFY(store->get({ "n" }, "read", true)->has_value());
    }

    void refuses_data()
    {
        QTest::addColumn<std::string>("ns");
        QTest::addColumn<std::string>("key");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<double>("ttl");
        QTest::addColumn<std::string>("says");
        QTest::newRow("no namespace") << std::string() << std::string("k") << std::string("{}") << 1.0
                                      << std::string("needs a namespace");
        QTest::newRow("empty label") << std::string("a..b") << std::string("k") << std::string("{}") << 1.0
                                     << std::string("cannot be empty");
        QTest::newRow("reserved") << std::string("langgraph.x") << std::string("k") << std::string("{}")
                                  << 1.0 << std::string("langgraph");
        QTest::newRow("no key") << std::string("a") << std::string() << std::string("{}") << 1.0
                                << std::string("key");
        QTest::newRow("list") << std::string("a") << std::string("k") << std::string("[]") << 1.0
                              << std::string("JSON object");
        QTest::newRow("no time") << std::string("a") << std::string("k") << std::string("{}") << 0.0
                                 << std::string("time to live");
    }
    void refuses()
    {
        QFETCH(std::string, ns);
        QFETCH(std::string, key);
        QFETCH(std::string, value);
        QFETCH(double, ttl);
        QFETCH(std::string, says);
        Stored store;
        const auto done = store->put(namespaceOf(ns), key, parsed(value), minutes(ttl));
        QVERIFY(!done);
        QCOMPARE(done.error().code, Errc::InvalidArgument);
        SG_VERIFY_CONTAINS(done.error().message, says);
    }

    void bytesAreNoItem()
    {
        Stored store;
        const Value value = Value::map({ { "deep", Value::list({ Value(Bytes{ "x" }) }) } });
        QVERIFY(!store->put({ "a" }, "k", value, {}));
        const Value large = Value::map({ { "text", std::string(17U << 20, 'x') } });
        QCOMPARE(store->put({ "a" }, "k", large, {}).error().code, Errc::LimitExceeded);
    }

    void theTablesAreLangGraphs()
    {
        Stored store;
        store.put("a.b", "k", "{'n': 1}", minutes(2));
        auto db = sqlite::Db::open(store.file());
        SG_VERIFY_OK(db);
        auto row =
            db->prepare("SELECT prefix, key, typeof(value), CAST(value AS TEXT), expires_at, ttl_minutes, "
                        "(SELECT group_concat(v) FROM store_migrations) FROM store");
        SG_VERIFY_OK(row);
        QVERIFY(*row->step());
        QCOMPARE(std::string(row->text(0)), std::string("a.b"));
        QCOMPARE(std::string(row->text(2)), std::string("blob"));
        QCOMPARE(parseJson(row->text(3)).operator bool(), true);
        QVERIFY(row->text(4).ends_with("+00:00"));
        QCOMPARE(row->real(5), 2.0);
        QCOMPARE(std::string(row->text(6)), std::string("0,1,2,3,4"));
    }

    void aFileWithoutAStoreIsToldApart()
    {
        test::TempDir folder;
        const test::FakeClock clock;
        QCOMPARE(LongTermStore::open(folder / "none.sqlite", { true, {}, true }, clock).error().code,
                 Errc::NotFound);
        {
            auto db = sqlite::Db::open(folder / "other.sqlite");
            SG_VERIFY_OK(db->exec("CREATE TABLE checkpoints (x)"));
        }
        const auto other = LongTermStore::open(folder / "other.sqlite", { true, {}, true }, clock);
        SG_VERIFY_CONTAINS(other.error().message, "holds no long-term store");
    }
};

SG_TEST(TestLongTermStore)
#include "tst_long_term_store.moc"
