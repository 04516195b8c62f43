#include "ui/timeline/timeline_panel.h"

#include "ui/timeline/timeline_view.h"
#include "ui/timeline/timeline_words.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

class UprightLine final : public QWidget {
public:
    explicit UprightLine(QWidget* parent)
        : QWidget(parent)
    {
        setFixedSize(1, scaledLength(16));
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), color(&Tokens::border)); }
};

} // namespace

struct TimelinePanel::Impl : QObject {
    explicit Impl(TimelinePanel* panel);
    void describe();

    InkLabel* title;
    InkLabel* thread;
    UprightLine* line;
    InkLabel* where; // "Step 4"
    InkLabel* count; // "of branch 2, 3 branches, 21 checkpoints"
    QHBoxLayout* verbs;
    TimelineView* view;
};

TimelinePanel::Impl::Impl(TimelinePanel* panel)
    : QObject(panel)
{
    auto* row = new Strip(28, &Tokens::border, panel);
    title = new InkLabel(&Tokens::text, TextSize::Dense, QFont::DemiBold, row);
    title->setText(TimelinePanel::tr("Timeline"));
    thread = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    line = new UprightLine(row);
    where = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, row);
    count = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, row);
    auto* words = new QHBoxLayout(row);
    words->setContentsMargins(10, 0, 8, 1);
    words->setSpacing(4);
    words->addWidget(title);
    words->addSpacing(4);
    words->addWidget(thread);
    words->addSpacing(6);
    words->addWidget(line);
    words->addSpacing(6);
    words->addWidget(where);
    words->addWidget(count);
    words->addStretch();
    verbs = new QHBoxLayout;
    verbs->setSpacing(2);
    words->addLayout(verbs);

    view = new TimelineView(panel);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(row);
    column->addWidget(view);
    connect(view, &TimelineView::changed, this, &Impl::describe);
    connect(view, &TimelineView::checkpointSelected, panel, &TimelinePanel::checkpointSelected);
    describe();
}

void TimelinePanel::Impl::describe()
{
    const TimelineModel& model = view->model();
    const int current = view->currentMark();
    const bool any = current != TimelineModel::kNone;
    thread->setText(model.thread());
    thread->setVisible(any);
    line->setVisible(any);
    where->setVisible(any);
    count->setVisible(any);
    if (!any)
        return;
    const TimelineModel::Mark& mark = model.mark(current);
    QStringList rest;
    const auto branches = model.lanes().size();
    if (branches > 1)
        rest << TimelinePanel::tr("%1 branches").arg(formatCount(static_cast<qint64>(branches)));
    const auto checkpoints = model.marks().size();
    rest << (checkpoints == 1
                 ? TimelinePanel::tr("1 checkpoint")
                 : TimelinePanel::tr("%1 checkpoints").arg(formatCount(static_cast<qint64>(checkpoints))));
    const QString step = TimelinePanel::tr("Step %1").arg(stepText(mark.row.step));
    where->setText(branches == 1 ? step + QLatin1Char(',') : step);
    const QString branch = branches == 1 ? QString()
        : mark.lane == 0                 ? TimelinePanel::tr("of main, ")
                                         : TimelinePanel::tr("of branch %1, ").arg(mark.lane + 1);
    count->setText(branch + rest.join(QStringLiteral(", ")));
}

TimelinePanel::TimelinePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setFocusProxy(m_impl->view);
    setAccessibleName(tr("Timeline"));
}

void TimelinePanel::addVerb(QAction* action)
{
    auto* button = new QToolButton(this);
    makeDense(button);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_impl->verbs->addWidget(button);
}

void TimelinePanel::clear(const QString& thread)
{
    m_impl->view->clear(thread);
}

void TimelinePanel::setHistory(const HistoryRows& rows)
{
    m_impl->view->reset(rows);
}

void TimelinePanel::addCheckpoints(const std::vector<CheckpointRow>& added)
{
    m_impl->view->add(added);
}

void TimelinePanel::changeTasks(const std::vector<TaskRow>& changed)
{
    m_impl->view->changeTasks(changed);
}

void TimelinePanel::setCurrent(const QString& checkpoint)
{
    m_impl->view->setCurrent(checkpoint);
}

QString TimelinePanel::current() const
{
    const int mark = m_impl->view->currentMark();
    return mark == TimelineModel::kNone ? QString() : m_impl->view->model().mark(mark).row.id;
}

QString TimelinePanel::head() const
{
    const TimelineModel& model = m_impl->view->model();
    return model.isEmpty() ? QString() : model.mark(model.head()).row.id;
}

void TimelinePanel::step(int by)
{
    m_impl->view->step(by);
}

} // namespace sg::ui
