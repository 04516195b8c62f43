#pragma once

#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/conformance/checkpoint/store_fixture.h"

namespace sg::checkpoint::conformance {

inline void keepsACheckpointAsItWas(CheckpointStore& store)
{
    Checkpoint checkpoint = checkpointOf(
        "1",
        { { "b", 1 },
          { "a", Value::list({ nullptr, true, -7, 2.5, "ü\n", Bytes{ std::string("\0\xFF", 2) } }) },
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
    QCOMPARE(Value(found.checkpoint.channelVersions), Value(checkpoint.channelVersions));
    QCOMPARE(Value(found.checkpoint.versionsSeen), Value(checkpoint.versionsSeen));
    QVERIFY(found.checkpoint.updatedChannels == checkpoint.updatedChannels);
    QCOMPARE(Value(found.checkpoint.unknown), Value(checkpoint.unknown));
    QVERIFY(found.metadata.source == Source::Loop);
    QCOMPARE(found.metadata.step, std::int64_t(3));
    QCOMPARE(Value(found.metadata.parents), Value(metadata.parents));
    QCOMPARE(toJson(Value(found.metadata.extra)), std::string(R"({"user":"Zoë","ratio":0.5})"));
    QVERIFY(found.writes.empty());
    QVERIFY(found.problem.empty());
}

// PostgreSQL's JSON has an order of its own; no program depends on this one.
inline void keepsTheOrderOfChannels(CheckpointStore& store)
{
    SG_VERIFY_OK(
        store.put(refOf("t", "1"), {}, checkpointOf("1", { { "b", 1 }, { "a", 2 } }), metadataOf(0)));
    const auto record = store.get(ThreadId("t"), "", {});
    SG_VERIFY_OK(record);
    QCOMPARE(toJson(Value((*record)->checkpoint.channelValues)), std::string(R"({"b":1,"a":2})"));
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

} // namespace sg::checkpoint::conformance
