#include "core/workers/worker.h"

#include "app/cli/blobs_option.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "app/cli/session_option.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/user_folders.h"
#include "core/config/session_settings.h"
#include "core/workers/role_pools.h"
#include "core/workers/task_runner.h"
#include "core/workers/worker_folder.h"
#include "core/workers/worker_metrics.h"

#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sg::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestHandler = 16U << 20U;

struct Arguments {
    std::string role;
    std::optional<std::int64_t> concurrency;
    std::int64_t prefetch = 1;
    std::optional<double> lease;
    QueueOption queue;
    std::string poolFile;
    std::string folder;
    std::string handler; // "FILE:FUNCTION"
    std::optional<std::int64_t> metrics;
    std::string metricsAddress = "127.0.0.1";
    SessionOption session;
    BlobsOption blobs;
};

// The worker's settings: what its pool file grants, then what the command line says.
Result<workbench::WorkbenchOptions> optionsOf(const Arguments& arguments, const fs::path& folder,
                                              const workers::RoleGrant& grant)
{
    workbench::WorkbenchOptions options;
    options.project = projects::workerProject(folder);
    // Beside a project it shares that one's contents of artifacts, as runs there store them.
    std::error_code failed;
    if (auto near = projects::findProject(fs::current_path(failed)); near && !failed)
        if (auto placed = config::placedByEnvironment(std::move(*near)))
            options.project.blobs = placed->blobs;
    if (auto applied = arguments.session.apply(options); !applied)
        return std::move(applied.error());
    arguments.queue.apply(options.settings);
    arguments.blobs.apply(options.settings);
    std::string secrets;
    for (const std::string& name : grant.secrets)
        secrets += (secrets.empty() ? "" : ",") + name;
    if (!secrets.empty())
        options.settings.push_back(
            { "secrets", secrets, config::SettingLayer::CommandLine, "the pool file " + arguments.poolFile });
    return options;
}

workers::WorkerOptions workerOptions(const Arguments& arguments, const workers::RoleGrant& grant,
                                     const workers::QueueChoice& queue)
{
    workers::WorkerOptions options;
    options.address = queue.address;
    options.queue = { queue.ns, arguments.role };
    options.concurrency = static_cast<int>(arguments.concurrency.value_or(grant.concurrency.value_or(1)));
    options.prefetch = static_cast<int>(arguments.prefetch);
    const double lease = arguments.lease.value_or(grant.leaseSeconds.value_or(30));
    options.lease = std::chrono::milliseconds(static_cast<std::int64_t>(lease * 1000));
    options.mostLost = static_cast<int>(grant.mostLost.value_or(3));
    return options;
}

Result<workers::TaskRunner::World> runnerWorld(workbench::Workbench& project, const Arguments& arguments,
                                               workers::RoleGrant grant)
{
    auto settings = project.sessionSettings();
    if (!settings)
        return std::move(settings.error());
    workers::TaskRunner::World world{ project.sessions(),
                                      project.artifacts(),
                                      std::make_shared<const artifacts::BlobStore>(
                                          project.artifacts().contents()),
                                      project.project().folder,
                                      arguments.role,
                                      std::move(grant),
                                      std::move(settings->session),
                                      settings->cell,
                                      config::missingPackages(project.runtime()) };
    if (!arguments.handler.empty()) {
        const std::size_t colon = arguments.handler.rfind(':');
        const fs::path file = arguments.handler.substr(0, colon);
        auto source = readFile(file, kLargestHandler);
        if (!source)
            return std::move(source.error()).during("--handler");
        world.handlerSource = std::move(*source);
        world.handlerFile = file.filename().string();
        world.handlerFunction = colon == std::string::npos ? "node" : arguments.handler.substr(colon + 1);
    }
    return world;
}

void waitFor(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    ended.wait(lock, stop, [] { return false; });
}

