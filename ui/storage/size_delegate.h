#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// Paints a bar for the share of the largest size, before the size.
class SizeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
