#include "ui/shell/project/project_state.h"

#include "core/sandbox/backend_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/graph/edits/quick_fixes.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/outline.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/problems_panel.h"
#include "ui/shell/project/runtime_part.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/project/start_part.h"
#include "ui/shell/status_line.h"
#include "ui/shell/unsaved_edits.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <optional>
#include <utility>

namespace sg::ui {
namespace {

// A run tells of bad code where it comes to it.
bool stopsRuns(const graph::Problem& problem)
{
    return problem.severity == graph::Problem::Severity::Error && problem.code != "bad-python";
}

// "line 19: edge to unknown node 'doubl'"; empty: there is no error.
QString firstError(const std::vector<graph::Problem>& problems)
{
    const auto found = std::ranges::find_if(problems, stopsRuns);
    if (found == problems.end())
        return {};
    const QString message = QString::fromStdString(found->message);
    return found->position.line > 0 ? ProjectState::tr("line %1: %2").arg(found->position.line).arg(message)
                                    : message;
}

// "nodes/plan.py:3:5: SyntaxError: …" stands in line 3 of that file; an empty name: it is in no code.
std::pair<QString, int> codePlaceOf(const graph::Problem& problem)
{
    if (problem.code != "bad-python" && problem.code != "undeclared-channel")
        return {};
    static const QRegularExpression place(QStringLiteral("^([^:\\n]+):(\\d{1,7}):"));
    const auto found = place.match(QString::fromStdString(problem.message));
    return { found.captured(1), found.captured(2).toInt() };
}

bool hasWeakerBackend(const SandboxInfo& found)
{
    const sandbox::BackendKind* kind = sandbox::findBackendKind(found.backend.toStdString());
    return kind && kind->isWeaker && found.weakLimits;
}

// A save makes code files that are not there yet: until then their absence stops nobody.
void expectFiles(std::vector<graph::Problem>& problems)
{
    for (graph::Problem& problem : problems)
        if (problem.code == "missing-file") {
            problem.severity = graph::Problem::Severity::Hint;
            problem.message = ProjectState::tr("the code file is made when the graph is saved").toStdString();
        }
}

bool tellsTheSame(const SandboxInfo& found, const SandboxInfo& shown)
{
    return found.backend == shown.backend && found.weakLimits == shown.weakLimits
        && found.problem.what == shown.problem.what && found.missingModules == shown.missingModules;
}

bool tellsTheSame(const ProjectInfo& info, const ProjectInfo& shown)
{
    return info.fileText == shown.fileText && info.problems == shown.problems
        && info.isReadable == shown.isReadable && info.mode == shown.mode;
}

} // namespace

ProjectState::ProjectState(const WindowParts& parts, const Others& others)
    : WindowPart(parts)
    , m_graph(parts.canvas)
    , m_problems(&parts.panels->of<ProblemsPanel>())
    , m_outline(&parts.panels->of<Outline>())
    , m_others(others)
{
    connect(&m_clients->editing, &EditingClient::graphChecked, this, &ProjectState::takeCheck);
    connect(&m_clients->editing, &EditingClient::graphChanged, this, &ProjectState::takeFile);
    connect(m_problems, &ProblemsPanel::activated, this, [this](const graph::Problem& problem) {
        m_graph->select(problem);
        if (const auto [file, line] = codePlaceOf(problem); !file.isEmpty())
            Q_EMIT codeRequested(file, line);
        else
            m_docks->raise(m_parts.inspector);
    });
    connect(m_problems, &ProblemsPanel::fixRequested, this, [this](const graph::Problem& problem) {
        m_graph->select(problem); // where it stands
        if (const auto fix = quickFixOf(m_graph->document().graph(), m_graph->shownForm(problem)))
            m_graph->document().editPlaced(fix->title, fix->change);
    });
    connect(m_problems, &ProblemsPanel::failureActivated, this, [this](const QString& node) {
        m_selection->setNode(node);
        m_docks->raise(m_parts.inspector);
    });
    connect(m_problems, &ProblemsPanel::failedLineRequested, this,
            [this](const QString&, const QString& file, int line) { Q_EMIT codeRequested(file, line); });
    connect(&m_clients->project, &OpenProject::sandboxChecked, this, &ProjectState::takeSandbox);
}

void ProjectState::takeSandbox(const SandboxInfo& found)
{
    const SandboxInfo shown = std::exchange(m_info.sandbox, found);
    m_parts.status->setSandbox(m_info);
    if (!shown.isKnown || !tellsTheSame(found, shown)) // what was put away stays away
        tellSandbox(found);
}

void ProjectState::takeCheck(const GraphCheck& check)
{
    m_info.problems = check.problems;
    if (std::exchange(m_info.mode, check.mode) != check.mode)
        showMode();
    if (m_others.saving.edits().isModified())
        expectFiles(m_info.problems);
    m_graph->setProblems(m_info.problems);
    showProblems();
}

void ProjectState::takeFile(const ProjectInfo& info)
{
    const auto taken = m_others.saving.edits().fileChanged(info);
    const ProjectInfo shown = std::exchange(m_info, info);
    if (m_others.saving.edits().isModified()) {
        m_info.problems = shown.problems;
        m_info.mode = shown.mode;
    }
    if (taken == UnsavedEdits::Taken::Anew) {
        if (info.editFault.isEmpty() && m_others.saving.edits().takeTheirs())
            m_graph->setProblems(info.problems);
        else
            m_graph->setGraph(info);
    }
    if (taken == UnsavedEdits::Taken::Conflict)
        m_info = shown; // until it is chosen
    else if (!tellsTheSame(m_info, shown)) // any file may have changed; what is told stays in sight
        show(ProjectInfo(m_info));
}

void ProjectState::showMode()
{
    m_parts.runBar->setMode(m_info.mode.name);
    m_parts.panels->of<SessionPanel>().setMode(m_info.mode.name);
    m_parts.status->setSandbox(m_info);
}

void ProjectState::show(const ProjectInfo& info)
{
    m_info = info;
    showMode();
    showProblems();
    if (info.isReadOnly) {
        m_banners->withdraw(BannerStack::Owner::Sandbox);
        if (m_others.start.tellReadOnly(info))
            return;
        m_banners->tell(
            BannerStack::Owner::File,
            { .text = tr("**Read-only.** These are the checkpoints of %1 alone, without a graph: look at any "
                         "step.")
                          .arg(info.shared.isEmpty() ? info.graphName : info.shared),
              .actions = { { .text = tr("Open a copy"),
                             .run = [this] { m_others.past.offerCopy(); },
                             .withdraws = false } } });
        return;
    }
    tellFile(info);
    tellSandbox(info.sandbox);
}

void ProjectState::tellFile(const ProjectInfo& info)
{
    // A graph without nodes has just been made.
    const bool isBlank = info.isReadable && info.graph.nodes.empty();
    if (isBlank || firstError(info.problems).isEmpty() || m_others.saving.edits().isModified()) {
        m_banners->withdraw(BannerStack::Owner::File);
        return;
    }
    const bool isShown = info.isReadable && !info.graph.nodes.empty();
    BannerMessage message{
        .kind = Banner::Kind::Error,
        .text = isShown ? tr("**The graph cannot run:** %1").arg(firstError(info.problems))
                        : tr("**%1 cannot be read:** %2")
                              .arg(QFileInfo(info.graphPath).fileName(), firstError(info.problems)),
        .isQuestion = true,
        .actions = { { .text = tr("Show problems"), .run = [this] { walk(1); }, .withdraws = false } }
    };
    if (!isShown)
        message.actions.push_back(
            { .text = tr("Open file"),
              .run = [path = info.graphPath] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); },
              .isLink = true,
              .withdraws = false });
    m_banners->tell(BannerStack::Owner::File, std::move(message));
}

