#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/result.h"
#include "core/history/history.h"
#include "core/rewind/snapshots.h"
#include "core/sessions/manager/session_manager.h"
#include "ui/bridge/rows/rows.h"

#include <filesystem>
#include <string>

// Conversions from core's values to the rows of panels; on any thread.
namespace sg::ui {

QString text(const std::string& utf8); // invalid bytes become U+FFFD
std::string utf8(const QString& text);
double milliseconds(const std::string& iso); // kUnknown if it is no time
double milliseconds(WallTime time);
QStringList nodeNames(const std::vector<NodeId>& nodes);
UserError userError(const Error& error);

ThreadRow threadRow(const history::ThreadRow& row);
CheckpointRow checkpointRow(const history::CheckpointRow& row);
// Adds one session's mark to the row, which shows the worst of all sessions. `isAsleep` means that the
// session's interpreter can be woken.
void showMark(const rewind::SnapshotMark& mark, bool isAsleep, CheckpointRow& row);
TaskRow taskRow(const history::TaskRow& row);
SessionRow sessionRow(const sessions::SessionInfo& info);
SampleRow sampleRow(const sandbox::ResourceSample& sample);
SessionNoteRow sessionNoteRow(const sessions::SessionNote& note);
ArtifactRow artifactRow(const artifacts::Artifact& artifact, const std::filesystem::path& blob);

} // namespace sg::ui
