#include "ui/bridge/previews/csv_table.h"

#include "core/base/printable.h"
#include "ui/bridge/previews/csv_records.h"
#include "ui/bridge/previews/table_filter.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QObject>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kMaxCell = 1000;
constexpr std::size_t kMostSelected = 10'000'000; // 8 bytes each

QStringList shown(const std::vector<std::string>& cells)
{
    QStringList list;
    for (const std::string& cell : cells)
        list << text(printableText(std::string_view(cell).substr(0, kMaxCell)));
    return list;
}

// "int64", "double" or "string", guessed from the rows.
QStringList typesOf(const std::vector<QStringList>& rows, qsizetype columns)
{
    QStringList types;
    for (qsizetype column = 0; column < columns; ++column) {
        bool isWhole = true;
        bool isNumber = true;
        bool isAny = false;
        for (const QStringList& row : rows) {
            const QString cell = row.value(column);
            if (cell.trimmed().isEmpty())
                continue;
            isAny = true;
            bool ok = false;
            static_cast<void>(cell.toLongLong(&ok));
            isWhole = isWhole && ok;
            const QByteArray bytes = cell.toUtf8();
            isNumber = isNumber && csvNumber({ bytes.constData(), static_cast<std::size_t>(bytes.size()) });
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
    m_separator = csvSeparatorOf(rest.substr(0, std::min(rest.find('\n'), kMaxCsvRecord)));
    std::vector<std::string> cells;
    if (nextCsvRecord(rest, m_separator, cells))
        m_columns = shown(cells);
    m_scanned = content.size() - rest.size();
    m_pages.push_back(m_scanned);
    m_isWhole = rest.empty();
}

void CsvTable::scanTo(std::string_view content, std::size_t page)
{
    while (!m_isWhole && m_pages.size() <= page) {
        for (qint64 row = 0; row < kPageRows && m_scanned < content.size(); ++row) {
            m_scanned += csvRecordLength(content.substr(m_scanned), m_separator);
            ++m_rows;
        }
        m_isWhole = m_scanned >= content.size();
        if (!m_isWhole)
            m_pages.push_back(m_scanned);
    }
}

void CsvTable::addRow(const std::vector<std::string>& cells, ArtifactPreview& preview) const
{
    QStringList made = shown(cells);
    while (made.size() < m_columns.size())
        made << QString();
    preview.rows.push_back(made.mid(0, m_columns.size()));
}

// Returns false if the column cannot be sorted; m_refused then has the reason.
bool CsvTable::sortBy(std::string_view content, const TableOrder& order)
{
    if (m_refused.contains(order.column))
        return false;
    if (m_sorted && m_order.column == order.column && m_order.isDescending == order.isDescending)
        return true;
    m_sorted.reset(); // two orders at the same time may need too much memory
    auto column = CsvColumn::read(content, m_pages.front(), m_separator, order.column);
    if (!column) {
        m_refused[order.column] = QObject::tr("Not sorted: %1").arg(text(column.error().message));
        return false;
    }
    column->sort(content, order.isDescending);
    m_sorted = std::move(*column);
    m_order = order;
    return true;
}

bool CsvTable::select(std::string_view content, const TableOrder& order)
{
    if (m_selection == order)
        return true;
    m_selection.reset();
    m_selected.clear();
    const CellTest test(order.filter);
    std::vector<std::string> scratch;
    const auto look = [&](std::size_t at, std::size_t length) {
        if (test.passes(csvCellOf(content.substr(at), length, m_separator, order.filter.column, scratch)))
            m_selected.push_back(at);
        return m_selected.size() <= kMostSelected;
    };
    bool fits = true;
    for (std::size_t row = 0; order.column >= 0 && row < m_sorted->rows() && fits; ++row) {
        const std::size_t at = m_sorted->recordAt(row);
        fits = look(at, csvRecordLength(content.substr(at), m_separator));
    }
    for (std::size_t at = m_pages.front(); order.column < 0 && at < content.size() && fits;) {
        const std::size_t length = csvRecordLength(content.substr(at), m_separator);
        fits = look(at, length);
        at += length;
    }
    if (fits)
        m_selection = order;
    else
        m_selected = {};
    return fits;
}

std::size_t CsvTable::recordAt(std::size_t row) const
{
    return m_selection ? m_selected[row] : m_sorted->recordAt(row);
}

void CsvTable::readSorted(std::string_view content, qint64 row, const TableOrder& order,
                          ArtifactPreview& preview)
{
    if (m_types.isEmpty()) {
        ArtifactPreview first;
        readPage(content, 0, first);
    }
    TableOrder wanted = order;
    if (wanted.column >= m_columns.size())
        wanted.column = -1;
    if (wanted.filter.column >= m_columns.size())
        wanted.filter = {};
    if (wanted.column < 0 && wanted.filter.column < 0) {
        readPage(content, row, preview);
        return;
    }
    if (wanted.column >= 0 && !sortBy(content, wanted)) {
        preview.note = m_refused[wanted.column];
        return;
    }
    if (wanted.filter.column < 0) {
        m_selection.reset();
        m_selected = {};
    } else if (!select(content, wanted)) {
        preview.note = QObject::tr("Not filtered: more than %1 rows pass.").arg(kMostSelected);
        return;
    }
    preview.kind = ArtifactPreview::Kind::Table;
    preview.columns = m_columns;
    preview.columnTypes = m_types;
    preview.totalRows = static_cast<qint64>(m_selection ? m_selected.size() : m_sorted->rows());
    const qint64 last = std::max<qint64>(0, preview.totalRows - 1);
    preview.firstRow = std::clamp<qint64>(row, 0, last) / kPageRows * kPageRows;
    std::vector<std::string> cells;
    const qint64 end = std::min(preview.totalRows, preview.firstRow + kPageRows);
    for (qint64 at = preview.firstRow; at < end; ++at) {
        std::string_view rest = content.substr(recordAt(static_cast<std::size_t>(at)));
        nextCsvRecord(rest, m_separator, cells);
        addRow(cells, preview);
    }
    preview.hasMore = end < preview.totalRows;
}

ColumnFacts CsvTable::facts(std::string_view content, int column)
{
    if (!m_began)
        begin(content);
    const auto read = CsvColumn::read(content, m_pages.front(), m_separator, column);
    ColumnFacts facts;
    if (read)
        facts = read->facts(content);
    else
        facts.problem = text(read.error().message);
    facts.column = column;
    return facts;
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
    while (static_cast<qint64>(preview.rows.size()) < kPageRows && nextCsvRecord(rest, m_separator, cells))
        addRow(cells, preview);
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
