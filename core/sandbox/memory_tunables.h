#pragma once

namespace sg::sandbox {

// In the environment of a sandbox's first process this makes the C library allocate in huge pages, large
// arrays included, so that copying the process (a live snapshot) copies a page table of hundreds of entries
// instead of tens of thousands. The threshold, fixed where the library's own would settle, keeps the arrays
// together. The runner checks for it (sandglass_runner/huge_pages.py); other C libraries ignore it.
inline constexpr const char* kMemoryTunables =
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864";

} // namespace sg::sandbox
