#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// A cell of PoolModel with its small drawing before the words: the curve of what waits or is done, or how
// many of the workers' places are taken.
class PoolDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
