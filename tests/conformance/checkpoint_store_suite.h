#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/support/qtest_std.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What every CheckpointStore must do. Each check gets an empty store:
//   for (const StoreCheck& check : checkpointStoreChecks()) { auto store = …; check.run(*store); }
namespace sg::checkpoint::conformance {

struct StoreCheck {
    const char* name;
    void (*run)(CheckpointStore& store);
};

inline CheckpointRef refOf(std::string_view thread, std::string_view id, std::string_view ns = "")
{
    return { ThreadId(std::string(thread)), std::string(ns), CheckpointId(std::string(id)) };
}

inline Checkpoint checkpointOf(std::string_view id, ValueMap values = {})
{
    Checkpoint checkpoint;
    checkpoint.timestamp = "2026-11-21T08:00:00.000001+00:00";
    checkpoint.id = CheckpointId(std::string(id));
    checkpoint.channelValues = std::move(values);
    checkpoint.channelVersions = { { "x", "00000000000000000000000000000002.0.5167863651320748" } };
    checkpoint.versionsSeen = { { "__input__", Value::map() } };
    return checkpoint;
}

inline CheckpointMetadata metadataOf(std::int64_t step, ValueMap extra = {})
{
    CheckpointMetadata metadata;
    metadata.source = step < 0 ? "input" : "loop";
    metadata.step = step;
    metadata.extra = std::move(extra);
    return metadata;
}

inline PendingWrite writeOf(std::string_view task, std::string_view channel, Value value,
                            std::string_view path = "")
{
    return { TaskId(std::string(task)), std::string(path), 0, std::string(channel), std::move(value), {} };
}

// "thread/ns/id thread/ns/id"
inline std::string listed(CheckpointStore& store, const CheckpointQuery& query)
{
    std::string text;
    const auto done = store.list(query, [&](const CheckpointRecord& record) {
        const std::string ns = record.ref.ns.empty() ? "" : record.ref.ns + "/";
        text += (text.empty() ? "" : " ") + record.ref.thread.value + "/" + ns + record.ref.id.value;
        return true;
    });
    return done ? text : "error: " + done.error().message;
}

// "task[index] channel=value", in the store's order
inline std::string writesOf(CheckpointStore& store, const CheckpointRef& ref)
{
    const auto record = store.get(ref.thread, ref.ns, ref.id);
    if (!record || !*record)
        return record ? "missing" : "error: " + record.error().message;
    std::string text;
    for (const PendingWrite& write : (*record)->writes)
        text += (text.empty() ? "" : " ") + write.taskId.value + "[" + std::to_string(write.index) + "] "
            + write.channel + "=" + toJson(write.value);
    return text;
}

inline void keepsACheckpointAsItWas(CheckpointStore& store)
{
    Checkpoint checkpoint =
        checkpointOf("1",
                     { { "b", 1 },
                       { "a", Value::list({ nullptr, true, -7, 2.5, "ü\n", Bytes{ "\0\xFF" } }) },
                       { "set", makeSet({ "x" }) },
                       { "map", Value::map({ { 1, "int key" }, { Value(), "null key" } }) } });
    checkpoint.updatedChannels = std::vector<std::string>{ "a", "b" };
    checkpoint.unknown = { { "later", Value::map({ { "k", 1 } }) } };
    CheckpointMetadata metadata = metadataOf(3, { { "user", "Zoë" }, { "ratio", 0.5 } });
    metadata.parents = { { "", "0" } };
    SG_VERIFY_OK(store.put(refOf("t", "1", "node:1"), CheckpointId("0"), checkpoint, metadata));

    const auto record = store.get(ThreadId("t"), "node:1", CheckpointId("1"));
    SG_VERIFY_OK(record);
    QVERIFY(record->has_value());
    const CheckpointRecord& found = **record;
    QVERIFY(found.ref == refOf("t", "1", "node:1"));
    QCOMPARE(found.parent->value, std::string("0"));
    QCOMPARE(found.checkpoint.version, 4);
    QCOMPARE(found.checkpoint.timestamp, checkpoint.timestamp);
    QCOMPARE(found.checkpoint.id.value, std::string("1"));
    QCOMPARE(Value(found.checkpoint.channelValues), Value(checkpoint.channelValues));
    QCOMPARE(toJson(Value(found.checkpoint.channelValues)), toJson(Value(checkpoint.channelValues))); // order
    QCOMPARE(Value(found.checkpoint.channelVersions), Value(checkpoint.channelVersions));
    QCOMPARE(Value(found.checkpoint.versionsSeen), Value(checkpoint.versionsSeen));
    QVERIFY(found.checkpoint.updatedChannels == checkpoint.updatedChannels);
    QCOMPARE(Value(found.checkpoint.unknown), Value(checkpoint.unknown));
    QCOMPARE(found.metadata.source, std::string("loop"));
    QCOMPARE(found.metadata.step, std::int64_t(3));
    QCOMPARE(Value(found.metadata.parents), Value(metadata.parents));
    QCOMPARE(toJson(Value(found.metadata.extra)), std::string(R"({"user":"Zoë","ratio":0.5})"));
    QVERIFY(found.writes.empty());
    QVERIFY(found.problem.empty());
}

inline void getsTheNewestOfANamespace(CheckpointStore& store)
{
    SG_VERIFY_OK(store.put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(0)));
    SG_VERIFY_OK(store.put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(-1)));
    SG_VERIFY_OK(store.put(refOf("t", "3", "sub:1"), {}, checkpointOf("3"), metadataOf(-1)));
    SG_VERIFY_OK(store.put(refOf("t2", "4"), {}, checkpointOf("4"), metadataOf(-1)));

    const auto newest = store.get(ThreadId("t"), "", {});
    SG_VERIFY_OK(newest);
    QVERIFY((*newest)->ref == refOf("t", "2"));
    const auto first = store.get(ThreadId("t"), "", CheckpointId("1"));
    SG_VERIFY_OK(first);
    QVERIFY(!(*first)->parent);
    for (const auto& [thread, ns] : { std::pair("t", "sub"), std::pair("t3", ""), std::pair("", "") }) {
        const auto none = store.get(ThreadId(thread), ns, {});
        SG_VERIFY_OK(none);
        QVERIFY(!none->has_value());
    }
    const auto unknown = store.get(ThreadId("t"), "", CheckpointId("9"));
    SG_VERIFY_OK(unknown);
    QVERIFY(!unknown->has_value());
}

