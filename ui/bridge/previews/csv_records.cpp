#include "ui/bridge/previews/csv_records.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kMaxColumns = 200;

} // namespace

char csvSeparatorOf(std::string_view firstLine)
{
    char best = ',';
    for (const char candidate : { ',', ';', '\t' })
        if (std::ranges::count(firstLine, candidate) > std::ranges::count(firstLine, best))
            best = candidate;
    return best;
}

bool nextCsvRecord(std::string_view& rest, char separator, std::vector<std::string>& cells)
{
    cells.clear();
    if (rest.empty())
        return false;
    const std::string_view room = rest.substr(0, kMaxCsvRecord);
    std::string cell;
    bool quoted = false;
    std::size_t i = 0;
    for (; i < room.size(); ++i) {
        const char c = room[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < room.size() && room[i + 1] == '"')
                cell += room[++i];
            else
                quoted = false;
        } else if (c == '"' && cell.empty()) {
            quoted = true;
        } else if (c == separator) {
            if (cells.size() < kMaxColumns)
                cells.push_back(std::move(cell));
            cell.clear();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            cell += c;
        }
    }
    if (cells.size() < kMaxColumns)
        cells.push_back(std::move(cell));
    rest.remove_prefix(std::min(rest.size(), i + 1));
    return true;
}

std::size_t csvRecordLength(std::string_view rest, char separator)
{
    const std::string_view room = rest.substr(0, kMaxCsvRecord);
    std::size_t feed = room.find('\n');
    if (feed == std::string_view::npos)
        feed = room.size();
    if (room.substr(0, feed).find('"') == std::string_view::npos)
        return std::min(rest.size(), feed + 1);
    bool quoted = false;
    bool begins = true;
    for (std::size_t i = 0; i < room.size(); ++i) {
        const char c = room[i];
        if (quoted) {
            if (c == '"' && i + 1 < room.size() && room[i + 1] == '"')
                ++i;
            else if (c == '"')
                quoted = false;
            continue;
        }
        if (c == '\n')
            return i + 1;
        quoted = c == '"' && begins;
        begins = c == separator;
    }
    return std::min(rest.size(), room.size() + 1);
}

std::string_view csvCellOf(std::string_view rest, std::size_t length, char separator, int column,
                           std::vector<std::string>& scratch)
{
    std::string_view record = rest.substr(0, length);
    if (record.find('"') != std::string_view::npos) {
        nextCsvRecord(record, separator, scratch);
        return static_cast<std::size_t>(column) < scratch.size() ? scratch[static_cast<std::size_t>(column)]
                                                                 : std::string_view();
    }
    while (!record.empty() && (record.back() == '\n' || record.back() == '\r'))
        record.remove_suffix(1);
    for (; column > 0; --column) {
        const std::size_t end = record.find(separator);
        if (end == std::string_view::npos)
            return {};
        record.remove_prefix(end + 1);
    }
    return record.substr(0, record.find(separator));
}

} // namespace sg::ui
