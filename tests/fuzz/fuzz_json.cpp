// Any text: refused with its place, or a value that is written and read back the same.

#include "core/base/json.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const auto value = parseJson(text);
    const auto source = parseJsonSource(text);
    fuzz::expect(static_cast<bool>(value) == static_cast<bool>(source), "both readers agree");
    if (!value) {
        fuzz::expect(!value.error().message.empty(), "the error says something");
        return 0;
    }
    for (const JsonStyle style : { JsonStyle::Compact, JsonStyle::Spaced, JsonStyle::Indented }) {
        const std::string written = toJson(*value, style);
        const auto again = parseJson(written);
        fuzz::expect(static_cast<bool>(again), "what was written is read", written);
        fuzz::expect(toJson(*again, style) == written, "written twice, it is the same", written);
    }
    return 0;
}
