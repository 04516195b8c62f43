#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Records of a CSV text (RFC 4180).
namespace sg::ui {

inline constexpr std::size_t kMaxCsvRecord = 4U << 20; // a quote that is never closed ends here

char csvSeparatorOf(std::string_view firstLine); // , ; or tab
// Takes one record off the front of `rest`; false at the end.
bool nextCsvRecord(std::string_view& rest, char separator, std::vector<std::string>& cells);
// The same without its cells; how long it is.
std::size_t csvRecordLength(std::string_view rest, char separator);
// A cell of the record of that length at the front of `rest`; `scratch` holds it where it had quotes.
std::string_view csvCellOf(std::string_view rest, std::size_t length, char separator, int column,
                           std::vector<std::string>& scratch);

} // namespace sg::ui