inline void replacesACheckpointOfTheSameId(CheckpointStore& store)
{
    SG_VERIFY_OK(
        store.put(refOf("t", "1"), CheckpointId("0"), checkpointOf("1", { { "x", 1 } }), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(refOf("t", "1"), { writeOf("a", "x", 1) }));
    SG_VERIFY_OK(store.put(refOf("t", "1"), {}, checkpointOf("1", { { "x", 2 } }), metadataOf(1)));
    const auto record = store.get(ThreadId("t"), "", CheckpointId("1"));
    SG_VERIFY_OK(record);
    QCOMPARE(Value((*record)->checkpoint.channelValues), Value::map({ { "x", 2 } }));
    QVERIFY(!(*record)->parent);
    QCOMPARE(writesOf(store, refOf("t", "1")), std::string("a[0] x=1"));
}

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

inline void ordersWritesByPathTaskAndIndex(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("c", "x", 1, "~b"), writeOf("c", "y", 2, "~b") }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("b", "x", 3, "~a"), writeOf("b", "y", 4, "~a") }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("d", "x", 5, "~a") }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("a", "__error__", "boom", "~c") }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("z", "x", 6) }));
    QCOMPARE(writesOf(store, ref),
             std::string("z[0] x=6 b[0] x=3 b[1] y=4 d[0] x=5 c[0] x=1 c[1] y=2 a[-1] "
                         "__error__=\"boom\""));
}

inline void numbersSpecialChannels(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(ref,
                                 { writeOf("a", "__resume__", 1), writeOf("a", "x", 2),
                                   writeOf("a", "__interrupt__", 3), writeOf("a", "__scheduled__", 4),
                                   writeOf("a", "__error__", 5), writeOf("a", "y", 6) }));
    QCOMPARE(writesOf(store, ref),
             std::string("a[-4] __resume__=1 a[-3] __interrupt__=3 a[-2] __scheduled__=4 a[-1] "
                         "__error__=5 a[1] x=2 a[5] y=6"));
}