void ProjectState::tellSandbox(const SandboxInfo& found)
{
    const BannerAction again{ .text = tr("Check again"),
                              .run = [this] { m_clients->project.checkSandbox(); },
                              .withdraws = false };
    if (!found.problem.what.isEmpty())
        m_banners->tell(BannerStack::Owner::Sandbox,
                        { .kind = Banner::Kind::Warning,
                          .text = tr("**No sandbox:** %1").arg(found.problem.what),
                          .toolTip = found.problem.detail,
                          .isQuestion = true,
                          .actions = { { .text = tr("Prepare now"),
                                         .run = [this] { m_others.runtime.prepare(); },
                                         .withdraws = false },
                                       again } });
    else if (m_others.runtime.tell(found))
        return;
    else if (hasWeakerBackend(found))
        m_banners->tell(
            BannerStack::Owner::Sandbox,
            { .kind = Banner::Kind::Warning,
              .text = tr("**No container engine found.** Runs use the local sandbox (%1; weaker limits) "
                         "until one is available.")
                          .arg(found.backend),
              .actions = { again } });
    else
        m_banners->withdraw(BannerStack::Owner::Sandbox);
}

void ProjectState::setFailure(const TaskRow* failed)
{
    m_problems->setFailure(failed == nullptr ? std::nullopt : std::optional(*failed));
    if (const bool has = failed != nullptr; std::exchange(m_hasFailure, has) != has)
        showProblems();
}

void ProjectState::showProblems()
{
    m_outline->setProblems(m_info.problems);
    m_problems->setProblems(m_info.problems, QFileInfo(m_info.graphPath).fileName(),
                            m_info.isReadOnly ? QStringList()
                                              : quickFixTitles(m_graph->document().whole(), m_info.problems));
    int errors = 0;
    int counted = 0; // a hint is no problem
    for (const graph::Problem& problem : m_info.problems) {
        errors += stopsRuns(problem) ? 1 : 0;
        counted += problem.severity == graph::Problem::Severity::Hint ? 0 : 1;
    }
    if (m_hasFailure)
        ++counted;
    m_docks->setCount(m_problems, counted,
                      errors > 0 || m_hasFailure ? Badge::Kind::Failed : Badge::Kind::Quiet);
    const QString blocked = whyNotRun(errors);
    m_parts.runBar->setBlocked(blocked);
}

QString ProjectState::whyNotRun(int errors) const
{
    if (m_info.isReadOnly)
        return tr("Only its checkpoints were opened: open the project to run it");
    if (m_graph->document().graph().nodes.empty() && m_info.isReadable)
        return tr("There is nothing to run yet: add a node");
    return errors > 0 ? tr("The graph has errors: %1. See Problems").arg(errors) : QString();
}

void ProjectState::walk(int by)
{
    if (by > 0 && m_info.problems.empty() && m_others.past.failureAction()->isEnabled()) {
        m_others.past.failureAction()->trigger();
        return;
    }
    m_docks->raise(m_problems);
    m_problems->step(by);
}

QList<QAction*> ProjectState::actions() const
{
    return m_problems->actions();
}

} // namespace sg::ui
