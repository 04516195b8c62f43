#include "app/cli/commands/commands.h"
#include "app/cli/commands/tools/mcp_commands.h"
#include "app/cli/documents.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/config/mcp_servers.h"
#include "core/mcp/tool_servers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

namespace sg::cli {
namespace {

struct Arguments {
    std::string project = ".";
    std::string server;
    std::string tool;
    std::string input = "{}";
    std::string answer;
    double timeout = 0;
    SessionOption session;
};

struct Opened {
    std::unique_ptr<workbench::Workbench> project;
    std::shared_ptr<mcp::ToolServers> servers;
};

Result<Opened> open(const Arguments& arguments)
{
    auto paths =
        arguments.project == "." ? projects::findProject(".") : projects::locateProject(arguments.project);
    if (!paths)
        return std::move(paths.error());
    if (paths->graph.empty())
        return Error{ Errc::NotFound, paths->folder.string() + ": no *.graph.json in this folder" };
    workbench::WorkbenchOptions options;
    options.project = std::move(*paths);
    if (auto applied = arguments.session.apply(options); !applied)
        return applied.error();
    auto project = workbench::Workbench::open(std::move(options));
    if (!project)
        return std::move(project.error());
    auto servers = (*project)->toolServers();
    if (!servers)
        return std::move(servers.error());
    if (!*servers || (*servers)->servers().empty())
        return Error{ Errc::NotFound,
                      (*project)->project().graph.filename().string()
                          + " names no MCP servers: add \"mcp\": {NAME: {\"command\": …}} to it (sandglass "
                            "help mcp)" };
    return Opened{ std::move(*project), std::move(*servers) };
}

std::string firstLine(const std::string& text)
{
    return cutText(text.substr(0, text.find('\n')), 100);
}

Value toolDocument(const mcp::OfferedTool& offered)
{
    const mcp::Tool& tool = offered.tool;
    return Value::map({ { "name", offered.name },
                        { "tool", tool.name },
                        { "description", tool.description },
                        { "input_schema", tool.inputSchema },
                        { "output_schema", tool.outputSchema },
                        { "read_only", tool.readOnly },
                        { "destructive", tool.destructive },
                        { "fingerprint", tool.fingerprint() } });
}

int list(const Arguments& arguments, const Output& out)
{
    const InterruptWatch interrupt;
    auto opened = open(arguments);
    if (!opened)
        return out.fail(opened.error());
    ValueList document;
    std::set<std::string> taken;
    bool isAnyMissing = false;
    for (const mcp::ServerSettings& server : opened->servers->servers()) {
        if (!arguments.server.empty() && arguments.server != server.name)
            continue;
        const auto info = opened->servers->info(server.name, interrupt.token());
        if (!info) {
            isAnyMissing = true;
            out.text(server.name + "  cannot be used: " + info.error().message);
            document.push_back(Value::map({ { "server", server.name }, { "error", info.error().message } }));
            continue;
        }
        out.text(server.name + "  " + info->name + " " + info->version + ", revision " + info->protocol
                 + (server.url.empty() ? server.outside ? ", on this machine" : ", in a sandbox"
                                       : ", " + server.url));
        mcp::Offer offer = opened->servers->offer({ server.name }, taken, interrupt.token());
        ValueList tools;
        for (const mcp::OfferedTool& offered : offer.tools) {
            taken.insert(offered.name);
            tools.push_back(toolDocument(offered));
            out.text("  " + padded(offered.name, 32) + "  " + firstLine(offered.tool.description));
        }
        for (const std::string& note : offer.notes)
            out.note(note);
        document.push_back(Value::map({ { "server", server.name },
                                        { "name", info->name },
                                        { "version", info->version },
                                        { "revision", info->protocol },
                                        { "tools", std::move(tools) },
                                        { "notes", ValueList(offer.notes.begin(), offer.notes.end()) } }));
    }
    if (!arguments.server.empty() && document.empty())
        return out.fail(
            Error{ Errc::NotFound, "the graph names no MCP server \"" + arguments.server + "\"" });
    if (out.json)
        out.document(document);
    return isAnyMissing ? Failed : Done;
}

// Answers a server's question with --answer, or declines it and says what was asked.
mcp::ToolAnswer answered(const mcp::ToolQuestion& question, const Value& answer, const Output& out)
{
    out.note("the server asks: " + question.message
             + (question.url.empty() ? std::string() : " (" + question.url + ")"));
    if (!question.schema.isNull())
        out.note("it expects " + toJson(question.schema));
    if (answer.isNull()) {
        out.note("it was declined; answer with --answer JSON");
        return { mcp::ToolAnswer::Action::Decline, {} };
    }
    return { mcp::ToolAnswer::Action::Accept, answer };
}

int printed(const mcp::ToolResult& result, const Output& out)
{
    if (out.json)
        out.document(Value::map({ { "is_error", result.isError },
                                  { "content", result.content },
                                  { "structured", result.structured } }));
    else if (!result.isError)
        out.text(result.text());
    if (!result.isError)
        return Done;
    if (!out.json)
        out.note("error: " + result.text());
    return RunFailed;
}

int call(const Arguments& arguments, const Output& out)
{
    const auto input = jsonArgument(arguments.input, "--input");
    if (!input)
        return out.fail(Usage, input.error().message);
    if (!input->isMap())
        return out.fail(Usage, "--input must be a JSON object: the tool's arguments by name");
    Value answer;
    if (!arguments.answer.empty()) {
        auto parsed = jsonArgument(arguments.answer, "--answer");
        if (!parsed || !parsed->isMap())
            return out.fail(Usage, "--answer must be a JSON object: the fields of the question's form");
        answer = std::move(*parsed);
    }
    InterruptWatch interrupt;
    auto opened = open(arguments);
    if (!opened)
        return out.fail(opened.error());
    const auto tools = opened->servers->list(arguments.server, interrupt.token());
    if (!tools)
        return out.fail(tools.error());
    const auto tool = std::ranges::find(tools->tools, arguments.tool, &mcp::Tool::name);
    if (tool == tools->tools.end())
        return out.fail(Error{ Errc::NotFound,
                               "the server \"" + arguments.server + "\" has no tool \"" + arguments.tool
                                   + "\" (sandglass mcp list shows them)" });
    mcp::CallOptions options;
    options.stop = interrupt.begin();
    for (const mcp::ServerSettings& server : opened->servers->servers())
        if (server.name == arguments.server)
            options.timeout = server.timeout;
    if (arguments.timeout > 0)
        options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.timeout * 1000));
    options.onProgress = [&](const mcp::Progress& progress) {
        std::string line = std::to_string(static_cast<std::int64_t>(progress.done));
        if (progress.total > 0)
            line += " of " + std::to_string(static_cast<std::int64_t>(progress.total));
        out.note(line + (progress.message.empty() ? "" : "  " + progress.message));
    };
    options.askPerson = [&](const mcp::ToolQuestion& question) { return answered(question, answer, out); };
    const auto result = opened->servers->call(arguments.server, *tool, *input, options);
    return result ? printed(*result, out) : out.fail(result.error());
}

