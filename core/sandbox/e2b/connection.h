#pragma once

#include "core/base/result.h"
#include "core/base/word.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::sandbox::e2b {

// The way in which a request finds its sandbox.
enum class Routing {
    Headers, // all at one address, told apart by E2b-Sandbox-Id and E2b-Sandbox-Port
    Host, // https://PORT-ID.domain
    Path, // ADDRESS/kruise/ID/PORT
};
constexpr auto namesOf(Routing)
{
    return std::to_array<std::pair<Routing, std::string_view>>({
        { Routing::Headers, "headers" },
        { Routing::Host, "host" },
        { Routing::Path, "path" },
    });
}
constexpr std::string_view nameOf(Routing routing)
{
    return nameAmong(routing);
}
constexpr std::optional<Routing> routingNamed(std::string_view word)
{
    return kindNamed<Routing>(word);
}

enum class ServiceKind { E2b, Kruise };
constexpr auto namesOf(ServiceKind)
{
    return std::to_array<std::pair<ServiceKind, std::string_view>>({
        { ServiceKind::E2b, "e2b" },
        { ServiceKind::Kruise, "kruise" },
    });
}
constexpr std::string_view nameOf(ServiceKind kind)
{
    return nameAmong(kind);
}
constexpr std::optional<ServiceKind> serviceKindNamed(std::string_view word)
{
    return kindNamed<ServiceKind>(word);
}
constexpr std::string_view defaultTemplate(ServiceKind kind)
{
    return kind == ServiceKind::Kruise ? "code-interpreter" : "code-interpreter-v1";
}

// A service that this user has set up. It is the user's alone: a graph names a connection, never an address.
struct Connection {
    std::string name;
    ServiceKind kind = ServiceKind::E2b;
    Routing routing = Routing::Headers;
    std::string api; // of its control plane, without a "/" at the end
    std::string sandboxes; // of the sandboxes: an address; with Routing::Host a domain
    std::string key; // name of the secret that is its key
    std::filesystem::path authorities; // of TLS: a PEM file in place of this machine's; empty: those
    std::string sandboxTemplate; // of new sandboxes
    std::chrono::seconds time{ 300 }; // that a sandbox lives on when nobody asks for more
};

// Fills in what was left out and follows from the rest: the address of the sandboxes, and the template.
Connection completed(Connection given);

// Something that sessions want of a service, and whether its kind gives it.
struct Ability {
    std::string name;
    bool isGiven = true;
    std::string note;
};
std::vector<Ability> abilitiesOf(ServiceKind kind);

// Names are letters, digits, "-" and "_", at most 40. Errc::InvalidArgument says which value is wrong.
Result<void> checkConnection(const Connection& connection);
bool isConnectionName(std::string_view name);

// The address of a sandbox's port, with headers that lead there.
struct Place {
    std::string url; // without a "/" at the end
    std::vector<std::pair<std::string, std::string>> headers;
};
Place placeOf(const Connection& connection, const std::string& sandbox, int port);

} // namespace sg::sandbox::e2b
