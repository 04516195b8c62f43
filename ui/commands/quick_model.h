#pragma once

#include "ui/commands/quick_item.h"

#include <QAbstractListModel>

#include <vector>

namespace sg::ui {

// The items that match the typed words, best first; without words all, in their order.
class QuickModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        PlaceRole = Qt::UserRole,
        KeyRole,
        WhyNotRole,
        MatchedRole,
        IdRole
    }; // MatchedRole: QList<int>

    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<QuickItem> items); // keeps the typed words
    void setWords(const QString& words);
    [[nodiscard]] int total() const { return static_cast<int>(m_items.size()); }
    [[nodiscard]] const QuickItem& item(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        std::size_t item;
        int score;
        QList<int> matched; // positions in the title
    };
    void match();

    std::vector<QuickItem> m_items;
    std::vector<Row> m_rows;
    QString m_words;
};

} // namespace sg::ui
