#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// Paints a row: icon · title with its matching letters · place · key. A disabled row is muted and tells why.
class QuickDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
