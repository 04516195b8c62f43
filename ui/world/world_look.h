#pragma once

#include "ui/bridge/rows/world_rows.h"
#include "ui/widgets/palette.h"

#include <QString>
#include <QStyledItemDelegate>
#include <QVariant>

namespace sg::ui {

QString changeSign(WorldChange change); // "+", "~", "−"; empty: the same, or not known
QString changeWord(WorldChange change); // "added", "changed", "removed"; empty
QVariant changeInk(WorldChange change); // of the sign; a QColor, or nothing
QVariant changeTint(WorldChange change); // behind the row

// Rows on their tint, with the signs of a change in their ink.
class WorldDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role { ChangeRole = Qt::UserRole + 40, MonoRole, IconRole };
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sg::ui
