#include "ui/bridge/editing/editing_client.h"

#include "core/base/file.h"
#include "core/projects/edit_journal.h"
#include "core/projects/graph_exchange.h"
#include "core/projects/project_text.h"
#include "core/runs/graph_check.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace sg::ui {

EditingClient::EditingClient(OpenProject& project)
    : Client(project)
    , m_check(*this)
    , m_reload(*this)
    , m_python(*this)
    , m_faults(std::make_shared<const runs::CodeFaults>())
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(200);
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, [this] { m_settle.start(); });
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, [this](const QString& path) {
        // The parent folder is watched only because a renamed folder gets no notification itself.
        const QString& folder = this->project().info().folder;
        if (path != QFileInfo(folder).path() || !QDir(folder).exists())
            m_settle.start();
    });
    connect(&m_settle, &QTimer::timeout, this, &EditingClient::reloadGraph);
    connect(&project, &OpenProject::opened, this, &EditingClient::begin);
}

void EditingClient::begin(const ProjectInfo& info)
{
    m_code.clear();
    m_faults = std::make_shared<const runs::CodeFaults>();
    m_checkedText = info.fileText;
    watchFiles();
    askPython();
}

void EditingClient::watchFiles()
{
    if (!m_files.files().isEmpty())
        m_files.removePaths(m_files.files());
    if (!m_files.directories().isEmpty())
        m_files.removePaths(m_files.directories());
    const ProjectInfo& info = project().info();
    if (QFile::exists(info.graphPath))
        m_files.addPath(info.graphPath);
    for (const QString& folder :
         { info.folder, info.folder + QStringLiteral("/nodes"), QFileInfo(info.folder).path() })
        if (QDir(folder).exists())
            m_files.addPath(folder);
    for (const QString& name : std::as_const(m_code))
        followCode(name);
}

void EditingClient::reloadGraph()
{
    m_reload.ask(
        readers(),
        [faults = m_faults](workbench::Workbench& workbench) { return readProject(workbench, *faults); },
        [this](ProjectInfo info) {
            if (!info.isReadable) { // keeps the last graph visible while the file is being mended
                info.graph = project().info().graph;
                info.graphName = project().info().graphName;
                info.editFault = tr("the file cannot be read");
            }
            info.sandbox = project().info().sandbox; // until it is asked for again
            access().setInfo(std::move(info));
            watchFiles(); // an atomic save replaces the watched file
            Q_EMIT graphChanged(project().info());
            project().checkSandbox(); // the file may name another backend
            askPython(); // any file of the folder may be another one
        });
    for (const QString& name : QStringList(m_code))
        loadCode(name);
}

void EditingClient::checkGraph(const std::string& graphText)
{
    if (!isOpen())
        return;
    m_checkedText = graphText;
    m_check.ask(
        readers(),
        [graphText, faults = m_faults](workbench::Workbench& workbench) {
            graph::GraphFile file = workbench.checkGraph(graphText, runs::Check::Editing);
            runs::addCodeFaults(file, *faults);
            return GraphCheck{ std::move(file.problems), readMode(workbench, file.graph) };
        },
        [this](const GraphCheck& check) { Q_EMIT graphChecked(check); });
}

// Checks the code files in a sandbox of their own; without a sandbox, nothing is reported.
void EditingClient::askPython()
{
    m_python.ask(
        slow(),
        [text = m_checkedText](workbench::Workbench& workbench) {
            runs::CodeFaults faults;
            if (auto file = graph::parseGraph(text); file && file->skipped.empty())
                faults = runs::findCodeFaults(file->graph, workbench.project());
            faults.unchecked.clear();
            return faults;
        },
        [this](runs::CodeFaults faults) {
            if (faults == *m_faults)
                return;
            m_faults = std::make_shared<const runs::CodeFaults>(std::move(faults));
            checkGraph(std::string(m_checkedText));
        });
}

void EditingClient::saveGraph(const std::string& graphText, const std::string& expected)
{
    struct Saved {
        UserError error;
        std::optional<std::string> theirs;
    };
    // Answered even if another project failed to open meanwhile, because somebody waits for it.
    askAlways(
        access().pools().keeping,
        [journal = access().journal(), graphText, expected](workbench::Workbench& workbench) {
            auto saved = projects::saveGraphText(workbench.project(), graphText, expected);
            if (saved && journal)
                saved = journal->keep({}, {});
            if (saved)
                return Saved();
            Saved refused{ userError(saved.error()), {} };
            if (saved.error().code == Errc::Conflict)
                if (auto theirs = readFile(workbench.project().graph, projects::kMostGraphText))
                    refused.theirs = std::move(*theirs);
            return refused;
        },
        [this, asked = access().generation(), graphText](const Saved& saved) {
            if (asked != access().generation())
                return;
            if (saved.error.what.isEmpty())
                askPython(); // the graph may name other files now
            Q_EMIT graphSaved(graphText, saved.error, saved.theirs);
        });
}

