#include "app/cli/commands/pools/open_pools.h"

#include "core/base/clock.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace sg::cli {

Result<std::unique_ptr<OpenedPools>> openPools(const QueueOption& option, const std::string& role)
{
    if (!role.empty() && !workers::isRoleName(role))
        return Error{ Errc::InvalidArgument, "a role's name has 1 to 64 of a-z, 0-9, _ and -" };
    auto queue = option.choice();
    if (!queue)
        return std::move(queue.error());
    auto opened = std::make_unique<OpenedPools>(std::move(*queue));
    if (auto connected = opened->redis.connect(); !connected)
        return std::move(connected.error());
    return opened;
}

std::string poolActor()
{
    const char* user = std::getenv("USER"); // NOLINT(concurrency-mt-unsafe): there is one thread
    return user == nullptr || *user == '\0' ? "uid " + std::to_string(::getuid()) : user;
}

std::string timeText(std::int64_t ms)
{
    return isoTime(WallTime(std::chrono::milliseconds(ms)));
}

} // namespace sg::cli
