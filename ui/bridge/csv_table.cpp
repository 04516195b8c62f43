#include "ui/bridge/csv_table.h"

#include "core/base/printable.h"
#include "ui/bridge/row_conversion.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kMaxColumns = 200;
constexpr std::size_t kMaxCell = 1000;
constexpr std::size_t kMaxRecord = 4U << 20; // a quote that is never closed ends here

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
    const std::string_view room = rest.substr(0, kMaxRecord);
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

// The same without its cells; how long it is.
std::size_t recordLength(std::string_view rest, char separator)
{
    const std::string_view room = rest.substr(0, kMaxRecord);
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

QStringList shown(const std::vector<std::string>& cells)
{
    QStringList list;
    for (const std::string& cell : cells)
        list << text(printableText(std::string_view(cell).substr(0, kMaxCell)));
    return list;
}

// "int64", "double" or "string" by what the rows hold.
QStringList typesOf(const std::vector<QStringList>& rows, qsizetype columns)
{
    QStringList types;
    for (qsizetype column = 0; column < columns; ++column) {
        bool isWhole = true;
        bool isNumber = true;
        bool isAny = false;
        for (const QStringList& row : rows) {
            const QString cell = row.value(column);
            if (cell.isEmpty())
                continue;
            isAny = true;
            bool ok = false;
            static_cast<void>(cell.toLongLong(&ok));
            isWhole = isWhole && ok;
            static_cast<void>(cell.toDouble(&ok));
            isNumber = isNumber && ok;
        }
        types << (!isAny         ? QString()
                      : isWhole  ? QStringLiteral("int64")
                      : isNumber ? QStringLiteral("double")
                                 : QStringLiteral("string"));
    }
    return types;
}

} // namespace

void CsvTable::begin(std::string_view content)
{
    m_began = true;
    m_scanned = content.starts_with("\xef\xbb\xbf") ? 3 : 0;
    std::string_view rest = content.substr(m_scanned);
    m_separator = separatorOf(rest.substr(0, std::min(rest.find('\n'), kMaxRecord)));
    std::vector<std::string> cells;
    if (nextRecord(rest, m_separator, cells))
        m_columns = shown(cells);
    m_scanned = content.size() - rest.size();
    m_pages.push_back(m_scanned);
    m_isWhole = rest.empty();
}

void CsvTable::scanTo(std::string_view content, std::size_t page)
{
    while (!m_isWhole && m_pages.size() <= page) {
        for (qint64 row = 0; row < kPageRows && m_scanned < content.size(); ++row) {
            m_scanned += recordLength(content.substr(m_scanned), m_separator);
            ++m_rows;
        }
        m_isWhole = m_scanned >= content.size();
        if (!m_isWhole)
            m_pages.push_back(m_scanned);
    }
}

void CsvTable::readPage(std::string_view content, qint64 row, ArtifactPreview& preview)
{
    if (!m_began)
        begin(content);
    preview.kind = ArtifactPreview::Kind::Table;
    preview.columns = m_columns;
    const auto wanted = static_cast<std::size_t>(std::max<qint64>(0, row) / kPageRows);
    scanTo(content, wanted);
    const std::size_t page = std::min(wanted, m_pages.size() - 1);
    preview.firstRow = static_cast<qint64>(page) * kPageRows;
    std::string_view rest = content.substr(m_pages[page]);
    std::vector<std::string> cells;
    while (static_cast<qint64>(preview.rows.size()) < kPageRows && nextRecord(rest, m_separator, cells)) {
        QStringList made = shown(cells);
        while (made.size() < m_columns.size())
            made << QString();
        preview.rows.push_back(made.mid(0, m_columns.size()));
    }
    if (m_types.isEmpty())
        m_types = typesOf(preview.rows, m_columns.size());
    preview.columnTypes = m_types;
    preview.hasMore = !rest.empty();
    if (!preview.hasMore)
        preview.totalRows = preview.firstRow + static_cast<qint64>(preview.rows.size());
    else if (m_isWhole)
        preview.totalRows = m_rows;
}

} // namespace sg::ui
