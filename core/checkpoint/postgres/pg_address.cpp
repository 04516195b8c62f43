#include "core/checkpoint/postgres/pg_address.h"

#include "core/base/hash.h"
#include "core/base/redaction.h"
#include "core/checkpoint/postgres_checkpoint_store.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace sg::checkpoint {
namespace {

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

// libpq's own message may quote a part of the password: it is not shown.
Error notAnAddress()
{
    return {
        Errc::InvalidArgument,
        "this is no address of a PostgreSQL database. It reads "
        "postgresql://[USER@]HOST[:PORT]/DATABASE[?host=/folder/of/the/socket]; other characters of a name "
        "are written as %XX. A password is better left to PGPASSWORD, ~/.pgpass or a service file"
    };
}

bool isSecret(std::string_view keyword)
{
    return keyword == "password" || keyword == "sslpassword";
}

// Returns the position after "scheme://", or npos.
std::size_t afterScheme(std::string_view text)
{
    const std::size_t found = text.find("://");
    return found == std::string_view::npos ? found : found + 3;
}

// A password with a '/' makes libpq take its beginning for a port and its end for the database's name, which
// it would then show.
bool hasBrokenPassword(const std::string& address)
{
    const std::size_t path = address.find('/', afterScheme(address));
    const std::size_t query = std::min(address.find('?'), address.size());
    return path < query && address.substr(path, query - path).find('@') != std::string::npos;
}

void dropParameter(std::string& address, std::string_view name)
{
    std::size_t at = address.find('?');
    while (at != std::string::npos && at + 1 < address.size()) {
        std::size_t end = address.find('&', at + 1);
        end = end == std::string::npos ? address.size() : end;
        const std::string_view pair = std::string_view(address).substr(at + 1, end - at - 1);
        const std::string_view keyword = pair.substr(0, pair.find('='));
        if (keyword != name && keyword.find('%') == std::string_view::npos) { // libpq takes "p%61ssword", too
            at = end == address.size() ? std::string::npos : end;
            continue;
        }
        if (end < address.size())
            address.erase(at + 1, end - at); // with the '&' behind it
        else
            address.erase(at);
        if (at >= address.size())
            break;
    }
}

} // namespace

bool isPostgresAddress(std::string_view text)
{
    return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string shownAddress(const std::string& address)
{
    if (!isPostgresAddress(address))
        return address;
    std::string shown = address;
    const std::size_t begin = afterScheme(shown);
    // The last '@' before the path ends the user's part, so that a password with a '@' is not shown in part.
    const std::size_t path = std::min(shown.find_first_of("/?", begin), shown.size());
    std::size_t at = shown.rfind('@', path);
    // A password with a '/' that was not written as %2F makes the address invalid; it is hidden all the same.
    if (const std::size_t last = shown.rfind('@'); last != std::string::npos && last > path)
        at = last;
    if (at != std::string::npos && at >= begin) {
        const std::size_t colon = shown.find(':', begin);
        if (colon != std::string::npos && colon < at)
            shown.erase(colon, at - colon);
    }
    dropParameter(shown, "password");
    dropParameter(shown, "sslpassword");
    return shown;
}

Result<PgAddress> parseAddress(const std::string& address)
{
    if (!isPostgresAddress(address) || address.find('\0') != std::string::npos || hasBrokenPassword(address))
        return notAnAddress();
    char* why = nullptr;
    const Options parsed(PQconninfoParse(address.c_str(), &why), PQconninfoFree);
    if (why != nullptr)
        PQfreemem(why);
    if (!parsed)
        return notAnAddress();
    const Options defaults(PQconndefaults(), PQconninfoFree);
    PgAddress result;
    result.shown = shownAddress(address);
    std::string place;
    for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
        const std::string keyword = option->keyword;
        if (option->val != nullptr) {
            result.parameters.emplace_back(keyword, option->val);
            const bool isPort = keyword == "port";
            if (isPort
                && std::string_view(option->val).find_first_not_of("0123456789,") != std::string_view::npos)
                return notAnAddress();
            if (isSecret(keyword))
                keepOut("database password", option->val);
        }
        const char* used = option->val;
        for (const PQconninfoOption* other = defaults.get();
             used == nullptr && other != nullptr && other->keyword != nullptr; ++other)
            if (keyword == other->keyword)
                used = other->val;
        if (keyword == "host" || keyword == "hostaddr" || keyword == "port" || keyword == "dbname"
            || keyword == "service" || keyword == "options")
            place += keyword + "=" + (used == nullptr ? "" : used) + "\n";
    }
    result.id = xxh3Hex(place).substr(0, 16);
    return result;
}

Result<std::string> postgresDatabaseId(const std::string& address)
{
    auto parsed = parseAddress(address);
    if (!parsed)
        return std::move(parsed.error());
    return std::move(parsed->id);
}

} // namespace sg::checkpoint
