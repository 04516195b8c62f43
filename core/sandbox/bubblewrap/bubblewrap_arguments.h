#pragma once

#include "core/sandbox/sandbox.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// Paths that are bound into a sandbox, as the user that starts bubblewrap sees them.
struct BubblewrapPlan {
    std::filesystem::path python; // may be empty
    std::filesystem::path runnerFolder; // may be empty
    std::filesystem::path sessionFolder; // may be empty
    std::vector<Mount> mounts;
    Limits limits;
    bool dataTmpfs = false;
    bool secrets = false;
    bool sharesUser = true; // with other programs
    bool limitsByProcess = false; // no control group: limits are set on each process
};

// Descriptor numbers that bubblewrap and the runner get.
namespace descriptor {
constexpr int kRunner = 3;
constexpr int kArguments = 4;
constexpr int kSeccomp = 5;
constexpr int kStatus = 6;
constexpr int kPasswd = 7;
constexpr int kGroup = 8;
} // namespace descriptor

constexpr int kInnerUid = 65534;

// All options for --args: namespaces, file system and environment. bubblewrap applies them in order.
std::vector<std::string> bubblewrapOptions(const BubblewrapPlan& plan);
// The command that bubblewrap runs. It is visible in /proc/1/cmdline, so it holds no path of the host.
std::vector<std::string> runnerCommand(const BubblewrapPlan& plan);
// Joins arguments by NUL bytes, the format of --args.
std::string joinArguments(const std::vector<std::string>& arguments);

} // namespace sg::sandbox
