#include "ui/shell/parts/comparison_part.h"

#include "ui/bridge/clients.h"
#include "ui/compare/compare_panel.h"
#include "ui/documents/document_area.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

#include <algorithm>

namespace sg::ui {

ComparisonPart::ComparisonPart(const WindowParts& parts, ComparePanel& comparison)
    : WindowPart(parts)
    , m_comparison(&comparison)
{
    m_action = new QAction(icon(QLatin1String("compare")), tr("Co&mpare branches…"), m_window);
    m_action->setIconText(tr("Compare…"));
    m_action->setToolTip(tr("Compare this branch with another branch or thread (Ctrl+Shift+D)"));
    m_action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+D")));
    m_timeline->addVerb(m_action);
    connect(m_action, &QAction::triggered, this, &ComparisonPart::compareBranches);
    connect(m_comparison, &ComparePanel::comparisonRequested, this,
            [this](const ComparePanel::Choice& a, const ComparePanel::Choice& b) {
                m_clients->history.compare(a.thread, a.checkpoint, b.thread, b.checkpoint);
            });
    connect(&m_clients->history, &HistoryClient::compared, this,
            [this](const ComparisonRows& rows, const UserError& error) {
                if (error.what.isEmpty())
                    m_comparison->setComparison(rows);
                else
                    m_comparison->setError(error.what);
            });
    connect(m_comparison, &ComparePanel::checkpointChosen, this,
            [this](const QString& thread, const QString& checkpoint) {
                m_selection->setThread(thread);
                m_selection->setCheckpoint(checkpoint);
            });
    connect(m_parts.documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_comparison)
            offerComparisons();
    });
}

// The branches of the shown thread first, then the other threads.
void ComparisonPart::offerComparisons()
{
    std::vector<ComparePanel::Choice> choices;
    const QString shown = m_selection->thread();
    for (const ShownHistory::Branch& branch : m_history->branches())
        choices.push_back({ shown, branch.end, tr("%1, %2").arg(m_book->label(shown), branch.name) });
    for (const QString& thread : m_book->threads())
        if (thread != shown)
            choices.push_back({ thread, {}, m_book->label(thread) });
    m_comparison->setChoices(choices);
}

void ComparisonPart::compareBranches()
{
    m_parts.documents->open({ QStringLiteral("compare"), {} });
    offerComparisons();
    const int branches = static_cast<int>(m_history->branches().size());
    const int here = std::max(0, m_history->currentBranch());
    // With the branch before, or the first with the second; else with another thread.
    m_comparison->choose(here == 0 ? 0 : here - 1, here == 0 ? 1 : here);
    if (branches == 0)
        m_comparison->setError(tr("Nothing to compare yet: run the thread first."));
}

} // namespace sg::ui
