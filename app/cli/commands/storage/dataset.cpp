#include "app/cli/commands/commands.h"
#include "app/cli/documents.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "app/cli/session_option.h"
#include "core/config/project_sessions.h"

#include <memory>

namespace sg::cli {
namespace {

using datasets::DatasetProviders;
using datasets::DatasetSource;

struct Arguments {
    std::string project = ".";
    std::string thread;
    SessionOption session;
    std::string name; // of a provider or a dataset; a path to export
    std::string to;
    std::string folder;
    std::string url;
    std::vector<std::string> command;
    std::vector<std::string> headers;
    std::vector<std::string> ids;
    std::string format;
    std::string secret;
};

Result<projects::ProjectPaths> locate(const Arguments& arguments)
{
    return arguments.project == "." ? projects::findProject(".") : projects::locateProject(arguments.project);
}

Result<DatasetProviders> providers(const Arguments& arguments)
{
    auto paths = locate(arguments);
    if (!paths)
        return std::move(paths.error());
    return DatasetProviders(config::datasetFolders(*paths));
}

struct Opened {
    std::unique_ptr<workbench::Workbench> project;
    std::shared_ptr<sessions::Session> session;
};

Result<Opened> openSession(const Arguments& arguments, const InterruptWatch& interrupt, const Output& out)
{
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return thread.error();
    auto paths = locate(arguments);
    if (!paths)
        return std::move(paths.error());
    workbench::WorkbenchOptions options;
    options.project = std::move(*paths);
    if (auto applied = arguments.session.apply(options); !applied)
        return applied.error();
    auto project = workbench::Workbench::open(std::move(options));
    if (!project)
        return std::move(project.error());
    auto spec = (*project)->sessionSpec();
    if (!spec)
        return std::move(spec.error());
    auto session = (*project)->sessions().acquire(*thread, *spec, interrupt.token(),
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return std::move(session.error());
    return Opened{ std::move(*project), std::move(*session) };
}

// Ctrl+C ends a transfer in order: both sides discard what has come.
auto goingOnWith(const InterruptWatch& interrupt)
{
    return [stop = interrupt.token()] { return !stop.stop_requested(); };
}

Value documentOf(const datasets::DatasetStatus& entry)
{
    const datasets::StagedDataset& dataset = entry.dataset;
    return Value::map({ { "id", dataset.id },
                        { "status", nameOf(entry.state) },
                        { "provider", dataset.provider },
                        { "format", dataset.format },
                        { "bytes", dataset.bytes >= 0 ? Value(dataset.bytes) : Value() },
                        { "path", dataset.path.empty() ? Value() : Value(dataset.path) },
                        { "error", entry.error.empty() ? Value() : Value(entry.error) } });
}

Result<std::vector<datasets::DatasetStatus>> statuses(const Arguments& arguments, const Output& out)
{
    if (!arguments.thread.empty()) {
        const InterruptWatch interrupt;
        auto opened = openSession(arguments, interrupt, out);
        if (!opened)
            return std::move(opened.error());
        return opened->project->datasets().list(*opened->session);
    }
    auto from = providers(arguments);
    if (!from)
        return std::move(from.error());
    auto offered = from->offered();
    if (!offered)
        return std::move(offered.error());
    std::vector<datasets::DatasetStatus> entries;
    for (const datasets::OfferedDataset& offer : *offered)
        entries.push_back({ { offer.id, {}, offer.provider, offer.format, offer.bytes },
                            datasets::DatasetStatus::State::Available,
                            {} });
    return entries;
}

int list(const Arguments& arguments, const Output& out)
{
    const auto entries = statuses(arguments, out);
    if (!entries)
        return out.fail(entries.error());
    ValueList document;
    for (const datasets::DatasetStatus& entry : *entries) {
        document.push_back(documentOf(entry));
        out.text(padded(entry.dataset.id, 28) + "  " + padded(std::string(nameOf(entry.state)), 9) + "  "
                 + padded(entry.dataset.provider, 12) + "  " + padded(entry.dataset.format, 8)
                 + (entry.dataset.bytes >= 0 ? "  " + std::to_string(entry.dataset.bytes) + " bytes" : "")
                 + (entry.dataset.path.empty() ? "" : "  " + entry.dataset.path)
                 + (entry.error.empty() ? "" : "  " + entry.error));
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("no datasets: put files into datasets/, or add a provider (sandglass dataset add --help)");
    return Done;
}

int showProviders(const Arguments& arguments, const Output& out)
{
    const auto from = providers(arguments);
    if (!from)
        return out.fail(from.error());
    const auto sources = datasets::loadSources(from->folders().config);
    if (!sources)
        return out.fail(sources.error());
    ValueList document;
    for (const DatasetSource& source : *sources) {
        const auto risk = from->consent().risk(source);
        const bool allowed = from->consent().isAllowed(source);
        Value entry = source.written;
        entry.editMap().set("allowed", allowed);
        document.push_back(std::move(entry));
        out.text(padded(source.name, 16) + "  "
                 + (source.kind == DatasetSource::Kind::Folder     ? source.folder.string()
                        : source.kind == DatasetSource::Kind::Http ? source.url
                                                                   : source.command.front())
                 + (allowed ? "" : "  not allowed yet: it " + risk.value_or("")));
    }
    if (out.json)
        out.document(document);
    return Done;
}

Value entryOf(const Arguments& arguments)
{
    ValueMap entry{ { "name", arguments.name } };
    const auto set = [&](const char* key, const std::string& value) {
        if (!value.empty())
            entry.set(key, value);
    };
    const auto setAll = [&](const char* key, const std::vector<std::string>& values) {
        if (values.empty())
            return;
        ValueList list;
        for (const std::string& value : values)
            list.emplace_back(value);
        entry.set(key, std::move(list));
    };
    set("directory", arguments.folder);
    set("url", arguments.url);
    setAll("command", arguments.command);
    set("format", arguments.format);
    set("secret", arguments.secret);
    setAll("ids", arguments.ids);
    ValueMap headers;
    for (const std::string& header : arguments.headers) {
        const std::size_t colon = header.find(':');
        const std::size_t value =
            colon == std::string::npos ? colon : header.find_first_not_of(' ', colon + 1);
        headers.set(header.substr(0, colon),
                    value == std::string::npos ? std::string() : header.substr(value));
    }
    if (!headers.empty())
        entry.set("headers", Value(std::move(headers)));
    return Value(std::move(entry));
}

int allow(const Arguments& arguments, const Output& out)
{
    const auto from = providers(arguments);
    if (!from)
        return out.fail(from.error());
    const auto sources = datasets::loadSources(from->folders().config);
    if (!sources)
        return out.fail(sources.error());
    for (const DatasetSource& source : *sources) {
        if (source.name != arguments.name)
            continue;
        if (auto allowed = from->consent().allow(source); !allowed)
            return out.fail(allowed.error());
        return tellAllowed(out, "provider", source.name, from->consent().risk(source).value_or(""));
    }
    return out.fail(
        Error{ Errc::NotFound, "there is no provider '" + arguments.name + "' in datasets.json" });
}

// Typing a program's name here counts as permission to run it.
int add(const Arguments& arguments, const Output& out)
{
    const auto from = providers(arguments);
    if (!from)
        return out.fail(from.error());
    if (auto added = datasets::addSource(from->folders().config, entryOf(arguments)); !added)
        return out.fail(added.error());
    return allow(arguments, out);
}

int removeProvider(const Arguments& arguments, const Output& out)
{
    const auto from = providers(arguments);
    if (!from)
        return out.fail(from.error());
    if (auto removed = datasets::removeSource(from->folders().config, arguments.name); !removed)
        return out.fail(removed.error());
    if (out.json)
        out.document(Value::map({ { "provider", arguments.name }, { "removed", true } }));
    out.text(arguments.name + ": removed");
    return Done;
}

// Fetches into a folder of this machine, which LOCAL_RO sessions read without a request.
int stageHere(const Arguments& arguments, const Output& out)
{
    const auto paths = locate(arguments);
    if (!paths)
        return out.fail(paths.error());
    const DatasetProviders from(config::datasetFolders(*paths));
    const InterruptWatch interrupt;
    const auto fetched = from.fetchInto(
        arguments.to.empty() ? from.folders().project / "datasets" : std::filesystem::path(arguments.to),
        arguments.name, goingOnWith(interrupt), config::auditOfSecrets(*paths));
    if (!fetched && fetched.error().code == Errc::Unavailable) // it needs a server, and there is no sandbox
        return out.fail(Failed, fetched.error().message);
    if (!fetched)
        return out.fail(fetched.error());
    if (out.json)
        out.document(Value::map({ { "id", arguments.name },
                                  { "path", fetched->path.string() },
                                  { "provider", fetched->provider },
                                  { "format", fetched->format },
                                  { "bytes", fetched->bytes } }));
    out.text(arguments.name + ": " + std::to_string(fetched->bytes) + " bytes from " + fetched->provider
             + " at " + fetched->path.string());
    return Done;
}

int stage(const Arguments& arguments, const Output& out)
{
    if (arguments.thread.empty())
        return stageHere(arguments, out);
    const InterruptWatch interrupt;
    auto opened = openSession(arguments, interrupt, out);
    if (!opened)
        return out.fail(opened.error());
    const auto staged =
        opened->project->datasets().select(*opened->session, arguments.name, goingOnWith(interrupt),
                                           [&](const std::string& line) { out.note(line); });
    if (!staged)
        return out.fail(staged.error());
    if (out.json)
        out.document(documentOf({ *staged, datasets::DatasetStatus::State::Loaded, {} }));
    out.text(staged->id + ": LOADED at " + staged->path);
    return Done;
}

int exportFile(const Arguments& arguments, const Output& out)
{
    const InterruptWatch interrupt;
    auto opened = openSession(arguments, interrupt, out);
    if (!opened)
        return out.fail(opened.error());
    const auto exported =
        opened->project->datasets().exportFile(*opened->session, arguments.name, {}, goingOnWith(interrupt));
    if (!exported)
        return out.fail(exported.error());
    if (out.json)
        out.document(Value::map({ { "path", exported->copy.string() },
                                  { "artifact", exported->artifact.id.value },
                                  { "bytes", static_cast<std::int64_t>(exported->artifact.size) },
                                  { "sha256", exported->artifact.sha256 } }));
    out.text(exported->copy.string() + "  " + exported->artifact.id.value);
    return Done;
}

void addProviderOptions(Verb verb, Arguments& arguments)
{
    Verb kinds = verb.group("kind", "where the datasets come from, one of:");
    kinds.option("--directory", arguments.folder, "a folder, relative to the project");
    kinds.option("--url", arguments.url, "an address with {id} in its path or query");
    kinds.option("--command", arguments.command, "a program and its arguments, {id} among them; last option");
    kinds.needsOption(1);
    verb.option("--format", arguments.format, "parquet (default), csv, arrow, json or jsonl");
    verb.option("--ids", arguments.ids, "what it has; otherwise it is asked for whatever is wanted");
    verb.option("--header", arguments.headers, "\"Name: value\" to send, {secret} in it; may be repeated");
    verb.option("--secret", arguments.secret,
                "name of a secret: an environment variable, or a file in .sandglass/secrets");
}

} // namespace

void addDataset(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("dataset", "data that sessions may read");
    verb.needsVerb();
    const auto sub = [&](const char* name, const char* what, int (*act)(const Arguments&, const Output&)) {
        Verb made = verb.add(name, what);
        addProject(made, arguments->project);
        made.onRun([arguments, act, &shell] { shell.exit = act(*arguments, shell.out); });
        return made;
    };
    const auto withSession = [&](Verb made, const char* what) {
        const Option thread = made.option("--thread", arguments->thread, what);
        arguments->session.add(made);
        return thread;
    };
    withSession(sub("list", "what can be selected, and what a thread's session has", list),
                "with the status in this thread's session");
    sub("providers", "where datasets come from", showProviders);
    Verb adding = sub("add", "add a provider to datasets.json, or change it", add);
    adding.option("NAME", arguments->name, "name of the provider").required();
    addProviderOptions(adding, *arguments);
    sub("remove", "remove a provider from datasets.json", removeProvider)
        .option("NAME", arguments->name, "name of the provider")
        .required();
    sub("allow", "let a project's provider run its program, read its folder or use its secret", allow)
        .option("NAME", arguments->name, "name of the provider")
        .required();
    Verb staging =
        sub("stage", "fetch a dataset into the project's datasets folder, or into a session", stage);
    staging.option("ID", arguments->name, "the dataset").required();
    staging.option("-o,--output,--to", arguments->to, "another folder");
    withSession(staging, "into this thread's session");
    Verb exporting =
        sub("export", "copy a file of a thread's session out, and store it as an artifact", exportFile);
    exporting.option("PATH", arguments->name, "in the session, such as /session/data/result.parquet")
        .required();
    withSession(exporting, "thread whose session has it").required();
}

} // namespace sg::cli
