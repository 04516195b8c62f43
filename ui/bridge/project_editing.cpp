#include "core/workbench/graph_check.h"
#include "core/workbench/graph_saving.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

// The graph as it is being edited: checked, saved, kept for a crash. One at a time, in order.
namespace sg::ui {

void ProjectBridge::checkGraph(const std::string& graphText)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->checks;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, graphText] {
            return workbench::checkedText(workbench->project(), graphText, workbench::Check::All).problems;
        },
        [this, asked](const std::vector<graph::Problem>& problems) {
            if (asked == m_impl->checks)
                Q_EMIT graphChecked(problems);
        });
}

void ProjectBridge::saveGraph(const std::string& graphText, const std::string& expected)
{
    if (!isOpen())
        return;
    struct Saved {
        UserError error;
        bool conflict = false;
    };
    m_impl->ask(
        m_impl->editing,
        [workbench = m_impl->workbench, graphText, expected] {
            auto saved = workbench::saveGraphText(workbench->project(), graphText, expected);
            return saved ? Saved() : Saved{ userError(saved.error()), saved.error().code == Errc::Conflict };
        },
        [this, graphText](const Saved& saved) { Q_EMIT graphSaved(graphText, saved.error, saved.conflict); });
}

void ProjectBridge::keepEdits(const std::string& graphText)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->editing,
        [workbench = m_impl->workbench, graphText] {
            auto kept = workbench::writeJournal(workbench->project(), graphText);
            return kept ? UserError() : userError(kept.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
        });
}

} // namespace sg::ui
