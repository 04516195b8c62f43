#include "core/nodes/dataset_node.h"

#include "core/datasets/dataset_desk.h"
#include "core/nodes/session_failure.h"

#include <utility>

namespace sg::nodes {
namespace {

using engine::TaskContext;

class DatasetBody final : public engine::NodeBody {
public:
    DatasetBody(std::shared_ptr<const NodeWorld> world, DatasetChoice choice)
        : m_world(std::move(world))
        , m_choice(std::move(choice))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(TaskContext& context) override
    {
        std::string id = m_choice.dataset;
        if (id.empty()) {
            const Value& named = context.input()[m_choice.from];
            if (!named.isString())
                return engine::failed("TypeError",
                                      "the channel '" + m_choice.from + "' must hold a dataset's name");
            id = named.asString();
        }
        if (m_world->sessions == nullptr || m_world->datasets == nullptr)
            return sessionFailure(context.info(),
                                  { Errc::Unavailable, "this run was started without sandbox sessions" });
        auto session = m_world->sessions->acquire(
            context.info().thread, m_world->sharing.specOf(m_world->session, sharedPart(context.info())),
            context.stopToken(),
            [&](const std::string& line) { context.log(TaskContext::Stream::Event, line); },
            sessions::SessionManager::For::Run);
        if (!session)
            return sessionFailure(context.info(), session.error());
        const auto staged = m_world->datasets->select(
            **session, id, [&] { return !context.stopToken().stop_requested(); },
            [&](const std::string& line) { context.log(TaskContext::Stream::Event, line); });
        if (!staged)
            return engine::failed("DatasetError", staged.error().message);
        return engine::Returned{ Value(ValueMap{ { m_choice.channel, staged->path } }) };
    }

private:
    // The session of the nodes that have none of their own.
    [[nodiscard]] sessions::SessionPart sharedPart(const engine::TaskInfo& task) const
    {
        return m_world->sharing.scope == sessions::SessionScope::Run ? sessions::SessionPart::ofRun(task.run)
                                                                     : sessions::SessionPart();
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const DatasetChoice m_choice;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeDatasetBody(std::shared_ptr<const NodeWorld> world,
                                                  DatasetChoice choice)
{
    return std::make_unique<DatasetBody>(std::move(world), std::move(choice));
}

} // namespace sg::nodes
