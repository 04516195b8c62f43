#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/live/intake_batch.h"
#include "core/sessions/runner/runner_link.h"

#include <stop_token>

namespace sg::sessions {

// The content of one file of a session's artifacts folder, written to `writer` as it was listed: read here,
// where the file is large and `view` shows it, else asked of the runner in pieces. Errc::Conflict where it is
// another one now.
Result<void> copyArtifact(RunnerLink& link, const ListedFile& file, artifacts::ArtifactWriter& writer,
                          const std::stop_token& stop, sandbox::FolderView* view);

} // namespace sg::sessions
