#include "app/cli/commands/commands.h"
#include "app/cli/commands/tools/serve_e2b.h"
#include "app/cli/commands/tools/serving.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/servers/artifacts/artifact_service.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    servers::ServeOptions serve;
    ServeE2bArguments e2b;
};

// True for the form of a Host header: "files.example.com:8443".
bool isHostHeader(const std::string& text)
{
    return !text.empty() && text.size() < 262 && std::ranges::all_of(text, [](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return byte < 128
            && (std::isalnum(byte) != 0 || std::string_view(".-:[]").find(each) != std::string_view::npos);
    });
}

int serve(const Arguments& arguments, const Output& out)
{
    for (const std::string& host : arguments.serve.hosts)
        if (!isHostHeader(host))
            return out.fail(Usage, "--host: \"" + host + "\" is no name that a Host header can have");
    if (arguments.e2b.isWanted || !arguments.e2b.newKey.empty())
        return serveE2b(arguments.place.project, arguments.serve, arguments.e2b, out);
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    auto located = arguments.place.locate();
    if (!located)
        return out.fail(located.error());
    auto paths = config::placedByEnvironment(std::move(*located));
    if (!paths)
        return out.fail(paths.error());
    const auto service = servers::ArtifactService::start(*paths, arguments.serve);
    if (!service)
        return out.fail(service.error());
    const bool isTls = !arguments.serve.certificate.empty();
    if (!isLoopback(arguments.serve.address) && !isTls)
        out.note("warning: " + arguments.serve.address
                 + " can be reached from outside this machine, unencrypted. Give it --certificate and "
                   "--key, or put a proxy with TLS in front and name it with --host.");
    const std::string url = webAddress(arguments.serve.address, isTls, (*service)->port());
    return serveUntilStopped(url, (*service)->port(),
                             "serving " + url
                                 + " (addresses of artifacts: sandglass artifacts url ID). Ctrl+C ends it.",
                             out, stop);
}

} // namespace

void addServe(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("serve",
                        "give artifacts out over HTTP to who has a signed address, or with --e2b sandboxes "
                        "to clients of E2B");
    verb.option("--project", arguments->place.project,
                "project folder (default: the current one or above it)");
    verb.option("--address", arguments->serve.address, "interface to listen on (default 127.0.0.1)");
    verb.option("--port", arguments->serve.port, "port (default 8000; 0: a free one)")
        .within(0, 65535)
        .variable("ARTIFACTS_SERVER_PORT");
    verb.option("--host", arguments->serve.hosts,
                "further name that it is asked by, as its Host header says; may be repeated");
    verb.option("--certificate", arguments->serve.certificate,
                "speak TLS with the certificates of this PEM file");
    verb.option("--key", arguments->serve.key, "PEM file with the key of --certificate");
    verb.option("--threads", arguments->serve.threads, "threads (default 2)").within(1, 64);
    addE2bOptions(verb, arguments->e2b);
    verb.onRun([arguments, &shell] { shell.exit = serve(*arguments, shell.out); });
}

} // namespace sg::cli