inline void onlySpecialWritesAreReplaced(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(
        store.putWrites(ref, { writeOf("a", "__resume__", "old"), writeOf("a", "__interrupt__", "old") }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("a", "__interrupt__", "new") }));
    QCOMPARE(writesOf(store, ref), std::string("a[-4] __resume__=\"old\" a[-3] __interrupt__=\"new\""));

    // One channel that is not special and everything that is there already stays.
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("a", "__resume__", "newer"), writeOf("a", "x", 1) }));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("a", "__resume__", "newest"), writeOf("a", "x", 2) }));
    QCOMPARE(writesOf(store, ref),
             std::string("a[-4] __resume__=\"old\" a[-3] __interrupt__=\"new\" a[1] x=1"));
}

inline void takesTheWritesOfSeveralTasksAtOnce(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("b", "__resume__", 1) }));
    SG_VERIFY_OK(store.putWrites(
        ref,
        { writeOf("a", "x", 1), writeOf("a", "y", 2), writeOf("b", "__resume__", 3), writeOf("c", "z", 4) }));
    QCOMPARE(writesOf(store, ref), std::string("a[0] x=1 a[1] y=2 b[-4] __resume__=3 c[0] z=4"));
    SG_VERIFY_OK(store.putWrites(ref, {}));
}

inline void keepsTypeTags(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, {}, checkpointOf("1"), metadataOf(0)));
    std::vector<PendingWrite> writes = {
        writeOf("a", "null", nullptr), writeOf("a", "bytes", Bytes{ "\xFF" }),
        writeOf("a", "array", Bytes{ "ab" }), writeOf("a", "map", Value::map()),
        writeOf("a", "pickle", Ext{ kOpaqueExt, std::string("\x80\x04N.\0", 5) })
    };
    writes[2].typeTag = "bytearray";
    writes[4].typeTag = "pickle";
    SG_VERIFY_OK(store.putWrites(ref, writes));
    const auto record = store.get(ref.thread, ref.ns, ref.id);
    SG_VERIFY_OK(record);
    std::string tags;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        const PendingWrite& write = (*record)->writes[i];
        tags += write.typeTag + " ";
        QCOMPARE(write.value, writes[i].value);
    }
    QCOMPARE(tags, std::string("null bytes bytearray msgpack pickle "));
}

inline void copiesARecord(CheckpointStore& store)
{
    const CheckpointRef ref = refOf("t", "1");
    SG_VERIFY_OK(store.put(ref, CheckpointId("0"), checkpointOf("1", { { "x", 1 } }), metadataOf(0)));
    // The answer takes index 0's place, so that x has index 1.
    SG_VERIFY_OK(store.putWrites(ref, { writeOf("a", "__resume__", 1), writeOf("a", "x", 2) }));
    auto record = store.get(ref.thread, ref.ns, ref.id);
    SG_VERIFY_OK(record);
    (*record)->ref.thread = ThreadId("copy");
    SG_VERIFY_OK(store.putRecord(**record));
    SG_VERIFY_OK(store.putRecord(**record));
    QCOMPARE(writesOf(store, refOf("copy", "1")), writesOf(store, ref));
    const auto copy = store.get(ThreadId("copy"), "", {});
    SG_VERIFY_OK(copy);
    QCOMPARE((*copy)->parent->value, std::string("0"));
    QCOMPARE(Value((*copy)->checkpoint.channelValues), Value::map({ { "x", 1 } }));
}

inline void deletesOneThread(CheckpointStore& store)
{
    for (const char* thread : { "a", "b" }) {
        SG_VERIFY_OK(store.put(refOf(thread, "1"), {}, checkpointOf("1"), metadataOf(0)));
        SG_VERIFY_OK(store.put(refOf(thread, "2", "sub:1"), {}, checkpointOf("2"), metadataOf(0)));
        SG_VERIFY_OK(store.putWrites(refOf(thread, "1"), { writeOf("task", "x", 1) }));
    }
    SG_VERIFY_OK(store.deleteThread(ThreadId("a")));
    SG_VERIFY_OK(store.deleteThread(ThreadId("missing")));
    QCOMPARE(listed(store, {}), std::string("b/sub:1/2 b/1"));
    QCOMPARE(writesOf(store, refOf("b", "1")), std::string("task[0] x=1"));
    SG_VERIFY_OK(store.put(refOf("a", "1"), {}, checkpointOf("1"), metadataOf(0)));
    QCOMPARE(writesOf(store, refOf("a", "1")), std::string());
}

