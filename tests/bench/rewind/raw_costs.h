#pragma once

#include <filesystem>
#include <string>

// Measures the kernel's part alone on this machine, in the same run: no way of going back could take less.
// `ids`: what the figures' names begin with.
namespace sg::bench {

// A fork of a process with 200 MB in huge pages and 8 MB in small ones, and the first write to as many pages
// as a call of the runner touches.
void printForkCosts(const std::string& ids);
// 200 MB of memory that no process had, and of a file.
void printMemoryAndDiskCosts(const std::string& ids, const std::filesystem::path& folder);

} // namespace sg::bench
