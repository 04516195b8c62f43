#pragma once

#include "core/sandbox/sandbox.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// What is bound into a sandbox, where its own user finds it.
struct BubblewrapPlan {
    std::filesystem::path python; // may be empty
    std::filesystem::path runnerFolder; // may be empty
    std::filesystem::path sessionFolder; // may be empty
    std::vector<Mount> mounts;
    Limits limits;
    bool dataTmpfs = false;
    bool secrets = false;
    bool sharesUser = true; // with other programs
    bool limitsByProcess = false; // no control group: limits that each process carries
};

// The numbers of the descriptors that bubblewrap and the runner get.
namespace descriptor {
constexpr int kRunner = 3;
constexpr int kArguments = 4;
constexpr int kSeccomp = 5;
constexpr int kStatus = 6;
constexpr int kPasswd = 7;
constexpr int kGroup = 8;
} // namespace descriptor

constexpr int kInnerUid = 65534;

// All that stands in --args: the namespaces, the file system and the environment. Order matters to
// bubblewrap.
std::vector<std::string> bubblewrapOptions(const BubblewrapPlan& plan);
// What bubblewrap runs; visible in /proc/1/cmdline, so no path of the host is in it.
std::vector<std::string> runnerCommand(const BubblewrapPlan& plan);
// NUL-separated, as --args takes them.
std::string joinArguments(const std::vector<std::string>& arguments);

} // namespace sg::sandbox
