#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// One row: icon · title with the letters that match · place · key. What cannot be chosen is pale and says
// why.
class QuickDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
