#include "ui/shell/canvas/viewing_banner.h"

#include "ui/selection/shown_history.h"
#include "ui/widgets/time_format.h"

#include <QPushButton>

namespace sg::ui {
namespace {

QString listed(const QStringList& nodes)
{
    return nodes.isEmpty() ? QStringLiteral("–") : nodes.join(QStringLiteral(", "));
}

} // namespace

ViewingBanner::ViewingBanner(const ShownHistory& history, QWidget* parent)
    : Banner(parent)
    , m_history(history)
    , m_adopt(addButton(tr("Make it a graph")))
    , m_return(addButton(tr("Return to head")))
    , m_compare(addLink(tr("Compare with now")))
{
    m_adopt->hide();
    m_compare->hide();
    connect(m_adopt, &QPushButton::clicked, this, &ViewingBanner::adoptRequested);
    connect(m_return, &QPushButton::clicked, this, &ViewingBanner::returnRequested);
    connect(m_compare, &QPushButton::clicked, this, &ViewingBanner::compareRequested);
}

void ViewingBanner::showStep(const CheckpointRow* viewed, GraphThen::Shows shows, bool canAdopt)
{
    const bool isSkeleton = shows == GraphThen::Shows::Skeleton;
    m_return->setVisible(viewed != nullptr);
    m_compare->setVisible(shows == GraphThen::Shows::Version);
    m_adopt->setVisible(isSkeleton && canAdopt);
    if (viewed == nullptr) {
        if (isSkeleton)
            showMessage(Kind::Info,
                        tr("The graph is not stored here: these are the nodes and the ways taken, as the "
                           "checkpoints name them."));
        else
            hide();
        return;
    }
    const auto words = [shows] {
        switch (shows) {
        case GraphThen::Shows::Skeleton:
            return tr("**Viewing step %1**, with the nodes that checkpoints name  after %2 → %3  %4");
        case GraphThen::Shows::Version:
            return tr("**Viewing step %1**, with the graph as it was then  after %2 → %3  %4");
        case GraphThen::Shows::Nothing: break;
        }
        return tr("**Viewing step %1**  after %2 → %3  %4");
    }();
    showMessage(Kind::Viewing,
                words.arg(QString::number(viewed->step), listed(viewed->after), listed(viewed->next),
                          momentWords(viewed->timeMs)));
}

QString ViewingBanner::momentWords(double checkpointMs) const
{
    return m_history.isMomentBetween()
        ? tr("%1, %2 into the tasks")
              .arg(formatClockMs(m_history.moment()), formatDuration(m_history.secondsInto()))
        : formatClockMs(checkpointMs);
}

} // namespace sg::ui
