#pragma once

#include "core/base/result.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// What a project takes on the disk.
namespace sg::upkeep {

struct StoragePart {
    std::string name;
    std::int64_t bytes = 0;
    std::int64_t count = 0;
};

struct StorageReport {
    std::int64_t databaseBytes = 0; // the file with its log
    std::int64_t artifactBytes = 0; // contents, each once
    std::int64_t snapshotBytes = 0;
    std::int64_t sessionBytes = 0; // folders of BIND sessions
    std::vector<StoragePart>
        threads; // checkpoints, writes and log: bytes of their values; count: checkpoints
    std::vector<StoragePart> channels; // what was written to each; count: writes
    std::vector<StoragePart> artifacts; // by thread
    std::vector<StoragePart> files; // artifacts as "thread: path", the largest; count: versions
    std::int64_t fileCount = 0; // of all such, also those that are not among the largest
    std::vector<StoragePart> snapshots; // by thread: contents that it needs
};
// Largest first. Reads row sizes, not rows.
Result<StorageReport> storageOf(const ProjectParts& parts);

std::int64_t fileBytes(const std::filesystem::path& file); // 0 where there is none
std::int64_t databaseBytes(const std::filesystem::path& file); // with its log

} // namespace sg::upkeep
