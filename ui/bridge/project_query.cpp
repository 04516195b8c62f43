#include "ui/bridge/project_query.h"

#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/base/user_folders.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/projects/project_text.h"
#include "ui/bridge/row_conversion.h"

#include <QObject>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
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

std::vector<TaskRow> taskRows(const engine::StateSnapshot& snapshot, int step)
{
    std::vector<TaskRow> rows;
    for (const engine::StateTask& task : snapshot.tasks) {
        TaskRow row;
        row.task = text(task.id.value);
        row.node = text(task.name.value);
        row.step = step + 1;
        row.error = task.error.isString() ? text(printableText(task.error.asString())) : QString();
        row.outcome = task.result      ? QStringLiteral("done")
            : !row.error.isEmpty()     ? QStringLiteral("failed")
            : !task.interrupts.empty() ? QStringLiteral("interrupted")
                                       : QStringLiteral("queued");
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

Answer<std::unique_ptr<workbench::Workbench>> openWorkbench(const QString& path)
{
    workbench::WorkbenchOptions options;
    options.readOnly = projects::isDatabaseFile(utf8(path));
    auto paths =
        options.readOnly ? projects::databaseProject(utf8(path)) : projects::locateProject(utf8(path));
    if (!paths)
        return { nullptr, userError(paths.error()) };
    options.project = std::move(*paths);
    options.startAhead = true;
    auto opened = workbench::Workbench::open(std::move(options));
    if (!opened)
        return { nullptr, userError(opened.error()) };
    return { std::move(*opened), {} };
}

Answer<QString> copySample()
{
    const fs::path source = config::locateRuntime().examples / "penguins";
    const fs::path data = userDataFolder();
    if (data.empty())
        return { {}, { QObject::tr("There is no place for the sample: set HOME or XDG_DATA_HOME."), {} } };
    const fs::path target = data / "sandglass" / "samples" / "penguins";
    std::error_code failed;
    if (fs::exists(target / "penguins.graph.json", failed))
        return { text(target.string()), {} };
    fs::create_directories(target, failed);
    for (fs::recursive_directory_iterator it(source, failed), end; !failed && it != end;
         it.increment(failed)) {
        if (it->path().filename() == ".sandglass" || it->path().filename() == "__pycache__") {
            it.disable_recursion_pending();
            continue;
        }
        const fs::path to = target / fs::relative(it->path(), source, failed);
        if (it->is_directory())
            fs::create_directories(to, failed);
        else
            fs::copy_file(it->path(), to, fs::copy_options::overwrite_existing, failed);
    }
    if (failed)
        return { {},
                 { QObject::tr(
                       "The sample could not be copied to %1: %2. Free some space or set XDG_DATA_HOME.")
                       .arg(text(target.string()), text(failed.message())),
                   {} } };
    return { text(target.string()), {} };
}

namespace {

// A save writes what was understood, so what was not must not be edited.
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

ProjectInfo readProject(workbench::Workbench& workbench, const runs::CodeFaults& faults)
{
    ProjectInfo info;
    info.folder = text(workbench.project().folder.string());
    info.graphPath = text(workbench.project().graph.string());
    info.database = text(workbench.project().checkpoints.string());
    info.isReadOnly = workbench.isReadOnly();
    if (info.isReadOnly) {
        info.graphName = text(workbench.project().checkpoints.filename().string());
        return info; // no graph, and nothing runs
    }
    if (!workbench.project().graph.empty()) {
        // Read once: what is shown as the file's text must be what the graph was made of.
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
    readSandbox(workbench, info);
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

void readSandbox(workbench::Workbench& workbench, ProjectInfo& info)
{
    auto spec = workbench.sessionSpec();
    info.mode = spec ? modeName(*spec) : QString();
    info.hosts.clear();
    info.fetchesData = false;
    if (spec) {
        for (const std::string& host : spec->egress)
            info.hosts << text(printableText(host));
        info.fetchesData = spec->mode.datasets == sessions::DatasetAccess::Api
            || spec->mode.datasets == sessions::DatasetAccess::Hybrid;
    }
    auto backend = workbench.sessions().backendInfo(spec ? spec->backend : "auto");
    info.backend.clear();
    info.sandboxProblem = {};
    if (!backend) {
        // What a person does about it is mostly to install the embedded one; the rest is the long form.
        auto local = workbench.sessions().backendInfo("bubblewrap");
        info.sandboxProblem = userError(local ? backend.error() : local.error());
        info.sandboxProblem.detail = text(printableText(backend.error().message));
        return;
    }
    info.backend = text(backend->name);
    info.isolation = text(backend->isolation);
    info.weakLimits = !backend->limitsEnforced;
}

Answer<std::vector<ThreadRow>> readThreads(workbench::Workbench& workbench)
{
    auto threads = workbench.history().threads();
    if (!threads)
        return { {}, userError(threads.error()) };
    Answer<std::vector<ThreadRow>> answer;
    for (const history::ThreadRow& row : *threads)
        answer.value.push_back(threadRow(row));
    return answer;
}

namespace {

// The task that `node` ran last, of those that begin before `step` is over; null: none did.
const history::TaskRow* lastTaskOf(const std::vector<history::TaskRow>& tasks, const std::string& node,
                                   std::int64_t step)
{
    const history::TaskRow* last = nullptr;
    for (const history::TaskRow& task : tasks)
        if (task.node.value == node && task.step <= step && (last == nullptr || task.step >= last->step))
            last = &task;
    return last;
}

std::int64_t stepOf(const std::vector<history::CheckpointRow>& rows, const QString& checkpoint)
{
    for (const history::CheckpointRow& row : rows)
        if (text(row.id.value) == checkpoint)
            return row.step;
    return std::numeric_limits<std::int64_t>::max();
}

} // namespace

Answer<HistoryRows> readInnerHistory(workbench::Workbench& workbench, const QString& thread,
                                     const QString& checkpoint, const QStringList& path)
{
    const ThreadId id(utf8(thread));
    Answer<HistoryRows> answer;
    answer.value.thread = thread;
    history::History& history = workbench.history();
    std::int64_t until = std::numeric_limits<std::int64_t>::max();
    if (!checkpoint.isEmpty()) {
        auto rows = history.checkpoints(id);
        if (!rows)
            return { {}, userError(rows.error()) };
        until = stepOf(*rows, checkpoint);
    }
    std::string ns;
    for (const QString& node : path) {
        auto tasks = history.tasks(id, ns);
        if (!tasks)
            return { {}, userError(tasks.error()) };
        const history::TaskRow* task = lastTaskOf(*tasks, utf8(node), until);
        if (task == nullptr)
            return answer; // it did not run
        ns += (ns.empty() ? "" : "|") + utf8(node) + ":" + task->task.value;
        until = std::numeric_limits<std::int64_t>::max();
    }
    auto checkpoints = history.checkpoints(id, ns);
    auto tasks = history.tasks(id, ns);
    if (!checkpoints || !tasks)
        return { {}, userError(!checkpoints ? checkpoints.error() : tasks.error()) };
    for (auto row = checkpoints->rbegin(); row != checkpoints->rend(); ++row)
        answer.value.checkpoints.push_back(checkpointRow(*row));
    for (const history::TaskRow& row : *tasks)
        if (row.node.value != graph::kStart)
            answer.value.tasks.push_back(taskRow(row));
    return answer;
}

namespace {

// Those that would come back as something else: dates, sets, objects of classes.
QStringList typedChannels(const Value& stored, const Value& shown)
{
    QStringList names;
    if (stored.isMap() && shown.isMap())
        for (const auto& [name, value] : stored.asMap())
            if (name.isString() && value != shown[name.asString()])
                names << text(name.asString());
    return names;
}

} // namespace

Answer<StateView> readState(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& base)
{
    engine::StateAddress at;
    at.thread = ThreadId(utf8(thread));
    if (!checkpoint.isEmpty())
        at.checkpoint = CheckpointId(utf8(checkpoint));
    auto snapshot = workbench.states().state(at);
    if (!snapshot) // the graph may have changed since: the file alone tells less, but it tells
        snapshot = workbench.history().state(at.thread, "", at.checkpoint);
    if (!snapshot)
        return { {}, userError(snapshot.error()) };
    Answer<StateView> answer;
    StateView& view = answer.value;
    view.thread = thread;
    view.checkpoint = snapshot->config.checkpoint ? text(snapshot->config.checkpoint->value) : QString();
    view.values = checkpoint::plain(snapshot->values);
    view.typed = typedChannels(snapshot->values, view.values);
    view.parentValues = Value::map();
    view.next = nodeNames(snapshot->next);
    view.step = snapshot->metadata ? static_cast<int>(snapshot->metadata->intOr("step", 0)) : 0;
    view.tasks = taskRows(*snapshot, view.step);
    for (const Value& interrupt : snapshot->interrupts)
        view.interrupts.push_back(checkpoint::plain(interrupt));
    if (snapshot->parent && snapshot->parent->checkpoint)
        view.parent = text(snapshot->parent->checkpoint->value);
    view.isParent = base.isEmpty() || base == view.parent;
    const QString compared = base.isEmpty() ? view.parent : base;
    if (!compared.isEmpty()) {
        at.checkpoint = CheckpointId(utf8(compared));
        auto parent = workbench.history().state(at.thread, "", at.checkpoint);
        if (parent) {
            view.parentValues = checkpoint::plain(parent->values);
            view.parentStep = parent->metadata ? static_cast<int>(parent->metadata->intOr("step", 0)) : 0;
        }
    }
    return answer;
}

} // namespace sg::ui
