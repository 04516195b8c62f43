#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::postgres {

// Tells whether a name given for a database is a PostgreSQL address (postgresql://… or postgres://…).
[[nodiscard]] bool isAddress(std::string_view text);

// Returns the address without what must not be shown: the password, also where it is a parameter. The rest is
// a valid address. Text that is no address comes back as it is.
[[nodiscard]] std::string shownAddress(const std::string& address);

struct Address {
    std::vector<std::pair<std::string, std::string>> parameters; // libpq's keywords, with the password
    std::string shown; // without it
    // Names the database: the same for every address, user and password that leads to it from here. It is
    // made of what the address and libpq's environment say; nothing is connected.
    std::string id;
};
// The password is kept out of all that this process shows from here on. Errc::InvalidArgument: no address.
Result<Address> parseAddress(const std::string& address);

} // namespace sg::postgres
