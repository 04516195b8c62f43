// Items by namespace and key in PostgreSQL: what is found, in which order, for how long, and what a server
// does meanwhile.

#include "core/base/json.h"
#include "core/store/postgres_store.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using namespace sg::store;

namespace {

Value pgValue(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    auto value = parseJson(text);
    return value ? std::move(*value) : Value();
}

SearchQuery pgBeneath(const std::string& prefix, const std::string& filter = "{}")
{
    SearchQuery query;
    query.prefix = namespaceOf(prefix);
    query.filter = pgValue(filter).asMap();
    return query;
}

} // namespace

class TestPostgresItems : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("postgres");
        m_server = std::make_unique<test::PostgresServer>();
    }

    void anItemIsWhatWasPut()
    {
        auto store = opened(fresh());
        put(*store, "a.b", "k", "{'n': 1, 'list': [1, 2.5, null, 'é']}");
        const auto first = store->get({ "a", "b" }, "k");
        SG_VERIFY_OK(first);
        QCOMPARE((*first)->value, pgValue("{'n': 1, 'list': [1, 2.5, null, 'é']}"));
        QCOMPARE((*first)->createdAt, (*first)->updatedAt);
        put(*store, "a.b", "k", "{'n': 2}");
        const auto second = store->get({ "a", "b" }, "k");
        SG_VERIFY_OK(second);
        QCOMPARE((*second)->value, pgValue("{'n': 2}"));
        QCOMPARE((*second)->createdAt, (*first)->createdAt);
        QVERIFY((*second)->updatedAt > (*first)->updatedAt);
        QVERIFY(!store->get({ "a" }, "k")->has_value());
        QVERIFY(*store->remove({ "a", "b" }, "k"));
        QVERIFY(!*store->remove({ "a", "b" }, "k"));
        QVERIFY(!store->get({ "a", "b" }, "k")->has_value());
    }

    void searchesFieldsAsPostgresStoreDoes_data()
    {
        QTest::addColumn<std::string>("filter");
        QTest::addColumn<std::string>("keys");
        const auto row = [](const char* filter, const char* keys) {
            QTest::newRow(filter) << std::string(filter) << std::string(keys);
        };
        row("{}", "d c b a");
        row("{'kind': 'note'}", "c a");
        row("{'size': 3.0}", "b");
        row("{'size': {'$gt': 2}}", "b"); // as texts, of which "10" stands before "2"
        row("{'size': {'$gte': 1, '$lt': 5}}", "c b a");
        row("{'kind': {'$ne': 'note'}}", "d b");
        row("{'kind': 'note', 'size': {'$ne': 1}}", "c");
        row("{'done': true}", "b");
        row("{'size': null}", ""); // a field that is not there is not null
        row("{'size': {'$ne': null}}", "c b a");
        row("{'deep.x': 1}", "");
        row("{'deep': {'x': 1}}", "the filter's operator 'x' is none of $eq, $ne, $gt, $gte, $lt, $lte");
        row("{'tags': ['x', 'y']}", "d");
        row("{'kind': {'$gt': 'm'}}", "d c a");
    }
    void searchesFieldsAsPostgresStoreDoes()
    {
        QFETCH(std::string, filter);
        QFETCH(std::string, keys);
        auto store = opened(fresh());
        put(*store, "n", "a", "{'kind': 'note', 'size': 1, 'done': false}");
        put(*store, "n", "b", "{'kind': 'job', 'size': 3, 'done': true}");
        put(*store, "n", "c", "{'kind': 'note', 'size': 10}");
        put(*store, "n", "d", "{'kind': 'other', 'deep': {'x': 1}, 'tags': ['x', 'y']}");
        QCOMPARE(found(*store, pgBeneath("", filter)), keys);
    }

    void aTenantSeesWholeLabelsOnly()
    {
        auto store = opened(fresh());
        put(*store, "acme", "1", "{}");
        put(*store, "acme.triage", "2", "{}");
        put(*store, "acme.triage.bot", "3", "{}");
        put(*store, "acmeplus", "4", "{}");
        put(*store, "ACME", "5", "{}");
        put(*store, "a%", "6", "{}");
        QCOMPARE(found(*store, pgBeneath("acme")), std::string("3 2 1"));
        QCOMPARE(found(*store, pgBeneath("acme.triage")), std::string("3 2"));
        QCOMPARE(found(*store, pgBeneath("a%")), std::string("6")); // not a pattern
        QCOMPARE(found(*store, pgBeneath("")), std::string("6 5 4 3 2 1"));
        SearchQuery page = pgBeneath("");
        page.limit = 2;
        page.offset = 1;
        QCOMPARE(found(*store, page), std::string("5 4"));
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
        auto store = opened(fresh());
        for (const char* ns : { "b.b.y", "a.c.x", "a.b.x", "a" })
            put(*store, ns, "k", "{}");
        NamespaceQuery query;
        query.prefix = namespaceOf(prefix);
        query.suffix = namespaceOf(suffix);
        if (depth > 0)
            query.maxDepth = static_cast<std::size_t>(depth);
        QCOMPARE(listed(*store, query), all);
        query.limit = 1;
        query.offset = 1;
        QCOMPARE(listed(*store, query),
                 QString::fromStdString(all).split(QLatin1Char(' ')).value(1).toStdString());
    }

    void itemsExpireByTheServersClock()
    {
        const std::string database = fresh();
        auto store = opened(database);
        const auto minutes = [](double count) { return PutOptions{ PutOptions::Ttl::Minutes, count }; };
        put(*store, "n", "short", "{}", minutes(1));
        put(*store, "n", "long", "{}", minutes(60));
        put(*store, "n", "used", "{}", minutes(60));
        put(*store, "n", "ever", "{}");
        const auto pass = [&](const char* key, const char* time) {
            m_server->sql(database,
                          std::string("UPDATE store SET expires_at = expires_at - interval '") + time
                              + "' WHERE key = '" + key + "'");
        };
        pass("short", "2 minutes");
        SearchQuery look = pgBeneath("n");
        look.refresh = false;
        QCOMPARE(found(*store, look), std::string("ever used long"));
        QVERIFY(!store->get({ "n" }, "short")->has_value());
        QCOMPARE(*store->sweep(), std::int64_t(1));
        QCOMPARE(*store->sweep(), std::int64_t(0));
        pass("used", "59 minutes");
        QVERIFY(store->get({ "n" }, "used", true)->has_value()); // which gives it its hour again
        pass("used", "30 minutes");
        pass("long", "61 minutes");
        QCOMPARE(found(*store, look), std::string("ever used"));
        store = opened(database); // sweeps
        QCOMPARE(m_server->sql(database, "SELECT count(*) FROM store"), std::string("2"));
    }

    void refuses()
    {
        auto store = opened(fresh());
        const auto said = [&](const char* ns, const std::string& key, const Value& value) {
            const auto done = store->put(namespaceOf(ns), key, value, {});
            return done ? std::string("done") : done.error().message;
        };
        const Value none = Value::map({});
        SG_VERIFY_CONTAINS(said("", "k", none), "needs a namespace");
        SG_VERIFY_CONTAINS(said("a..b", "k", none), "cannot be empty");
        SG_VERIFY_CONTAINS(said("langgraph.x", "k", none), "langgraph");
        SG_VERIFY_CONTAINS(said("a", "", none), "key");
        SG_VERIFY_CONTAINS(said("a", "k", pgValue("[]")), "JSON object");
        SG_VERIFY_CONTAINS(said("a", "k", Value::map({ { "text", std::string("a\0b", 3) } })), "NUL");
        SG_VERIFY_CONTAINS(said("a", "k", Value::map({ { "text", std::string(17U << 20, 'x') } })), "16 MiB");
        QCOMPARE(listed(*store, {}), std::string());
    }

    void tellsTablesOfOthersApart()
    {
        const std::string empty = fresh();
        const auto looked = openPostgresStore(m_server->address(empty), { true, {}, true });
        QVERIFY(!looked);
        QCOMPARE(looked.error().code, Errc::NotFound);
        QCOMPARE(m_server->sql(empty, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"),
                 std::string("0")); // a look makes nothing
        const std::string other = fresh();
        static_cast<void>(m_server->address(other));
        m_server->sql(other, "CREATE TABLE store (id int, name text)");
        const auto refused = openPostgresStore(m_server->address(other), {});
        QVERIFY(!refused);
        SG_VERIFY_CONTAINS(refused.error().message, "another program's");
        QCOMPARE(m_server->sql(other,
                               "SELECT count(*) FROM information_schema.columns WHERE table_name = 'store'"),
                 std::string("2"));
        const std::string newer = fresh();
        put(*opened(newer), "a", "k", "{'n': 1}");
        m_server->sql(newer, "INSERT INTO store_migrations VALUES (4)");
        SG_VERIFY_CONTAINS(openPostgresStore(m_server->address(newer), {}).error().message,
                           "update Sandglass");
        auto reader = openPostgresStore(m_server->address(newer), { true, {}, true });
        SG_VERIFY_OK(reader);
        QVERIFY((*reader)->get({ "a" }, "k")->has_value());
    }

    void anOlderLangGraphsTablesAreBroughtUp()
    {
        const std::string database = fresh();
        static_cast<void>(m_server->address(database));
        m_server->sql(
            database,
            "CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value jsonb NOT NULL, created_at "
            "timestamptz DEFAULT now(), updated_at timestamptz DEFAULT now(), PRIMARY KEY (prefix, key));"
            "CREATE TABLE store_migrations (v int PRIMARY KEY); INSERT INTO store_migrations VALUES (0), (1);"
            "INSERT INTO store (prefix, key, value) VALUES ('a', 'old', '{}')");
        auto store = opened(database);
        put(*store, "a", "new", "{}", { PutOptions::Ttl::Minutes, 1 });
        QCOMPARE(found(*store, pgBeneath("a")), std::string("new old"));
        QCOMPARE(m_server->sql(database, "SELECT string_agg(v::text, ',' ORDER BY v) FROM store_migrations"),
                 std::string("0,1,2,3"));
    }

    void outlivesTheServersSessions()
    {
        const std::string database = fresh();
        auto store = opened(database);
        put(*store, "a", "k", "{'n': 1}");
        m_server->sql("postgres",
                      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '"
                          + database + "'");
        put(*store, "a", "l", "{'n': 2}");
        QCOMPARE(found(*store, pgBeneath("a")), std::string("l k"));
        m_server->stop(SIGINT);
        m_server->start();
        QCOMPARE(found(*store, pgBeneath("a")), std::string("l k"));
    }

    void aServerThatIsAwayIsToldInTime()
    {
        postgres::SessionOptions patience;
        patience.reconnectMs = 500;
        const auto away = openPostgresStore("postgresql://tester@/none?host=/nowhere", {}, patience);
        QVERIFY(!away);
        QCOMPARE(away.error().code, Errc::Io);
        SG_VERIFY_CONTAINS(away.error().message, "postgresql://");
    }

private:
    std::string fresh() { return "items" + std::to_string(++m_count); }
    std::unique_ptr<LongTermStore> opened(const std::string& database)
    {
        auto store = openPostgresStore(m_server->address(database), {});
        if (!store)
            qFatal("%s", store.error().message.c_str());
        return std::move(*store);
    }
    static void put(LongTermStore& store, const std::string& ns, const std::string& key,
                    const std::string& value, const PutOptions& options = {})
    {
        if (const auto done = store.put(namespaceOf(ns), key, pgValue(value), options); !done)
            qFatal("%s", done.error().message.c_str());
    }
    static std::string found(LongTermStore& store, const SearchQuery& query)
    {
        const auto items = store.search(query);
        if (!items)
            return items.error().message;
        std::string text;
        for (const Item& item : *items)
            text += (text.empty() ? "" : " ") + item.key;
        return text;
    }
    static std::string listed(LongTermStore& store, const NamespaceQuery& query)
    {
        const auto all = store.listNamespaces(query);
        if (!all)
            return all.error().message;
        std::string text;
        for (const Namespace& ns : *all)
            text += (text.empty() ? "" : " ") + namespaceText(ns);
        return text;
    }

    std::unique_ptr<test::PostgresServer> m_server;
    int m_count = 0;
};

SG_TEST(TestPostgresItems)
#include "tst_postgres_items.moc"
