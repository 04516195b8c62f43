#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/exchange/secret_scan.h"
#include "core/projects/project.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sg::upkeep {

// Files of a bundle that is being made: member → file.
using BundleFiles = std::vector<std::pair<std::string, std::filesystem::path>>;

// The rows of a thread's artifacts, which become artifacts.json; what is in them lies beside it by hash.

// The rows, by id; each content once in `contents`.
Result<Value> gatherArtifacts(artifacts::ArtifactStore& store, const ThreadId& thread, BundleFiles& contents);

// Rows into the project's index, of which the contents are stored already; an id that is taken here becomes
// another, and runs get the names of `runs`. How many.
Result<std::int64_t> storeArtifacts(const projects::ProjectPaths& project, const Value& rows,
                                    const ThreadId& thread, const std::map<std::string, std::string>& runs);

// What looks like a secret in them; rows of a thread are looked into value by value.
Result<std::vector<exchange::SecretFinding>> secretsIn(const BundleFiles& files);

// What is kept of a thread's sessions (whose they were, what happened to them, their samples) as a list of
// maps, and such a list as sessions that have ended. A session that is known already stays as it is.
Value sessionsOf(const ProjectParts& parts, const ThreadId& thread);
void keepSessions(const ProjectParts& parts, const ThreadId& thread, const Value& sessions);

} // namespace sg::upkeep