int work(workbench::Workbench& project, const Arguments& arguments, const workers::RoleGrant& grant,
         const std::stop_token& stop, const Output& out)
{
    auto settings = project.sessionSettings();
    auto queue = settings ? workers::queueChoice(settings->merged)
                          : Result<std::optional<workers::QueueChoice>>(settings.error());
    if (!queue)
        return out.fail(queue.error());
    if (!*queue)
        return out.fail(noQueue());
    auto world = runnerWorld(project, arguments, grant);
    if (!world)
        return out.fail(world.error());
    const workers::TaskRunner runner(std::move(*world));
    SystemRandom random;
    workers::WorkerOptions options = workerOptions(arguments, grant, **queue);
    const int concurrency = options.concurrency;
    workers::Worker worker(
        std::move(options),
        [&runner](const workers::StartedJob& job, const std::stop_token& lost,
                  const workers::Worker::Say& say) { return runner.run(job, lost, say); },
        random);
    if (auto started = worker.start(); !started)
        return out.fail(started.error());
    std::unique_ptr<workers::WorkerMetrics> metrics;
    if (arguments.metrics) {
        net::HttpServerOptions where;
        where.address = arguments.metricsAddress;
        where.port = static_cast<std::uint16_t>(*arguments.metrics);
        auto served =
            workers::WorkerMetrics::start(where, (*queue)->address, { (*queue)->ns, arguments.role }, worker);
        if (!served)
            return out.fail(served.error());
        metrics = std::move(*served);
    }
    if (out.json)
        out.line(
            Value::map({ { "worker", worker.consumer() },
                         { "metrics", metrics ? Value(static_cast<std::int64_t>(metrics->port())) : Value() },
                         { "role", arguments.role },
                         { "concurrency", concurrency },
                         { "queue", (*queue)->address.shown() } }));
    out.text("worker " + worker.consumer() + " does tasks of role " + arguments.role + ", "
             + std::to_string(concurrency) + " at once, from " + (*queue)->address.shown()
             + ". Ctrl+C lets it finish those under way.");
    if (metrics)
        out.text("metrics: http://" + arguments.metricsAddress + ":" + std::to_string(metrics->port())
                 + "/metrics");
    std::fflush(stdout);
    waitFor(stop);
    worker.drain();
    worker.wait();
    const workers::WorkerFigures& figures = worker.figures();
    out.text("done: " + counted(figures.done, "task") + ", " + std::to_string(figures.retried)
             + " tried again, " + std::to_string(figures.dead) + " dead, " + std::to_string(figures.stale)
             + " refused as another worker had them");
    return Done;
}

int run(const Arguments& arguments, const Output& out)
{
    if (!workers::isRoleName(arguments.role))
        return out.fail(Usage, "--role: a role's name has 1 to 64 of a-z, 0-9, _ and -");
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    workers::RoleGrant grant;
    if (!arguments.poolFile.empty()) {
        auto read = workers::readRoleGrant(arguments.poolFile, arguments.role);
        if (!read)
            return out.fail(read.error());
        grant = std::move(*read);
    }
    fs::path root = arguments.folder;
    if (root.empty()) {
        const fs::path data = userDataFolder();
        if (data.empty())
            return out.fail(Usage,
                            "there is no folder for the worker's data: set HOME, or name one by --folder");
        root = data / "sandglass" / "workers" / arguments.role;
    }
    const auto folder = workers::WorkerFolder::take(root);
    if (!folder)
        return out.fail(folder.error());
    auto options = optionsOf(arguments, folder->path(), grant);
    if (!options)
        return out.fail(options.error());
    auto project = workbench::Workbench::open(std::move(*options));
    if (!project)
        return out.fail(project.error());
    static_cast<void>((*project)->sessions().sweepOrphans()); // of a worker that was killed
    return work(**project, arguments, grant, stop, out);
}

} // namespace

void addWorker(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("worker", "do the tasks of a role's nodes, in sandbox sessions of this machine");
    verb.option("--role", arguments->role, "the role").required();
    arguments->queue.add(verb);
    verb.option("--concurrency", arguments->concurrency, "tasks at once (default: the pool file's, else 1)")
        .within(std::int64_t{ 1 }, std::int64_t{ 256 });
    verb.option("--prefetch", arguments->prefetch, "short tasks that are fetched together (default 1)")
        .within(std::int64_t{ 1 }, std::int64_t{ 256 });
    verb.option("--lease", arguments->lease,
                "seconds after which another worker takes over from one that is silent (default: the pool "
                "file's, "
                "else 30)")
        .within(0.5, 3600.0);
    verb.option(
        "--pool-file", arguments->poolFile,
        "JSON that says what this machine grants to which role: secrets, egress, mounts, images, limits "
        "(default: nothing)");
    verb.option("--folder", arguments->folder,
                "where it keeps sessions and code (default: this user's data)");
    verb.option("--handler", arguments->handler,
                "code for tasks that pool bridge brings: FILE:FUNCTION, called with their payload");
    verb.option("--metrics", arguments->metrics,
                "answer /metrics for Prometheus on this port (0: a free one)")
        .within(std::int64_t{ 0 }, std::int64_t{ 65535 });
    verb.option("--metrics-address", arguments->metricsAddress,
                "the interface of that port; whoever reaches it reads the figures (default 127.0.0.1)");
    arguments->session.add(verb);
    arguments->blobs.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = run(*arguments, shell.out); });
}

} // namespace sg::cli
