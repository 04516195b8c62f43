#include "app/cli/commands/tools/serve_e2b.h"

#include "app/cli/commands/tools/serving.h"
#include "app/cli/interrupt_watch.h"
#include "core/projects/project.h"
#include "core/servers/e2b/e2b_service.h"
#include "core/workbench/workbench.h"

#include <system_error>

namespace sg::cli {
namespace {

constexpr int kMostStreams = 500;

} // namespace

bool isLoopback(std::string_view address)
{
    return address == "::1" || address.starts_with("127.");
}

void addE2bOptions(Verb verb, ServeE2bArguments& arguments)
{
    verb.flag("--e2b", arguments.isWanted,
              "serve sandboxes to clients of E2B's protocol, each a session of this project");
    verb.option("--ready", arguments.ready,
                "with --e2b: how many sandboxes are started before a client asks (default 0)")
        .within(0, 64);
    verb.flag("--kruise", arguments.isLikeKruise,
              "with --e2b: answer as OpenKruise's sandbox manager does, an older form of the protocol");
    verb.option("--new-key", arguments.newKey,
                "make a key for a client of that name of --e2b, print it and end");
    verb.option("--sandboxes", arguments.sandboxes,
                "with --new-key: how many it may have at once (default 20)")
        .within(1, 1000);
    verb.option("--longest", arguments.longest,
                "with --new-key: seconds for which a sandbox may live (default 86400)")
        .within(1, 30 * 24 * 3600);
    verb.option(
            "--memory", arguments.memory,
            "with --new-key: MiB of memory that all its sandboxes may have together (default 0: no limit)")
        .within(0, 1 << 24);
    arguments.session.add(verb);
}

int serveE2b(const std::string& project, const servers::ServeOptions& serve,
             const ServeE2bArguments& arguments, const Output& out)
{
    auto paths = project == "." ? projects::findProject(".") : projects::locateProject(project);
    if (!paths)
        return out.fail(paths.error());
    std::error_code failed;
    std::filesystem::create_directories(paths->data, failed);
    servers::E2bOptions options;
    options.keys = paths->data / "e2b-keys.json";
    options.records = paths->data / "e2b-sandboxes";
    if (!arguments.newKey.empty()) {
        const auto key = servers::makeE2bKey(options.keys, arguments.newKey,
                                             { arguments.sandboxes, std::chrono::seconds(arguments.longest),
                                               static_cast<std::int64_t>(arguments.memory) << 20 });
        if (!key)
            return out.fail(key.error());
        if (out.json)
            out.line(Value::map({ { "client", arguments.newKey }, { "key", *key } }));
        out.text(*key);
        return Done;
    }
    if (!servers::hasE2bKeys(options.keys))
        return out.fail(Failed, "no client has a key yet; make one: sandglass serve --e2b --new-key NAME");
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    workbench::WorkbenchOptions chosen;
    chosen.project = std::move(*paths);
    if (auto applied = arguments.session.apply(chosen); !applied)
        return out.fail(applied.error());
    auto opened = workbench::Workbench::open(std::move(chosen));
    if (!opened)
        return out.fail(opened.error());
    workbench::Workbench& bench = **opened;
    options.http.address = serve.address;
    options.http.port = serve.port;
    options.http.threads = serve.threads;
    options.http.certificate = serve.certificate;
    options.http.key = serve.key;
    options.http.streams = kMostStreams;
    options.http.connections = 2 * kMostStreams;
    options.http.stallTime = std::chrono::minutes(10); // input of a command may pause
    options.hosts = serve.hosts;
    options.ready = arguments.ready;
    options.isLikeKruise = arguments.isLikeKruise;
    static const SystemClock clock;
    const auto service = servers::E2bService::start(
        bench.sessions(), [&bench] { return bench.sessionSpec(); }, clock, options);
    if (!service)
        return out.fail(service.error());
    if (!isLoopback(serve.address) && serve.certificate.empty())
        out.note(
            "warning: " + serve.address
            + " can be reached from outside this machine, unencrypted. Give it --certificate and --key.");
    const std::string url = webAddress(serve.address, !serve.certificate.empty(), (*service)->port());
    return serveUntilStopped(
        url, (*service)->port(),
        "serving sandboxes at " + url
            + " (E2B_API_URL and E2B_SANDBOX_URL). Ctrl+C ends it, and those that are not in containers.",
        out, stop);
}

} // namespace sg::cli
