#include "core/history/watch.h"

#include "core/base/json.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/expressions/input_check.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <future>
#include <unordered_map>
#include <utility>

namespace sg::history {
namespace {

constexpr std::size_t kWorthAPass = 16;
constexpr std::size_t kMostTogether = 256; // states in one evaluation
constexpr std::size_t kMostWeight = 50'000; // values in these states
constexpr std::size_t kMostHeld = 200'000; // values kept in memory; states beyond that are read one by one
constexpr std::chrono::milliseconds kDeadline{ 5000 };

// Each state's answer is [first output], [] or {"error": message}: a failing state affects no other.
std::string forMany(const std::string& program)
{
    return "[.[] | try [first(" + program
        + "\n)] catch {error: (if type == \"string\" then . else tojson end)}]";
}

std::size_t weightOf(const Value& value, std::size_t limit)
{
    std::size_t weight = 1;
    if (value.isString())
        weight += value.asString().size() / 64;
    if (value.isList())
        for (const Value& item : value.asList()) {
            if (weight >= limit)
                break;
            weight += weightOf(item, limit - weight);
        }
    if (value.isMap())
        for (const auto& [key, item] : value.asMap()) {
            if (weight >= limit)
                break;
            weight += weightOf(item, limit - weight);
        }
    return weight;
}

Result<Value> stateOf(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record)
{
    auto values = storedValues(store, record);
    return values ? Result<Value>(checkpoint::plain(*values)) : std::move(values);
}

Result<Value> stateAt(checkpoint::CheckpointStore& store, const ThreadId& thread, const CheckpointId& id)
{
    auto record = store.get(thread, "", id);
    if (!record)
        return std::move(record.error());
    if (!*record)
        return Error{ Errc::NotFound, "the checkpoint is not there any more" };
    return stateOf(store, **record);
}

// Reads the states of checkpoints that are mostly adjacent, newest first, in one pass without their writes.
// States that the pass misses are read one by one.
class States {
public:
    States(checkpoint::CheckpointStore& store, checkpoint::StateValues* file, const ThreadId& thread,
           std::span<const CheckpointId> checkpoints)
        : m_store(store)
        , m_thread(thread)
    {
        if (checkpoints.size() < kWorthAPass)
            return;
        m_wanted.assign(checkpoints.begin(), checkpoints.end());
        std::ranges::sort(m_wanted);
        m_wanted.erase(std::unique(m_wanted.begin(), m_wanted.end()), m_wanted.end());
        m_known.reserve(m_wanted.size());
        // If the pass fails, each state is read alone and reports its own error.
        if (file != nullptr)
            readFile(*file);
        else
            readStore();
    }

    Result<Value> at(const CheckpointId& id)
    {
        if (auto known = m_known.extract(id); !known.empty())
            return std::move(known.mapped());
        return stateAt(m_store, m_thread, id);
    }

private:
    void readFile(checkpoint::StateValues& file)
    {
        static_cast<void>(
            file.read(m_thread, m_wanted.back(), limit(), [&](const CheckpointId& id, const Value* channels) {
                if (channels != nullptr && isWanted(id)) {
                    ValueMap values;
                    for (const auto& [channel, value] : channels->asMap())
                        if (channel.isString() && isStateChannel(channel.asString()))
                            values.set(channel, value);
                    keep(id, checkpoint::plain(Value(std::move(values))));
                }
                return goesOn(id);
            }));
    }

    void readStore()
    {
        checkpoint::CheckpointQuery query;
        query.thread = m_thread;
        query.ns = "";
        query.before = CheckpointId(m_wanted.back().value + "~"); // sorts after the id and so includes it
        query.limit = limit();
        query.withWrites = false;
        static_cast<void>(m_store.list(query, [&](const checkpoint::CheckpointRecord& record) {
            if (record.problem.empty() && isWanted(record.ref.id))
                keep(record.ref.id, stateOf(m_store, record));
            return goesOn(record.ref.id);
        }));
    }

    void keep(const CheckpointId& id, Result<Value> state)
    {
        m_weight += state ? weightOf(*state, kMostHeld) : 1;
        m_known.emplace(id, std::move(state));
    }

    // Checkpoints of other branches lie in between.
    [[nodiscard]] std::int64_t limit() const { return static_cast<std::int64_t>(2 * m_wanted.size()); }
    [[nodiscard]] bool isWanted(const CheckpointId& id) const
    {
        return std::ranges::binary_search(m_wanted, id);
    }
    [[nodiscard]] bool goesOn(const CheckpointId& read) const
    {
        return !(read < m_wanted.front()) && m_known.size() < m_wanted.size() && m_weight < kMostHeld;
    }

