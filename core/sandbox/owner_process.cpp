#include "core/sandbox/owner_process.h"

#include "core/base/file.h"
#include "core/base/hash.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <sstream>
#include <utility>

namespace sg::sandbox {
namespace {

constexpr std::size_t kBootLength = 8;
constexpr std::size_t kMachineLength = 4; // short, as it is part of the paths of sockets
constexpr int kStartTimeField = 22;

// Empty where it cannot be read, as a process may end meanwhile.
std::string readAll(const std::string& path)
{
    auto content = readFile(path);
    return content ? std::move(*content) : std::string();
}

template<typename T>
bool takeNumber(std::string_view& text, T& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != '.')
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

// A hash, as the id itself is confidential.
std::string machineHash()
{
    std::string id = readAll("/etc/machine-id");
    if (id.empty()) {
        std::array<char, 256> name{};
        ::gethostname(name.data(), name.size() - 1);
        id = name.data();
    }
    return sha256Hex("sandglass " + id).substr(0, kMachineLength);
}

} // namespace

std::uint64_t processStartTicks(pid_t pid)
{
    const std::string stat = readAll("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t nameEnd = stat.rfind(')'); // the name before it may hold anything
    if (nameEnd == std::string::npos)
        return 0;
    std::istringstream fields(stat.substr(nameEnd + 1));
    std::string field;
    if (fields >> field; field == "Z" || field == "X")
        return 0; // it has ended, and its parent has not asked how yet
    for (int number = 4; number <= kStartTimeField && fields >> field; ++number) { }
    std::uint64_t ticks = 0;
    std::from_chars(field.data(), field.data() + field.size(), ticks);
    return ticks;
}

OwnerProcess ownProcess()
{
    OwnerProcess own;
    own.pid = ::getpid();
    own.startTicks = processStartTicks(own.pid);
    struct stat space { };
    if (::stat("/proc/self/ns/pid", &space) == 0)
        own.pidNamespace = space.st_ino;
    own.boot = readAll("/proc/sys/kernel/random/boot_id").substr(0, kBootLength);
    static const std::string kMachine = machineHash();
    own.machine = kMachine;
    return own;
}

std::string ownerMark(const OwnerProcess& owner)
{
    return std::to_string(owner.pid) + '.' + std::to_string(owner.startTicks) + '.'
        + std::to_string(owner.pidNamespace) + '.' + owner.boot + owner.machine;
}

std::optional<OwnerProcess> parseOwnerMark(std::string_view mark)
{
    OwnerProcess owner;
    if (!takeNumber(mark, owner.pid) || !takeNumber(mark, owner.startTicks)
        || !takeNumber(mark, owner.pidNamespace) || owner.pid <= 0
        || (mark.size() != kBootLength && mark.size() != kBootLength + kMachineLength))
        return std::nullopt;
    owner.boot = mark.substr(0, kBootLength);
    owner.machine = mark.substr(kBootLength); // marks of earlier versions have none
    return owner;
}

bool isElsewhere(const OwnerProcess& owner)
{
    const OwnerProcess own = ownProcess();
    return owner.boot != own.boot && !owner.machine.empty() && owner.machine != own.machine;
}

bool isGone(const OwnerProcess& owner)
{
    const OwnerProcess own = ownProcess();
    if (isElsewhere(owner))
        return false;
    if (owner.boot != own.boot)
        return true;
    if (owner.pidNamespace != own.pidNamespace)
        return false;
    return processStartTicks(owner.pid) != owner.startTicks;
}

} // namespace sg::sandbox
