#include "ui/shell/parts/comparison_part.h"

#include "ui/compare/compare_panel.h"
#include "ui/documents/document_area.h"
#include "ui/selection/panel_parts.h"
#include "ui/shell/document_table.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

namespace sg::ui {

ComparisonPart::ComparisonPart(const WindowParts& parts)
    : WindowPart(parts)
{
    m_action = new QAction(icon(QLatin1String("compare")), tr("Co&mpare branches…"), m_window);
    m_action->setIconText(tr("Compare…"));
    m_action->setToolTip(tr("Compare this branch with another branch or thread (Ctrl+Shift+D)"));
    m_action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+D")));
    m_timeline->addVerb(m_action);
    connect(m_action, &QAction::triggered, this, &ComparisonPart::compareBranches);
}

void ComparisonPart::compareBranches()
{
    QWidget* document = m_parts.documents->open({ kCompareDocument, {} });
    if (auto* panel = qobject_cast<ComparePanel*>(document))
        panel->compareBranch(panelParts(m_parts));
}

} // namespace sg::ui
