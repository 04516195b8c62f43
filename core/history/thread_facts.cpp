#include "core/history/thread_facts.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <unordered_map>

namespace sg::history {
namespace {

constexpr std::int64_t kPage = 5000;

} // namespace

double isoMilliseconds(const std::string& iso)
{
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    int hour = 0;
    int minute = 0;
    double second = 0;
    int used = 0;
    if (std::sscanf(iso.c_str(), "%4d-%2u-%2uT%2d:%2d:%lf%n", &year, &month, &day, &hour, &minute, &second,
                    &used)
        != 6)
        return std::numeric_limits<double>::quiet_NaN();
    int zoneHours = 0;
    int zoneMinutes = 0;
    char sign = '+';
    if (std::sscanf(iso.c_str() + used, "%c%2d:%2d", &sign, &zoneHours, &zoneMinutes) != 3)
        zoneHours = zoneMinutes = 0;
    const std::chrono::year_month_day date{ std::chrono::year(year), std::chrono::month(month),
                                            std::chrono::day(day) };
    if (!date.ok())
        return std::numeric_limits<double>::quiet_NaN();
    const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
    const double zone = (sign == '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes);
    return ((days * 24 + hour) * 60 + minute - zone) * 60'000 + std::floor(second * 1000);
}

std::uint32_t SharedWords::indexOf(const std::string& word)
{
    const auto [place, isNew] = m_places.try_emplace(word, static_cast<std::uint32_t>(m_words.size()));
    if (isNew)
        m_words.push_back(word);
    return place->second;
}

std::string_view ThreadFacts::id(std::size_t checkpoint) const
{
    const std::uint32_t begin = checkpoint == 0 ? 0 : checkpoints[checkpoint - 1].idEnd;
    return std::string_view(m_letters).substr(begin, checkpoints[checkpoint].idEnd - begin);
}

std::ptrdiff_t ThreadFacts::at(double timeMs, std::int64_t step) const
{
    // Ids rise with time. Checkpoints whose time is unknown have that of the one before.
    auto place = std::ranges::upper_bound(
        checkpoints, timeMs, [](double a, double b) { return a < b; }, &CheckpointFact::timeMs);
    while (place != checkpoints.begin()) {
        --place;
        if (place->step <= step)
            return place - checkpoints.begin();
    }
    return -1;
}

Result<void> ThreadFacts::refresh(const ThreadId& thread, checkpoint::ThreadChanges& changes,
                                  HistoryPages& pages, const std::stop_token& stop)
{
    auto stamp = changes.stamp(thread, m_stamp);
    if (!stamp)
        return std::move(stamp.error());
    if (stamp->isSame(m_stamp))
        return {};
    const bool isLess = stamp->checkpoints < m_stamp.checkpoints || stamp->tasks < m_stamp.tasks
        || stamp->writes < m_stamp.writes;
    std::string from = isLess ? std::string() : m_stamp.newest; // its tasks may have ended since
    if (!stamp->firstChanged.empty() && stamp->firstChanged < from)
        from = stamp->firstChanged;
    for (const bool isAgain : { false, true }) {
        cutAt(isAgain ? std::string() : from);
        if (auto done = readBehind(thread, pages, stop); !done) {
            keepPart(*std::move(stamp));
            return done;
        }
        // If checkpoints were removed meanwhile, everything is read again.
        if (static_cast<std::int64_t>(checkpoints.size()) >= stamp->checkpoints)
            break;
    }
    stamp->firstChanged.clear();
    m_stamp = *std::move(stamp);
    return {};
}

// Reads on after the last known checkpoint.
Result<void> ThreadFacts::readBehind(const ThreadId& thread, HistoryPages& pages, const std::stop_token& stop)
{
    std::optional<CheckpointId> after;
    if (!checkpoints.empty())
        after = CheckpointId(std::string(id(checkpoints.size() - 1)));
    for (bool isLast = false; !isLast;) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "reading the history was stopped" };
        auto page = pages.page(thread, "", after, kPage);
        if (!page)
            return std::move(page.error());
        add(*page);
        isLast = page->isLast || page->checkpoints.empty();
        if (!page->checkpoints.empty())
            after = page->checkpoints.back().id;
    }
    return {};
}

// Keeps what was read so far, as if the thread ended there.
void ThreadFacts::keepPart(checkpoint::ThreadChanges::Stamp stamp)
{
    m_stamp = {};
    if (checkpoints.empty())
        return;
    stamp.newest = id(checkpoints.size() - 1);
    stamp.checkpoints = static_cast<std::int64_t>(checkpoints.size());
    stamp.firstChanged.clear();
    m_stamp = std::move(stamp);
}

void ThreadFacts::cutAt(std::string_view from)
{
    std::size_t keep = checkpoints.size();
    while (keep > 0 && id(keep - 1) >= from)
        --keep;
    if (from.empty())
        keep = 0;
    checkpoints.resize(keep);
    m_letters.resize(keep == 0 ? 0 : checkpoints.back().idEnd);
    std::erase_if(tasks, [keep](const TaskFact& task) { return task.checkpoint >= keep; });
    if (keep == 0)
        texts.resize(1);
}

std::uint32_t ThreadFacts::setOf(const std::vector<NodeId>& nodes)
{
    if (nodes.empty())
        return 0;
    std::string key;
    for (const NodeId& node : nodes)
        key += node.value + '\n';
    const auto [place, isNew] = m_setPlaces.try_emplace(key, static_cast<std::uint32_t>(m_nodeSets.size()));
    if (isNew) {
        std::vector<std::string> names;
        for (const NodeId& node : nodes)
            names.push_back(node.value);
        m_nodeSets.push_back(std::move(names));
    }
    return place->second;
}

void ThreadFacts::add(const HistoryPage& page)
{
    std::unordered_map<std::string, std::uint32_t> places;
    const auto textOf = [this](const std::string& text) {
        if (text.empty())
            return std::uint32_t(0);
        texts.push_back(text);
        return static_cast<std::uint32_t>(texts.size() - 1);
    };
    for (const CheckpointRow& row : page.checkpoints) {
        places.emplace(row.id.value, static_cast<std::uint32_t>(checkpoints.size()));
        m_letters += row.id.value;
        CheckpointFact fact;
        fact.idEnd = static_cast<std::uint32_t>(m_letters.size());
        fact.step = static_cast<std::int32_t>(row.step);
        fact.source = words.indexOf(row.source.text());
        fact.nodes = setOf(row.after);
        fact.problem = textOf(row.problem);
        fact.timeMs = isoMilliseconds(row.createdAt);
        // Times must rise, whatever the file says, because at() searches them by halves.
        if (std::isnan(fact.timeMs) || (!checkpoints.empty() && fact.timeMs < checkpoints.back().timeMs))
            fact.timeMs = checkpoints.empty() ? 0 : checkpoints.back().timeMs;
        checkpoints.push_back(fact);
    }
    for (const TaskRow& row : page.tasks) {
        const auto place = places.find(row.checkpoint.value);
        if (place == places.end())
            continue;
        TaskFact fact;
        fact.checkpoint = place->second;
        fact.step = static_cast<std::int32_t>(row.step);
        fact.node = words.indexOf(row.node.value);
        fact.outcome = row.outcome;
        fact.text =
            textOf(row.error.empty() && row.detail.empty() ? std::string() : row.error + '\n' + row.detail);
        fact.attempts = static_cast<std::int32_t>(row.attempts);
        fact.seconds =
            row.seconds < 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(row.seconds);
        fact.timeMs = isoMilliseconds(row.startedAt);
        tasks.push_back(fact);
    }
}

} // namespace sg::history
