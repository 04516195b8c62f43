#pragma once

#include "ui/bridge/rows/world_rows.h"
#include "ui/widgets/palette.h"

#include <QString>
#include <QStyledItemDelegate>
#include <QVariant>

namespace sg::ui {

QString changeSign(WorldChange change); // "+", "~", "−"; empty for Same and Unknown
QString changeWord(WorldChange change); // "added", "changed", "removed", or empty
QVariant changeInk(WorldChange change); // the sign's QColor, or nothing
QVariant changeTint(WorldChange change); // the row's background, or nothing

// Paints a row's tint and its change sign.
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
