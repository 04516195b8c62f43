#pragma once

#include "core/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

struct PgAddress {
    std::vector<std::pair<std::string, std::string>> parameters; // libpq's keywords, with the password
    std::string shown; // without it
    std::string id; // of the database, see postgresDatabaseId()
};
// The password is kept out of all that this process shows from here on. Errc::InvalidArgument: no address.
Result<PgAddress> parseAddress(const std::string& address);

} // namespace sg::checkpoint