    checkpoint::CheckpointStore& m_store;
    const ThreadId& m_thread;
    std::vector<CheckpointId> m_wanted; // in order
    std::unordered_map<CheckpointId, Result<Value>> m_known;
    std::size_t m_weight = 0;
};

struct Batch {
    ValueList states;
    std::size_t weight = 0;
    std::size_t first = 0; // the first point that they are for
};

void take(const Value& answer, WatchPoint& point)
{
    if (answer.isMap())
        point.error = answer["error"].isString() ? answer["error"].asString() : "the program failed";
    else if (answer.isList() && !answer.asList().empty())
        point.value = answer[0];
}

} // namespace

Watch::Watch(checkpoint::CheckpointStore& store, ThreadId thread, std::string program,
             const std::string& helper, const std::filesystem::path& database)
    : m_store(store)
    , m_thread(std::move(thread))
    , m_program(std::move(program))
    , m_helper(helper)
{
    if (!database.empty())
        if (auto file = checkpoint::StateValues::open(database))
            m_file.emplace(std::move(*file));
    expressions::JqLimits limits;
    limits.deadline = kDeadline;
    m_evaluator = expressions::makeJqProcess({ forMany(m_program), m_program }, m_helper, limits);
}

Watch::Watch(Watch&&) noexcept = default;
Watch::~Watch() = default;

Result<void> Watch::check()
{
    auto problems = expressions::checkJqPrograms({ m_program }, m_helper);
    if (!problems)
        return std::move(problems.error());
    if (!problems->empty())
        return Error{ Errc::InvalidArgument, problems->front().message };
    return {};
}

Result<void> Watch::evaluate(const ValueList& states, std::span<WatchPoint> points)
{
    auto answers = m_evaluator->evaluate(0, Value(states));
    if (answers && answers->size() == 1 && (*answers)[0].isList()
        && (*answers)[0].asList().size() == states.size()) {
        for (std::size_t i = 0; i < states.size(); ++i)
            take((*answers)[0][i], points[i]);
        return {};
    }
    // The batch failed: it is too slow, too large, or the program behaves differently on a list.
    for (std::size_t i = 0; i < states.size(); ++i) {
        auto alone = m_evaluator->evaluate(1, states[i]);
        if (alone && !alone->empty())
            points[i].value = std::move(alone->front());
        else if (!alone)
            points[i].error = alone.error().message;
        if (!alone && alone.error().code == Errc::Timeout)
            return std::move(alone.error()); // the others would take as long
    }
    return {};
}

Result<void> Watch::add(std::span<const CheckpointId> checkpoints, std::vector<WatchPoint>& points,
                        std::future<Result<void>>& underWay)
{
    Batch batch;
    const auto finish = [&]() -> Result<void> {
        if (batch.states.empty())
            return {};
        if (underWay.valid())
            if (auto before = underWay.get(); !before)
                return before;
        const std::span<WatchPoint> answers(points.data() + batch.first, batch.states.size());
        underWay = std::async(std::launch::async, [this, answers, full = std::exchange(batch, {})] {
            return evaluate(full.states, answers);
        });
        return {};
    };
    States known(m_store, m_file ? &*m_file : nullptr, m_thread, checkpoints);
    for (const CheckpointId& id : checkpoints) {
        auto state = known.at(id);
        auto fits = state ? expressions::fittedJqInput(m_program, *state)
                          : Result<std::optional<Value>>(std::nullopt);
        if (state && fits && *fits)
            state = **std::move(fits);
        if (!state || !fits) {
            if (auto done = finish(); !done)
                return done;
            points.push_back({ id, {}, !state ? state.error().message : fits.error().message });
            continue;
        }
        if (batch.states.empty())
            batch.first = points.size();
        points.push_back({ .checkpoint = id });
        batch.weight += weightOf(*state, kMostWeight);
        batch.states.push_back(std::move(*state));
        if (batch.weight >= kMostWeight)
            if (auto done = finish(); !done)
                return done;
    }
    return finish();
}

// The helper evaluates one batch while the next is read.
Result<std::vector<WatchPoint>> Watch::points(const std::vector<CheckpointId>& checkpoints)
{
    std::vector<WatchPoint> points;
    points.reserve(checkpoints.size()); // reserved, because the batch under way writes into it
    std::future<Result<void>> underWay;
    const std::span<const CheckpointId> all(checkpoints);
    for (std::size_t first = 0; first < all.size(); first += kMostTogether)
        if (auto added =
                add(all.subspan(first, std::min(kMostTogether, all.size() - first)), points, underWay);
            !added)
            return std::move(added.error());
    if (underWay.valid())
        if (auto last = underWay.get(); !last)
            return std::move(last.error());
    return points;
}

} // namespace sg::history
