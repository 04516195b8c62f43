#include "core/nodes/map_node.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/nodes/jq_node.h"

#include <utility>

namespace sg::nodes {
namespace {

constexpr std::size_t kMostItems = 10'000;

class MapBody final : public engine::NodeBody {
public:
    MapBody(std::shared_ptr<JqPrograms> programs, std::string items, std::string node)
        : m_programs(std::move(programs))
        , m_items(m_programs->add(std::move(items)))
        , m_node(std::move(node))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; } // the program computes

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        const auto items = m_programs->evaluate(m_items, context.input());
        if (!items)
            return jqFailure(items.error());
        if (!items->isList())
            return engine::failed("TypeError",
                                  "\"items\" must give a list, not " + cutText(toJson(*items), 200));
        if (items->asList().size() > kMostItems)
            return engine::failed("ValueError",
                                  "\"items\" gives " + std::to_string(items->asList().size())
                                      + " items; at most " + std::to_string(kMostItems)
                                      + " are sent at once");
        ValueList sends;
        for (const Value& item : items->asList())
            sends.push_back(checkpoint::makeSend(m_node, item));
        checkpoint::CommandView command;
        command.goTo = Value(std::move(sends));
        return engine::Returned{ checkpoint::makeCommand(command) };
    }

private:
    const std::shared_ptr<JqPrograms> m_programs;
    const std::size_t m_items;
    const std::string m_node;
};

class LimitedBody final : public engine::NodeBody {
public:
    LimitedBody(std::unique_ptr<engine::NodeBody> body, std::string node, std::shared_ptr<NodeLimits> limits)
        : m_body(std::move(body))
        , m_node(std::move(node))
        , m_limits(std::move(limits))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return m_body->mayBlock(); }

    engine::NodeOutcome run(engine::TaskContext& context) override
    {
        if (!m_body->mayBlock()) // such tasks run one after another anyway
            return m_body->run(context);
        if (!m_limits->enter(m_node, context.stopToken()))
            return engine::failed("CancelledError", "the run was stopped");
        const Place place{ *m_limits, m_node };
        return m_body->run(context);
    }

private:
    struct Place {
        NodeLimits& limits;
        const std::string& node;
        ~Place() { limits.leave(node); }
    };

    const std::unique_ptr<engine::NodeBody> m_body;
    const std::string m_node;
    const std::shared_ptr<NodeLimits> m_limits;
};

} // namespace

void NodeLimits::set(const std::string& node, std::size_t most)
{
    const std::lock_guard lock(m_mutex);
    m_limits[node].most = most;
}

bool NodeLimits::enter(const std::string& node, const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    const auto found = m_limits.find(node);
    if (found == m_limits.end())
        return true;
    Limit& limit = found->second;
    if (!m_left.wait(lock, stop, [&limit] { return limit.running < limit.most; }))
        return false;
    ++limit.running;
    return true;
}

void NodeLimits::leave(const std::string& node)
{
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_limits.find(node); found != m_limits.end())
        --found->second.running;
    m_left.notify_all();
}

std::unique_ptr<engine::NodeBody> withLimits(std::unique_ptr<engine::NodeBody> body, std::string node,
                                             std::shared_ptr<NodeLimits> limits)
{
    return std::make_unique<LimitedBody>(std::move(body), std::move(node), std::move(limits));
}

std::unique_ptr<engine::NodeBody> makeMapBody(std::shared_ptr<JqPrograms> programs, std::string items,
                                              std::string node)
{
    return std::make_unique<MapBody>(std::move(programs), std::move(items), std::move(node));
}

} // namespace sg::nodes
