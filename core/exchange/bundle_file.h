#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// A thread's bundle is a .zip of manifest.json and the files that it lists, each with size and SHA-256:
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

// Packs the files of a folder and `extra` files from elsewhere (member → file). The manifest is `about` with
// format, version and members. An existing `target` is replaced, but not before the new one is complete.
struct BundleSource {
    std::filesystem::path folder;
    std::vector<std::pair<std::string, std::filesystem::path>> extra;
    Value about; // a map
};
Result<std::vector<BundleMember>> packBundle(const BundleSource& source, const std::filesystem::path& target);

// Unpacks into an existing empty folder and checks everything: only members of the kinds above, regular
// files, no name twice, exactly the files that the manifest lists, sizes and hashes. The archive counts as
// hostile until it has passed: it may hold at most `mostBytes` unpacked bytes. Returns the manifest.
Result<Value> unpackBundle(const std::filesystem::path& bundle, const std::filesystem::path& folder,
                           std::uint64_t mostBytes);

} // namespace sg::exchange
