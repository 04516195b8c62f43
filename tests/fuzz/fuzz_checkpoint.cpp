// The columns of LangGraph's tables: checkpoints, metadata and typed values, and all that looks into values.
// The first byte says which.

#include "core/base/json.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/engine/errors/python_text.h"
#include "core/engine/errors/stored_error.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;
using namespace sg::checkpoint;
using fuzz::expect;

namespace {

void lookAt(const Value& value)
{
    toJson(plainValue(value));
    asInterrupt(value);
    asCommand(value);
    asOverwrite(value);
    asDeltaSnapshot(value);
    asSet(value);
    if (const auto send = asSend(value))
        expect(asSend(makeSend(send->node, send->arg)).has_value(), "a Send is a Send again");
    if (const auto message = asMessage(value); message && message->isMap())
        makeMessage(message->asMap());
    engine::pythonRepr(value);
    engine::pythonText(value);
    engine::sortedJson(value);
    if (value.isString())
        engine::parseStoredError(value.asString());
}

void readTyped(const std::string& type, std::string_view blob)
{
    const auto value = loadsTyped(type, blob);
    if (!value)
        return;
    lookAt(*value);
    if (value->isList())
        for (const Value& item : value->asList())
            lookAt(item);
    if (value->isMap())
        makeMessage(value->asMap());
    if (type == "json")
        return; // written in today's form
    const TypedBlob stored = dumpsTyped(*value, type);
    const auto again = loadsTyped(stored.type, stored.blob);
    expect(static_cast<bool>(again), "what was written is read", stored.type);
    const TypedBlob twice = dumpsTyped(*again, stored.type);
    expect(twice == stored, "written twice, it is the same", stored.type);
}

void readCheckpoint(const char* type, std::string_view blob)
{
    peekTimestamp(blob);
    const auto read = decodeCheckpoint(type, blob);
    if (!read)
        return;
    const std::string stored = encodeCheckpoint(*read);
    const auto again = decodeCheckpoint("msgpack", stored);
    expect(static_cast<bool>(again), "what was written is read", again ? "" : again.error().message);
    expect(encodeCheckpoint(*again) == stored, "written twice, it is the same");
}

void readMetadata(std::string_view json)
{
    const auto read = decodeMetadata(json);
    if (!read)
        return;
    const std::string stored = encodeMetadata(*read);
    const auto again = decodeMetadata(stored);
    expect(static_cast<bool>(again), "what was written is read", stored);
    expect(encodeMetadata(*again) == stored, "written twice, it is the same", stored);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Pieces pieces(data, size);
    const int which = pieces.byte() % 8;
    switch (which) {
    case 0: readCheckpoint("msgpack", pieces.rest()); break;
    case 1: readCheckpoint("json", pieces.rest()); break;
    case 2: readMetadata(pieces.rest()); break;
    case 3: readTyped("msgpack", pieces.rest()); break;
    case 4: readTyped("json", pieces.rest()); break;
    case 5: readTyped("bytearray", pieces.rest()); break;
    case 6: readTyped("null", pieces.rest()); break;
    default: {
        const std::string type(pieces.field());
        readTyped(type, pieces.rest());
    }
    }
    return 0;
}
