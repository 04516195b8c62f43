#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/result.h"
#include "core/config/setting_layers.h"
#include "core/projects/project.h"

#include <memory>
#include <string>

namespace sg::config {

// Returns the address of the bucket that keeps the contents of the project's artifacts: SANDGLASS_BLOBS, of
// which "none" and nothing mean the folder alone (empty). Errc::PermissionDenied: a file of the project names
// one, and this user has not allowed that.
Result<std::string> bucketAddress(const projects::ProjectPaths& project, const MergedSettings& settings);

// Tells whether two addresses ("" is the folder) mean the same place.
bool isSameBucket(const std::string& one, const std::string& other);

// Opens such a bucket for a folder of contents. It asks nobody yet.
Result<std::shared_ptr<artifacts::SharedContents>>
openBucket(const std::string& address, const std::filesystem::path& folder, const MergedSettings& settings);

// Opens the artifacts of a project whose places are set already.
Result<std::unique_ptr<artifacts::ArtifactStore>> openArtifacts(const projects::ProjectPaths& project,
                                                                const MergedSettings& settings);
// Does the same for callers without a workbench: with env file, environment and these settings.
Result<std::unique_ptr<artifacts::ArtifactStore>> openArtifacts(const projects::ProjectPaths& project,
                                                                const SettingValues& commandLine = {});

// Remembers for the project where its artifacts are ("" or "none": in its folder), so that it need not be
// said again, and that this user allows it.
Result<void> noteBucket(const projects::ProjectPaths& project, const std::string& address);
// The file in which that stands; read as an env file that is weaker than the project's own.
std::filesystem::path notedPlaces(const projects::ProjectPaths& project);

// The settings that "--blobs TEXT" means: s3://…, or a folder without a bucket. Empty: none.
SettingValues blobsSettings(const std::string& text);

} // namespace sg::config
