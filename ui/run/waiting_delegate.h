#pragma once

#include <QStyledItemDelegate>

namespace sg::ui {

// Paints an open question in two lines: "approve · bob, step 4 · 2 min", and the question itself.
class WaitingDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role {
        NodeRole = Qt::UserRole + 1,
        ThreadRole,
        QuestionRole,
        SinceRole,
        InterruptRole,
        GivenRole,
        PauseRole
    };
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace sg::ui
