#include "core/workers/genxai_bridge.h"

#include "core/base/hash.h"
#include "core/base/json.h"

namespace sg::workers {
namespace {

constexpr std::string_view kUnclaimed = "unclaimed";

// A task as the list has it, or why nobody can do it.
struct Read {
    std::string id;
    std::string role{ kUnclaimed };
    std::string why;
};

Read readTask(const std::string& text)
{
    Read read{ "genxai/" + sha256Hex(text).substr(0, 24), std::string(kUnclaimed), {} };
    const auto value = parseJson(text);
    if (!value || !value->isMap()) {
        read.why = "it is no JSON object";
        return read;
    }
    const std::string id = value->stringOr("task_id", "");
    const std::string role =
        (*value)["metadata"].stringOr("handler_name", value->stringOr("handler_name", ""));
    if (!id.empty() && id.size() <= 256 && id.find('\n') == std::string::npos)
        read.id = "genxai/" + id;
    else
        read.why = "its task_id is no text of 1 to 256 bytes";
    if (isRoleName(role))
        read.role = role;
    else
        read.why = "its metadata names no role in handler_name: a-z, 0-9, _ and -";
    if (!(*value)["payload"].isMap())
        read.why = "its payload is no object";
    return read;
}

} // namespace

Result<void> GenxaiBridge::add(const std::string& text)
{
    const Read task = readTask(text);
    RoleQueue queue(m_to, { m_options.ns, task.role });
    if (auto known = queue.announce(); !known)
        return known;
    NewJob job;
    job.id = task.id;
    job.payload = "=" + text;
    job.attempts = m_options.attempts;
    if (!task.why.empty()) {
        if (auto buried = queue.bury(job, task.why); !buried)
            return std::move(buried.error());
    } else if (auto added = queue.add({ job }); !added) {
        return std::move(added.error());
    }
    const std::string begun = m_options.list + ":sandglass";
    const auto removed = m_from.call({ "LREM", begun, "1", text });
    return removed ? Result<void>() : removed.error();
}

Result<int> GenxaiBridge::recover()
{
    const std::string begun = m_options.list + ":sandglass";
    const auto left = m_from.call({ "LRANGE", begun, "0", "-1" });
    if (!left)
        return left.error();
    for (const RedisReply& each : left->list)
        if (auto added = add(each.text); !added)
            return std::move(added.error());
    return static_cast<int>(left->list.size());
}

Result<bool> GenxaiBridge::moveOne(std::chrono::seconds wait)
{
    const std::string begun = m_options.list + ":sandglass";
    const std::string time = std::to_string(wait.count());
    const auto moved = m_from.call({ "BLMOVE", m_options.list, begun, "LEFT", "RIGHT", time }, wait);
    if (!moved)
        return moved.error();
    if (moved->isNil())
        return false;
    if (auto added = add(moved->text); !added)
        return std::move(added.error());
    return true;
}

} // namespace sg::workers
