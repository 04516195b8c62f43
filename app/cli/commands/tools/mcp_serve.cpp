#include "app/cli/commands/tools/mcp_commands.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/projects/project.h"
#include "core/servers/mcp/project_offering.h"
#include "core/servers/mcp/stdio_service.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::cli {
namespace {

struct Arguments {
    std::string project = ".";
    SessionOption session;
    std::string client;
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

// What is printed goes to stderr from now on: only messages may go to the client.
int ownOutput()
{
    const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (output >= 0)
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return output;
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
        project->sessions(), project->datasets(), [project] { return project->sessionSpec(); }, project });
}

int serve(const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    const auto paths = locate(arguments);
    if (!paths)
        return out.fail(paths.error());
    const int output = ownOutput();
    if (output < 0)
        return out.fail(Failed, "stdout is closed: it is what the client reads");
    std::error_code failed;
    fs::create_directories(paths->data, failed);
    static const SystemClock clock;
    const auto offering = servers::makeProjectOffering(
        { paths->folder.filename().string(), paths->data / "mcp.key", graphsOf(*paths),
          [&arguments](const fs::path& graph) { return openGraph(arguments, graph); }, clock });
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
        "serve", "offer this project on stdin and stdout: its sandbox, datasets, artifacts and graphs");
    serving.option("--project", arguments->project,
                   "project folder or graph file (default: the current one or above it)");
    arguments->session.add(serving);
    serving.onRun([arguments, &shell] { shell.exit = serve(*arguments, shell.out); });
    Verb printing = mcp.add("config", "print the entry by which a client finds this project's server");
    printing.option("CLIENT", arguments->client, "claude-code, cursor or vscode")
        .required()
        .oneOf({ "claude-code", "cursor", "vscode" });
    printing.option("--project", arguments->project,
                    "project folder or graph file (default: the current one or above it)");
    printing.onRun([arguments, &shell] { shell.exit = config(*arguments, shell.out); });
}

} // namespace sg::cli
