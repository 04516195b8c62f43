#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/workbench/bundle_scan.h"
#include "core/workbench/project.h"

#include <cstdint>
#include <map>
#include <string>

// artifacts.json of a thread's bundle: the rows of its artifacts; what is in them lies beside it by hash.
namespace sg::workbench {

// The rows, by id; each content once in `contents`.
Result<Value> gatherArtifacts(artifacts::ArtifactStore& store, const ThreadId& thread, BundleFiles& contents);

// Rows into the project's index, of which the contents are stored already; an id that is taken here becomes
// another, and runs get the names of `runs`. How many.
Result<std::int64_t> storeArtifacts(const ProjectPaths& project, const Value& rows, const ThreadId& thread,
                                    const std::map<std::string, std::string>& runs);

} // namespace sg::workbench