inline void summarizesThreads(CheckpointStore& store)
{
    for (const auto& [thread, id] :
         { std::pair("a", "1"), std::pair("a", "4"), std::pair("b", "2"), std::pair("c", "3") }) {
        Checkpoint checkpoint = checkpointOf(id);
        checkpoint.timestamp = std::string("2026-01-0") + id + "T00:00:00+00:00";
        SG_VERIFY_OK(store.put(refOf(thread, id), {}, checkpoint, metadataOf(0)));
    }
    SG_VERIFY_OK(store.put(refOf("b", "9", "sub:1"), {}, checkpointOf("9"), metadataOf(0)));
    const auto threads = store.threads();
    SG_VERIFY_OK(threads);
    std::string text;
    for (const ThreadSummary& thread : *threads)
        text += thread.thread.value + " " + std::to_string(thread.checkpoints) + " " + thread.head.value + " "
            + thread.updatedAt + ";";
    QCOMPARE(text,
             std::string("a 2 4 2026-01-04T00:00:00+00:00;c 1 3 2026-01-03T00:00:00+00:00;b 1 2 "
                         "2026-01-02T00:00:00+00:00;"));
}

inline void togetherIsAllOrNothing(CheckpointStore& store)
{
    SG_VERIFY_OK(store.put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    SG_VERIFY_OK(store.putWrites(refOf("t", "1"), { writeOf("a", "__resume__", "old") }));
    const auto work = [&](bool fails) {
        return [&store, fails]() -> Result<void> {
            if (auto done = store.putWrites(refOf("t", "1"), { writeOf("a", "__resume__", "new") }); !done)
                return done;
            if (auto done = store.put(refOf("t", "1"), {}, checkpointOf("1", { { "x", 1 } }), metadataOf(7));
                !done)
                return done;
            if (auto done = store.put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1));
                !done)
                return done;
            if (auto done = store.deleteThread(ThreadId("t2")); !done)
                return done;
            if (listed(store, {}) != "t/2 t/1") // sees what it has written
                return Error{ Errc::Io, "not seen: " + listed(store, {}) };
            return fails ? Result<void>(Error{ Errc::Cancelled, "on purpose" }) : Result<void>();
        };
    };
    SG_VERIFY_OK(store.put(refOf("t2", "1"), {}, checkpointOf("1"), metadataOf(0)));
    const auto failed = store.together(work(true));
    QVERIFY(!failed);
    QCOMPARE(failed.error().message, std::string("on purpose"));
    QCOMPARE(listed(store, {}), std::string("t/1 t2/1"));
    QCOMPARE(writesOf(store, refOf("t", "1")), std::string("a[-4] __resume__=\"old\""));
    const auto before = store.get(ThreadId("t"), "", {});
    SG_VERIFY_OK(before);
    QCOMPARE((*before)->metadata.step, std::int64_t(0));

    SG_VERIFY_OK(store.together(work(false)));
    QCOMPARE(listed(store, {}), std::string("t/2 t/1"));
    QCOMPARE(writesOf(store, refOf("t", "1")), std::string("a[-4] __resume__=\"new\""));
}

inline void togetherNests(CheckpointStore& store)
{
    const auto inner = [&] { return store.put(refOf("t", "2"), {}, checkpointOf("2"), metadataOf(0)); };
    const auto failed = store.together([&]() -> Result<void> {
        if (auto done = store.together(inner); !done)
            return done;
        return Error{ Errc::Cancelled, "on purpose" };
    });
    QVERIFY(!failed);
    QCOMPARE(listed(store, {}), std::string());
    SG_VERIFY_OK(store.together([&] { return store.together(inner); }));
    QCOMPARE(listed(store, {}), std::string("t/2"));
}