// Writes to the journal with `keep`, if there is a journal.
template<typename Keep>
void EditingClient::keep(Keep keep)
{
    if (!access().journal())
        return;
    ask(
        access().pools().keeping,
        [journal = access().journal(), keep = std::move(keep)] {
            auto kept = keep(*journal);
            return kept ? UserError() : userError(kept.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                fail(error);
        });
}

void EditingClient::keepEdits(const std::string& graphText, const std::string& base)
{
    keep([graphText, base](projects::EditJournal& journal) { return journal.keep(graphText, base); });
}

void EditingClient::keepCode(const QString& name, const QString& text)
{
    keep([name, text](projects::EditJournal& journal) {
        return journal.keepDraft(name.toStdString(), text.toStdString());
    });
}

void EditingClient::loadCode(const QString& name)
{
    ask(
        access().pools().keeping,
        [journal = access().journal(), name](workbench::Workbench& workbench) {
            CodeFileRow row;
            row.name = name;
            auto code = projects::readCode(workbench.project(), name.toStdString());
            if (!code) {
                row.error = userError(code.error());
                return row;
            }
            row.text = QString::fromStdString(code->text);
            row.exists = code->exists;
            if (journal)
                row.draft = QString::fromStdString(journal->draft(name.toStdString()));
            return row;
        },
        [this](const CodeFileRow& row) {
            if (!m_code.contains(row.name))
                m_code << row.name;
            followCode(row.name);
            Q_EMIT codeLoaded(row);
        });
}

// Watches the file and its folder: some programs write in place, others replace the file.
void EditingClient::followCode(const QString& name)
{
    const QFileInfo file(QDir(project().info().folder), name);
    for (const QString& path : { file.filePath(), file.path() })
        if (QFileInfo::exists(path) && !m_files.files().contains(path)
            && !m_files.directories().contains(path))
            m_files.addPath(path);
}

void EditingClient::saveCode(const QString& name, const QString& text, const std::optional<QString>& expected)
{
    struct Saved {
        UserError error;
        bool conflict = false;
    };
    ask(
        access().pools().keeping,
        [journal = access().journal(), name, text, expected](workbench::Workbench& workbench) {
            auto saved = projects::saveCode(workbench.project(), name.toStdString(), text.toStdString(),
                                            expected ? std::optional(expected->toStdString()) : std::nullopt);
            if (saved && journal)
                saved = journal->keepDraft(name.toStdString(), {});
            return saved ? Saved() : Saved{ userError(saved.error()), saved.error().code == Errc::Conflict };
        },
        [this, name, text](const Saved& saved) {
            if (saved.error.what.isEmpty())
                askPython();
            Q_EMIT codeSaved(name, text, saved.error, saved.conflict);
        });
}

void EditingClient::exportGraph(const graph::Graph& graph, GraphFormat format, const QString& target)
{
    askAlways(
        slow(),
        [graph, format, target](workbench::Workbench& workbench) {
            Answer<QString> answer;
            auto notes = exportTo(graph, workbench.project(), format, target.toStdString());
            if (notes)
                answer.value = *notes;
            else
                answer.error = userError(notes.error());
            return answer;
        },
        [this, target](const Answer<QString>& answer) {
            Q_EMIT graphExported(target, answer.value, answer.error);
        });
}

void EditingClient::importGraph(const QString& json, const QString& graphFile)
{
    askOutside(
        slow(),
        [json, graphFile] {
            Answer<QString> answer;
            auto imported = projects::importLangGraph(json.toStdString(), graphFile.toStdString());
            if (imported)
                answer.value = listed(imported->notes);
            else
                answer.error = userError(imported.error());
            return answer;
        },
        [this, graphFile](const Answer<QString>& answer) {
            Q_EMIT graphImported(graphFile, answer.value, answer.error);
        });
}

void EditingClient::loadGraphAt(const QString& thread, const QString& checkpoint)
{
    ask(
        readers(),
        [thread, checkpoint](workbench::Workbench& workbench) {
            GraphVersion version{ .thread = thread, .checkpoint = checkpoint };
            auto found = workbench.history().graphAt(ThreadId(utf8(thread)), CheckpointId(utf8(checkpoint)));
            if (!found)
                version.error = text(found.error().message);
            else if (*found)
                version.text = **found;
            return version;
        },
        [this](const GraphVersion& version) { Q_EMIT graphVersionLoaded(version); });
}

void EditingClient::loadCommittedGraph(const QString& revision)
{
    ask(
        slow(),
        [revision](workbench::Workbench& workbench) {
            GraphVersion version;
            auto found = projects::committedText(workbench.project().graph, utf8(revision));
            if (found)
                version.text = *found;
            else
                version.error = text(found.error().message);
            return version;
        },
        [this](const GraphVersion& version) { Q_EMIT graphVersionLoaded(version); });
}

void EditingClient::loadSkeleton(const QString& thread)
{
    ask(
        readers(),
        [thread](workbench::Workbench& workbench) {
            auto found = workbench.history().skeleton(ThreadId(utf8(thread)));
            return found ? std::move(*found) : graph::Graph(); // the history reports what cannot be read
        },
        [this, thread](const graph::Graph& graph) { Q_EMIT skeletonLoaded(thread, graph); });
}

} // namespace sg::ui
