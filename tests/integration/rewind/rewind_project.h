#pragma once

#include "core/base/json.h"
#include "core/workbench/workbench.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::test {

// Where the test runs its sandboxes: the same tests hold for each.
inline std::string testBackend()
{
    return qEnvironmentVariable("SANDGLASS_TEST_BACKEND", QStringLiteral("bubblewrap")).toStdString();
}

// A project with one of the graphs of tests/data/rewind, run on real sandboxes.
class RewindProject {
public:
    explicit RewindProject(const std::string& graph, std::string backend = testBackend())
        : m_graph(graph)
        , m_backend(std::move(backend))
    {
        const std::filesystem::path data = std::filesystem::path(SG_SOURCE_DIR) / "tests/data/rewind";
        std::filesystem::permissions(m_folder.path(), std::filesystem::perms(0755));
        std::filesystem::copy(data / "nodes", m_folder / "nodes", std::filesystem::copy_options::recursive);
        std::filesystem::copy(data / (graph + ".graph.json"), m_folder / (graph + ".graph.json"));
        reopen();
    }

    ~RewindProject() { workbench.reset(); } // while its folder is there
    RewindProject(const RewindProject&) = delete;
    RewindProject& operator=(const RewindProject&) = delete;

    // Opens the project as another process would: sessions that are not kept have ended, and all else is read
    // from the disk.
    void reopen()
    {
        workbench.reset();
        workbench::WorkbenchOptions options;
        auto project = projects::locateProject(m_folder / (m_graph + ".graph.json"));
        if (!project)
            qFatal("%s", project.error().message.c_str());
        options.project = std::move(*project);
        options.backend = m_backend;
        options.keepSessions = keepsSessions;
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        workbench = std::move(*opened);
        m_events = workbench->runs().events().subscribe([this](const engine::RunEvent& event) {
            if (const auto* line = std::get_if<engine::LogLine>(&event.body)) {
                const std::lock_guard lock(m_mutex);
                m_log += line->bytes + "\n";
            }
        });
    }

    [[nodiscard]] std::string whyUnusable() const
    {
        const auto usable = workbench->sessions().backendInfo(m_backend);
        return usable ? std::string() : usable.error().message;
    }

    engine::RunResult run(engine::RunInput input, const std::optional<CheckpointId>& from = {},
                          rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore)
    {
        runs::RunRequest request;
        request.thread = ThreadId("t");
        request.input = std::move(input);
        request.checkpoint = from;
        request.sandbox = sandbox;
        auto started = workbench->runs().start(request);
        if (!started) {
            engine::RunResult refused;
            refused.error = started.error().message;
            return refused;
        }
        return workbench->runs().wait(*started);
    }

    // The newest checkpoint of that step.
    [[nodiscard]] CheckpointId atStep(std::int64_t step)
    {
        const auto rows = workbench->history().checkpoints(ThreadId("t"));
        if (rows)
            for (const history::CheckpointRow& row : *rows)
                if (row.step == step)
                    return row.id;
        qFatal("no checkpoint of step %d", static_cast<int>(step));
    }

    std::string takeLog()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_log, {});
    }

    [[nodiscard]] const TempDir& folder() const { return m_folder; }
    std::unique_ptr<workbench::Workbench> workbench;
    bool keepsSessions = false; // from the next reopen() on

private:
    TempDir m_folder;
    const std::string m_graph;
    const std::string m_backend;
    std::mutex m_mutex;
    std::string m_log; // guarded by m_mutex
    Subscription m_events;
};

#define SG_PROJECT(name, graph)                                                                              \
    SG_NEED(sg::test::testBackend());                                                                        \
    RewindProject name(graph)

inline std::string listText(const Value& list)
{
    std::string text;
    if (list.isList())
        for (const Value& each : list.asList())
            text += (each.isString() ? each.asString() : toJson(each)) + "\n";
    return text;
}

} // namespace sg::test
