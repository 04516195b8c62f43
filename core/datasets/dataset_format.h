#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::datasets {

// Knows the formats of the configuration: "parquet", "csv", "arrow", "json", "jsonl".
[[nodiscard]] bool isFormat(std::string_view word);
// Returns the format that the file's ending means; empty for other endings.
std::string formatOfName(std::string_view fileName);

// Checks a dataset's id: letters, digits, "_", "-" and ".", beginning with a letter, digit or "_", at most
// 200 characters. So it is a safe file name everywhere. Errc::InvalidArgument.
Result<std::string> checkedId(std::string_view text);

// Returns the dataset's file name in a session: the id, with its format's ending unless it has one.
std::string fileNameOf(const std::string& id, const std::string& format);
// Returns the file names under which a folder may hold it.
std::vector<std::string> fileNamesFor(const std::string& id);

// Returns why the first bytes contradict the format: "is no Parquet file: it begins with '<!DO'". A login
// page, too, arrives with status 200. CSV may begin with anything but markup.
std::optional<std::string> objectionTo(const std::string& format, std::string_view firstBytes);

} // namespace sg::datasets