int allow(const Arguments& arguments, const Output& out)
{
    auto paths =
        arguments.project == "." ? projects::findProject(".") : projects::locateProject(arguments.project);
    if (!paths)
        return out.fail(paths.error());
    auto file = graph::loadGraph(paths->graph);
    if (!file)
        return out.fail(file.error());
    const auto servers = mcp::readServers(file->graph.mcp);
    if (!servers)
        return out.fail(servers.error());
    const auto server = std::ranges::find(*servers, arguments.server, &mcp::ServerSettings::name);
    if (server == servers->end())
        return out.fail(
            Error{ Errc::NotFound, "the graph names no MCP server \"" + arguments.server + "\"" });
    if (auto allowed = config::McpConsent(paths->folder).allow(*server); !allowed)
        return out.fail(allowed.error());
    return tellAllowed(out, "server", server->name, server->risk());
}

} // namespace

void addMcp(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("mcp", "servers of the Model Context Protocol: those of a graph, and this one");
    verb.needsVerb();
    const auto sub = [&](const char* name, const char* what, int (*act)(const Arguments&, const Output&)) {
        Verb made = verb.add(name, what);
        addProject(made, arguments->project);
        made.onRun([arguments, act, &shell] { shell.exit = act(*arguments, shell.out); });
        return made;
    };
    Verb listing = sub("list", "start the servers that the graph names, and list their tools", list);
    listing.option("--server", arguments->server, "only this one");
    arguments->session.add(listing);
    Verb calling = sub("call", "call a tool of a server", call);
    calling.option("SERVER", arguments->server, "name of the server").required();
    calling.option("TOOL", arguments->tool, "the tool, as the server names it").required();
    calling.option("--input", arguments->input, "its arguments: a JSON object, or @FILE");
    calling.option("--answer", arguments->answer,
                   "answer to what the tool asks a person: a JSON object (default: it is declined)");
    calling.option("--timeout", arguments->timeout, "seconds (default: the server's)").within(0.001, 86400.0);
    arguments->session.add(calling);
    sub("allow", "let a graph's server run on this machine, be asked over the network, or have its secret",
        allow)
        .option("SERVER", arguments->server, "name of the server")
        .required();
    addMcpServing(verb, shell);
}

} // namespace sg::cli
