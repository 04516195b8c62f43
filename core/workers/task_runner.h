#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/artifacts/blob_store.h"
#include "core/sessions/manager/session_manager.h"
#include "core/workers/role_grant.h"
#include "core/workers/task_message.h"
#include "core/workers/worker.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::workers {

// Does tasks in sandbox sessions of this worker: one for each partition, which lives from task to task. Any
// thread.
class TaskRunner {
public:
    struct World {
        sessions::SessionManager& sessions;
        artifacts::ArtifactStore& artifacts; // of the worker, whose contents the runs share
        std::shared_ptr<const artifacts::BlobStore> blobs;
        std::filesystem::path folder; // for code
        std::string role;
        RoleGrant grant;
        sessions::SessionSpec session; // before the role's grant
        sessions::CellLimits limits;
        std::vector<std::string> missingPackages;
        // The code for tasks of GenXAI: a function that is called with their payload. Empty: they fail.
        std::string handlerSource{};
        std::string handlerFile{}; // its name in tracebacks
        std::string handlerFunction{};
    };

    explicit TaskRunner(World world)
        : m_world(std::move(world))
    {
    }

    JobOutcome run(const StartedJob& job, const std::stop_token& lost, const Worker::Say& say) const;

private:
    struct Scene;
    [[nodiscard]] Result<TaskMessage> messageOf(const StartedJob& job, const std::string& bytes) const;
    [[nodiscard]] Result<Scene> sceneOf(const TaskMessage& message) const;
    [[nodiscard]] TaskReply perform(const TaskMessage& message, const std::string& partition,
                                    const std::stop_token& lost, const Worker::Say& say) const;
    [[nodiscard]] Result<void> packArtifacts(const std::vector<artifacts::Artifact>& left,
                                             const std::stop_token& lost, TaskReply& reply) const;

    const World m_world;
};

} // namespace sg::workers
