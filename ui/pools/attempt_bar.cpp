#include "ui/pools/attempt_bar.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui {

AttemptBar::AttemptBar(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Tries of the job"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void AttemptBar::setStory(const JobStoryRow& story)
{
    m_tries = triesOf(story);
    m_isDead = story.state == workers::JobState::Dead;
    m_fromMs = story.lines.empty() ? 0 : story.lines.front().timeMs;
    const bool isOver = story.state && hasEnded(*story.state);
    m_toMs = story.lines.empty() ? 0
        : isOver                 ? story.lines.back().timeMs
                                 : static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    QStringList words;
    for (const JobTry& each : m_tries)
        words << (each.end ? tr("try %1 on %2, %3 after %4")
                                 .arg(each.number)
                                 .arg(each.worker, QString::fromLatin1(nameOf(*each.end)),
                                      formatDuration((each.toMs - each.fromMs) / 1000))
                           : tr("try %1 on %2, under way").arg(each.number).arg(each.worker));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

QSize AttemptBar::minimumSizeHint() const
{
    return { scaledLength(120), scaledLength(58) };
}

void AttemptBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::base));
    const double span = std::max(1.0, m_toMs - m_fromMs);
    if (m_toMs <= 0)
        return;
    const int pad = scaledLength(12);
    const int head = scaledLength(16);
    const QRectF line(pad, head + scaledLength(4), width() - 2.0 * pad, scaledLength(22));
    const auto at = [&](double timeMs) { return line.left() + (timeMs - m_fromMs) / span * line.width(); };
    painter.setFont(uiFont(TextSize::Tiny));
    painter.setPen(color(&Tokens::muted));
    const QRectF top(line.left(), 0, line.width(), head);
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter, tr("0 s"));
    painter.drawText(top, Qt::AlignRight | Qt::AlignVCenter, formatDuration(span / 1000));
    painter.setPen(QPen(color(&Tokens::strong), 1, Qt::DotLine)); // it waits
    painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.right(), line.center().y()));
    for (const JobTry& each : m_tries) {
        const bool isUnderWay = std::isnan(each.toMs);
        const double left = at(each.fromMs);
        const QRectF box(left, line.top(), std::max(3.0, at(isUnderWay ? m_toMs : each.toMs) - left),
                         line.height());
        const bool isDone = each.end == workers::StoryLine::Kind::Done;
        painter.setPen(color(isUnderWay ? &Tokens::running : isDone ? &Tokens::done : &Tokens::failed));
        painter.setBrush(color(isUnderWay   ? &Tokens::runningTint
                                   : isDone ? &Tokens::doneTint
                                            : &Tokens::failedTint));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        painter.setPen(color(&Tokens::text));
        const QString name = painter.fontMetrics().elidedText(
            each.worker.section(QLatin1Char('-'), -1), Qt::ElideRight, static_cast<int>(box.width()) - 6);
        if (box.width() > scaledLength(28))
            painter.drawText(box.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
    }
    if (m_isDead) {
        painter.setPen(color(&Tokens::failed));
        painter.drawText(QRectF(line.left(), line.bottom() + 1, line.width(), head),
                         Qt::AlignRight | Qt::AlignVCenter, tr("dead letter"));
    }
}

} // namespace sg::ui
