#pragma once

#include <string>

namespace sg::sandbox {

// The system call filter of a sandbox in the kernel's form (an array of struct sock_filter): tracing, kernel
// keys, bpf, io_uring, new namespaces, mounts, modules and unusual socket families are refused with EPERM
// (ENOSYS where libc has a fallback), calls of another architecture end the process.
std::string seccompFilter();
// Returns the same filter in the form that the runner's --filter takes: "x86_64:BASE64".
std::string callFilterOption();

} // namespace sg::sandbox
