// Any bytes: refused, or a value that is written and read back the same.

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto value = sg::decodeMsgpack(sg::fuzz::textOf(data, size));
    if (!value)
        return 0;
    const std::string once = sg::encodeMsgpackOfRun(*value);
    const auto again = sg::decodeMsgpack(once);
    sg::fuzz::expect(static_cast<bool>(again), "what was written is read", once);
    sg::fuzz::expect(sg::encodeMsgpackOfRun(*again) == once, "written twice, it is the same", once);
    const auto third = sg::decodeMsgpack(once);
    if (*again == *third) // it holds no NaN, which equals nothing
        sg::fuzz::expect(*value == *again && value->hash() == again->hash(), "read back, it is equal");
    const auto stored = sg::decodeMsgpack(sg::encodeMsgpack(*value));
    sg::fuzz::expect(static_cast<bool>(stored), "what is stored is read", once);
    const std::string json = sg::toJson(*value);
    sg::fuzz::expect(static_cast<bool>(sg::parseJson(json)) || json.find("\":") != std::string::npos,
                     "its JSON text is JSON, but for keys that look alike", json);
    return 0;
}