inline RunRecord runOf(std::string_view id, std::string_view thread, int second)
{
    RunRecord run;
    run.id = RunId(std::string(id));
    run.thread = ThreadId(std::string(thread));
    run.graph = "counter";
    run.startedAt = WallTime(std::chrono::seconds(1'795'248'000 + second));
    run.status = "running";
    return run;
}

inline std::string runIds(const Result<std::vector<RunRecord>>& runs)
{
    std::string text;
    for (const RunRecord& run : *runs)
        text += (text.empty() ? "" : " ") + run.id.value + ":" + run.status;
    return text;
}

inline void remembersRuns(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.runs(ThreadId("a")));
    QCOMPARE(runIds(log.lastRuns()), std::string());
    SG_VERIFY_OK(log.startRun(runOf("r1", "a", 1)));
    SG_VERIFY_OK(log.startRun(runOf("r3", "a", 3)));
    SG_VERIFY_OK(log.startRun(runOf("r2", "b", 2)));
    const WallTime end = runOf("", "", 5).startedAt + std::chrono::microseconds(7);
    SG_VERIFY_OK(log.finishRun(RunId("r1"), end, "failed", "it broke", 4));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string("r3:running r1:failed"));
    QCOMPARE(runIds(log.lastRuns()), std::string("r3:running r2:running"));
    const auto runs = log.runs(ThreadId("a"));
    const RunRecord& run = runs->back();
    QCOMPARE(run.graph, std::string("counter"));
    QVERIFY(run.startedAt == runOf("", "", 1).startedAt);
    QVERIFY(run.finishedAt == end);
    QCOMPARE(run.error, std::string("it broke"));
    QCOMPARE(run.supersteps, std::int64_t(4));
    QVERIFY(!runs->front().finishedAt);
}

inline void remembersTasks(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    TaskRecord task;
    task.checkpoint = refOf("a", "1", "sub:1");
    task.task = TaskId("t1");
    task.node = NodeId("n");
    task.step = 2;
    task.startedAt = runOf("", "", 9).startedAt;
    task.seconds = 0.25;
    task.outcome = "failed";
    task.error = "ValueError";
    task.detail = "Traceback …";
    SG_VERIFY_OK(log.addTask(task));
    task.attempt = 2;
    task.startedAt += std::chrono::seconds(1);
    SG_VERIFY_OK(log.addTask(task));
    task.outcome = "done";
    SG_VERIFY_OK(log.addTask(task)); // the same attempt
    const auto tasks = log.tasksOf(ThreadId("a"));
    SG_VERIFY_OK(tasks);
    QCOMPARE(tasks->size(), std::size_t(2));
    QCOMPARE(tasks->front().outcome, std::string("failed"));
    const TaskRecord& second = tasks->back();
    QVERIFY(second.checkpoint == task.checkpoint);
    QCOMPARE(second.task.value, std::string("t1"));
    QCOMPARE(second.node.value, std::string("n"));
    QCOMPARE(second.step, std::int64_t(2));
    QCOMPARE(second.attempt, std::int64_t(2));
    QVERIFY(second.startedAt == task.startedAt);
    QCOMPARE(second.seconds, 0.25);
    QCOMPARE(second.outcome, std::string("done"));
    QCOMPARE(second.error, std::string("ValueError"));
    QCOMPARE(second.detail, std::string("Traceback …"));
}

inline LogRecord logOf(std::string_view run, std::string_view bytes)
{
    LogRecord record;
    record.run = RunId(std::string(run));
    record.time = runOf("", "", 1).startedAt;
    record.task = TaskId("t");
    record.node = NodeId("n");
    record.step = 3;
    record.stream = "stdout";
    record.bytes = bytes;
    return record;
}

inline std::string logText(const Result<std::vector<LogRecord>>& records)
{
    std::string text;
    for (const LogRecord& record : *records)
        text +=
            (text.empty() ? "" : " ") + record.run.value + std::to_string(record.seq) + ":" + record.bytes;
    return text;
}

