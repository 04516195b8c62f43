#include "core/sandbox/docker/oom_kills.h"

#include "core/base/file.h"

#include <charconv>
#include <sstream>

namespace sg::sandbox {
namespace {

constexpr std::size_t kMostText = 65536;

// The folder of the process's group: "/sys/fs/cgroup/memory/GROUP" or "/sys/fs/cgroup/GROUP".
std::filesystem::path memoryGroup(const std::string& table, const std::string& container,
                                  const std::filesystem::path& root)
{
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos || second + 2 > line.size())
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 2); // without its "/"
        const bool isMemory = controllers == "memory" || (controllers.empty() && line.starts_with("0::"));
        // The pid may be another process's by now, or one of another machine.
        if (isMemory && group.find(container) != std::string::npos && group.find("..") == std::string::npos)
            return root / "sys/fs/cgroup" / controllers / group;
    }
    return {};
}

} // namespace

std::optional<std::int64_t> oomKillsOf(pid_t process, const std::string& container,
                                       const std::filesystem::path& root)
{
    if (process <= 0 || container.size() < 12)
        return std::nullopt;
    const auto table = readFile(root / "proc" / std::to_string(process) / "cgroup", kMostText);
    const std::filesystem::path group =
        table ? memoryGroup(*table, container, root) : std::filesystem::path();
    if (group.empty())
        return std::nullopt;
    for (const char* name : { "memory.events", "memory.oom_control" }) {
        const auto text = readFile(group / name, kMostText);
        std::istringstream lines(text ? *text : std::string());
        for (std::string line; std::getline(lines, line);) {
            constexpr std::string_view kKey = "oom_kill ";
            std::int64_t count = 0;
            if (line.starts_with(kKey)
                && std::from_chars(line.data() + kKey.size(), line.data() + line.size(), count).ec
                    == std::errc())
                return count;
        }
    }
    return std::nullopt;
}

} // namespace sg::sandbox
