#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/live/intake_batch.h"
#include "core/sessions/runner/runner_link.h"

#include <stop_token>

namespace sg::sessions {

// Copies one file of a session's artifacts folder to `writer`. A large file is read by this process where
// `view` shows the folder; any other is requested from the runner in pieces. Errc::Conflict: the file is no
// longer as it was listed.
Result<void> copyArtifact(RunnerLink& link, const ListedFile& file, artifacts::ArtifactWriter& writer,
                          const std::stop_token& stop, sandbox::FolderView* view);

} // namespace sg::sessions
