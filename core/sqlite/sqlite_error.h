#pragma once

#include "core/base/result.h"

#include <string>

struct sqlite3;

namespace sg::sqlite {

// Describes the last failure of a connection for people: which file, why, what to do.
Error errorOf(sqlite3* db, int code);
Error errorOf(sqlite3* db, int code,
              const std::string& path); // for a connection that does not know its file yet

} // namespace sg::sqlite
