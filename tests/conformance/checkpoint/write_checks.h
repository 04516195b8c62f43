#pragma once

#include "tests/conformance/checkpoint/store_fixture.h"

namespace sg::checkpoint::conformance {

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

} // namespace sg::checkpoint::conformance
