// The bytes come out of a sandbox: the first says how the stream is cut and whether it answers a cell or a
// call.

#include "core/sessions/runner/cell_frames.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Pieces pieces(data, size);
    const std::uint8_t how = pieces.byte();
    const std::string_view stream = pieces.rest();
    std::size_t printed = 0;
    sessions::CellHandlers handlers;
    handlers.output = [&printed](const sessions::CellOutput& output) { printed += output.bytes.size(); };
    handlers.custom = [](const Value&) {};
    sessions::CellLimits limits;
    limits.outputBytes = 1000;
    sessions::CellFrames cell((how & 1) != 0, limits, {}, handlers);
    sessions::FrameReader reader;
    const std::size_t chunk = 1 + (how >> 1);
    for (std::size_t at = 0; at < stream.size(); at += chunk) {
        reader.append(stream.substr(at, chunk));
        sessions::Frame frame;
        while (true) {
            const auto whole = reader.next(frame);
            if (!whole)
                return 0;
            if (!*whole)
                break;
            const auto done = cell.take(frame);
            fuzz::expect(printed <= 1000, "no more is passed on than the limit says");
            if (!done || *done)
                return 0;
        }
    }
    return 0;
}
