#include "core/runs/runs.h"

namespace sg::runs {
namespace {

class NoRuns final : public Runs {
public:
    Result<RunId> start(const RunRequest&) override
    {
        return Error{ Errc::Unsupported, "the database was opened read-only: nothing can be run on it" };
    }
    void stop(const RunId&) override { }
    void pause(const RunId&) override { }
    Result<void> stopPaused(const ThreadId&) override
    {
        return Error{ Errc::Unsupported, "the database was opened read-only" };
    }
    engine::RunResult wait(const RunId& run) override
    {
        engine::RunResult result;
        result.run = run;
        result.status = RunStatus::Failed;
        return result;
    }
    [[nodiscard]] std::vector<std::pair<RunId, ThreadId>> running() const override { return {}; }
    void keepCellOutput(const ThreadId&, WallTime, engine::LogLine) override { }
    void flushLog() override { }
    Publisher<engine::RunEvent>& events() override { return m_events; }

private:
    Publisher<engine::RunEvent> m_events;
};

} // namespace

std::unique_ptr<Runs> makeNoRuns()
{
    return std::make_unique<NoRuns>();
}

} // namespace sg::runs
