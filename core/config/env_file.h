#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::config {

// Parses an env file into its entries, in order. Its grammar is:
//   file   = { line "\n" }                       a byte order mark and "\r" before "\n" are dropped
//   line   = [ "export " ] NAME "=" value [ " #" comment ] | "#" comment | nothing
//   value  = 'text as it is'                     may span lines
//          | "text"                              may span lines; \n \t \r \" \\ \$ and \ before a line's end
//          | text                                up to " #" or the line's end, without spaces around it
// A "#" inside a value begins no comment: KEY=a#b is "a#b". Nothing is expanded and no command is run.
// Errc::InvalidArgument names the line.
Result<std::vector<std::pair<std::string, std::string>>> parseEnvFile(std::string_view text);

} // namespace sg::config
