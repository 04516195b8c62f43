#pragma once

#include "app/cli/output.h"
#include "app/cli/project_option.h"
#include "core/base/value.h"
#include "core/workbench/database.h"
#include "core/workbench/snapshots.h"

#include <memory>

namespace sg::cli {

struct KeptSnapshots {
    std::unique_ptr<workbench::Database> database;
    std::unique_ptr<workbench::Snapshots> snapshots;
};
Result<KeptSnapshots> openKept(const PlaceOption& place,
                               workbench::Database::Access access = workbench::Database::Access::ReadOnly);

// {"variables": [{"name", "before", "after"}] or null where unknown, "files": […]}
Value snapshotDiffDocument(const workbench::SnapshotDiff& diff);
void printSnapshotDiff(const workbench::SnapshotDiff& diff, const Output& out); // for people

} // namespace sg::cli
