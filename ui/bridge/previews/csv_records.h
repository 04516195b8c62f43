#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Records of a CSV text (RFC 4180).
namespace sg::ui {

inline constexpr std::size_t kMaxCsvRecord = 4U << 20; // ends a quote that is never closed

char csvSeparatorOf(std::string_view firstLine); // , ; or tab
// Removes one record from the front of `rest`; false at the end.
bool nextCsvRecord(std::string_view& rest, char separator, std::vector<std::string>& cells);
// The length of the record at the front of `rest`.
std::size_t csvRecordLength(std::string_view rest, char separator);
// A cell of the record with that length at the front of `rest`; `scratch` holds the text of quoted cells.
std::string_view csvCellOf(std::string_view rest, std::size_t length, char separator, int column,
                           std::vector<std::string>& scratch);

} // namespace sg::ui
