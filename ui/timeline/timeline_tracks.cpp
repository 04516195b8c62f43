#include "ui/timeline/timeline_tracks.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr std::size_t kMostSamples = 40'000;

} // namespace

void TimelineTracks::addSamples(const std::vector<SampleRow>& rows)
{
    for (const SampleRow& sample : rows)
        if (samples.empty() || sample.timeMs > samples.back().timeMs)
            samples.push_back(sample);
    if (samples.size() > kMostSamples)
        samples.erase(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(kMostSamples));
}

void TimelineTracks::setArtifacts(const std::vector<ArtifactRow>& rows, const QString& thread)
{
    artifacts.clear();
    for (const ArtifactRow& row : rows)
        if (!std::isnan(row.createdMs) && row.thread == thread)
            artifacts.push_back({ row.createdMs, row.name, row.checkpoint });
    std::ranges::sort(artifacts, {}, &Artifact::timeMs);
}

void TimelineTracks::setCells(std::vector<Cell> rows)
{
    cells = std::move(rows);
    std::ranges::stable_sort(cells, {}, &Cell::timeMs);
}

void TimelineTracks::addCells(const std::vector<Cell>& rows)
{
    std::vector<Cell> all = std::move(cells);
    all.insert(all.end(), rows.begin(), rows.end());
    setCells(std::move(all));
}

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
