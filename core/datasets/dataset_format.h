#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::datasets {

// Formats by the words of the configuration: "parquet", "csv", "arrow", "json", "jsonl".
[[nodiscard]] bool isFormat(std::string_view word);
// By a file's name; empty for another ending.
std::string formatOfName(std::string_view fileName);

// What a dataset is called: letters, digits, "_", "-" and ".", none first but letters, digits and "_"; at
// most 200 characters. So it is a file name of its own on every side. Errc::InvalidArgument.
Result<std::string> checkedId(std::string_view text);

// The file that a dataset becomes in a session: the id, with its format's ending unless it has one.
std::string fileNameOf(const std::string& id, const std::string& format);
// The names under which a folder may hold it.
std::vector<std::string> fileNamesFor(const std::string& id);

// What the first bytes say against the format: "is no Parquet file: it begins with '<!DO'". A web page that
// says "log in" comes with status 200 too. CSV may begin with anything but markup.
std::optional<std::string> objectionTo(const std::string& format, std::string_view firstBytes);

} // namespace sg::datasets