inline void remembersTheLog(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.startRun(runOf("q", "a", 1)));
    SG_VERIFY_OK(log.startRun(runOf("r", "a", 2)));
    SG_VERIFY_OK(log.addLog({ logOf("q", "one"), logOf("q", std::string_view("\xFF\0\x1B", 3)) }));
    SG_VERIFY_OK(log.addLog({ logOf("r", "a"), logOf("q", "three"), logOf("r", "b"), logOf("r", "c") }));
    SG_VERIFY_OK(log.addLog({}));
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string("r0:a r1:b r2:c"));
    QCOMPARE(logText(log.logOf(RunId("r"), 1, 1)), std::string("r1:b"));
    QCOMPARE(logText(log.logOf(RunId("r"), 9, 10)), std::string());
    QCOMPARE(logText(log.logOf(RunId("unknown"), 0, 10)), std::string());
    QCOMPARE(logText(log.logTail(ThreadId("a"), 4)), std::string("q2:three r0:a r1:b r2:c"));
    QCOMPARE(logText(log.logTail(ThreadId("a"), 2)), std::string("r1:b r2:c"));
    const auto bytes = log.logOf(RunId("q"), 1, 1);
    QCOMPARE(bytes->front().bytes, std::string("\xFF\0\x1B", 3));
    QCOMPARE(bytes->front().stream, std::string("stdout"));
    QCOMPARE(bytes->front().step, std::int64_t(3));
    QCOMPARE(bytes->front().node.value, std::string("n"));
    QVERIFY(bytes->front().time == runOf("", "", 1).startedAt);
}

inline void theRunLogTakesPartInTransactions(CheckpointStore& store)
{
    RunLog& log = store.runLog();
    SG_VERIFY_OK(log.startRun(runOf("r", "a", 1)));
    SG_VERIFY_OK(log.addLog({ logOf("r", "kept") }));
    const auto failed = store.together([&]() -> Result<void> {
        TaskRecord task;
        task.checkpoint = refOf("a", "1");
        const bool stored = log.addTask(task) && log.addLog({ logOf("r", "lost") })
            && log.startRun(runOf("s", "a", 2)) && log.finishRun(RunId("r"), {}, "done", "", 1)
            && store.deleteThread(ThreadId("a"));
        return Error{ Errc::Cancelled, stored ? "on purpose" : "not stored" };
    });
    QCOMPARE(failed.error().message, std::string("on purpose"));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string("r:running"));
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string("r0:kept"));
    QCOMPARE(log.tasksOf(ThreadId("a"))->size(), std::size_t(0));

    SG_VERIFY_OK(store.deleteThread(ThreadId("a")));
    QCOMPARE(runIds(log.runs(ThreadId("a"))), std::string());
    QCOMPARE(logText(log.logOf(RunId("r"), 0, 10)), std::string());
}

inline const std::vector<StoreCheck>& checkpointStoreChecks()
{
    static const std::vector<StoreCheck> checks{
        { "keepsACheckpointAsItWas", keepsACheckpointAsItWas },
        { "getsTheNewestOfANamespace", getsTheNewestOfANamespace },
        { "replacesACheckpointOfTheSameId", replacesACheckpointOfTheSameId },
        { "listsNewestFirst", listsNewestFirst },
        { "stopsListingWhenToldTo", stopsListingWhenToldTo },
        { "listsWithOrWithoutWrites", listsWithOrWithoutWrites },
        { "aVisitorMayReadAndWrite", aVisitorMayReadAndWrite },
        { "filtersByMetadata", filtersByMetadata },
        { "refusesHostileFilterKeys", refusesHostileFilterKeys },
        { "ordersWritesByPathTaskAndIndex", ordersWritesByPathTaskAndIndex },
        { "numbersSpecialChannels", numbersSpecialChannels },
        { "onlySpecialWritesAreReplaced", onlySpecialWritesAreReplaced },
        { "takesTheWritesOfSeveralTasksAtOnce", takesTheWritesOfSeveralTasksAtOnce },
        { "keepsTypeTags", keepsTypeTags },
        { "copiesARecord", copiesARecord },
        { "deletesOneThread", deletesOneThread },
        { "summarizesThreads", summarizesThreads },
        { "togetherIsAllOrNothing", togetherIsAllOrNothing },
        { "togetherNests", togetherNests },
        { "remembersRuns", remembersRuns },
        { "remembersTasks", remembersTasks },
        { "remembersTheLog", remembersTheLog },
        { "theRunLogTakesPartInTransactions", theRunLogTakesPartInTransactions },
    };
    return checks;
}

} // namespace sg::checkpoint::conformance
