#include "core/workers/role_pools.h"

#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/expressions/jq_evaluator.h"
#include "core/workers/role_grant.h"

#include <array>
#include <map>
#include <mutex>
#include <utility>

namespace sg::workers {
namespace {

std::string newClient()
{
    std::array<char, 8> chance{};
    fillRandomBytes(chance.data(), chance.size());
    return toHex({ chance.data(), chance.size() });
}

// Evaluates the programs of partitions, each in a helper that is started when it is first needed.
class PartitionPrograms {
public:
    Result<Value> evaluate(const std::string& program, const Value& input)
    {
        std::shared_ptr<expressions::JqEvaluator> evaluator;
        {
            const std::lock_guard lock(m_mutex);
            auto& made = m_evaluators[program];
            if (!made)
                made = expressions::makeJqProcess({ program }, expressions::findJqHelper());
            evaluator = made;
        }
        auto outputs = evaluator->evaluate(0, input);
        if (!outputs)
            return std::move(outputs.error());
        return outputs->size() == 1 ? outputs->front() : Value();
    }

private:
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<expressions::JqEvaluator>> m_evaluators; // guarded by m_mutex
};

} // namespace

Result<std::optional<QueueChoice>> queueChoice(const config::MergedSettings& settings)
{
    const auto found = settings.values.find(std::string_view("queue"));
    if (found == settings.values.end() || found->second.text.empty() || found->second.text == "none")
        return std::optional<QueueChoice>();
    if (!found->second.isThisUsers())
        return Error{
            Errc::PermissionDenied,
            found->second.from
                + ": a project's own files cannot name a queue, as tasks would be sent there. Name it by "
                  "SANDGLASS_QUEUE in the environment, or by --queue"
        };
    auto address = parseQueueAddress(found->second.text);
    if (!address)
        return std::move(address.error()).during(found->second.from);
    const std::string* ns = settings.text("queue_namespace");
    QueueChoice choice{ std::move(*address), ns == nullptr ? "default" : *ns };
    if (!isRoleName(choice.ns))
        return Error{ Errc::InvalidArgument,
                      settings.from("queue_namespace") + ": a namespace has 1 to 64 of a-z, 0-9, _ and -" };
    return std::optional<QueueChoice>(std::move(choice));
}

RolePools::RolePools(QueueChoice choice, artifacts::BlobStore blobs)
    : m_desk(std::move(choice.address), std::move(choice.ns), newClient())
    , m_blobs(std::make_shared<const artifacts::BlobStore>(std::move(blobs)))
{
}

Result<std::unique_ptr<RolePools>> RolePools::open(const config::MergedSettings& settings,
                                                   const artifacts::BlobStore& contents)
{
    auto choice = queueChoice(settings);
    if (!choice)
        return std::move(choice.error());
    if (!*choice)
        return std::unique_ptr<RolePools>();
    return std::unique_ptr<RolePools>(new RolePools(std::move(**choice), contents));
}

std::unique_ptr<engine::Companion> RolePools::give(const graph::Graph& graph,
                                                   checkpoint::CheckpointStore& store,
                                                   artifacts::ArtifactStore& artifacts,
                                                   engine::Companion* inner, nodes::NodeWorld& world)
{
    auto shared = std::make_shared<RoleWorld>();
    shared->desk = &m_desk;
    shared->log = store.dispatchLog();
    std::unique_ptr<engine::Receipts> receipts;
    if (shared->log != nullptr)
        receipts = std::make_unique<engine::Receipts>(
            *shared->log, inner, [this](const std::vector<checkpoint::Dispatch>& stored) {
                for (const checkpoint::Dispatch& each : stored)
                    m_desk.line(each.role).forgetLater(each.job);
            });
    shared->receipts = receipts.get();
    shared->artifacts = &artifacts;
    shared->blobs = m_blobs;
    shared->projectFolder = world.projectFolder;
    shared->modules = world.session.modules;
    shared->requirements = world.session.requirements;
    shared->roles = graph.roles;
    shared->seconds = graph.sandbox.limits.cellSeconds.value_or(0);
    shared->evaluate = [programs = std::make_shared<PartitionPrograms>()](const std::string& program,
                                                                          const Value& input) {
        return programs->evaluate(program, input);
    };
    shared->artifactStored = world.artifactStored;
    world.ofRole = [shared = std::shared_ptr<const RoleWorld>(std::move(shared))](const graph::Node& node) {
        return makeRoleBody(shared, node);
    };
    return receipts;
}

void runRolesHere(const graph::Graph& graph, nodes::NodeWorld& world)
{
    world.asOfRole = [roles = graph.roles](const std::string& role, sessions::SessionSpec& spec,
                                           sessions::CellLimits& limits) {
        const Value& wish = roles[role];
        return applyGrant(grantOfAll(wish), wish, role, spec, limits);
    };
}

} // namespace sg::workers
