#include "core/runs/cell_log.h"

#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/engine/run_event.h"
#include "core/runs/runs.h"

#include <chrono>
#include <utility>

namespace sg::runs {
namespace {

constexpr std::size_t kIdBytes = 16;

using Stream = sessions::CellOutput::Stream;

engine::LogLine::Stream streamOf(Stream stream)
{
    switch (stream) {
    case Stream::Stdout: return engine::LogLine::Stream::Stdout;
    case Stream::Stderr: return engine::LogLine::Stream::Stderr;
    case Stream::Event: return engine::LogLine::Stream::Event;
    }
    return engine::LogLine::Stream::Event;
}

std::string newCell()
{
    std::array<char, kIdBytes> bytes{};
    fillRandomBytes(bytes.data(), bytes.size());
    return "cell:" + toHex({ bytes.data(), bytes.size() });
}

} // namespace

CellLog::CellLog(Runs& runs, ThreadId thread)
    : m_runs(runs)
    , m_thread(std::move(thread))
    , m_cell(newCell())
{
}

WallTime CellLog::add(const sessions::CellOutput& output)
{
    const WallTime now = std::chrono::system_clock::now();
    if (output.bytes.empty())
        return now;
    m_isBegun.at(static_cast<std::size_t>(output.stream)) = output.bytes.back() != '\n';
    engine::LogLine piece;
    piece.task = m_cell;
    piece.node = NodeId(kNode);
    piece.stream = streamOf(output.stream);
    piece.bytes = output.bytes;
    m_runs.keepCellOutput(m_thread, now, std::move(piece));
    return now;
}

void CellLog::end()
{
    for (const Stream stream : { Stream::Stdout, Stream::Stderr, Stream::Event })
        if (m_isBegun.at(static_cast<std::size_t>(stream)))
            add({ stream, "\n" });
    m_runs.flushLog();
}

} // namespace sg::runs
