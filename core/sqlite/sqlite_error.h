#pragma once

#include "core/base/result.h"

#include <string>

struct sqlite3;

namespace sg::sqlite {

// The newest failure of a connection, in words for a person: which file, why, what to do.
Error errorOf(sqlite3* db, int code);
Error errorOf(sqlite3* db, int code,
              const std::string& path); // while the connection does not know its file yet

} // namespace sg::sqlite
