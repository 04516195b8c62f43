#include "core/history/nested_tasks.h"

#include <iterator>
#include <limits>
#include <set>

namespace sg::history {
namespace {

constexpr std::int64_t kPageOfPart = 5000;

Result<NestedTasks::Part> readPart(const ThreadId& thread, const std::string& ns, HistoryPages& pages)
{
    NestedTasks::Part part;
    std::optional<CheckpointId> after;
    for (bool isLast = false; !isLast;) {
        auto page = pages.page(thread, ns, after, kPageOfPart);
        if (!page)
            return std::move(page.error());
        isLast = page->isLast || page->checkpoints.empty();
        part.checkpoints += std::ssize(page->checkpoints);
        if (!page->checkpoints.empty()) {
            after = page->checkpoints.back().id;
            part.hasEnded = page->checkpoints.back().next.empty();
        }
        part.tasks.insert(part.tasks.end(), std::make_move_iterator(page->tasks.begin()),
                          std::make_move_iterator(page->tasks.end()));
    }
    return part;
}

} // namespace

Result<void> NestedTasks::refresh(const ThreadId& thread, HistoryPages& pages, const std::stop_token& stop)
{
    const auto names = pages.namespaces(thread, std::numeric_limits<std::int64_t>::max());
    if (!names)
        return names.error();
    const std::set<std::string> known(names->begin(), names->end());
    std::erase_if(m_parts, [&known](const auto& each) { return !known.contains(each.first); });
    for (const std::string& ns : known) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "reading the subgraphs was stopped" };
        if (const auto have = m_parts.find(ns); have != m_parts.end() && have->second.hasEnded) {
            const auto count = pages.count(thread, ns);
            if (!count)
                return count.error();
            if (*count == have->second.checkpoints)
                continue;
        }
        auto part = readPart(thread, ns, pages);
        if (!part)
            return std::move(part.error());
        m_parts[ns] = std::move(*part);
    }
    return {};
}

} // namespace sg::history
