#include "ui/timeline/timeline_tracks.h"

#include <QSet>

namespace sg::ui {

std::vector<TimelineTracks::Cell> endedCellsIn(const std::vector<LogRow>& rows)
{
    std::vector<TimelineTracks::Cell> cells;
    for (const LogRow& row : rows)
        if (row.source == LogRow::Source::Audit && row.text.startsWith(QLatin1String("cell "))) {
            const QString words = QLatin1Char('C') + row.text.mid(1); // "Cell ok: 3f5a0c2b91de"
            cells.push_back({ row.timeMs, words, !row.text.startsWith(QLatin1String("cell ok")) });
        }
    return cells;
}

std::vector<TimelineTracks::Cell> cellsIn(const std::vector<LogRow>& rows)
{
    std::vector<TimelineTracks::Cell> cells = endedCellsIn(rows);
    if (!cells.empty())
        return cells;
    QSet<QString> printed;
    for (const LogRow& row : rows)
        if (row.source == LogRow::Source::Cell && !printed.contains(row.task)) {
            printed.insert(row.task);
            cells.push_back({ row.timeMs, row.text.left(80), false });
        }
    return cells;
}

} // namespace sg::ui
