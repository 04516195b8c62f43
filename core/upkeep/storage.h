#pragma once

#include "core/base/result.h"
#include "core/upkeep/upkeep.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// These functions measure what a project takes on the disk.
namespace sg::upkeep {

struct StoragePart {
    std::string name;
    std::int64_t bytes = 0;
    std::int64_t count = 0;
};

struct StorageReport {
    std::int64_t databaseBytes = 0; // the file with its log; on a server: the values in its tables
    std::int64_t artifactBytes = 0; // contents, each once
    std::int64_t snapshotBytes = 0;
    std::int64_t sessionBytes = 0; // folders of BIND sessions
    std::vector<StoragePart>
        threads; // bytes of the values in checkpoints, writes and log; count: checkpoints
    std::vector<StoragePart> channels; // values written to each; count: writes
    std::vector<StoragePart> artifacts; // by thread
    std::vector<StoragePart> files; // artifacts as "thread: path", the largest; count: versions
    std::int64_t fileCount = 0; // all such files, also those not among the largest
    std::vector<StoragePart> snapshots; // by thread: the contents that it needs
};
// Parts are sorted by size, largest first. It reads sizes of rows, not the rows.
Result<StorageReport> storageOf(const ProjectParts& parts);

std::int64_t fileBytes(const std::filesystem::path& file); // 0 if there is none
std::int64_t databaseBytes(const std::filesystem::path& file); // including its log

} // namespace sg::upkeep
