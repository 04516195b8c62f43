#include "ui/shell/parts/run_banners.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/panels/inspector.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_choice.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/widgets/byte_format.h"

#include <QAction>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {
namespace {

constexpr double kMiB = 1024.0 * 1024;
constexpr double kUsualMemory = 512 * kMiB; // where neither the graph nor a session names a limit

// Returns the line of the user's own file that a traceback names last; 0: none.
int failedLine(const QString& traceback)
{
    static const QRegularExpression frame(QStringLiteral("File \"(?!/|<)[^\"]+\", line (\\d+)"));
    int line = 0;
    for (auto found = frame.globalMatch(traceback); found.hasNext();)
        line = found.next().captured(1).toInt();
    return line;
}

} // namespace

QString missingChannelOf(const QString& error)
{
    static const QRegularExpression said(
        QStringLiteral("the input names '([^']+)', which is no input channel"
                       "|may not write '([^']+)': the state has no such channel"
                       "|the state has no channel '([^']+)'"));
    const QRegularExpressionMatch match = said.match(error);
    return match.hasMatch() ? match.captured(match.lastCapturedIndex()) : QString();
}

RunBanners::RunBanners(const WindowParts& parts, RunBar& bar, CanvasPanel& canvas, SessionPanel& session)
    : WindowPart(parts)
    , m_bar(&bar)
    , m_canvas(&canvas)
    , m_session(&session)
{
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this,
            [this](const std::vector<SessionRow>& sessions) { m_sessions = sessions; });
    connect(&m_clients->project, &OpenProject::opened, this, [this] {
        m_failedThread.clear();
        m_standing.clear();
    });
    connect(&m_clients->history, &HistoryClient::stateLoaded, m_canvas, &CanvasPanel::setState);
    canvas.inspector()->setFailureVerbs([this](const TaskRow& failed) { return cardVerbs(failed); });
}

void RunBanners::tellFailure(const QString& thread, const UserError& error)
{
    m_failedThread = thread;
    tellError(m_parts, BannerStack::Owner::Run, error, verbsFor(thread, error));
}

// A reopened thread shows its failure again.
void RunBanners::tellStanding(const QString& thread, const TaskRow* failed)
{
    const QString task = failed == nullptr ? QString() : thread + QLatin1Char('/') + failed->task;
    if (std::exchange(m_standing, task) == task)
        return;
    const bool isTold = m_banners->tells(BannerStack::Owner::Run);
    if (failed == nullptr) {
        if (isTold && m_failedThread != thread)
            m_banners->withdraw(BannerStack::Owner::Run); // of a thread that is not shown
        return;
    }
    if (isTold && m_failedThread == thread)
        return;
    UserError error = errorOf(*failed);
    error.what = tr("Node **%1** failed. %2").arg(failed->node, error.what.section(QLatin1Char('\n'), 0, 0));
    tellFailure(thread, error);
}

UserError RunBanners::errorOf(const TaskRow& failed)
{
    return { failed.error, failed.detail, failed.node, failed.error.section(QLatin1Char(':'), 0, 0) };
}

void RunBanners::tellRefused(const QString& thread, const UserError& error)
{
    tellError(m_parts, BannerStack::Owner::Action, error, verbsFor(thread, error));
}

void RunBanners::noteStarted(const QString& thread)
{
    if (thread == m_selection->thread())
        m_banners->withdraw(BannerStack::Owner::Paused);
    if (thread == m_failedThread)
        m_banners->withdraw(BannerStack::Owner::Run); // it is tried again
}

void RunBanners::noteStatus(const QString& thread, RunStatus status)
{
    if (thread == m_failedThread && status == RunStatus::Done)
        m_banners->withdraw(BannerStack::Owner::Run);
}

void RunBanners::tellPaused(const QStringList& before, int step)
{
    if (before.isEmpty()) {
        m_banners->withdraw(BannerStack::Owner::Paused);
        return;
    }
    const QString nodes = before.join(QStringLiteral(", "));
    const graph::Graph& graph = m_canvas->document().whole();
    const bool isBreakpoint = std::ranges::any_of(before, [&graph](const QString& node) {
        return std::ranges::find(graph.interruptBefore, node.toStdString()) != graph.interruptBefore.end();
    });
    const auto trigger = [this](QAction* action) { return [action] { action->trigger(); }; };
    m_banners->tell(
        BannerStack::Owner::Paused,
        { .kind = Banner::Kind::Paused,
          .text = isBreakpoint
              ? tr("**Paused before %1** at its breakpoint, step %2 is saved").arg(nodes).arg(step)
              : tr("**Paused before %1**, step %2 is saved").arg(nodes).arg(step),
          .isQuestion = true,
          .actions = { { .text = tr("Continue"),
                         .run = trigger(m_bar->runAction()),
                         .withdraws = false,
                         .key = tr("F5"),
                         .isDefault = true },
                       { .text = tr("Step"),
                         .run = trigger(m_bar->stepAction()),
                         .withdraws = false,
                         .key = tr("F10") },
                       { .text = tr("Stop"), .run = trigger(m_bar->stopAction()), .withdraws = false } } });
}

