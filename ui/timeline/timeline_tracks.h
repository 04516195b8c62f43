#pragma once

#include "ui/bridge/rows/rows.h"

#include <QHash>
#include <QString>

#include <vector>

namespace sg::ui {

// Measurements of the thread's session and marks, which stand on the same axis below the lanes.
struct TimelineTracks {
    struct Artifact {
        double timeMs = 0;
        QString name;
        QString checkpoint = {}; // where its superstep began; empty: not known
    };
    struct Cell {
        double timeMs = 0; // of its end, or its first line
        QString words;
        bool isFailed = false;
    };
    std::vector<SampleRow> samples; // in order of time
    double cpuLimit = 0; // cores; 0: unknown
    std::vector<Artifact> artifacts; // in order of time
    std::vector<Cell> cells; // in order of time
    QHash<QString, QString> bookmarks; // checkpoint → note, which may be empty
    std::vector<int> found; // places in the model of what a search found, rising

    [[nodiscard]] bool hasCourse() const { return samples.size() > 1; }
    void addSamples(const std::vector<SampleRow>& rows); // later ones; the oldest go where there are too many
    void setArtifacts(const std::vector<ArtifactRow>& rows, const QString& thread); // others' are left out
    void setCells(std::vector<Cell> rows); // in any order
    void addCells(const std::vector<Cell>& rows);
};

// The cells that a log tells of: each as the audit has it; of the console's also those that it has not, by
// what they printed first.
std::vector<TimelineTracks::Cell> cellsIn(const std::vector<LogRow>& rows);
// Does the same while they come: what a cell prints comes in pieces, so each has its mark once it has ended.
std::vector<TimelineTracks::Cell> endedCellsIn(const std::vector<LogRow>& rows);

} // namespace sg::ui
