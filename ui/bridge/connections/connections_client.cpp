#include "ui/bridge/connections/connections_client.h"

#include "core/config/connections.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "ui/bridge/rows/row_conversion.h"

#include <algorithm>

namespace sg::ui {
namespace {

using sandbox::e2b::Connection;

struct Known {
    std::vector<ConnectionRow> rows;
    UserError error;
};

ConnectionRow rowOf(const Connection& connection)
{
    ConnectionRow row;
    row.name = text(connection.name);
    row.kind = connection.kind;
    row.api = text(connection.api);
    row.sandboxes = text(connection.sandboxes);
    row.routing = connection.routing;
    row.key = text(connection.key);
    row.sandboxTemplate = text(connection.sandboxTemplate);
    row.authorities = text(connection.authorities.string());
    row.timeSeconds = static_cast<int>(connection.time.count());
    for (const auto& ability : sandbox::e2b::abilitiesOf(connection.kind))
        row.abilities.push_back({ text(ability.name), ability.isGiven, text(ability.note) });
    return row;
}

// Values that are left out follow from the rest, as on the command line.
Connection connectionOf(const ConnectionRow& row)
{
    Connection made;
    made.name = utf8(row.name);
    made.kind = row.kind;
    made.routing = row.routing;
    made.api = utf8(row.api);
    made.sandboxes = utf8(row.sandboxes);
    made.key = utf8(row.key);
    made.sandboxTemplate = utf8(row.sandboxTemplate);
    made.authorities = utf8(row.authorities);
    made.time = std::chrono::seconds(row.timeSeconds);
    return sandbox::e2b::completed(std::move(made));
}

Result<Connection> find(const QString& name)
{
    const auto known = config::readConnections(config::connectionsFile());
    if (!known)
        return known.error();
    const auto found = std::ranges::find(*known, utf8(name), &Connection::name);
    if (found == known->end())
        return Error{ Errc::NotFound, "there is no connection \"" + utf8(name) + "\" any more" };
    return *found;
}

RemoteSandboxRow remoteRow(const sandbox::FoundSandbox& found)
{
    RemoteSandboxRow row;
    row.connection = text(found.connection);
    row.name = text(found.name);
    row.thread = text(found.thread.value);
    row.project = text(found.project);
    row.isPaused = found.paused;
    row.startedMs = milliseconds(found.createdAt);
    row.endsMs = milliseconds(found.endsAt);
    return row;
}

ConnectionHealth healthOf(const QString& name)
{
    ConnectionHealth health;
    health.name = name;
    const auto connection = find(name);
    const auto state = connection ? sandbox::tryConnection(*connection, config::connectionKey)
                                  : Result<sandbox::ConnectionState>(connection.error());
    if (!state) {
        health.error = userError(state.error());
        health.isKeyRefused = state.error().code == Errc::PermissionDenied;
        return health;
    }
    health.latencyMs = static_cast<double>(state->latency.count()) / 1000;
    health.listsTemplates = state->templates.has_value();
    for (const std::string& each : state->templates.value_or(std::vector<std::string>()))
        health.templates << text(each);
    for (const sandbox::FoundSandbox& each : state->sandboxes)
        health.sandboxes.push_back(remoteRow(each));
    return health;
}

} // namespace

void ConnectionsClient::load()
{
    askOutside(
        readers(),
        []() -> Known {
            const auto known = config::readConnections(config::connectionsFile());
            if (!known)
                return { {}, userError(known.error()) };
            Known found;
            for (const Connection& each : *known)
                found.rows.push_back(rowOf(each));
            return found;
        },
        [this](const Known& known) { Q_EMIT loaded(known.rows, known.error); });
}

void ConnectionsClient::check(const QString& name)
{
    askOutside(
        slow(), [name] { return healthOf(name); },
        [this](const ConnectionHealth& health) { Q_EMIT checked(health); });
}

void ConnectionsClient::save(const ConnectionRow& row)
{
    askOutside(
        readers(),
        [row] {
            const auto written = config::writeConnection(config::connectionsFile(), connectionOf(row));
            return written ? UserError() : userError(written.error());
        },
        [this, name = row.name](const UserError& error) { Q_EMIT saved(name, error); });
}

void ConnectionsClient::remove(const QString& name)
{
    askOutside(
        readers(),
        [name] {
            const auto gone = config::removeConnection(config::connectionsFile(), utf8(name));
            return gone ? UserError() : userError(gone.error());
        },
        [this, name](const UserError& error) { Q_EMIT removed(name, error); });
}

void ConnectionsClient::endSandbox(const QString& connection, const QString& sandbox)
{
    askOutside(
        slow(),
        [connection, sandbox] {
            const auto found = find(connection);
            const auto ended = found ? sandbox::endSandbox(*found, config::connectionKey, utf8(sandbox))
                                     : Result<void>(found.error());
            return ended ? UserError() : userError(ended.error());
        },
        [this, connection, sandbox](const UserError& error) {
            Q_EMIT sandboxEnded(connection, sandbox, error);
        });
}

} // namespace sg::ui
