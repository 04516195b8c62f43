#include "app/cli/commands/pools/open_pools.h"

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

} // namespace sg::cli
