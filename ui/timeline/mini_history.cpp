#include "ui/timeline/mini_history.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/selection/shown_history.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style_controls.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

constexpr double kMiniNearest = 9; // dots that would stand closer are drawn as one
constexpr double kMiniFarthest = 28;
constexpr double kMiniDot = 2.5;
constexpr double kMiniEdge = 8;

} // namespace

MiniHistory::MiniHistory(ShownHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_history(history)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Timeline, folded"));
    setToolTip(tr("The checkpoints of this branch. A click goes to one."));
    connect(&m_history, &ShownHistory::changed, this, qOverload<>(&QWidget::update));
    connect(&m_history, &ShownHistory::currentChanged, this, [this] {
        const int current = m_history.currentMark();
        setAccessibleDescription(
            current == HistoryModel::kNone ? QString() : checkpointTip(m_history.model().row(current)));
        update();
    });
}

QSize MiniHistory::sizeHint() const
{
    return { scaledLength(240), scaledLength(20) };
}

QSize MiniHistory::minimumSizeHint() const
{
    return { scaledLength(40), scaledLength(20) };
}

const std::vector<int>& MiniHistory::marks() const
{
    static const std::vector<int> none;
    const HistoryModel& model = m_history.model();
    const int current = m_history.currentMark();
    return current == HistoryModel::kNone ? none : model.lane(model.mark(current).lane).marks;
}

double MiniHistory::xOf(int index) const
{
    const auto gaps = std::max<std::size_t>(marks().size(), 2) - 1;
    const double unit = scaledLength(100) / 100.0;
    const double gap =
        std::min((width() - 2 * kMiniEdge * unit) / static_cast<double>(gaps), kMiniFarthest * unit);
    return kMiniEdge * unit + index * gap;
}

int MiniHistory::indexOfCurrent() const
{
    const auto found = std::ranges::lower_bound(marks(), m_history.currentMark());
    return static_cast<int>(found - marks().begin());
}

void MiniHistory::paintEvent(QPaintEvent*)
{
    const int count = static_cast<int>(marks().size());
    if (count == 0)
        return;
    const HistoryModel& model = m_history.model();
    const double unit = scaledLength(100) / 100.0;
    const double y = height() / 2.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::border), 1.5 * unit));
    painter.drawLine(QPointF(xOf(0), y), QPointF(xOf(count - 1), y));
    painter.setPen(Qt::NoPen);
    const double apart = count > 1 ? std::max(xOf(1) - xOf(0), 1e-6) : 1;
    const int stride = std::max(1, static_cast<int>(std::ceil(kMiniNearest * unit / apart)));
    painter.setBrush(color(&Tokens::muted));
    for (int index = 0; index < count; index += stride)
        painter.drawEllipse(QPointF(xOf(index), y), kMiniDot * unit, kMiniDot * unit);
    // What failed or asks is never left out; the newest of those that would lie on each other is drawn.
    const int lane = model.mark(marks().front()).lane;
    const auto& troubles = model.troubles();
    double seen = -1;
    for (auto at = troubles.lower_bound({ lane, 0 }); at != troubles.end() && at->first == lane; ++at) {
        const int mark = at->second;
        const double x = xOf(static_cast<int>(std::ranges::lower_bound(marks(), mark) - marks().begin()));
        if (x - seen < 1)
            continue;
        seen = x;
        StateKind kind = StateKind::Idle;
        model.eachTask(mark, [&kind](const HistoryModel::TaskSpan& task) {
            if (isLoud(task.kind))
                kind = task.kind;
        });
        painter.setBrush(color(stateToken(kind)));
        painter.drawEllipse(QPointF(x, y), (kMiniDot + 1) * unit, (kMiniDot + 1) * unit);
    }
    painter.setBrush(color(&Tokens::base));
    painter.setPen(QPen(color(&Tokens::accent), 2 * unit));
    painter.drawEllipse(QPointF(xOf(indexOfCurrent()), y), 5 * unit, 5 * unit);
    if (hasFocus())
        paint::focusRing(painter, QRectF(rect()).adjusted(1, 1, -1, -1));
}

void MiniHistory::select(int index)
{
    if (marks().empty())
        return;
    const int mark =
        marks()[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(marks().size()) - 1))];
    if (mark == m_history.currentMark())
        return;
    const QString id = m_history.model().id(mark);
    m_history.goTo(id);
    Q_EMIT checkpointSelected(id);
}

void MiniHistory::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || marks().empty())
        return;
    const double gap = marks().size() > 1 ? xOf(1) - xOf(0) : 1;
    select(static_cast<int>(std::lround((event->position().x() - xOf(0)) / std::max(gap, 1e-6))));
}

void MiniHistory::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left: select(indexOfCurrent() - 1); return;
    case Qt::Key_Right: select(indexOfCurrent() + 1); return;
    case Qt::Key_Home: select(0); return;
    case Qt::Key_End: select(static_cast<int>(marks().size()) - 1); return;
    default: QWidget::keyPressEvent(event);
    }
}

void MiniHistory::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void MiniHistory::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace sg::ui
