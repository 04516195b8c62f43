#pragma once

#include "tests/conformance/checkpoint/store_fixture.h"

namespace sg::checkpoint::conformance {

inline void listsNewestFirst(CheckpointStore& store)
{
    for (const char* id : { "2", "4", "1" })
        SG_VERIFY_OK(
            store.put(refOf("a", id), {}, checkpointOf(id), metadataOf(id[0] - '1', { { "who", id } })));
    SG_VERIFY_OK(store.put(refOf("a", "3", "sub:1"), {}, checkpointOf("3"), metadataOf(-1)));
    SG_VERIFY_OK(store.put(refOf("b", "4"), {}, checkpointOf("4"), metadataOf(-1)));

    CheckpointQuery query;
    QCOMPARE(listed(store, query), std::string("a/4 b/4 a/sub:1/3 a/2 a/1"));
    query.thread = ThreadId("a");
    QCOMPARE(listed(store, query), std::string("a/4 a/sub:1/3 a/2 a/1"));
    query.ns = "";
    QCOMPARE(listed(store, query), std::string("a/4 a/2 a/1"));
    query.limit = 2;
    QCOMPARE(listed(store, query), std::string("a/4 a/2"));
    query.before = CheckpointId("4");
    QCOMPARE(listed(store, query), std::string("a/2 a/1"));
    query.limit = 0;
    QCOMPARE(listed(store, query), std::string());
    query = {};
    query.id = CheckpointId("4");
    QCOMPARE(listed(store, query), std::string("a/4 b/4"));
    query.thread = ThreadId("b");
    QCOMPARE(listed(store, query), std::string("b/4"));
}

inline void stopsListingWhenToldTo(CheckpointStore& store)
{
    for (const char* id : { "1", "2", "3" })
        SG_VERIFY_OK(store.put(refOf("t", id), {}, checkpointOf(id), metadataOf(0)));
    int visited = 0;
    SG_VERIFY_OK(store.list({}, [&](const CheckpointRecord&) { return ++visited < 2; }));
    QCOMPARE(visited, 2);
}

inline void listsWithOrWithoutWrites(CheckpointStore& store)
{
    SG_VERIFY_OK(store.put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(refOf("t", "1"), { writeOf("a", "x", 1) }));
    for (const bool withWrites : { true, false }) {
        CheckpointQuery query;
        query.withWrites = withWrites;
        std::size_t writes = 99;
        SG_VERIFY_OK(store.list(query, [&](const CheckpointRecord& record) {
            writes = record.writes.size();
            return true;
        }));
        QCOMPARE(writes, std::size_t(withWrites ? 1 : 0));
    }
}

inline void aVisitorMayReadAndWrite(CheckpointStore& store)
{
    for (const char* id : { "1", "2" })
        SG_VERIFY_OK(store.put(refOf("t", id), {}, checkpointOf(id), metadataOf(0)));
    std::string seen;
    SG_VERIFY_OK(store.list({}, [&](const CheckpointRecord& record) {
        if (!store.putWrites(record.ref, { writeOf("a", "x", record.ref.id.value) }))
            return false;
        seen += writesOf(store, record.ref) + ";";
        return true;
    }));
    QCOMPARE(seen, std::string("a[0] x=\"2\";a[0] x=\"1\";"));
}

inline void filtersByMetadata(CheckpointStore& store)
{
    const Value nested = Value::map({ { "k", Value::list({ 1, "ü" }) } });
    SG_VERIFY_OK(
        store.put(refOf("t", "1"), {}, checkpointOf("1"),
                  metadataOf(-1, { { "user", "ann" }, { "n", 1 }, { "ok", true }, { "o", nested } })));
    SG_VERIFY_OK(
        store.put(refOf("t", "2"), {}, checkpointOf("2"),
                  metadataOf(0, { { "user", "bob" }, { "n", 1.5 }, { "ok", false }, { "user-id", 7 } })));
    const std::pair<std::vector<std::pair<std::string, Value>>, const char*> rows[] = {
        { { { "source", "input" } }, "t/1" },
        { { { "step", 0 } }, "t/2" },
        { { { "step", 0.0 } }, "t/2" },
        { { { "step", "0" } }, "" },
        { { { "user", "bob" } }, "t/2" },
        { { { "user", "bob" }, { "step", -1 } }, "" },
        { { { "n", 1 } }, "t/1" },
        { { { "n", 1.5 } }, "t/2" },
        { { { "ok", true } }, "t/1" },
        { { { "ok", 0 } }, "t/2" },
        { { { "user-id", 7 } }, "t/2" },
        { { { "user-id", Value() } }, "t/1" },
        { { { "o", nested } }, "t/1" },
        { { { "o.k", Value::list({ 1, "ü" }) } }, "t/1" },
        { { { "missing", "x" } }, "" },
        { { { "missing.deeper", Value() } }, "t/2 t/1" },
    };
    for (const auto& [filter, expected] : rows) {
        CheckpointQuery query;
        query.metadataFilter = filter;
        QCOMPARE(listed(store, query), std::string(expected));
    }
}

inline void refusesHostileFilterKeys(CheckpointStore& store)
{
    for (const char* key : { "", "a'b", "a\"b", "a b", "a[0]", "$", "a;DROP TABLE checkpoints", "ü" }) {
        CheckpointQuery query;
        query.metadataFilter = { { key, 1 } };
        const auto done = store.list(query, [](const CheckpointRecord&) { return true; });
        QVERIFY2(!done, key);
        QCOMPARE(done.error().code, Errc::InvalidArgument);
    }
}

} // namespace sg::checkpoint::conformance
