#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "tests/fault/random_workflow.h"

#include <chrono>
#include <functional>
#include <thread>

namespace sg::fault {
namespace {

using engine::NodeOutcome;
using engine::TaskContext;

class Body final : public engine::NodeBody {
public:
    Body(bool blocks, std::function<NodeOutcome(TaskContext&)> run)
        : m_blocks(blocks)
        , m_run(std::move(run))
    {
    }
    [[nodiscard]] bool mayBlock() const override { return m_blocks; }
    NodeOutcome run(TaskContext& context) override { return m_run(context); }

private:
    bool m_blocks;
    std::function<NodeOutcome(TaskContext&)> m_run;
};

std::unique_ptr<engine::NodeBody> body(bool blocks, std::function<NodeOutcome(TaskContext&)> run)
{
    return std::make_unique<Body>(blocks, std::move(run));
}

// A line that tells apart what a node was given.
Value update(const std::string& name, const Value& settings, const std::string& given)
{
    const std::string line = name + ' ' + xxh3Hex(given).substr(0, 12);
    const std::string pad(static_cast<std::size_t>(settings.intOr("pad", 0)), 'p');
    Value out = Value::map(
        { { "log", Value::list({ Value(line + pad) }) }, { "n", 1 }, { "all", Value::list({ name }) } });
    if (settings.boolOr("changes", false))
        out.editMap().set("changes", Value::list({ line }));
    return out;
}

NodeOutcome work(const std::string& name, const Value& settings, Journal* journal, TaskContext& context)
{
    if (journal != nullptr) {
        journal->taskStarts(context.info());
        if (const auto micros = settings.intOr("micros", 0); micros > 0)
            std::this_thread::sleep_for(std::chrono::microseconds(micros));
    }
    if (context.info().attempt <= settings.intOr("fails", 0))
        return engine::Failure{ "ValueError", name + " fails" };
    std::string given = toJson(context.input());
    for (std::int64_t question = settings.intOr("asks", 0); question > 0; --question) {
        const auto answer = context.interrupt(Value("why, " + name + "?"));
        if (!answer)
            return engine::Interrupted{};
        given += toJson(*answer);
    }
    if (settings.find("in") != nullptr) {
        const auto result = context.runSubgraph(Value::map({ { "log", Value::list({ given }) } }));
        if (!result)
            return engine::Interrupted{};
        given = toJson(*result);
    }
    return engine::Returned{ update(name, settings, given) };
}

NodeOutcome route(const Value& settings, const TaskContext& context)
{
    const std::int64_t done = context.input().intOr("n", 0);
    const bool goesOn = done < settings.intOr("limit", 0);
    if (settings.find("worker") == nullptr)
        return engine::Returned{ settings[goesOn ? "again" : "over"] };
    ValueList sends;
    for (std::int64_t i = 0; goesOn && i < settings.intOr("count", 0); ++i)
        sends.push_back(
            checkpoint::makeSend(settings.stringOr("worker", ""), Value::map({ { "i", i }, { "n", done } })));
    return engine::Returned{ Value(std::move(sends)) };
}

} // namespace

Result<std::unique_ptr<engine::NodeBody>> WorkNodes::makeNode(const graph::Node& node)
{
    const Value settings(node.settings);
    return body(settings.boolOr("blocks", false),
                [settings, name = node.name.value, journal = m_journal](TaskContext& context) {
                    return work(name, settings, journal, context);
                });
}

Result<std::unique_ptr<engine::NodeBody>> WorkNodes::makeBranch(const graph::Branch& branch)
{
    return body(false, [settings = Value(branch.settings)](TaskContext& context) {
        return route(settings, context);
    });
}

Result<std::unique_ptr<engine::NodeBody>> WorkNodes::makeErrorHandler(const graph::Node& node)
{
    const std::string name = "handler of " + node.name.value;
    return body(false, [name, journal = m_journal](TaskContext& context) {
        if (journal != nullptr)
            journal->taskStarts(context.info());
        return engine::Returned{ update(name, Value(ValueMap()), toJson(context.input())) };
    });
}

} // namespace sg::fault
