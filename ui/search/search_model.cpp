#include "ui/search/search_model.h"

#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sg::ui {

namespace {

QString kindOf(SearchHit::Kind kind)
{
    switch (kind) {
    case SearchHit::Kind::Run: return SearchModel::tr("Run");
    case SearchHit::Kind::Checkpoint: return SearchModel::tr("Checkpoint");
    case SearchHit::Kind::Task: return SearchModel::tr("Task");
    case SearchHit::Kind::Log: return SearchModel::tr("Log");
    }
    return {};
}

constexpr qsizetype kLongestTip = 2000;

// Escaped, because database contents may contain markup.
QString tipOf(const QString& text)
{
    if (text.isEmpty())
        return {};
    const QString html =
        text.left(kLongestTip).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    return QStringLiteral("<p>%1%2</p>")
        .arg(html, text.size() > kLongestTip ? QStringLiteral("…") : QString());
}

bool isSame(const SearchHit& a, const SearchHit& b)
{
    const bool isSameTime = a.timeMs == b.timeMs || (std::isnan(a.timeMs) && std::isnan(b.timeMs));
    return isSameTime
        && std::tie(a.kind, a.thread, a.checkpoint, a.run, a.node, a.step, a.status, a.text)
        == std::tie(b.kind, b.thread, b.checkpoint, b.run, b.node, b.step, b.status, b.text);
}

} // namespace

SearchModel::SearchModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void SearchModel::setHits(std::vector<SearchHit> hits)
{
    beginResetModel();
    m_hits = std::move(hits);
    m_columns.clear();
    m_rows.clear();
    endResetModel();
}

void SearchModel::setTable(const SqlRows& rows)
{
    beginResetModel();
    m_hits = rows.marks;
    m_columns = rows.columns;
    m_rows = rows.rows;
    endResetModel();
}

void SearchModel::clear()
{
    setHits({});
}

bool SearchModel::shows(const std::vector<SearchHit>& hits) const
{
    return m_columns.isEmpty() && std::ranges::equal(m_hits, hits, isSame);
}

int SearchModel::rowOf(const SearchHit& hit) const
{
    const auto place =
        std::ranges::find_if(m_hits, [&hit](const SearchHit& each) { return isSame(each, hit); });
    return place == m_hits.end() ? -1 : static_cast<int>(place - m_hits.begin());
}

const SearchHit* SearchModel::hit(int row) const
{
    const auto place = static_cast<std::size_t>(row);
    return row >= 0 && place < m_hits.size() ? &m_hits[place] : nullptr;
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return static_cast<int>(m_columns.isEmpty() ? m_hits.size() : m_rows.size());
}

int SearchModel::columnCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return m_columns.isEmpty() ? ColumnCount : static_cast<int>(m_columns.size());
}

QString SearchModel::textOf(const SearchHit& hit, int column) const
{
    switch (column) {
    case KindColumn: return kindOf(hit.kind);
    case WhereColumn: return tr("%1, step %2").arg(hit.thread).arg(hit.step);
    case NodeColumn: return hit.node;
    case StatusColumn: return hit.status;
    case TextColumn: return hit.text.section(QLatin1Char('\n'), 0, 0);
    case TimeColumn:
        return std::isnan(hit.timeMs) ? QString()
                                      : QDateTime::fromMSecsSinceEpoch(std::llround(hit.timeMs))
                                            .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    default: return {};
    }
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    if (!m_columns.isEmpty()) {
        if (role == Qt::DisplayRole)
            return m_rows[row].value(index.column());
        if (role == Qt::ToolTipRole)
            return tipOf(m_rows[row].value(index.column()));
        return {};
    }
    const SearchHit& hit = m_hits[row];
    if (role == Qt::DisplayRole)
        return textOf(hit, index.column());
    if (role == Qt::ToolTipRole && index.column() == TextColumn)
        return tipOf(hit.text);
    if (role == Qt::ForegroundRole && index.column() == StatusColumn
        && stateOf(runStatusNamed(hit.status.toStdString())) == StateKind::Failed)
        return color(&Tokens::failed);
    if (role == Qt::AccessibleTextRole && index.column() == KindColumn)
        return tr("%1 of %2, step %3: %4 %5 %6")
            .arg(kindOf(hit.kind), hit.thread)
            .arg(hit.step)
            .arg(hit.node, hit.status, hit.text.section(QLatin1Char('\n'), 0, 0));
    return {};
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    if (!m_columns.isEmpty())
        return m_columns.value(section);
    switch (section) {
    case KindColumn: return tr("What");
    case WhereColumn: return tr("Where");
    case NodeColumn: return tr("Node");
    case StatusColumn: return tr("Status");
    case TextColumn: return tr("Text");
    case TimeColumn: return tr("Time");
    default: return {};
    }
}

} // namespace sg::ui
