#include "core/history/search_log.h"

#include "core/query/match.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::history {
namespace {

constexpr std::int64_t kPieces = 5000; // log records read at once
constexpr std::size_t kMostOpen = 256; // unfinished lines kept; beyond that the oldest is ended
constexpr std::size_t kLongestLine = 64U << 10; // a longer line is cut here

} // namespace

double unixMilliseconds(WallTime time)
{
    return static_cast<double>(
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

void LogLines::add(const checkpoint::LogRecord& record)
{
    const auto place = m_open.try_emplace(record.task.value + '\n' + record.stream).first;
    Open& open = place->second;
    for (const char letter : record.bytes) {
        if (open.letters.empty())
            open.first = checkpoint::LogRecord{ record.seq,  record.run,  record.time,   record.task,
                                                record.node, record.step, record.stream, {} };
        if (letter == '\n' || open.letters.size() >= kLongestLine)
            give(open);
        if (letter != '\n')
            open.letters += letter;
    }
    if (record.stream == "event" && !open.letters.empty()) // each event is a line of its own
        give(open);
    if (open.letters.empty())
        m_open.erase(place);
    if (m_open.size() <= kMostOpen)
        return;
    const auto oldest =
        std::ranges::min_element(m_open, {}, [](const auto& each) { return each.second.first.seq; });
    give(oldest->second);
    m_open.erase(oldest);
}

void LogLines::give(Open& open)
{
    if (!open.letters.empty() && open.letters.back() == '\r')
        open.letters.pop_back();
    if (!open.letters.empty())
        m_take(open.first, open.letters);
    open.letters.clear();
}

void LogLines::finish()
{
    for (auto& [place, open] : m_open)
        give(open);
    m_open.clear();
}

Result<void> searchLog(History& history, const LogSearch& of, const std::stop_token& stop,
                       const std::function<void(SearchHit)>& take)
{
    LogLines lines([&](const checkpoint::LogRecord& first, const std::string& line) {
        const std::vector<std::string> nodes{ first.node.value };
        query::Subject subject;
        subject.kind = query::Kind::Log;
        subject.thread = of.thread.value;
        subject.run = of.run.value;
        if (!first.node.value.empty())
            subject.nodes = nodes;
        subject.stream = first.stream;
        subject.step = first.step;
        subject.timeMs = unixMilliseconds(first.time);
        subject.text = line;
        if (!query::matches(of.query, subject))
            return;
        SearchHit hit{ query::Kind::Log, of.thread,      {},  of.run.value, first.node.value, first.step,
                       first.stream,     subject.timeMs, line };
        const std::ptrdiff_t place = of.facts.at(subject.timeMs, first.step - 1);
        if (place >= 0)
            hit.checkpoint = of.facts.id(static_cast<std::size_t>(place));
        take(std::move(hit));
    });
    for (std::int64_t from = 0;;) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "the search was stopped" };
        auto pieces = history.logOf(of.run, from, kPieces);
        if (!pieces)
            return std::move(pieces.error());
        for (const checkpoint::LogRecord& piece : *pieces)
            lines.add(piece);
        if (static_cast<std::int64_t>(pieces->size()) < kPieces)
            break;
        from = pieces->back().seq + 1;
    }
    lines.finish();
    return {};
}

} // namespace sg::history
