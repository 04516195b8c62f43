#include "core/sandbox/bubblewrap/process_tree.h"

#include "core/base/file.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace sg::sandbox {
namespace {

constexpr std::size_t kMaxProcesses = 65536;

std::string processFile(pid_t pid, const char* name)
{
    return "/proc/" + std::to_string(pid) + '/' + name;
}

void addChildren(pid_t pid, std::vector<pid_t>& to)
{
    std::error_code error;
    for (std::filesystem::directory_iterator task(processFile(pid, "task"), error), end;
         !error && task != end; task.increment(error)) {
        std::ifstream children(task->path() / "children");
        for (pid_t child = 0; children >> child;)
            to.push_back(child);
    }
}

std::int64_t kibibytesOf(const std::string& path, const std::string& key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.rfind(key, 0) == 0)
            return std::strtoll(line.c_str() + key.size(), nullptr, 10);
    return -1;
}

void addProcess(pid_t pid, TreeUsage& usage)
{
    const auto stat = readFile(processFile(pid, "stat")); // the process may end before it is read
    const std::size_t nameEnd = stat ? stat->rfind(')') : std::string::npos;
    if (nameEnd == std::string::npos)
        return;
    std::istringstream fields(stat->substr(nameEnd + 1));
    const std::vector<std::string> field{ std::istream_iterator<std::string>(fields), {} };
    constexpr std::size_t kUserTicks = 11; // then system, and both again of reaped children
    constexpr std::size_t kThreads = 17;
    if (field.size() <= kThreads)
        return;
    std::int64_t ticks = 0;
    for (std::size_t at = kUserTicks; at < kUserTicks + 4; ++at)
        ticks += std::strtoll(field[at].c_str(), nullptr, 10);
    usage.cpuSeconds += static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    usage.threads += std::strtoll(field[kThreads].c_str(), nullptr, 10);
    std::int64_t kibibytes = kibibytesOf(processFile(pid, "smaps_rollup"), "Pss:");
    if (kibibytes < 0)
        kibibytes = kibibytesOf(processFile(pid, "status"), "VmRSS:");
    usage.memoryBytes += kibibytes > 0 ? kibibytes * 1024 : 0;
}

} // namespace

std::vector<pid_t> processTree(pid_t root)
{
    std::vector<pid_t> tree{ root };
    for (std::size_t at = 0; at < tree.size() && tree.size() < kMaxProcesses; ++at)
        addChildren(tree[at], tree);
    return tree;
}

TreeUsage treeUsage(pid_t root)
{
    TreeUsage usage;
    for (const pid_t pid : processTree(root))
        addProcess(pid, usage);
    return usage;
}

bool stopTree(pid_t root)
{
    constexpr int kMostRounds = 50;
    std::vector<pid_t> before;
    for (int round = 0; round < kMostRounds; ++round) {
        std::vector<pid_t> tree = processTree(root);
        std::ranges::sort(tree);
        if (tree == before) // no process was left that could fork
            return true;
        for (const pid_t pid : tree)
            ::kill(pid, SIGSTOP);
        before = std::move(tree);
    }
    continueTree(root);
    return false;
}

void continueTree(pid_t root)
{
    for (const pid_t pid : processTree(root))
        ::kill(pid, SIGCONT);
}

} // namespace sg::sandbox
