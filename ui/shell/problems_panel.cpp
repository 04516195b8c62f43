#include "ui/shell/problems_panel.h"

#include "ui/widgets/empty_state.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTreeWidget>

#include <algorithm>
#include <optional>

namespace sg::ui {
namespace {

constexpr int kFixColumn = 2;

} // namespace

ProblemsPanel::ProblemsPanel(QWidget* parent)
    : QWidget(parent)
    , m_list(new QTreeWidget(this))
    , m_stack(new QStackedLayout(this))
{
    m_list->setAccessibleName(tr("Problems"));
    m_list->setObjectName(QStringLiteral("problems"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderLabels({ tr("Problem"), tr("Where"), tr("Fix") });
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setStretchLastSection(false);
    m_stack->addWidget(new EmptyState(QLatin1String("check"), tr("The graph has no problems."), this));
    m_stack->addWidget(m_list);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* row) { activate(row); });
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* row, int column) {
        if (column == kFixColumn)
            requestFix(row);
        else
            activate(row); // also where it was the current one already
    });
    auto* fix = new QAction(tr("Fix the problem"), this);
    fix->setShortcut(QKeySequence(QStringLiteral("Ctrl+.")));
    fix->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(fix, &QAction::triggered, this, [this] { requestFix(m_list->currentItem()); });
    addAction(fix);
}

int ProblemsPanel::indexOf(const QTreeWidgetItem* row) const
{
    const int index = row ? m_list->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(row)) : -1;
    return static_cast<std::size_t>(index + 1) <= m_problems.size() ? index : -1;
}

void ProblemsPanel::activate(const QTreeWidgetItem* row)
{
    if (const int index = indexOf(row); index >= 0)
        Q_EMIT activated(m_problems[static_cast<std::size_t>(index)]);
}

void ProblemsPanel::requestFix(const QTreeWidgetItem* row)
{
    const int index = indexOf(row);
    if (index >= 0 && index < m_fixes.size() && !m_fixes[index].isEmpty())
        Q_EMIT fixRequested(m_problems[static_cast<std::size_t>(index)]);
}

void ProblemsPanel::step(int by)
{
    const int count = m_list->topLevelItemCount();
    if (count == 0)
        return;
    const int now = indexOf(m_list->currentItem());
    int next = (now + by + count) % count;
    if (now < 0)
        next = m_lost < 0 ? (by > 0 ? 0 : count - 1)
                          : (std::min(m_lost, count) + (by > 0 ? 0 : -1) + count) % count;
    QTreeWidgetItem* row = m_list->topLevelItem(next);
    const QSignalBlocker quiet(m_list); // also told where it is the only one, and current
    m_list->setCurrentItem(row);
    activate(row);
}

void ProblemsPanel::setProblems(const std::vector<graph::Problem>& problems, const QString& fileName,
                                const QStringList& fixes)
{
    if (problems == m_problems && fixes == m_fixes && m_list->topLevelItemCount() > 0)
        return; // the current row stays
    const QSignalBlocker quiet(m_list);
    const int current = indexOf(m_list->currentItem());
    const std::optional<graph::Problem> before =
        current < 0 ? std::nullopt : std::optional(m_problems[static_cast<std::size_t>(current)]);
    m_lost = current >= 0 ? current : m_lost;
    m_problems = problems;
    m_fixes = fixes;
    m_list->clear();
    for (const graph::Problem& problem : problems) {
        auto* row = new QTreeWidgetItem(m_list);
        switch (problem.severity) {
        case graph::Problem::Severity::Error:
            row->setIcon(0, icon(QLatin1String("error"), &Tokens::failed));
            break;
        case graph::Problem::Severity::Warning:
            row->setIcon(0, icon(QLatin1String("warn"), &Tokens::warn));
            break;
        case graph::Problem::Severity::Hint:
            row->setIcon(0, icon(QLatin1String("info"), &Tokens::muted));
            break;
        }
        row->setText(0, QString::fromStdString(problem.message));
        row->setToolTip(0, row->text(0));
        QString where = fileName;
        if (problem.position.line > 0)
            where += QStringLiteral(":%1:%2").arg(problem.position.line).arg(problem.position.column);
        row->setText(1, where);
        row->setToolTip(1, QString::fromStdString(problem.pointer));
        const auto index = static_cast<qsizetype>(m_list->topLevelItemCount()) - 1;
        if (index < fixes.size() && !fixes[index].isEmpty()) {
            row->setText(kFixColumn, fixes[index]);
            row->setForeground(kFixColumn, color(&Tokens::accent));
            row->setToolTip(kFixColumn, tr("Ctrl+. does this too; Ctrl+Z takes it back"));
        }
    }
    const auto same = before ? std::ranges::find(m_problems, *before) : m_problems.end();
    if (same != m_problems.end())
        m_list->setCurrentItem(m_list->topLevelItem(static_cast<int>(same - m_problems.begin())));
    m_list->resizeColumnToContents(1);
    m_list->resizeColumnToContents(kFixColumn);
    m_stack->setCurrentIndex(problems.empty() ? 0 : 1);
}

} // namespace sg::ui
