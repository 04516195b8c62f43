#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/projects/project_text.h"
#include "core/runs/graph_check.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

#include <QDir>
#include <QFileInfo>

// The graph as it is being edited: checked, saved, kept for a crash. One at a time, in order.
namespace sg::ui {

void ProjectBridge::checkGraph(const std::string& graphText)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->checks;
    m_impl->checkedText = graphText;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, graphText, faults = m_impl->codeFaults] {
            graph::GraphFile file = workbench->checkGraph(graphText, runs::Check::Editing);
            runs::addCodeFaults(file, *faults);
            return std::move(file.problems);
        },
        [this, asked](const std::vector<graph::Problem>& problems) {
            if (asked == m_impl->checks)
                Q_EMIT graphChecked(problems);
        });
}

// A sandbox of its own, for a moment; where there is none nothing is said of the code.
void ProjectBridge::askPython()
{
    const quint64 asked = ++m_impl->codeChecks;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, text = m_impl->checkedText] {
            runs::CodeFaults faults;
            if (auto file = graph::parseGraph(text); file && file->skipped.empty())
                faults = runs::findCodeFaults(file->graph, workbench->project());
            faults.unchecked.clear();
            return faults;
        },
        [this, asked](runs::CodeFaults faults) {
            if (asked != m_impl->codeChecks || faults == *m_impl->codeFaults)
                return;
            m_impl->codeFaults = std::make_shared<const runs::CodeFaults>(std::move(faults));
            checkGraph(std::string(m_impl->checkedText));
        });
}

void ProjectBridge::saveGraph(const std::string& graphText, const std::string& expected)
{
    if (!isOpen())
        return;
    struct Saved {
        UserError error;
        std::optional<std::string> theirs;
    };
    const auto* asked = m_impl->workbench.get();
    // Answered also where another project could not be opened meanwhile: somebody waits for the end of it.
    m_impl->askAlways(
        m_impl->editing,
        [workbench = m_impl->workbench, journal = m_impl->journal, graphText, expected] {
            auto saved = projects::saveGraphText(workbench->project(), graphText, expected);
            if (saved && journal)
                saved = journal->keep({}, {});
            if (saved)
                return Saved();
            Saved refused{ userError(saved.error()), {} };
            if (saved.error().code == Errc::Conflict)
                if (auto theirs = readFile(workbench->project().graph, projects::kMostGraphText))
                    refused.theirs = std::move(*theirs);
            return refused;
        },
        [this, asked, graphText](const Saved& saved) {
            if (asked != m_impl->workbench.get())
                return;
            if (saved.error.what.isEmpty())
                askPython(); // other files may be named now
            Q_EMIT graphSaved(graphText, saved.error, saved.theirs);
        });
}

void ProjectBridge::keepEdits(const std::string& graphText, const std::string& base)
{
    if (!isOpen() || !m_impl->journal)
        return;
    m_impl->ask(
        m_impl->editing,
        [journal = m_impl->journal, graphText, base] {
            auto kept = journal->keep(graphText, base);
            return kept ? UserError() : userError(kept.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
        });
}

void ProjectBridge::loadCode(const QString& name)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->editing,
        [workbench = m_impl->workbench, journal = m_impl->journal, name] {
            CodeFileRow row;
            row.name = name;
            auto code = projects::readCode(workbench->project(), name.toStdString());
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
            if (!m_impl->code.contains(row.name))
                m_impl->code << row.name;
            followCode(row.name);
            Q_EMIT codeLoaded(row);
        });
}

// The file and its folder: one program writes in place, another puts a new file there.
void ProjectBridge::followCode(const QString& name)
{
    const QFileInfo file(QDir(m_impl->info.folder), name);
    for (const QString& path : { file.filePath(), file.path() })
        if (QFileInfo::exists(path) && !m_impl->files.files().contains(path)
            && !m_impl->files.directories().contains(path))
            m_impl->files.addPath(path);
}

void ProjectBridge::saveCode(const QString& name, const QString& text, const std::optional<QString>& expected)
{
    if (!isOpen())
        return;
    struct Saved {
        UserError error;
        bool conflict = false;
    };
    m_impl->ask(
        m_impl->editing,
        [workbench = m_impl->workbench, journal = m_impl->journal, name, text, expected] {
            auto saved = projects::saveCode(workbench->project(), name.toStdString(), text.toStdString(),
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

void ProjectBridge::keepCode(const QString& name, const QString& text)
{
    if (!isOpen() || !m_impl->journal)
        return;
    m_impl->ask(
        m_impl->editing,
        [journal = m_impl->journal, name, text] {
            auto kept = journal->keepDraft(name.toStdString(), text.toStdString());
            return kept ? UserError() : userError(kept.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
        });
}

} // namespace sg::ui
