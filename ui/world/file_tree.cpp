#include "ui/world/file_tree.h"

#include "ui/bridge/artifacts/file_mime.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/world_look.h"

#include <QClipboard>
#include <QDrag>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>

#include <cmath>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kMostFiles = 20'000; // limit of one drag

WorldFileRow::Type typeOf(const QModelIndex& index)
{
    return static_cast<WorldFileRow::Type>(index.data(FileTreeModel::TypeRole).toInt());
}

bool isRemoved(const QModelIndex& index)
{
    return index.data(WorldDelegate::ChangeRole).toInt() == static_cast<int>(WorldChange::Removed);
}

// The picture under the pointer during a drag: "model.bin", "3 files".
QPixmap dragLabel(const QStringList& paths, double scale)
{
    const QString words = paths.size() == 1 ? paths.front().section(QLatin1Char('/'), -1)
                                            : FileTree::tr("%1 files").arg(paths.size());
    const QFont font = uiFont(TextSize::Dense);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(words, Qt::ElideMiddle, scaledLength(240));
    const QSizeF size(std::ceil(metrics.horizontalAdvance(shown)) + 40, scaledLength(26));
    QPixmap picture((size * scale).toSize());
    picture.setDevicePixelRatio(scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color(&Tokens::strong));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(QRectF(QPointF(), size).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    paintIcon(painter, QLatin1String("file"), QRectF(8, (size.height() - 16) / 2, 16, 16),
              color(&Tokens::text2));
    painter.setFont(font);
    painter.setPen(color(&Tokens::text));
    painter.drawText(QRectF(30, 0, size.width() - 30, size.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     shown);
    return picture;
}

} // namespace

void FileTree::add(const QModelIndex& index, const QString& into, std::vector<WantedFile>& files) const
{
    if (isRemoved(index) || files.size() >= kMostFiles)
        return;
    const QString path = index.data(FileTreeModel::PathRole).toString();
    if (typeOf(index) == WorldFileRow::Type::File)
        files.push_back({ path, into, index.data(FileTreeModel::SizeRole).toLongLong() });
    if (typeOf(index) != WorldFileRow::Type::Folder)
        return;
    const QString name = path.section(QLatin1Char('/'), -1);
    for (int row = 0; row < model()->rowCount(index); ++row)
        add(model()->index(row, 0, index), into.isEmpty() ? name : into + QLatin1Char('/') + name, files);
}

std::vector<WantedFile> FileTree::selectedFiles() const
{
    std::vector<WantedFile> files;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        bool isBeneath = false; // inside of a folder that is selected, too
        for (QModelIndex above = index.parent(); above.isValid(); above = above.parent())
            isBeneath = isBeneath || selectionModel()->isSelected(above);
        if (!isBeneath)
            add(index, {}, files);
    }
    return files;
}

QStringList FileTree::selectedPaths() const
{
    QStringList paths;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        paths << index.data(FileTreeModel::PathRole).toString();
    return paths;
}

// Paints a row's tint from the left edge of the view, however deep the row is.
void FileTree::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    const auto change =
        static_cast<WorldChange>(index.siblingAtColumn(0).data(WorldDelegate::ChangeRole).toInt());
    if (const QVariant tint = changeTint(change); tint.isValid() && !selectionModel()->isSelected(index))
        painter->fillRect(rect, tint.value<QColor>());
    QTreeView::drawBranches(painter, rect, index);
}

void FileTree::copy()
{
    const std::vector<WantedFile> wanted = selectedFiles();
    if (wanted.empty())
        return;
    auto staged = std::make_shared<StagedFiles>();
    Q_EMIT stageRequested(wanted, staged);
    if (const auto old = std::exchange(m_onClipboard, staged))
        Q_EMIT stagedReleased(old, true);
    QGuiApplication::clipboard()->setMimeData(offer(staged));
    Q_EMIT copied(static_cast<int>(wanted.size()));
}

FileMime* FileTree::offer(const std::shared_ptr<StagedFiles>& files)
{
    return new FileMime(files, selectedPaths(), // the clipboard can keep it longer than this tree lives
                        [self = QPointer(this)](const StagedFiles& waited, bool isOver) {
                            if (self)
                                Q_EMIT self->waitedFor(waited, isOver);
                        });
}

void FileTree::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTreeView::keyPressEvent(event);
}

void FileTree::startDrag(Qt::DropActions)
{
    const std::vector<WantedFile> wanted = selectedFiles();
    if (wanted.empty())
        return;
    const QStringList paths = selectedPaths();
    auto staged = std::make_shared<StagedFiles>();
    Q_EMIT stageRequested(wanted, staged);
    auto* drag = new QDrag(this);
    drag->setMimeData(offer(staged));
    drag->setPixmap(dragLabel(paths, devicePixelRatioF()));
    drag->setHotSpot({ 12, 12 });
    Q_EMIT dragging(staged);
    const bool isTaken = drag->exec(Qt::CopyAction) != Qt::IgnoreAction; // only copies, as in ArtifactList
    Q_EMIT dragging(nullptr);
    Q_EMIT stagedReleased(staged, isTaken);
}

} // namespace sg::ui
