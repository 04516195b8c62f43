#include "ui/sessions/meters_page.h"

#include "ui/sessions/meters_view.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/style.h"

#include <QHash>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sg::ui {

namespace {

constexpr std::ptrdiff_t kMostTasks = 1000;

} // namespace

MetersPage::MetersPage(QWidget* parent)
    : QWidget(parent)
    , m_span(new SegmentedControl(tr("How far back the meters reach"), SegmentedControl::Mode::Single, this))
    , m_meters(new MetersView(this))
{
    makeDense(m_span);
    m_span->addSegment(tr("1 min"), 60'000);
    m_span->addSegment(tr("5 min"), 300'000);
    m_span->addSegment(tr("1 h"), 3'600'000);
    m_span->setCurrentIndex(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 0);
    row->addStretch(1);
    row->addWidget(m_span);
    column->addLayout(row);
    column->addWidget(m_meters, 1);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    connect(m_span, &SegmentedControl::activated, this,
            [this] { m_meters->setSpan(m_span->currentData().toDouble()); });
    connect(m_meters, &MetersView::momentRequested, this, &MetersPage::momentRequested);
}

void MetersPage::show(const SessionRow& session, const SampleHistory& history,
                      const std::vector<SessionNoteRow>& notes, bool hasTasks)
{
    m_hasTasks = hasTasks;
    m_meters->show(session, history, meterMarks(history, notes));
    showTasks();
}

void MetersPage::setTasks(const std::vector<TaskRow>& tasks)
{
    m_tasks = tasks;
    std::erase_if(m_tasks, [](const TaskRow& task) { return std::isnan(task.startedMs); });
    keepNewest();
}

void MetersPage::keepNewest()
{
    if (!std::ranges::is_sorted(m_tasks, {}, &TaskRow::startedMs))
        std::ranges::stable_sort(m_tasks, {}, &TaskRow::startedMs);
    if (std::ssize(m_tasks) > kMostTasks)
        m_tasks.erase(m_tasks.begin(), m_tasks.end() - kMostTasks);
    showTasks();
}

void MetersPage::changeTasks(const std::vector<TaskRow>& changed)
{
    QHash<QString, std::size_t> known;
    known.reserve(static_cast<qsizetype>(m_tasks.size() + changed.size()));
    for (std::size_t i = 0; i < m_tasks.size(); ++i)
        known.insert(m_tasks[i].task, i);
    for (const TaskRow& task : changed) {
        if (std::isnan(task.startedMs))
            continue;
        const auto place = known.constFind(task.task);
        if (place != known.constEnd()) {
            m_tasks[*place] = task;
            continue;
        }
        known.insert(task.task, m_tasks.size());
        m_tasks.push_back(task);
    }
    keepNewest();
}

void MetersPage::setMoment(double timeMs)
{
    m_meters->setMoment(timeMs);
}

void MetersPage::showTasks()
{
    m_meters->setTasks(m_hasTasks ? m_tasks : std::vector<TaskRow>());
}

} // namespace sg::ui
