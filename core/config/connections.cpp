#include "core/config/connections.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/user_folders.h"
#include "core/config/secrets.h"
#include "core/config/setting_layers.h"
#include "core/models/base_url.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

using sandbox::e2b::Connection;
using sandbox::e2b::routingNamed;
using sandbox::e2b::serviceKindNamed;

constexpr std::size_t kMostFile = 1U << 20;

Result<Connection> connectionIn(const Value& value)
{
    if (!value.isMap())
        return Error{ Errc::InvalidArgument, "a connection is no object" };
    Connection made;
    made.name = value.stringOr("name", "");
    const auto kind = serviceKindNamed(value.stringOr("kind", "e2b"));
    const auto routing = routingNamed(value.stringOr("routing", "headers"));
    if (!kind || !routing)
        return Error{ Errc::InvalidArgument,
                      "connection " + made.name
                          + ": \"kind\" is e2b or kruise, \"routing\" is headers, host or path" };
    made.kind = *kind;
    made.routing = *routing;
    made.api = value.stringOr("api", "");
    made.sandboxes = value.stringOr("sandboxes", "");
    made.key = value.stringOr("key", "");
    made.authorities = value.stringOr("ca", "");
    made.sandboxTemplate = value.stringOr("template", "");
    made.time = std::chrono::seconds(value.intOr("time_s", made.time.count()));
    if (auto checked = checkConnection(made); !checked)
        return std::move(checked.error());
    return made;
}

Value valueOf(const Connection& connection)
{
    ValueMap made{ { "name", connection.name },
                   { "kind", nameOf(connection.kind) },
                   { "api", connection.api },
                   { "sandboxes", connection.sandboxes },
                   { "routing", nameOf(connection.routing) },
                   { "key", connection.key },
                   { "template", connection.sandboxTemplate },
                   { "time_s", static_cast<std::int64_t>(connection.time.count()) } };
    if (!connection.authorities.empty())
        made.set("ca", connection.authorities.string());
    return Value(std::move(made));
}

Result<void> write(const fs::path& file, const std::vector<Connection>& connections)
{
    if (file.empty())
        return Error{ Errc::Unavailable, "there is no folder for this user's settings: HOME is not set" };
    ValueList list;
    for (const Connection& each : connections)
        list.push_back(valueOf(each));
    std::error_code failed; // if it fails, writing says so
    fs::create_directories(file.parent_path(), failed);
    return writeFileAtomically(
        file, toJson(Value::map({ { "connections", std::move(list) } }), JsonStyle::Indented) + '\n');
}

} // namespace

fs::path connectionsFile()
{
    const fs::path secrets = settings::secretsFolder(processEnvironment);
    return secrets.empty() ? secrets : secrets.parent_path() / "connections.json";
}

Result<std::vector<Connection>> readConnections(const fs::path& file)
{
    std::vector<Connection> found;
    std::error_code failed;
    if (file.empty() || !fs::exists(file, failed))
        return found;
    const auto text = readFile(file, kMostFile);
    const auto value = text ? parseJson(*text) : Result<Value>(text.error());
    if (!value)
        return Error(value.error()).during(file.string());
    const Value& list = (*value)["connections"];
    if (!list.isList())
        return Error{ Errc::InvalidArgument, file.string() + ": there is no list \"connections\" in it" };
    for (const Value& each : list.asList()) {
        auto made = connectionIn(each);
        if (!made)
            return std::move(made.error()).during(file.string());
        found.push_back(std::move(*made));
    }
    return found;
}

Result<void> writeConnection(const fs::path& file, const Connection& connection)
{
    if (auto checked = checkConnection(connection); !checked)
        return checked;
    auto known = readConnections(file);
    if (!known)
        return std::move(known.error());
    const auto same = std::ranges::find(*known, connection.name, &Connection::name);
    if (same == known->end())
        known->push_back(connection);
    else
        *same = connection;
    return write(file, *known);
}

Result<bool> removeConnection(const fs::path& file, const std::string& name)
{
    auto known = readConnections(file);
    if (!known)
        return std::move(known.error());
    if (std::erase_if(*known, [&](const Connection& each) { return each.name == name; }) == 0)
        return false;
    if (auto written = write(file, *known); !written)
        return std::move(written.error());
    return true;
}

Result<std::string> connectionKey(const std::string& name)
{
    auto found = userSecrets().find(name);
    if (!found)
        return std::move(found.error());
    return std::string(found->reveal());
}

fs::path remoteRecordsFolder()
{
    const fs::path data = userDataFolder();
    return data.empty() ? data : data / "sandglass" / "elsewhere";
}

bool canBeReadOnTheWay(const sandbox::e2b::Connection& connection)
{
    const auto place = models::parseBaseUrl(connection.api);
    return connection.api.starts_with("http://") && !(place && place->isThisMachine());
}

} // namespace sg::config
