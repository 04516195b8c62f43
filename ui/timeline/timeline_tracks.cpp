#include "ui/timeline/timeline_tracks.h"

#include <QSet>

namespace sg::ui {

std::vector<TimelineTracks::Cell> cellsIn(const std::vector<LogRow>& rows)
{
    const QLatin1String ended("cell ");
    bool isAudited = false;
    for (const LogRow& row : rows)
        isAudited = isAudited || (row.source == LogRow::Source::Audit && row.text.startsWith(ended));
    std::vector<TimelineTracks::Cell> cells;
    QSet<QString> printed;
    for (const LogRow& row : rows) {
        if (row.source == LogRow::Source::Audit && row.text.startsWith(ended)) {
            const QString words = QLatin1Char('C') + row.text.mid(1); // "Cell ok: 3f5a0c2b91de"
            cells.push_back({ row.timeMs, words, !row.text.startsWith(QLatin1String("cell ok")) });
        } else if (!isAudited && row.source == LogRow::Source::Cell && !printed.contains(row.task)) {
            printed.insert(row.task);
            cells.push_back({ row.timeMs, row.text.left(80), false });
        }
    }
    return cells;
}

} // namespace sg::ui
