#include "app/cli/commands/pools/pool_scale.h"

#include "app/cli/commands/pools/open_pools.h"
#include "app/cli/interrupt_watch.h"
#include "core/base/child_process.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kEvery{ 500 };
constexpr std::chrono::minutes kPatience{ 10 }; // of a worker that finishes what it has begun

struct Arguments {
    QueueOption queue;
    std::string role;
    std::int64_t least = 1;
    std::int64_t most = 4;
    std::int64_t concurrency = 1;
    double rest = 60;
    std::string poolFile;
    std::string folder;
};

// Workers of this machine that this program has started.
class Crew {
public:
    Crew(const Arguments& arguments, const Output& out)
        : m_arguments(arguments)
        , m_out(out)
    {
    }

    // Starts or ends workers so that there are so many. Those that ended by themselves are replaced.
    Result<void> setSize(std::size_t size)
    {
        std::erase_if(m_workers,
                      [](ChildProcess& each) { return bool(each.wait(std::chrono::milliseconds(0))); });
        std::erase_if(m_leaving,
                      [](ChildProcess& each) { return bool(each.wait(std::chrono::milliseconds(0))); });
        while (m_workers.size() > size) {
            m_workers.back().kill(SIGTERM);
            m_leaving.push_back(std::move(m_workers.back()));
            m_workers.pop_back();
            tell();
        }
        while (m_workers.size() < size) {
            auto started = ChildProcess::start(spec());
            if (!started)
                return std::move(started.error());
            m_workers.push_back(std::move(*started));
            tell();
        }
        return {};
    }

    [[nodiscard]] std::size_t size() const { return m_workers.size(); }

    void end()
    {
        static_cast<void>(setSize(0));
        for (ChildProcess& each : m_leaving)
            static_cast<void>(each.wait(kPatience));
    }

private:
    void tell() const
    {
        if (m_out.json)
            m_out.line(Value::map({ { "role", m_arguments.role },
                                    { "workers", static_cast<std::int64_t>(m_workers.size()) } }));
        m_out.text("role " + m_arguments.role + ": "
                   + counted(static_cast<std::int64_t>(m_workers.size()), "worker"));
        std::fflush(stdout);
    }

    [[nodiscard]] ProcessSpec spec() const
    {
        ProcessSpec spec;
        spec.program = "/proc/self/exe";
        spec.arguments = { "worker", "--role", m_arguments.role, "--concurrency",
                           std::to_string(m_arguments.concurrency) };
        const auto add = [&](const char* option, const std::string& value) {
            if (!value.empty())
                spec.arguments.insert(spec.arguments.end(), { option, value });
        };
        add("--namespace", m_arguments.queue.ns);
        add("--pool-file", m_arguments.poolFile);
        add("--folder", m_arguments.folder);
        for (char** each = environ; *each != nullptr; ++each)
            if (m_arguments.queue.queue.empty() || !std::string_view(*each).starts_with("SANDGLASS_QUEUE="))
                spec.environment.emplace_back(*each);
        // Arguments can be seen by everybody on this machine, and the address may hold a password.
        if (!m_arguments.queue.queue.empty())
            spec.environment.push_back("SANDGLASS_QUEUE=" + m_arguments.queue.queue);
        std::error_code failed;
        spec.workingFolder = std::filesystem::current_path(failed).string();
        return spec;
    }

    const Arguments& m_arguments;
    const Output& m_out;
    std::vector<ChildProcess> m_workers;
    std::vector<ChildProcess> m_leaving;
};

// Workers that the role could use: as many as its tasks need, those that wait and those that run.
std::size_t needed(const workers::PoolView& pool, const Arguments& arguments)
{
    const std::int64_t tasks = pool.isPaused ? pool.running : pool.ready + pool.running;
    const std::int64_t workers = (tasks + arguments.concurrency - 1) / arguments.concurrency;
    return static_cast<std::size_t>(
        std::clamp(workers, arguments.least, std::max(arguments.least, arguments.most)));
}

int scale(const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    const auto opened = openPools(arguments.queue, arguments.role);
    if (!opened)
        return out.fail(opened.error());
    Crew crew(arguments, out);
    std::mutex mutex;
    std::condition_variable_any changed;
    auto lastNeeded = steady_clock::now();
    while (!stop.stop_requested()) {
        const auto pool = (*opened)->pools.look(arguments.role);
        // Without an answer the crew stays as it is; its workers wait for Redis, too.
        const std::size_t wanted = pool ? needed(*pool, arguments) : crew.size();
        const auto now = steady_clock::now();
        if (wanted >= crew.size())
            lastNeeded = now;
        const bool hasRested = now - lastNeeded >= std::chrono::duration<double>(arguments.rest);
        if (auto set = crew.setSize(hasRested ? wanted : std::max(wanted, crew.size())); !set)
            out.note(set.error().message);
        std::unique_lock lock(mutex);
        changed.wait_for(lock, stop, kEvery, [] { return false; });
    }
    crew.end();
    return Done;
}

} // namespace

void addPoolScale(Verb pool, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = pool.add("scale", "start and end workers on this machine as their role's tasks need them");
    verb.option("ROLE", arguments->role, "the role").required();
    arguments->queue.add(verb);
    verb.option("--min", arguments->least, "workers that are always there (default 1)")
        .within(std::int64_t{ 0 }, std::int64_t{ 256 });
    verb.option("--max", arguments->most, "workers at most (default 4)")
        .within(std::int64_t{ 1 }, std::int64_t{ 256 });
    verb.option("--concurrency", arguments->concurrency, "tasks that each does at once (default 1)")
        .within(std::int64_t{ 1 }, std::int64_t{ 256 });
    verb.option("--rest", arguments->rest, "seconds without need after which workers end (default 60)")
        .within(0.0, 86'400.0);
    verb.option("--pool-file", arguments->poolFile,
                "what this machine grants to roles, as for sandglass worker");
    verb.option("--folder", arguments->folder, "where they keep sessions and code, as for sandglass worker");
    verb.onRun([arguments, &shell] { shell.exit = scale(*arguments, shell.out); });
}

} // namespace sg::cli
