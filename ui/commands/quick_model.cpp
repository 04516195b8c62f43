#include "ui/commands/quick_model.h"

#include "ui/commands/fuzzy_match.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kTitleFirst = 1000; // matches in the title come before those that need the place

} // namespace

void QuickModel::setItems(std::vector<QuickItem> items)
{
    beginResetModel();
    m_items = std::move(items);
    match();
    endResetModel();
}

void QuickModel::setWords(const QString& words)
{
    beginResetModel();
    m_words = words.trimmed();
    match();
    endResetModel();
}

void QuickModel::match()
{
    m_rows.clear();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const QuickItem& item = m_items[i];
        if (const auto found = fuzzyMatch(m_words, item.title)) {
            m_rows.push_back({ i, m_words.isEmpty() ? 0 : kTitleFirst + found->score,
                               QList<int>(found->places.begin(), found->places.end()) });
            continue;
        }
        const QString whole = item.place + QLatin1Char(' ') + item.title;
        if (const auto found = fuzzyMatch(m_words, whole)) {
            QList<int> inTitle;
            for (const int place : found->places)
                if (place > item.place.size())
                    inTitle.push_back(place - static_cast<int>(item.place.size()) - 1);
            m_rows.push_back({ i, found->score, inTitle });
        }
    }
    std::ranges::stable_sort(m_rows, std::greater{}, &Row::score);
}

const QuickItem& QuickModel::item(int row) const
{
    return m_items[m_rows.at(static_cast<std::size_t>(row)).item];
}

int QuickModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant QuickModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const QuickItem& found = item(index.row());
    switch (role) {
    case Qt::DisplayRole: return found.title;
    case Qt::DecorationRole: return found.icon;
    case Qt::AccessibleTextRole: {
        QStringList told{ found.title, found.place, found.key, found.whyNot };
        told.removeAll(QString());
        return told.join(QStringLiteral(", "));
    }
    case PlaceRole: return found.place;
    case KeyRole: return found.key;
    case WhyNotRole: return found.whyNot;
    case MatchedRole: return QVariant::fromValue(m_rows[static_cast<std::size_t>(index.row())].matched);
    case IdRole: return found.id;
    default: return {};
    }
}

Qt::ItemFlags QuickModel::flags(const QModelIndex& index) const
{
    // Disabled items can be selected, because they show the reason.
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace sg::ui
