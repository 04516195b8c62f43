#include "core/servers/e2b/client_keys.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/hmac.h"
#include "core/base/json.h"

#include <system_error>

namespace sg::servers::e2b {
namespace {

constexpr std::size_t kMostFile = 1U << 20;

} // namespace

Result<Value> ClientKeys::read() const
{
    std::error_code failed;
    if (!std::filesystem::exists(m_file, failed))
        return Value::map({ { "clients", Value::list() } });
    const auto text = readFile(m_file, kMostFile);
    if (!text)
        return text.error();
    auto read = parseJson(*text);
    if (!read)
        return std::move(read.error()).during(m_file.string());
    if (!(*read)["clients"].isList())
        return Error{ Errc::Corrupt,
                      m_file.string() + " holds no \"clients\"; remove it, and make new keys" };
    return read;
}

Result<std::string> ClientKeys::add(const std::string& name, const Quota& quota)
{
    auto read = this->read();
    if (!read)
        return std::move(read.error());
    std::string key = "e2b_" + randomHex(20);
    ValueList clients;
    for (const Value& each : (*read)["clients"].asList())
        if (each.stringOr("name", "") != name)
            clients.push_back(each);
    clients.push_back(Value::map({ { "name", name },
                                   { "sha256", sha256Hex(key) },
                                   { "sandboxes", quota.sandboxes },
                                   { "seconds", static_cast<std::int64_t>(quota.longest.count()) },
                                   { "memory", quota.memoryBytes } }));
    const std::string text =
        toJson(Value::map({ { "clients", std::move(clients) } }), JsonStyle::Indented) + "\n";
    if (auto written = writeFileAtomically(m_file, text); !written)
        return std::move(written.error());
    std::error_code failed;
    std::filesystem::permissions(
        m_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, failed);
    return key;
}

std::optional<Client> ClientKeys::find(std::string_view key) const
{
    const auto read = this->read();
    if (!read || key.empty())
        return std::nullopt;
    const std::string hash = sha256Hex(key);
    std::optional<Client> found;
    for (const Value& each : (*read)["clients"].asList())
        if (isSameSecretly(each.stringOr("sha256", ""), hash))
            found =
                Client{ each.stringOr("name", ""),
                        { static_cast<int>(each.intOr("sandboxes", 20)),
                          std::chrono::seconds(each.intOr("seconds", 24 * 3600)), each.intOr("memory", 0) } };
    return found;
}

bool ClientKeys::isEmpty() const
{
    const auto read = this->read();
    return read && (*read)["clients"].asList().empty();
}

} // namespace sg::servers::e2b
