#pragma once

#include "app/cli/output.h"
#include "app/cli/project_option.h"
#include "core/base/value.h"
#include "core/history/database.h"
#include "core/rewind/snapshots.h"

#include <memory>

namespace sg::cli {

struct KeptSnapshots {
    std::unique_ptr<history::Database> database;
    std::unique_ptr<rewind::Snapshots> snapshots;
};
Result<KeptSnapshots> openKept(const PlaceOption& place,
                               history::Database::Access access = history::Database::Access::ReadOnly);

// {"variables": [{"name", "before", "after"}] or null if unknown, "files": […]}
Value snapshotDiffDocument(const rewind::SnapshotDiff& diff);
void printSnapshotDiff(const rewind::SnapshotDiff& diff, const Output& out); // for people

} // namespace sg::cli
