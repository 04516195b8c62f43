#include "ui/pools/story_model.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <cmath>

namespace sg::ui {
namespace {

QString words(const JobStoryRow& story, const StoryLineRow& line)
{
    if (line.kind == QLatin1String("enqueue"))
        return story.partition.isEmpty()
            ? StoryModel::tr("Put in the queue")
            : StoryModel::tr("Put in the queue, partition %1").arg(story.partition);
    if (line.kind == QLatin1String("start"))
        return StoryModel::tr("Try %1 on %2").arg(line.attempt).arg(line.worker);
    if (line.kind == QLatin1String("failed"))
        return StoryModel::tr("Failed: %1").arg(line.text);
    if (line.kind == QLatin1String("lost"))
        return StoryModel::tr("Its worker %1 was lost: no beat, the lease ran out").arg(line.worker);
    if (line.kind == QLatin1String("retry"))
        return line.waitSeconds > 0
            ? StoryModel::tr("The next try not before %1").arg(formatDuration(line.waitSeconds))
            : StoryModel::tr("The next try follows at once");
    if (line.kind == QLatin1String("requeue"))
        return StoryModel::tr("Requeued by %1").arg(line.text);
    if (line.kind == QLatin1String("discard"))
        return StoryModel::tr("Discarded by %1").arg(line.text);
    if (line.kind == QLatin1String("cancel"))
        return StoryModel::tr("Cancelled");
    if (line.kind == QLatin1String("done"))
        return StoryModel::tr("Done");
    return StoryModel::tr("Set aside as a dead letter");
}

QIcon iconOf(const StoryLineRow& line)
{
    if (line.kind == QLatin1String("start"))
        return icon(QLatin1String("play"), &Tokens::running);
    if (line.kind == QLatin1String("failed") || line.kind == QLatin1String("lost"))
        return icon(QLatin1String("error"), &Tokens::failed);
    if (line.kind == QLatin1String("done"))
        return icon(QLatin1String("check"), &Tokens::done);
    if (line.kind == QLatin1String("dead") || line.kind == QLatin1String("cancel")
        || line.kind == QLatin1String("discard"))
        return icon(QLatin1String("minus"), &Tokens::failed);
    return icon(QLatin1String("clock"), &Tokens::muted);
}

} // namespace

void StoryModel::setStory(const JobStoryRow& story)
{
    if (story.job == m_story.job && story.role == m_story.role
        && story.lines.size() == m_story.lines.size()) {
        m_story = story; // nothing new: the view stays where it is
        return;
    }
    beginResetModel();
    m_story = story;
    endResetModel();
}

int StoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_story.lines.size());
}

int StoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StoryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const StoryLineRow& line = m_story.lines[static_cast<std::size_t>(index.row())];
    if (index.column() == TimeColumn) {
        if (role == Qt::FontRole)
            return monoFont(TextSize::Dense);
        if (role == Qt::ForegroundRole)
            return color(&Tokens::muted);
        return role == Qt::DisplayRole ? QVariant(formatClockMs(line.timeMs)) : QVariant();
    }
    if (role == Qt::DecorationRole)
        return iconOf(line);
    if (role == Qt::ToolTipRole)
        return words(m_story, line);
    return role == Qt::DisplayRole ? words(m_story, line).section(QLatin1Char('\n'), 0, 0) : QVariant();
}

std::vector<JobTry> triesOf(const JobStoryRow& story)
{
    std::vector<JobTry> tries;
    for (const StoryLineRow& line : story.lines) {
        const bool isOpen = !tries.empty() && std::isnan(tries.back().toMs);
        if (line.kind == QLatin1String("start")) {
            JobTry next;
            next.worker = line.worker;
            next.number = line.attempt;
            next.fromMs = line.timeMs;
            tries.push_back(next);
        } else if (isOpen
                   && (line.kind == QLatin1String("failed") || line.kind == QLatin1String("lost")
                       || line.kind == QLatin1String("done") || line.kind == QLatin1String("cancel")
                       || line.kind == QLatin1String("dead"))) {
            tries.back().toMs = line.timeMs;
            tries.back().end = line.kind;
            tries.back().why = line.text;
        }
    }
    return tries;
}

} // namespace sg::ui