std::vector<BannerAction> RunBanners::verbsFor(const QString& thread, const UserError& error)
{
    std::vector<BannerAction> verbs;
    if (const QString channel = missingChannelOf(error.what); !channel.isEmpty())
        verbs.push_back(
            { .text = tr("Add channel '%1'").arg(channel), .run = [this, channel] { addChannel(channel); } });
    if (error.node.isEmpty())
        return verbs;
    if (error.type == QLatin1String("MemoryError"))
        addMemoryVerbs(error, verbs);
    if (error.type == QLatin1String("ModuleNotFoundError"))
        verbs.push_back({ .text = tr("Prepare now"),
                          .run = [this] { m_clients->project.prepareRuntime(); },
                          .withdraws = false });
    if (const int line = failedLine(error.detail); line > 0)
        verbs.push_back({ .text = tr("Open line %1").arg(line),
                          .run =
                              [this, node = error.node, line] {
                                  m_selection->setNode(node);
                                  const graph::Node* failed =
                                      m_canvas->document().graph().findNode(NodeId(node.toStdString()));
                                  const std::string* file = failed ? graph::codeFileOf(*failed) : nullptr;
                                  if (file != nullptr)
                                      Q_EMIT codeRequested(QString::fromStdString(*file), line);
                              },
                          .withdraws = false });
    verbs.push_back({ .text = tr("Resume"),
                      .run =
                          [this, thread] {
                              m_selection->setThread(thread);
                              m_bar->resumeAction()->trigger();
                          },
                      .withdraws = false });
    return verbs;
}

// Verbs, most used first.
std::vector<BannerAction> RunBanners::cardVerbs(const TaskRow& failed)
{
    std::vector<BannerAction> verbs = verbsFor(m_selection->thread(), errorOf(failed));
    if (!verbs.empty()) {
        std::rotate(verbs.begin(), verbs.end() - 1, verbs.end()); // Resume
        verbs.front().text = tr("Resume after the fix");
        verbs.front().isDefault = true;
    }
    const auto place = verbs.begin() + (verbs.empty() ? 0 : 1);
    verbs.insert(place, { .text = tr("Run again…"), .run = [this, failed] { Q_EMIT replayWanted(failed); } });
    return verbs;
}

void RunBanners::addMemoryVerbs(const UserError& error, std::vector<BannerAction>& verbs)
{
    const QString node = error.node;
    verbs.push_back({ .text = tr("Raise limit and replay…"),
                      .run = [this, node] { raiseLimit(failedTask(node)); },
                      .withdraws = false });
    verbs.push_back({ .text = tr("Show memory"),
                      .run =
                          [this, node] {
                              const TaskRow failed = failedTask(node);
                              m_docks->raise(m_session);
                              if (!std::isnan(failed.startedMs) && !std::isnan(failed.seconds))
                                  m_session->setMoment(failed.startedMs + failed.seconds * 1000);
                          },
                      .withdraws = false });
}

// Doubles the limit, in the graph and in the living session. A replay of the failed step is previewed.
void RunBanners::raiseLimit(const TaskRow& failed)
{
    const SessionRow* live = liveSessionOf(m_sessions, m_selection->thread());
    const auto& inGraph = m_canvas->document().whole().sandbox.limits.memoryMb;
    const double before = inGraph                  ? static_cast<double>(*inGraph) * kMiB
        : live != nullptr && live->memoryLimit > 0 ? live->memoryLimit
                                                   : kUsualMemory;
    const double raised = before * 2;
    m_canvas->document().edit(
        tr("Raise the memory limit to %1").arg(formatMemory(raised)),
        [raised](graph::Graph& graph) { graph.sandbox.limits.memoryMb = std::llround(raised / kMiB); });
    if (live != nullptr)
        m_clients->sessions.setSessionLimits(live->session, { raised, live->pidsLimit, live->cpuLimit });
    Q_EMIT replayWanted(failed);
}

void RunBanners::addChannel(const QString& channel)
{
    m_canvas->document().edit(tr("Add channel '%1'").arg(channel),
                              [name = channel.toStdString()](graph::Graph& graph) {
                                  graph::Channel added;
                                  added.name = name;
                                  graph.channels.push_back(std::move(added));
                              });
}

TaskRow RunBanners::failedTask(const QString& node) const
{
    const std::vector<TaskRow>& tasks = m_history->rows().tasks;
    const auto failed = std::find_if(tasks.rbegin(), tasks.rend(), [&node](const TaskRow& task) {
        return task.node == node && task.outcome == TaskOutcome::Failed;
    });
    return failed == tasks.rend() ? TaskRow() : *failed;
}

} // namespace sg::ui
