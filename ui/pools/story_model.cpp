#include "ui/pools/story_model.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <cmath>

namespace sg::ui {
namespace {

using Kind = workers::StoryLine::Kind;

QString words(const JobStoryRow& story, const StoryLineRow& line)
{
    switch (line.kind) {
    case Kind::Added:
        return story.partition.isEmpty()
            ? StoryModel::tr("Put in the queue")
            : StoryModel::tr("Put in the queue, partition %1").arg(story.partition);
    case Kind::Started: return StoryModel::tr("Try %1 on %2").arg(line.attempt).arg(line.worker);
    case Kind::Failed: return StoryModel::tr("Failed: %1").arg(line.text);
    case Kind::Lost:
        return StoryModel::tr("Its worker %1 was lost: no beat, the lease ran out").arg(line.worker);
    case Kind::Retry:
        return line.waitSeconds > 0
            ? StoryModel::tr("The next try not before %1").arg(formatDuration(line.waitSeconds))
            : StoryModel::tr("The next try follows at once");
    case Kind::Requeued: return StoryModel::tr("Requeued by %1").arg(line.text);
    case Kind::Discarded: return StoryModel::tr("Discarded by %1").arg(line.text);
    case Kind::Cancelled: return StoryModel::tr("Cancelled");
    case Kind::Done: return StoryModel::tr("Done");
    case Kind::Dead: break;
    }
    return StoryModel::tr("Set aside as a dead letter");
}

QIcon iconOf(Kind kind)
{
    switch (kind) {
    case Kind::Started: return icon(QLatin1String("play"), &Tokens::running);
    case Kind::Failed:
    case Kind::Lost: return icon(QLatin1String("error"), &Tokens::failed);
    case Kind::Done: return icon(QLatin1String("check"), &Tokens::done);
    case Kind::Dead:
    case Kind::Cancelled:
    case Kind::Discarded: return icon(QLatin1String("minus"), &Tokens::failed);
    case Kind::Added:
    case Kind::Requeued:
    case Kind::Retry: break;
    }
    return icon(QLatin1String("clock"), &Tokens::muted);
}

bool endsTry(Kind kind)
{
    return kind == Kind::Failed || kind == Kind::Lost || kind == Kind::Done || kind == Kind::Cancelled
        || kind == Kind::Dead;
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
        return iconOf(line.kind);
    if (role == Qt::ToolTipRole)
        return words(m_story, line);
    return role == Qt::DisplayRole ? words(m_story, line).section(QLatin1Char('\n'), 0, 0) : QVariant();
}

std::vector<JobTry> triesOf(const JobStoryRow& story)
{
    std::vector<JobTry> tries;
    for (const StoryLineRow& line : story.lines) {
        const bool isOpen = !tries.empty() && std::isnan(tries.back().toMs);
        if (line.kind == Kind::Started) {
            JobTry next;
            next.worker = line.worker;
            next.number = line.attempt;
            next.fromMs = line.timeMs;
            tries.push_back(next);
        } else if (isOpen && endsTry(line.kind)) {
            tries.back().toMs = line.timeMs;
            tries.back().end = line.kind;
            tries.back().why = line.text;
        }
    }
    return tries;
}

} // namespace sg::ui
