#include "ui/shell/problems_panel.h"

#include "ui/graph/panels/traceback.h"
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
    if (row == nullptr || isFailure(row))
        return -1;
    const int index = m_list->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(row)) - (m_failed ? 1 : 0);
    return static_cast<std::size_t>(index + 1) <= m_problems.size() ? index : -1;
}

bool ProblemsPanel::isFailure(const QTreeWidgetItem* row) const
{
    return m_failed && row != nullptr && row == m_list->topLevelItem(0);
}

void ProblemsPanel::activate(const QTreeWidgetItem* row)
{
    if (isFailure(row))
        Q_EMIT failureActivated(m_failed->node);
    else if (const int index = indexOf(row); index >= 0)
        Q_EMIT activated(m_problems[static_cast<std::size_t>(index)]);
}

void ProblemsPanel::requestFix(const QTreeWidgetItem* row)
{
    if (isFailure(row) && m_failedLine > 0) {
        Q_EMIT failedLineRequested(m_failed->node, m_failedFile, m_failedLine);
        return;
    }
    const int index = indexOf(row);
    if (index >= 0 && index < m_fixes.size() && !m_fixes[index].isEmpty())
        Q_EMIT fixRequested(m_problems[static_cast<std::size_t>(index)]);
}

void ProblemsPanel::step(int by)
{
    const int count = m_list->topLevelItemCount();
    if (count == 0)
        return;
    const int now =
        m_list->currentItem() == nullptr ? -1 : m_list->indexOfTopLevelItem(m_list->currentItem());
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
    const int failures = m_failed ? 1 : 0;
    m_lost = current >= 0 ? current + failures : m_lost;
    m_problems = problems;
    m_fixes = fixes;
    m_fileName = fileName;
    fill();
    const auto same = before ? std::ranges::find(m_problems, *before) : m_problems.end();
    if (same != m_problems.end())
        m_list->setCurrentItem(m_list->topLevelItem(static_cast<int>(same - m_problems.begin()) + failures));
}

void ProblemsPanel::setFailure(const std::optional<TaskRow>& failed)
{
    const auto isSame = [](const TaskRow& a, const TaskRow& b) {
        return a.task == b.task && a.checkpoint == b.checkpoint && a.error == b.error;
    };
    if (failed.has_value() == m_failed.has_value() && (!failed || isSame(*failed, *m_failed)))
        return;
    const QSignalBlocker quiet(m_list);
    const int current = indexOf(m_list->currentItem());
    m_failed = failed;
    m_failedFile.clear();
    m_failedLine = 0;
    if (failed) {
        const Traceback trace = tracebackOf(failed->detail);
        const auto own =
            std::ranges::find(trace.frames.rbegin(), trace.frames.rend(), false, &TraceFrame::isLibrary);
        if (own != trace.frames.rend()) {
            m_failedFile = own->file;
            m_failedLine = own->line;
        }
    }
    fill();
    if (current >= 0)
        m_list->setCurrentItem(m_list->topLevelItem(current + (m_failed ? 1 : 0)));
}

void ProblemsPanel::fill()
{
    m_list->clear();
    if (m_failed)
        addFailure();
    for (std::size_t i = 0; i < m_problems.size(); ++i)
        addProblem(m_problems[i], m_fixes.value(static_cast<qsizetype>(i)));
    m_list->resizeColumnToContents(1);
    m_list->resizeColumnToContents(kFixColumn);
    m_stack->setCurrentIndex(m_list->topLevelItemCount() == 0 ? 0 : 1);
}

void ProblemsPanel::addFailure()
{
    auto* row = new QTreeWidgetItem(m_list);
    row->setIcon(0, icon(QLatin1String("error"), &Tokens::failed));
    const QString why = m_failed->error.section(QLatin1Char('\n'), 0, 0);
    row->setText(0,
                 why.isEmpty() ? tr("%1 failed").arg(m_failed->node)
                               : tr("%1 failed: %2").arg(m_failed->node, why));
    row->setToolTip(0, m_failed->error);
    if (m_failedLine <= 0) {
        row->setText(1, tr("step %1").arg(m_failed->step));
        return;
    }
    row->setText(1, QStringLiteral("%1:%2").arg(m_failedFile).arg(m_failedLine));
    row->setText(kFixColumn, tr("Open line %1").arg(m_failedLine));
    row->setForeground(kFixColumn, color(&Tokens::accent));
}

void ProblemsPanel::addProblem(const graph::Problem& problem, const QString& fix)
{
    auto* row = new QTreeWidgetItem(m_list);
    switch (problem.severity) {
    case graph::Problem::Severity::Error:
        row->setIcon(0, icon(QLatin1String("error"), &Tokens::failed));
        break;
    case graph::Problem::Severity::Warning:
        row->setIcon(0, icon(QLatin1String("warn"), &Tokens::warn));
        break;
    case graph::Problem::Severity::Hint: row->setIcon(0, icon(QLatin1String("info"), &Tokens::muted)); break;
    }
    row->setText(0, QString::fromStdString(problem.message));
    row->setToolTip(0, row->text(0));
    QString where = m_fileName;
    if (problem.position.line > 0)
        where += QStringLiteral(":%1:%2").arg(problem.position.line).arg(problem.position.column);
    row->setText(1, where);
    row->setToolTip(1, QString::fromStdString(problem.pointer));
    if (fix.isEmpty())
        return;
    row->setText(kFixColumn, fix);
    row->setForeground(kFixColumn, color(&Tokens::accent));
    row->setToolTip(kFixColumn, tr("Ctrl+. does this too; Ctrl+Z takes it back"));
}

} // namespace sg::ui
