#include "ui/artifacts/artifact_list.h"

#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/drag_picture.h"
#include "ui/artifacts/file_mime.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QDrag>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace sg::ui {

namespace {

constexpr qint64 kStagedOnPress = 8 << 20; // bytes
constexpr std::size_t kMostOnPress = 50;

// icon · name · "visualize, step 13" · size, in one row.
class ArtifactDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(28) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        const QRectF row = option.rect;
        const Token fill = selected ? &Tokens::selection : hovered ? &Tokens::alt : &Tokens::base;
        painter->save();
        painter->fillRect(row, color(fill));
        const double side = scaledLength(16);
        const QByteArray name = index.data(ArtifactModel::IconRole).toString().toLatin1();
        paintIcon(*painter, QLatin1String(name),
                  QRectF(row.left() + 12, row.center().y() - side / 2 + 0.5, side, side),
                  color(selected ? &Tokens::text2 : &Tokens::muted));

        const QFont words = uiFont(TextSize::Dense);
        const QFontMetricsF metrics(words);
        const Token quiet = selected ? &Tokens::text : &Tokens::muted;
        const double size = scaledLength(56);
        QRectF room = row.adjusted(12 + side + 8, 0, -12, 0);
        painter->setFont(words);
        painter->setPen(color(quiet));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                          index.data(ArtifactModel::SizeRole).toString());
        room.setRight(room.right() - size - 8);
        // The name comes first; what made it gets what is left.
        const QString title = index.data().toString();
        const double titleWidth = std::min(metrics.horizontalAdvance(title) + 2, room.width());
        const double left = room.left()
            + std::max(titleWidth + 12, std::min(room.width() * 0.55, room.width() - scaledLength(120)));
        if (left + scaledLength(32) < room.right()) {
            const QRectF note(left, room.top(), room.right() - left, room.height());
            painter->drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(index.data(ArtifactModel::MadeByRole).toString(),
                                                 Qt::ElideRight, note.width()));
        }
        painter->setPen(color(&Tokens::text));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(title, Qt::ElideMiddle, room.width()));
        if (option.state.testFlag(QStyle::State_HasFocus) && option.widget && option.widget->hasFocus()) {
            painter->setPen(color(&Tokens::accent));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter->restore();
    }
};

} // namespace

ArtifactList::ArtifactList(ArtifactModel& model, QWidget* parent)
    : QListView(parent)
    , m_model(model)
{
    setObjectName(QStringLiteral("artifactList"));
    setAccessibleName(tr("Artifacts"));
    setModel(&model);
    setItemDelegate(new ArtifactDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

std::vector<ArtifactRow> ArtifactList::selectedRows() const
{
    QModelIndexList indexes = selectionModel()->selectedRows();
    std::ranges::sort(indexes, {}, &QModelIndex::row);
    std::vector<ArtifactRow> rows;
    for (const QModelIndex& index : indexes)
        rows.push_back(m_model.row(index));
    return rows;
}

QStringList ArtifactList::selectedIds() const
{
    QStringList ids;
    for (const ArtifactRow& row : selectedRows())
        ids << row.id;
    return ids;
}

bool ArtifactList::isStagedFor(const QStringList& ids) const
{
    return !ids.isEmpty() && ids == m_stagedIds && !m_files.isEmpty()
        && std::ranges::all_of(m_files, [](const QString& file) { return QFileInfo::exists(file); });
}

void ArtifactList::stage()
{
    const QStringList ids = selectedIds();
    if (ids.isEmpty() || isStagedFor(ids) || (m_outstanding > 0 && ids == m_requested))
        return;
    m_requested = ids;
    ++m_outstanding;
    Q_EMIT stageRequested(selectedRows());
}

void ArtifactList::setStaged(const QStringList& files)
{
    // Requests are answered in their order; only the answer to the last one is of use.
    m_outstanding = std::max(0, m_outstanding - 1);
    if (m_outstanding > 0)
        return;
    const Wish wish = std::exchange(m_wish, Wish::None);
    m_stagedIds = areCopiesOf(files, m_requested) ? m_requested : QStringList();
    m_files = files;
    if (!isStagedFor(selectedIds()))
        return;
    if (wish == Wish::Copy || QApplication::mouseButtons().testFlag(Qt::LeftButton))
        fulfil(wish);
}

bool ArtifactList::areCopiesOf(const QStringList& files, const QStringList& ids) const
{
    if (files.size() != ids.size())
        return false;
    for (qsizetype i = 0; i < files.size(); ++i) {
        const QModelIndex index = m_model.indexOf(ids[i]);
        if (!index.isValid() || QFileInfo(files[i]).size() != m_model.row(index).size)
            return false;
    }
    return true;
}

void ArtifactList::setThumbnail(const QString& artifact, const QPixmap& picture)
{
    m_thumbnailOf = artifact;
    m_thumbnail = picture;
}

void ArtifactList::fulfil(Wish wish)
{
    if (wish == Wish::Copy) {
        QGuiApplication::clipboard()->setMimeData(mimeOfFiles(m_files));
        Q_EMIT copied(static_cast<int>(m_files.size()));
    } else if (wish == Wish::Drag) {
        runDrag();
    }
}

void ArtifactList::mousePressEvent(QMouseEvent* event)
{
    QListView::mousePressEvent(event);
    m_wish = Wish::None;
    if (event->button() != Qt::LeftButton || !indexAt(event->pos()).isValid())
        return;
    Q_EMIT chosenByUser();
    const std::vector<ArtifactRow> rows = selectedRows();
    qint64 bytes = 0;
    for (const ArtifactRow& row : rows)
        bytes += row.size;
    if (rows.size() <= kMostOnPress && bytes <= kStagedOnPress)
        stage();
}

void ArtifactList::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_wish == Wish::Drag)
        m_wish = Wish::None;
    QListView::mouseReleaseEvent(event);
}

void ArtifactList::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        if (isStagedFor(selectedIds())) {
            fulfil(Wish::Copy);
        } else {
            m_wish = Wish::Copy;
            stage();
        }
        return;
    }
    QListView::keyPressEvent(event);
    Q_EMIT chosenByUser();
}

void ArtifactList::startDrag(Qt::DropActions)
{
    if (isStagedFor(selectedIds())) {
        runDrag();
        return;
    }
    m_wish = Wish::Drag; // begins when the files are there, if the button is still down
    stage();
}

void ArtifactList::runDrag()
{
    const std::vector<ArtifactRow> rows = selectedRows();
    if (rows.empty())
        return;
    auto* drag = new QDrag(this);
    drag->setMimeData(mimeOfFiles(m_files));
    const QPixmap picture =
        dragPicture(rows, rows.front().id == m_thumbnailOf ? m_thumbnail : QPixmap(), devicePixelRatioF());
    drag->setPixmap(picture);
    drag->setHotSpot({ 16, 16 });
    drag->exec(Qt::CopyAction);
}

} // namespace sg::ui
