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

// The files of a bundle under construction: member → file.
using BundleFiles = std::vector<std::pair<std::string, std::filesystem::path>>;

// Returns the rows of a thread's artifacts, which become artifacts.json, sorted by id. Each content is added
// to `contents` once, under its hash. The folder of a shared place may give up one content for another, so
// there they are held in `held`, a folder that has nothing else.
Result<Value> gatherArtifacts(artifacts::ArtifactStore& store, const ThreadId& thread,
                              const std::filesystem::path& held, BundleFiles& contents);

// Adds rows to the project's index and returns their number. Their contents are stored already. An id that
// exists here is replaced by a new one, and `runs` maps old run names to new ones.
Result<std::int64_t> storeArtifacts(const ProjectParts& parts, const Value& rows, const ThreadId& thread,
                                    const std::map<std::string, std::string>& runs);

// Finds texts that look like secrets; in rows of a thread each value is examined.
Result<std::vector<exchange::SecretFinding>> secretsIn(const BundleFiles& files);

// Returns what is recorded of a thread's sessions (owner, events, samples) as a list of maps. keepSessions()
// stores such a list as sessions that have ended; a known session stays as it is.
Value sessionsOf(const ProjectParts& parts, const ThreadId& thread);
void keepSessions(const ProjectParts& parts, const ThreadId& thread, const Value& sessions);

} // namespace sg::upkeep
