#include "ui/shell/window_desk.h"

#include "ui/bridge/clients.h"
#include "ui/commands/command_list.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"

#include <QApplication>
#include <QCoreApplication>
#include <QMessageBox>

namespace sg::ui {
namespace {

QString say(const char* words)
{
    return QCoreApplication::translate("sg::ui::WindowDesk", words);
}

} // namespace

MacroRecorder::Chosen WindowDesk::chosen() const
{
    MacroRecorder::Chosen now;
    now.thread = m_parts.selection.thread().toStdString();
    now.node = m_parts.selection.node().toStdString();
    const QString& checkpoint = m_parts.selection.checkpoint();
    const QString end = branchEnd();
    // A step's number holds on another machine, too; the checkpoint's id does not.
    if (!checkpoint.isEmpty()
        && (checkpoint == end || !m_parts.history.passedBefore(end, { checkpoint }).isEmpty()))
        now.checkpoint = m_parts.history.stepOf(checkpoint);
    else if (!checkpoint.isEmpty())
        now.checkpoint = checkpoint.toStdString();
    return now;
}

bool WindowDesk::knows(const QString& command)
{
    return m_parts.commands.knows(command);
}

QString WindowDesk::whyNot(const QString& command)
{
    return m_parts.commands.whyNot(command);
}

void WindowDesk::give(const QString& command)
{
    m_parts.commands.give(command);
}

// Chooses a thread, also one that is not there yet: the next run makes it.
QString WindowDesk::chooseThread(const QString& thread)
{
    if (!m_parts.clients.project.isOpen())
        return say("No project is open: its threads cannot be chosen.");
    m_parts.selection.setThread(thread);
    return {};
}

QString WindowDesk::branchEnd() const
{
    const int branch = m_parts.history.currentBranch();
    const auto branches = m_parts.history.branches();
    return branch >= 0 && branch < static_cast<int>(branches.size())
        ? branches[static_cast<std::size_t>(branch)].end
        : m_parts.history.head();
}

QString WindowDesk::chooseCheckpoint(const MacroPlace& place)
{
    if (std::holds_alternative<MacroHead>(place)) {
        m_parts.selection.returnToHead();
        return {};
    }
    QString id;
    if (const int* step = std::get_if<int>(&place)) {
        id = m_parts.history.atStep(branchEnd(), *step);
        if (id.isEmpty())
            return say("Thread %1 has no step %2 on the branch that is shown.")
                .arg(m_parts.selection.thread())
                .arg(*step);
    } else {
        id = QString::fromStdString(std::get<std::string>(place));
        if (m_parts.history.row(id).id.isEmpty())
            return say("Thread %1 has no checkpoint %2.").arg(m_parts.selection.thread(), id);
    }
    m_parts.history.goTo(id);
    return {};
}

QString WindowDesk::chooseNode(const QString& node)
{
    const graph::Graph& graph = m_parts.canvas.document().graph();
    if (!node.isEmpty() && graph.findNode(NodeId(node.toStdString())) == nullptr)
        return say("The graph that is shown has no node %1.").arg(node);
    m_parts.selection.setNode(node);
    return {};
}

void WindowDesk::setInput(const QString& json)
{
    m_parts.runBar.setInput(json);
}

bool WindowDesk::isRunUnderWay() const
{
    return m_parts.book.isRunning(m_parts.selection.thread());
}

bool WindowDesk::isAtRest() const
{
    return m_parts.clients.project.isAtRest();
}

QString WindowDesk::openQuestion() const
{
    const QWidget* asking = QApplication::activeModalWidget();
    if (asking == nullptr)
        return {};
    const auto* box = qobject_cast<const QMessageBox*>(asking);
    const QString words = box != nullptr ? box->text() : asking->windowTitle();
    return words.isEmpty() ? say("a dialog") : words;
}

} // namespace sg::ui
