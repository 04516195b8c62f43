#include "ui/bridge/open/project_query.h"

#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/base/user_folders.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/history/database.h"
#include "core/projects/new_project.h"
#include "core/projects/project_text.h"
#include "core/sandbox/backend_kinds.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QObject>

#include <system_error>

namespace fs = std::filesystem;

namespace sg::ui {
namespace {

QString dataName(sessions::DatasetAccess access)
{
    switch (access) {
    case sessions::DatasetAccess::None: return QObject::tr("No data");
    case sessions::DatasetAccess::LocalRo: return QObject::tr("Local data");
    case sessions::DatasetAccess::Api: return QObject::tr("Fetched data");
    case sessions::DatasetAccess::Hybrid: return QObject::tr("Local and fetched data");
    }
    return {};
}

QString modeName(const sessions::SessionSpec& spec)
{
    const bool isBound = spec.mode.storage == sessions::SessionStorage::Bind;
    return (isBound ? QObject::tr("Disk") : QObject::tr("Memory")) + QStringLiteral(" · ")
        + dataName(spec.mode.datasets);
}

} // namespace

Answer<std::unique_ptr<workbench::Workbench>> openWorkbench(const QString& path, const QString& database)
{
    workbench::WorkbenchOptions options;
    options.readOnly = checkpoint::isPostgresAddress(utf8(path)) || projects::isDatabaseFile(utf8(path));
    auto paths = options.readOnly ? history::databaseAlone(utf8(path)) : projects::locateProject(utf8(path));
    if (!paths)
        return { nullptr, userError(paths.error()) };
    if (auto chosen = history::chooseDatabase(*paths, utf8(database)); !chosen)
        return { nullptr, userError(chosen.error()) };
    // If the folder cannot be written to, its checkpoints are opened read-only.
    const std::string why = options.readOnly ? std::string() : projects::whyReadOnly(*paths);
    if (std::error_code failed; !why.empty() && fs::exists(paths->checkpoints, failed)) {
        options.readOnly = true;
        const std::string shared = paths->shared;
        paths = projects::databaseProject(paths->checkpoints);
        if (!paths)
            return { nullptr, userError(paths.error()) };
        paths->shared = shared;
    } else if (!why.empty()) {
        return { nullptr,
                 { QObject::tr(
                       "%1 can only be looked at: %2. Runs are kept there. It has none so far, so that there "
                       "is nothing to show; open a copy of it.")
                       .arg(text(paths->folder.string()), text(why)),
                   {} } };
    }
    options.project = std::move(*paths);
    options.startAhead = true;
    auto opened = workbench::Workbench::open(std::move(options));
    if (!opened)
        return { nullptr, userError(opened.error()) };
    return { std::move(*opened), {} };
}

QString onlyReadableFolder(const QString& path)
{
    const auto paths = projects::locateProject(utf8(path));
    return paths && !projects::whyReadOnly(*paths).empty() ? text(paths->folder.string()) : QString();
}

Answer<QString> copySample(const QString& example)
{
    const fs::path data = userDataFolder();
    if (data.empty())
        return { {}, { QObject::tr("There is no place for the sample: set HOME or XDG_DATA_HOME."), {} } };
    const config::RuntimePaths runtime = config::locateRuntime();
    const std::string name = utf8(example);
    const fs::path target = data / "sandglass" / "samples" / name;
    std::error_code failed;
    if (fs::exists(target / (name + ".graph.json"), failed))
        return { text(target.string()), {} };
    const auto from = projects::findTemplate({ {}, runtime.examples }, name);
    if (!from)
        return { {}, userError(from.error()) };
    if (const auto made = projects::createProject({ name, target }, *from); !made)
        return { {},
                 { QObject::tr("The sample could not be copied: %1. Free some space or set XDG_DATA_HOME.")
                       .arg(text(made.error().message)),
                   {} } };
    return { text(target.string()), {} };
}

namespace {

// A save writes only what was understood, so a file that was not fully understood must not be edited.
QString editFaultOf(const graph::GraphFile& file)
{
    if (!file.skipped.empty())
        return QObject::tr("parts of the file are too broken to be kept");
    for (const graph::Problem& problem : file.problems)
        if (problem.code == "not-json" || problem.code == "newer-format")
            return QObject::tr("the file cannot be read");
    return {};
}

} // namespace

ModeInfo readMode(const workbench::Workbench& workbench, const graph::Graph& graph)
{
    const auto spec = workbench.sessionSpecOf(graph);
    if (!spec)
        return {};
    ModeInfo info;
    info.name = modeName(*spec);
    for (const std::string& host : spec->egress)
        info.hosts << text(printableText(host));
    info.fetchesData = spec->mode.datasets == sessions::DatasetAccess::Api
        || spec->mode.datasets == sessions::DatasetAccess::Hybrid;
    return info;
}

ProjectInfo readProject(workbench::Workbench& workbench, const runs::CodeFaults& faults)
{
    ProjectInfo info;
    info.folder = text(workbench.project().folder.string());
    info.graphPath = text(workbench.project().graph.string());
    info.database = text(workbench.project().checkpoints.string());
    info.isReadOnly = workbench.isReadOnly();
    info.shared = text(checkpoint::shownAddress(workbench.project().shared));
    if (const auto& bucket = workbench.artifacts().contents().shared())
        info.bucket = text(bucket->place());
    if (info.isReadOnly) {
        // "flows" of "postgresql://me@db.example/flows?sslmode=require"
        info.graphName = info.shared.section(QLatin1Char('?'), 0, 0).section(QLatin1Char('/'), 3, 3);
        if (info.graphName.isEmpty())
            info.graphName = info.shared.isEmpty() ? text(workbench.project().checkpoints.filename().string())
                                                   : info.shared;
        const fs::path data = workbench.project().checkpoints.parent_path();
        if (const auto paths = projects::locateProject(data.parent_path());
            paths && data.filename() == ".sandglass" && paths->data == data) {
            info.readOnlyWhy = text(projects::whyReadOnly(*paths));
            if (!info.readOnlyWhy.isEmpty()) {
                info.folder = text(paths->folder.string());
                info.graphName = text(paths->folder.filename().string());
            }
        }
        return info; // no graph, and nothing runs
    }
    if (!workbench.project().graph.empty()) {
        // Read once, because the shown text must be the text that the graph was made of.
        if (auto written = readFile(workbench.project().graph, projects::kMostGraphText)) {
            graph::GraphFile file = workbench.checkGraph(*written, runs::Check::Editing);
            runs::addCodeFaults(file, faults);
            info.editFault = editFaultOf(file);
            info.graph = std::move(file.graph);
            info.problems = std::move(file.problems);
            info.fileText = std::move(*written);
        } else {
            std::error_code failed;
            graph::Problem unreadable;
            unreadable.code = "unreadable";
            unreadable.message = fs::is_directory(workbench.project().folder, failed)
                ? "read graph " + workbench.project().graph.string() + ": " + written.error().message
                : "the project folder " + workbench.project().folder.string()
                    + " is not there any more: it was moved or deleted. Open it at its new place";
            info.problems.push_back(std::move(unreadable));
            info.isReadable = false;
        }
        QString name = text(workbench.project().graph.filename().string());
        name.chop(static_cast<int>(sizeof ".graph.json") - 1);
        info.graphName = info.graph.name.empty() ? name : text(info.graph.name);
    }
    info.mode = readMode(workbench, info.graph);
    return info;
}

std::shared_ptr<projects::EditJournal> openJournal(const workbench::Workbench& workbench,
                                                   std::shared_ptr<projects::EditJournal> open)
{
    if (workbench.isReadOnly() || workbench.project().graph.empty())
        return nullptr;
    if (open && open->isOf(workbench.project()))
        return open;
    return std::make_shared<projects::EditJournal>(workbench.project());
}

void readUnsaved(const projects::EditJournal& journal, ProjectInfo& info)
{
    projects::EditJournal::Edits edits = journal.read();
    info.unsaved = std::move(edits.text);
    info.isUnsavedOlder = !edits.base.empty() && edits.base != projects::textHash(info.fileText);
    info.isOpenElsewhere = journal.isShared();
}

RuntimeRow readRuntime()
{
    const config::RuntimePaths paths = config::locateRuntime();
    RuntimeRow row;
    if (const auto packages = config::runtimePackages(paths))
        for (const config::RuntimePackage& each : *packages)
            row.packages << text(each.module());
    row.state =
        config::missingPackages(paths).empty() ? RuntimeRow::State::Ready : RuntimeRow::State::Missing;
    return row;
}

SandboxInfo askSandbox(workbench::Workbench& workbench, const graph::Graph& graph)
{
    const auto spec = workbench.sessionSpec();
    SandboxInfo found;
    found.isKnown = true;
    auto backend =
        workbench.sessions().backendInfo(spec ? spec->backend : std::string(sandbox::kAutoBackend));
    if (!backend) {
        // Most people should install the embedded backend; the other reasons are in the details.
        auto local = workbench.sessions().backendInfo(
            std::string(sandbox::firstBackendOn(sandbox::RunsOn::Environment).name));
        found.problem = userError(local ? backend.error() : local.error());
        found.problem.detail = text(printableText(backend.error().message));
        return found;
    }
    if (sandbox::runsOnEnvironment(backend->name))
        for (const std::string& module :
             runs::importsOf(graph, workbench.project(), config::missingPackages(config::locateRuntime())))
            found.missingModules << text(module);
    found.backend = text(backend->name);
    found.isolation = text(backend->isolation);
    found.weakLimits = !backend->limitsEnforced;
    return found;
}

} // namespace sg::ui
