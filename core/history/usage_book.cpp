#include "core/history/usage_book.h"

#include "core/checkpoint/thread_changes.h"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::history {
namespace {

constexpr std::size_t kMostThreads = 200'000; // kept calls and parents of checkpoints of all threads

} // namespace

struct UsageBook::Impl {
    struct Known {
        checkpoint::ThreadChanges::Stamp stamp;
        usage::ThreadCalls calls;
        std::list<std::string>::iterator place; // in `order`
        [[nodiscard]] std::size_t size() const { return calls.calls.size() + calls.parents.size() + 1; }
    };

    void forget(std::map<std::string, Known>::iterator one)
    {
        size -= one->second.size();
        order.erase(one->second.place);
        known.erase(one);
    }

    Result<const usage::ThreadCalls*> callsOf(const ThreadId& thread, const std::stop_token& stop)
    {
        if (auto here = history.bringHere(thread); !here)
            return std::move(here.error());
        if (!changes) {
            auto opened = checkpoint::ThreadChanges::open(database);
            if (!opened)
                return std::move(opened.error());
            changes.emplace(*std::move(opened));
        }
        auto stamp = changes->stamp(thread, {});
        if (!stamp)
            return std::move(stamp.error());
        const auto place = known.find(thread.value);
        if (place != known.end() && place->second.stamp.isSame(*stamp)) {
            order.splice(order.end(), order, place->second.place);
            return &place->second.calls;
        }
        auto runs = history.runs(thread);
        if (!runs)
            return std::move(runs.error());
        std::vector<usage::RunSpan> spans;
        for (const RunRow& row : *runs)
            spans.push_back({ row.run.id.value, isoTime(row.run.startedAt),
                              row.run.finishedAt ? isoTime(*row.run.finishedAt) : std::string() });
        usage::CallCounter counter(std::move(spans));
        auto read = checkpoint::readModelWrites(
            database, thread, [&counter](const checkpoint::ModelWrite& write) { counter.add(write); }, stop);
        if (!read)
            return std::move(read.error());
        if (place != known.end())
            forget(place);
        Known& kept = known[thread.value];
        kept = { *std::move(stamp), counter.finish(*std::move(read)),
                 order.insert(order.end(), thread.value) };
        size += kept.size();
        while (size > kMostThreads && known.size() > 1)
            forget(known.find(order.front()));
        return &kept.calls;
    }

    History& history;
    const std::filesystem::path database;
    const std::filesystem::path priceFile;
    std::mutex mutex; // guards the following members
    std::optional<checkpoint::ThreadChanges> changes;
    std::map<std::string, Known> known; // by thread
    std::list<std::string> order; // the thread asked for longest ago is first and dropped first
    std::size_t size = 0; // sum of the sizes of all known
};

UsageBook::UsageBook(History& history, std::filesystem::path database, std::filesystem::path prices)
    : m_impl(new Impl{ history,
                       std::move(database),
                       prices.empty() ? usage::priceFile() : std::move(prices),
                       {},
                       {},
                       {},
                       {},
                       0 })
{
}

UsageBook::~UsageBook() = default;

Result<usage::Roll> UsageBook::of(const ThreadId& thread, std::string_view checkpoint,
                                  const std::stop_token& stop)
{
    auto table = prices();
    if (!table)
        return std::move(table.error());
    const std::lock_guard lock(m_impl->mutex);
    auto calls = m_impl->callsOf(thread, stop);
    if (!calls)
        return std::move(calls.error());
    return usage::rollUp(**calls, checkpoint, *table);
}

Result<std::vector<usage::Sum>> UsageBook::threads(const std::stop_token& stop)
{
    auto rows = m_impl->history.threads();
    if (!rows)
        return std::move(rows.error());
    std::vector<usage::Sum> sums;
    for (const ThreadRow& row : *rows) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "adding up was stopped" };
        auto roll = of(row.thread, {}, stop);
        if (!roll)
            return std::move(roll.error()).during("thread " + row.thread.value);
        if (roll->total.calls == 0)
            continue;
        roll->total.name = row.thread.value;
        sums.push_back(std::move(roll->total));
    }
    std::ranges::stable_sort(sums, std::ranges::greater(),
                             [](const usage::Sum& sum) { return sum.input + sum.output; });
    return sums;
}

Result<usage::Prices> UsageBook::prices() const
{
    auto own = ownPrices();
    const std::filesystem::path folder = m_impl->database.parent_path();
    if (!own || folder.filename() != ".sandglass") // a database from elsewhere has no project
        return own;
    auto project = usage::loadProjectPrices(folder.parent_path() / "prices.json");
    if (!project)
        return project;
    return usage::joined(*std::move(project), *own);
}

Result<usage::Prices> UsageBook::ownPrices() const
{
    return usage::loadPrices(m_impl->priceFile);
}

Result<void> UsageBook::keepPrices(const usage::Prices& prices) const
{
    return usage::savePrices(m_impl->priceFile, prices);
}

const std::filesystem::path& UsageBook::priceFile() const
{
    return m_impl->priceFile;
}

} // namespace sg::history
