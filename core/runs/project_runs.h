#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/thread_pool.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/run_log.h"
#include "core/checkpoint/thread_lock.h"
#include "core/engine/engine.h"
#include "core/runs/effect_log.h"
#include "core/runs/run_recorder.h"
#include "core/runs/runs.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace sg::runs {

// Runs graphs on the embedded engine. It gets what it needs of the project as functions, so that every run
// takes the graph file as it is at the run's start.
class ProjectRuns final : public Runs {
public:
    struct Compiled {
        std::string graphName;
        std::string graphText; // as it is saved
        std::string tenant; // "": none
        engine::Durability durability = engine::Durability::Sync; // for runs that choose none
        std::unique_ptr<rewind::RunWorld> world; // outlives the catalog; null: the graph uses no sandbox
        std::unique_ptr<engine::Companion>
            receipts; // of workers' results, around `world`; null: there are none
        std::unique_ptr<EffectLog> effects; // around both; null: there is none
        std::unique_ptr<engine::NodeCatalog> catalog; // outlives the program
        std::unique_ptr<engine::Program> program;
        std::vector<std::string> inputs; // channels that an input may name
    };
    // The run's own thread calls it before its first task; the listeners get events from outside the engine.
    using ArtifactListener = std::function<void(engine::ArtifactStored)>;
    using PackagesListener = std::function<void(const checkpoint::RunPackages&)>;
    struct Listeners {
        ArtifactListener artifactStored;
        PackagesListener packagesUsed; // called once per task
        PackagesListener modulesImported;
    };
    using Compile = std::function<Result<Compiled>(const RunRequest&, const Listeners&)>;

    struct World {
        checkpoint::CheckpointStore& store;
        checkpoint::RunLog& log;
        std::filesystem::path database;
        const Clock& clock;
        Random& random;
        Compile compile;
    };

    explicit ProjectRuns(World world);
    ~ProjectRuns() override;

    Result<RunId> start(const RunRequest& request) override;
    void stop(const RunId& run) override;
    void pause(const RunId& run) override;
    Result<void> stopPaused(const ThreadId& thread) override;
    engine::RunResult wait(const RunId& run) override;
    [[nodiscard]] std::vector<std::pair<RunId, ThreadId>> running() const override;
    void keepCellOutput(const ThreadId& thread, WallTime time, engine::LogLine output) override;
    void flushLog() override { m_recorder.flush(); }
    Publisher<engine::RunEvent>& events() override { return m_events; }

private:
    struct Active;
    Listeners listenersOf(Active& run);
    void execute(Active& active);
    void publish(Active& active, engine::RunEvent event);

    World m_world;
    Publisher<engine::RunEvent> m_events;
    RunRecorder m_recorder;
    ThreadPool m_pool;
    mutable std::mutex m_mutex;
    std::condition_variable m_finished;
    std::map<RunId, std::shared_ptr<Active>> m_runs; // guarded by m_mutex; kept until waited for or replaced
};

// Rewords the engine's failures, which are in LangGraph's words: what happened, where, and what to do next.
// Other messages stay as they are, but lose references to LangGraph's documentation.
std::string runErrorText(const std::string& type, const std::string& message);

// Returns the node's name for people: LangGraph runs a node's error handler as a node with a reserved name.
std::string shownNode(const NodeId& node);
// Returns the channel's name for people, who did not make the channels by which the engine starts nodes.
std::string shownChannel(const std::string& channel);

} // namespace sg::runs
