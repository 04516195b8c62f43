#include "core/base/printable.h"
#include "ui/bridge/artifact_preview.h"
#include "ui/bridge/row_conversion.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kMaxColumns = 200;
constexpr std::size_t kMaxCell = 1000;

char separatorOf(std::string_view firstLine)
{
    char best = ',';
    for (const char candidate : { ',', ';', '\t' })
        if (std::ranges::count(firstLine, candidate) > std::ranges::count(firstLine, best))
            best = candidate;
    return best;
}

// Takes one record off the front of `rest`; false at the end.
bool nextRecord(std::string_view& rest, char separator, std::vector<std::string>& cells)
{
    cells.clear();
    if (rest.empty())
        return false;
    std::string cell;
    bool quoted = false;
    std::size_t i = 0;
    for (; i < rest.size(); ++i) {
        const char c = rest[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < rest.size() && rest[i + 1] == '"')
                cell += rest[++i];
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

QStringList shown(const std::vector<std::string>& cells)
{
    QStringList list;
    for (const std::string& cell : cells)
        list << text(printableText(std::string_view(cell).substr(0, kMaxCell)));
    return list;
}

} // namespace

void readCsv(std::string_view content, std::size_t maxRows, ArtifactPreview& preview)
{
    if (content.starts_with("\xef\xbb\xbf"))
        content.remove_prefix(3);
    const char separator = separatorOf(content.substr(0, content.find('\n')));
    std::vector<std::string> cells;
    if (nextRecord(content, separator, cells))
        preview.columns = shown(cells);
    while (preview.rows.size() < maxRows && nextRecord(content, separator, cells)) {
        QStringList row = shown(cells);
        while (row.size() < preview.columns.size())
            row << QString();
        preview.rows.push_back(row.mid(0, preview.columns.size()));
    }
    preview.kind = ArtifactPreview::Kind::Table;
}

} // namespace sg::ui
