#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// A quiet bar for the share of the largest, before the size.
class SizeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
