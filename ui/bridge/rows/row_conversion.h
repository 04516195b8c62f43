#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/result.h"
#include "core/history/history.h"
#include "core/rewind/snapshots.h"
#include "core/sessions/manager/session_manager.h"
#include "ui/bridge/rows/rows.h"

#include <filesystem>
#include <string>

// core values → what panels take. Pure; any thread.
namespace sg::ui {

QString text(const std::string& utf8); // invalid bytes become U+FFFD
std::string utf8(const QString& text);
double milliseconds(const std::string& iso); // kUnknown where it is no time
double milliseconds(WallTime time);
QStringList nodeNames(const std::vector<NodeId>& nodes);
UserError userError(const Error& error);

ThreadRow threadRow(const history::ThreadRow& row);
CheckpointRow checkpointRow(const history::CheckpointRow& row);
// `isLive`: the session that made it still runs.
// One session's after another: the row shows the least of them. `isAsleep`: its interpreter can be woken.
void showMark(const rewind::SnapshotMark& mark, bool isAsleep, CheckpointRow& row);
TaskRow taskRow(const history::TaskRow& row);
SessionRow sessionRow(const sessions::SessionInfo& info);
SampleRow sampleRow(const sandbox::ResourceSample& sample);
SessionNoteRow sessionNoteRow(const sessions::SessionNote& note);
ArtifactRow artifactRow(const artifacts::Artifact& artifact, const std::filesystem::path& blob);

} // namespace sg::ui
