#include "core/sandbox/e2b/connection.h"

#include <algorithm>
#include <cctype>

namespace sg::sandbox::e2b {
namespace {

bool isAddress(std::string_view text)
{
    for (const std::string_view scheme : { "https://", "http://" })
        if (text.starts_with(scheme))
            return text.size() > scheme.size() && !text.ends_with('/')
                && text.find_first_of(" \t\r\n?#@", scheme.size()) == std::string_view::npos;
    return false;
}

bool isDomain(std::string_view text)
{
    return !text.empty() && text.size() <= 200 && text.front() != '.'
        && std::ranges::all_of(text, [](unsigned char each) {
               return std::isalnum(each) != 0 || each == '-' || each == '.' || each == ':';
           });
}

} // namespace

Connection completed(Connection given)
{
    if (given.sandboxes.empty() && given.routing == Routing::Headers)
        given.sandboxes = given.api;
    if (given.sandboxTemplate.empty())
        given.sandboxTemplate = defaultTemplate(given.kind);
    return given;
}

bool isConnectionName(std::string_view name)
{
    return !name.empty() && name.size() <= 40 && std::ranges::all_of(name, [](unsigned char each) {
        return each < 128 && (std::isalnum(each) != 0 || each == '-' || each == '_');
    });
}

Result<void> checkConnection(const Connection& connection)
{
    const auto wrong = [&](const std::string& why) {
        return Error{ Errc::InvalidArgument, "connection " + connection.name + ": " + why };
    };
    if (!isConnectionName(connection.name))
        return Error{ Errc::InvalidArgument,
                      "a connection's name is letters, digits, \"-\" and \"_\", at most 40" };
    if (!isAddress(connection.api))
        return wrong("\"api\" is an address such as https://api.e2b.app, without \"/\" at its end");
    if (connection.routing == Routing::Host ? !isDomain(connection.sandboxes)
                                            : !isAddress(connection.sandboxes))
        return wrong(connection.routing == Routing::Host
                         ? "\"sandboxes\" is a domain with routing by host: e2b.app"
                         : "\"sandboxes\" is an address such as https://sandbox.e2b.app, without \"/\" at "
                           "its end");
    if (connection.key.empty())
        return wrong("\"key\" names the secret that the service is shown");
    if (connection.sandboxTemplate.empty())
        return wrong("\"template\" names the template of its sandboxes");
    if (connection.time < std::chrono::seconds(30) || connection.time > std::chrono::hours(24))
        return wrong("\"time_s\" is from 30 to 86400");
    return {};
}

Place placeOf(const Connection& connection, const std::string& sandbox, int port)
{
    const std::string number = std::to_string(port);
    Place place;
    // Sent with every way of routing: a gateway that reads them needs no other sign.
    place.headers = { { "E2b-Sandbox-Id", sandbox }, { "E2b-Sandbox-Port", number } };
    switch (connection.routing) {
    case Routing::Headers: place.url = connection.sandboxes; break;
    case Routing::Path: place.url = connection.sandboxes + "/kruise/" + sandbox + '/' + number; break;
    case Routing::Host: {
        const std::string scheme = connection.api.substr(0, connection.api.find("://") + 3);
        place.url = scheme + number + '-' + sandbox + '.' + connection.sandboxes;
        break;
    }
    }
    return place;
}

std::vector<Ability> abilitiesOf(ServiceKind kind)
{
    const bool isE2b = kind == ServiceKind::E2b;
    return {
        { "pause", true,
          isE2b ? "memory and files are kept" : "files are kept; memory where the service keeps it" },
        { "metrics", isE2b, isE2b ? "processors and memory" : "the service may tell none" },
        { "terminal", true, "resized with the window" },
        { "snapshots", true, "names and files, by our runner" },
        { "limits", false, "the template sets them, not the graph" },
        { "fork", false, "no live copy: restored instead" },
        { "egress", false, "no allowlist; a sandbox is asked for without a network" },
    };
}

} // namespace sg::sandbox::e2b
