#include "app/cli/commands/tools/mcp_commands.h"
#include "app/cli/commands/tools/serving.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "app/cli/shell_word.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/config/setting_layers.h"
#include "core/projects/project.h"
#include "core/servers/mcp/http_service.h"
#include "core/servers/mcp/project_offering.h"
#include "core/servers/mcp/stdio_service.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::cli {
namespace {

struct Arguments {
    std::string project = ".";
    SessionOption session;
    std::string client;
    std::string http; // "ADDRESS:PORT" or "PORT"; empty: stdin and stdout
    servers::McpHttpOptions web;
    std::string certificate;
    std::string key;
};

Result<projects::ProjectPaths> locate(const Arguments& arguments)
{
    return arguments.project == "." ? projects::findProject(".") : projects::locateProject(arguments.project);
}

// The project's graph first, then the others of its folder by name.
std::vector<fs::path> graphsOf(const projects::ProjectPaths& project)
{
    std::vector<fs::path> graphs;
    std::error_code failed;
    for (fs::directory_iterator entry(project.folder, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->path().string().ends_with(".graph.json") && entry->path() != project.graph)
            graphs.push_back(entry->path());
    std::ranges::sort(graphs);
    if (!project.graph.empty())
        graphs.insert(graphs.begin(), project.graph);
    return graphs;
}

// Prints go to stderr from now on: only messages may go to the client.
int ownOutput()
{
    const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (output >= 0)
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return output;
}

// The client's person is in another folder than this server.
std::string answerCommand(const fs::path& graph, const ThreadId& thread, const std::string& id)
{
    return "sandglass inbox answer " + shellWord(thread.value) + (id.empty() ? "" : " --id " + shellWord(id))
        + " --answer ANSWER --project " + shellWord(graph.string());
}

Result<std::shared_ptr<servers::OpenGraph>> openGraph(const Arguments& arguments, const fs::path& graph)
{
    auto paths = projects::locateProject(graph);
    if (!paths)
        return std::move(paths.error());
    workbench::WorkbenchOptions options;
    options.project = std::move(*paths);
    if (auto applied = arguments.session.apply(options); !applied)
        return applied.error();
    auto opened = workbench::Workbench::open(std::move(options));
    if (!opened)
        return std::move(opened.error());
    const std::shared_ptr<workbench::Workbench> project = std::move(*opened);
    auto file = project->loadGraph(runs::Check::Form);
    if (!file)
        return std::move(file.error());
    return std::make_shared<servers::OpenGraph>(servers::OpenGraph{
        std::move(file->graph), project->runs(), project->history(), project->artifacts(),
        project->sessions(), project->datasets(), [project] { return project->sessionSpec(); },
        [place = fs::absolute(graph).lexically_normal()](const ThreadId& thread, const std::string& id) {
            return answerCommand(place, thread, id);
        },
        project });
}

bool isLoopback(const std::string& address)
{
    return address == "::1" || address.starts_with("127.");
}

// Takes "8765", "127.0.0.1:8765" or "[::1]:8765".
Result<void> readAddress(const std::string& text, net::HttpServerOptions& http)
{
    const std::size_t colon = text.rfind(':');
    std::string address = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
    const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
    if (address.size() > 2 && address.front() == '[' && address.back() == ']')
        address = address.substr(1, address.size() - 2);
    unsigned number = 0;
    const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (failed != std::errc() || end != port.data() + port.size() || number > 65535 || address.empty())
        return Error{ Errc::InvalidArgument,
                      "--http: \"" + text + "\" is no port and no ADDRESS:PORT, as 8765 or 127.0.0.1:8765" };
    http.address = address;
    http.port = static_cast<std::uint16_t>(number);
    return {};
}

int serveHttp(const Arguments& arguments, servers::Offering& offering, const Output& out,
              const std::stop_token& stop)
{
    servers::McpHttpOptions options = arguments.web;
    if (auto read = readAddress(arguments.http, options.http); !read)
        return out.fail(Usage, read.error().message);
    options.http.certificate = arguments.certificate;
    options.http.key = arguments.key;
    options.token = config::processEnvironment("SANDGLASS_MCP_TOKEN").value_or("");
    if (!options.token.empty() && options.token.size() < 16)
        return out.fail(Usage, "SANDGLASS_MCP_TOKEN has fewer than 16 characters and could be guessed");
    if (options.token.empty() && !isLoopback(options.http.address))
        return out.fail(
            Usage,
            options.http.address
                + " can be reached from outside this machine, and whoever reaches it runs code in "
                  "sandboxes: put a token of at least 16 characters into SANDGLASS_MCP_TOKEN");
    const auto service = servers::McpHttpService::start(offering, SG_VERSION, options);
    if (!service)
        return out.fail(service.error());
    const std::string url =
        webAddress(options.http.address, !options.http.certificate.empty(), (*service)->port()) + "/mcp";
    return serveUntilStopped(url, (*service)->port(), "serving " + url + ". Ctrl+C ends it.", out, stop);
}

int serve(const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    const auto paths = locate(arguments);
    if (!paths)
        return out.fail(paths.error());
    std::error_code failed;
    fs::create_directories(paths->data, failed);
    static const SystemClock clock;
    const auto offering = servers::makeProjectOffering(
        { paths->folder.filename().string(), paths->data / "mcp.key", graphsOf(*paths),
          [&arguments](const fs::path& graph) { return openGraph(arguments, graph); }, clock });
    if (!arguments.http.empty())
        return serveHttp(arguments, *offering, out, stop);
    const int output = ownOutput();
    if (output < 0)
        return out.fail(Failed, "stdout is closed: it is what the client reads");
    std::array<char, 6> chance{};
    fillRandomBytes(chance.data(), chance.size());
    const std::string thread = "mcp-" + toHex({ chance.data(), chance.size() });
    const auto served = servers::serveMcp(*offering, SG_VERSION, thread, STDIN_FILENO, output, stop);
    return served ? Done : out.fail(served.error());
}

// The entry by which a client of the protocol finds this server.
int config(const Arguments& arguments, const Output& out)
{
    const auto paths = locate(arguments);
    if (!paths)
        return out.fail(paths.error());
    std::error_code failed;
    const fs::path own = fs::read_symlink("/proc/self/exe", failed);
    const bool isVsCode = arguments.client == "vscode";
    ValueMap entry;
    if (isVsCode)
        entry.set("type", "stdio");
    entry.set("command", failed ? "sandglass" : own.string());
    const fs::path place = paths->graph.empty() ? paths->folder : paths->graph;
    entry.set("args", Value::list({ "mcp", "serve", "--project", place.string() }));
    entry.set("env", Value(ValueMap{}));
    const Value document = Value::map({ { isVsCode ? "servers" : "mcpServers",
                                          Value::map({ { "sandglass", Value(std::move(entry)) } }) } });
    const std::string file = isVsCode  ? ".vscode/mcp.json"
        : arguments.client == "cursor" ? ".cursor/mcp.json"
                                       : ".mcp.json";
    out.note("put this into " + file + " of the folder that you work in:");
    out.document(document);
    return Done;
}

} // namespace

void addMcpServing(Verb mcp, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb serving = mcp.add(
        "serve",
        "offer this project on stdin and stdout, or over HTTP: its sandbox, datasets, artifacts and graphs");
    addProject(serving, arguments->project);
    serving.option(
        "--http", arguments->http,
        "listen on ADDRESS:PORT or PORT (of 127.0.0.1) instead, for any number of clients at /mcp");
    serving.option("--host", arguments->web.hosts,
                   "with --http: further name that it is asked by, as its Host header says; may be repeated");
    serving.option("--certificate", arguments->certificate,
                   "with --http: speak TLS with the certificates of this PEM file");
    serving.option("--key", arguments->key, "PEM file with the key of --certificate");
    arguments->session.add(serving);
    serving.onRun([arguments, &shell] { shell.exit = serve(*arguments, shell.out); });
    Verb printing = mcp.add("config", "print the entry by which a client finds this project's server");
    printing.option("CLIENT", arguments->client, "claude-code, cursor or vscode")
        .required()
        .oneOf({ "claude-code", "cursor", "vscode" });
    addProject(printing, arguments->project);
    printing.onRun([arguments, &shell] { shell.exit = config(*arguments, shell.out); });
}

} // namespace sg::cli
