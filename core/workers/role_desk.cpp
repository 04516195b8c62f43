#include "core/workers/role_desk.h"

#include <utility>

namespace sg::workers {

RoleDesk::RoleDesk(QueueAddress address, std::string ns, std::string client)
    : m_address(std::move(address))
    , m_ns(std::move(ns))
    , m_client(std::move(client))
{
}

RoleLine& RoleDesk::line(const std::string& role)
{
    const std::lock_guard lock(m_mutex);
    std::unique_ptr<RoleLine>& line = m_lines[role];
    if (!line)
        line = std::make_unique<RoleLine>(m_address, QueueName{ m_ns, role }, m_client);
    return *line;
}

} // namespace sg::workers
