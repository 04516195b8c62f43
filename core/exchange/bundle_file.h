#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// A thread's bundle: a .zip of manifest.json and what it lists, each with its size and SHA-256:
//   graph.json, code/PATH, rows/TABLE.rows, artifacts.json, sessions.json, notes.json, blobs/SHA256,
//   snapshots/SHA256
namespace sg::exchange {

inline constexpr const char* kBundleFormat = "sandglass-thread";
inline constexpr int kBundleVersion = 1;

struct BundleMember {
    std::string path;
    std::uint64_t bytes = 0;
    std::string sha256;
};

// Packs the files of a folder, of which `extra` are given from elsewhere (member → file). The manifest is
// `about` with format, version and the members. Nothing stands under `target` before it is whole; what is
// there is replaced.
struct BundleSource {
    std::filesystem::path folder;
    std::vector<std::pair<std::string, std::filesystem::path>> extra;
    Value about; // a map
};
Result<std::vector<BundleMember>> packBundle(const BundleSource& source, const std::filesystem::path& target);

// Unpacks into a folder that exists and is empty, and checks everything: only members of the kinds above,
// regular files, no name twice, all that the manifest lists and nothing else, sizes and hashes. The archive
// is hostile until it has passed: `mostBytes` in all, however it is packed. The manifest.
Result<Value> unpackBundle(const std::filesystem::path& bundle, const std::filesystem::path& folder,
                           std::uint64_t mostBytes);

} // namespace sg::exchange
