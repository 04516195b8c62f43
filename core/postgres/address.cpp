#include "core/postgres/address.h"

#include "core/base/hash.h"
#include "core/base/redaction.h"

#include <libpq-fe.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

namespace sg::postgres {
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

// Returns the position of the '@' that ends the user's part, or npos. A password with a '@', or one with a
// '/' or '?' that makes the address invalid, is to be hidden as a whole: so the last one counts that may be
// meant. libpq itself takes the first one before the first '/'.
std::size_t endOfUser(std::string_view address, std::size_t begin)
{
    const std::size_t end = std::min(address.find_first_of("/?", begin), address.size());
    const std::size_t query = std::min(address.find('?', begin), address.size());
    std::size_t at = address.substr(0, end).rfind('@');
    if (at != std::string_view::npos && at < begin)
        at = std::string_view::npos;
    if (const std::size_t inPath = address.substr(0, query).rfind('@');
        inPath != std::string_view::npos && inPath > end)
        return inPath;
    const std::size_t inQuery = address.rfind('@');
    if (inQuery == std::string_view::npos || inQuery < query)
        return at;
    // A parameter's value may have one, as in application_name=me@host.
    const std::size_t pair = address.find_last_of("?&", inQuery);
    const bool isValue = address.substr(pair, inQuery - pair).find('=') != std::string_view::npos;
    const std::size_t colon = address.substr(0, end).rfind(':');
    const bool hasPort = colon == std::string_view::npos || colon < begin || at != std::string_view::npos
        || address.substr(0, end).find_first_not_of("0123456789,:.]", colon) == std::string_view::npos;
    return isValue && hasPort ? at : inQuery;
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

bool isAddress(std::string_view text)
{
    return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

std::string shownAddress(const std::string& address)
{
    if (!isAddress(address))
        return address;
    std::string shown = address;
    const std::size_t begin = afterScheme(shown);
    const std::size_t at = endOfUser(shown, begin);
    if (at != std::string::npos) {
        const std::size_t colon = shown.find(':', begin);
        if (colon != std::string::npos && colon < at)
            shown.erase(colon, at - colon);
    }
    dropParameter(shown, "password");
    dropParameter(shown, "sslpassword");
    return shown;
}

Result<Address> parseAddress(const std::string& address)
{
    if (!isAddress(address) || address.find('\0') != std::string::npos || hasBrokenPassword(address))
        return notAnAddress();
    char* why = nullptr;
    const Options parsed(PQconninfoParse(address.c_str(), &why), PQconninfoFree);
    if (why != nullptr)
        PQfreemem(why);
    if (!parsed)
        return notAnAddress();
    const Options defaults(PQconndefaults(), PQconninfoFree);
    Address result;
    result.shown = shownAddress(address);
    std::map<std::string, std::string> place;
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
        place[keyword] = used == nullptr ? "" : used;
    }
    // A database that no name was given for has the user's.
    if (place["dbname"].empty() && place["service"].empty())
        place["dbname"] = place["user"];
    std::string text;
    for (const char* keyword : { "host", "hostaddr", "port", "dbname", "service", "options" })
        text += keyword + ("=" + place[keyword]) + "\n";
    result.id = xxh3Hex(text).substr(0, 16);
    return result;
}

} // namespace sg::postgres
