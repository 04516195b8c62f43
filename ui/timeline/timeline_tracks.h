#pragma once

#include "ui/bridge/rows.h"

#include <QHash>
#include <QString>

#include <vector>

namespace sg::ui {

// What stands on the same axis below the lanes: measurements of the thread's session, and marks.
struct TimelineTracks {
    struct Artifact {
        double timeMs = 0;
        QString name;
    };
    std::vector<SampleRow> samples; // in order of time
    double cpuLimit = 0; // cores; 0: unknown
    std::vector<Artifact> artifacts; // in order of time
    QHash<QString, QString> bookmarks; // checkpoint → note, which may be empty

    [[nodiscard]] bool hasCourse() const { return samples.size() > 1; }
};

} // namespace sg::ui
