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
constexpr double kMiniFarthest = 36;
constexpr double kMiniRoomForTasks = 24; // between two checkpoints
constexpr double kMiniTail = 16; // for what runs on from the last one
constexpr double kMiniDot = 2.5;
constexpr double kMiniEdge = 10;

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
    const double gap = std::min((width() - (2 * kMiniEdge + kMiniTail) * unit) / static_cast<double>(gaps),
                                kMiniFarthest * unit);
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
    if (count == 0) {
        QPainter painter(this);
        painter.setFont(uiFont(TextSize::Small));
        painter.setPen(color(&Tokens::muted));
        painter.drawText(rect().adjusted(scaledLength(kMiniEdge), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("Nothing has run yet"));
        return;
    }
    const double unit = scaledLength(100) / 100.0;
    const double apart = count > 1 ? xOf(1) - xOf(0) : kMiniFarthest * unit;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::border), 1.5 * unit));
    painter.drawLine(QPointF(xOf(0), height() / 2.0), QPointF(xOf(count - 1), height() / 2.0));
    if (apart >= kMiniRoomForTasks * unit)
        paintSteps(painter, apart);
    else
        paintDots(painter, apart);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(&Tokens::accent), 2 * unit));
    painter.drawEllipse(QPointF(xOf(indexOfCurrent()), height() / 2.0), 7 * unit, 7 * unit);
    if (hasFocus())
        paint::focusRing(painter, QRectF(rect()).adjusted(1, 1, -1, -1));
}

// Returns the state of what began at a checkpoint: the one that somebody looks for, else any.
StateKind MiniHistory::stateFrom(int mark) const
{
    StateKind kind = StateKind::Idle;
    m_history.model().eachTask(mark, [&kind](const HistoryModel::TaskSpan& task) {
        if (!isLoud(kind))
            kind = task.kind;
    });
    return kind;
}

// Each checkpoint's dot, and between them the bars of the steps.
void MiniHistory::paintSteps(QPainter& painter, double apart) const
{
    const HistoryModel& model = m_history.model();
    const double unit = scaledLength(100) / 100.0;
    const double y = height() / 2.0;
    const double clear = 8 * unit;
    int index = 0;
    for (const int mark : marks()) {
        const double x = xOf(index++);
        if (const StateKind kind = stateFrom(mark); kind != StateKind::Idle) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color(isLoud(kind) ? stateToken(kind) : &Tokens::strong));
            painter.drawRect(QRectF(x + clear, y - 2.5 * unit, apart - 2 * clear, 5 * unit));
        }
        paintRewindMark(painter, model.mark(mark).rewind, { x, y }, tokens().text2, tokens().window);
    }
}

// There is no room for all: the checkpoints from which something runs, failed or asks stand over the others.
void MiniHistory::paintDots(QPainter& painter, double apart) const
{
    const HistoryModel& model = m_history.model();
    const int count = static_cast<int>(marks().size());
    const double unit = scaledLength(100) / 100.0;
    const double y = height() / 2.0;
    const int stride = std::max(1, static_cast<int>(std::ceil(kMiniNearest * unit / std::max(apart, 1e-6))));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::muted));
    for (int index = 0; index < count; index += stride)
        painter.drawEllipse(QPointF(xOf(index), y), kMiniDot * unit, kMiniDot * unit);
    const int lane = model.mark(m_history.currentMark()).lane;
    double seen = -1;
    for (auto at = model.troubles().lower_bound({ lane, 0 });
         at != model.troubles().end() && at->first == lane; ++at) {
        const auto place = std::ranges::lower_bound(marks(), at->second) - marks().begin();
        const double x = xOf(static_cast<int>(place));
        if (x - seen < 1)
            continue;
        seen = x;
        painter.setBrush(color(stateToken(stateFrom(at->second))));
        painter.drawEllipse(QPointF(x, y), (kMiniDot + 1) * unit, (kMiniDot + 1) * unit);
    }
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
    if (event->button() == Qt::LeftButton)
        selectAt(event->position().x());
}

void MiniHistory::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        selectAt(event->position().x());
}

void MiniHistory::selectAt(double x)
{
    const double gap = marks().size() > 1 ? xOf(1) - xOf(0) : 1;
    select(static_cast<int>(std::lround((x - xOf(0)) / std::max(gap, 1e-6))));
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
