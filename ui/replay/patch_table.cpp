#include "ui/replay/patch_table.h"

#include "ui/replay/staged_patch.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace sg::ui {
namespace {

class PatchDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(24) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool changed = index.data(StagedPatch::ChangedRole).toBool();
        const bool broken = !index.data(StagedPatch::ProblemRole).toString().isEmpty();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const Token ground = broken ? &Tokens::failedTint
            : changed               ? &Tokens::runningTint
            : selected              ? &Tokens::selection
                                    : &Tokens::base;
        painter->fillRect(option.rect, color(ground));
        const bool isValue = index.column() == StagedPatch::Text;
        const QFont font =
            isValue ? monoFont() : uiFont(TextSize::Dense, changed ? QFont::DemiBold : QFont::Normal);
        const QFontMetricsF metrics(font);
        QRectF room = QRectF(option.rect).adjusted(isValue ? 8 : 12, 0, -8, 0);
        painter->setFont(font);
        if (isValue && changed) {
            const QString old = metrics.elidedText(index.data(StagedPatch::OldTextRole).toString(),
                                                   Qt::ElideRight, room.width() / 3);
            QFont struck = font;
            struck.setStrikeOut(true);
            painter->setFont(struck);
            painter->setPen(color(&Tokens::muted));
            painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, old);
            room.setRight(room.right() - metrics.horizontalAdvance(old) - 12);
            painter->setFont(font);
        }
        const bool readOnly = isValue && !index.flags().testFlag(Qt::ItemIsEditable);
        painter->setPen(color(broken ? &Tokens::failed : readOnly ? &Tokens::muted : &Tokens::text));
        painter->drawText(room, Qt::AlignVCenter,
                          metrics.elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        painter->fillRect(QRectF(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                          color(&Tokens::subtle));
    }
};

} // namespace

PatchTable::PatchTable(StagedPatch& patch, QWidget* parent)
    : QTreeView(parent)
    , m_patch(patch)
{
    setModel(&patch);
    setItemDelegate(new PatchDelegate(this));
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(DoubleClicked | EditKeyPressed | SelectedClicked);
    setAccessibleName(tr("Values of the fork"));
    header()->resizeSection(StagedPatch::Channel, scaledLength(110));
    header()->setStretchLastSection(true);
}

void PatchTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Delete) && currentIndex().isValid()) {
        m_patch.revertRow(currentIndex().row());
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() == Qt::NoModifier && currentIndex().isValid()
        && state() != EditingState) {
        edit(currentIndex().siblingAtColumn(StagedPatch::Text));
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace sg::ui
