#include "ui/artifacts/artifact_list.h"

#include "ui/artifacts/artifact_delegates.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/copy_names.h"
#include "ui/artifacts/drag_picture.h"
#include "ui/bridge/artifacts/file_mime.h"
#include "ui/widgets/fonts.h"

#include <QClipboard>
#include <QDrag>
#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPointer>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace sg::ui {

namespace {

constexpr qint64 kStagedOnPress = 8 << 20; // bytes
constexpr std::size_t kMostOnPress = 50;
constexpr int kSettleMs = 60;

} // namespace

ArtifactList::ArtifactList(ArtifactModel& model, QWidget* parent)
    : QListView(parent)
    , m_model(model)
    , m_settle(new QTimer(this))
{
    setObjectName(QStringLiteral("artifactList"));
    setAccessibleName(tr("Artifacts"));
    setModel(&model);
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setCards(false);
    m_settle->setSingleShot(true);
    m_settle->setInterval(kSettleMs);
    connect(m_settle, &QTimer::timeout, this, &ArtifactList::askForThumbnails);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_settle, qOverload<>(&QTimer::start));
    connect(&model, &QAbstractItemModel::modelReset, m_settle, qOverload<>(&QTimer::start));
}

void ArtifactList::setCards(bool cards)
{
    QAbstractItemDelegate* before = itemDelegate();
    // Icon mode is not used, because it stores a position for each of very many items.
    setFlow(cards ? LeftToRight : TopToBottom);
    setResizeMode(Adjust);
    setWrapping(cards);
    setSpacing(0);
    setVerticalScrollMode(cards ? ScrollPerPixel : ScrollPerItem);
    setItemDelegate(cards ? static_cast<QAbstractItemDelegate*>(new ArtifactCardDelegate(this))
                          : new ArtifactRowDelegate(this));
    before->deleteLater();
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    fitCards();
    scrollTo(currentIndex());
    m_settle->start();
}

// Widens the cards so that they fill the width evenly.
void ArtifactList::fitCards()
{
    if (!showsCards()) {
        setGridSize({});
        return;
    }
    const QSize least = ArtifactCardDelegate::leastCell();
    // The width that the view uses for its layout: it reserves space for a scroll bar.
    const int room = maximumViewportSize().width() - 1
        - style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, verticalScrollBar());
    setGridSize({ room / std::max(1, room / least.width()), least.height() });
}

void ArtifactList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    fitCards();
    m_settle->start();
}

void ArtifactList::askForThumbnails()
{
    if (m_model.rowCount() == 0 || !isVisible())
        return;
    const QRect seen = viewport()->rect();
    std::vector<ArtifactRow> wanted;
    const QModelIndex first = indexAt({ seen.width() / 4, 2 });
    const int columns = showsCards() ? std::max(1, seen.width() / std::max(1, gridSize().width())) : 1;
    int row = std::max(0, first.row() - columns);
    for (; row < m_model.rowCount(); ++row) {
        const QModelIndex index = m_model.index(row);
        const QRect place = visualRect(index);
        if (place.top() > seen.bottom())
            break;
        if (place.intersects(seen) && (showsCards() || index == currentIndex())
            && !m_model.hasThumbnail(index))
            wanted.push_back(m_model.row(index));
    }
    if (!wanted.empty())
        Q_EMIT thumbnailsWanted(wanted);
}

std::vector<ArtifactRow> ArtifactList::selectedRows() const
{
    QModelIndexList indexes = selectionModel()->selectedRows();
    std::ranges::sort(indexes, {}, &QModelIndex::row);
    std::vector<ArtifactRow> rows;
    rows.reserve(static_cast<std::size_t>(indexes.size()));
    for (const QModelIndex& index : indexes)
        rows.push_back(m_model.row(index));
    return rows;
}

void ArtifactList::setCopyNames(const QString& pattern)
{
    m_copyNames = pattern;
    release(false); // the staged copies have other names
}

std::vector<ArtifactRow> ArtifactList::rowsToCopy() const
{
    std::vector<ArtifactRow> rows = selectedRows();
    for (ArtifactRow& row : rows)
        // Composed Unicode, so that a name from macOS is the same file name elsewhere.
        row.name = copyName(m_copyNames, row).normalized(QString::NormalizationForm_C);
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
    if (!m_staged || ids.isEmpty() || ids != m_stagedIds)
        return false;
    if (!m_staged->isDone())
        return true;
    const QStringList files = m_staged->wait(std::chrono::milliseconds(0));
    return files.size() == ids.size()
        && std::ranges::all_of(files, [](const QString& file) { return QFileInfo::exists(file); });
}

void ArtifactList::stage()
{
    const QStringList ids = selectedIds();
    if (ids.isEmpty() || isStagedFor(ids))
        return;
    release(false);
    m_stagedIds = ids;
    m_staged = std::make_shared<StagedFiles>();
    Q_EMIT stageRequested(rowsToCopy(), m_staged);
}

void ArtifactList::release(bool mayBeInUse)
{
    if (auto old = std::exchange(m_staged, nullptr); old && old != m_onClipboard)
        Q_EMIT stagedReleased(old, mayBeInUse);
    m_stagedIds.clear();
}

void ArtifactList::noteStaged(const std::shared_ptr<StagedFiles>& files)
{
    if (files == m_staged && std::exchange(m_copies, false)
        && !files->wait(std::chrono::milliseconds(0)).isEmpty())
        copy();
}

void ArtifactList::copy()
{
    if (const auto old = std::exchange(m_onClipboard, m_staged); old && old != m_staged)
        Q_EMIT stagedReleased(old, true);
    const std::vector<ArtifactRow> rows = selectedRows();
    const auto files = m_staged->wait(std::chrono::milliseconds(0)).size();
    QGuiApplication::clipboard()->setMimeData(offer(rows));
    Q_EMIT copied(static_cast<int>(files));
}

FileMime* ArtifactList::offer(const std::vector<ArtifactRow>& rows)
{
    return new FileMime(m_staged, rows, // the clipboard can keep it longer than this list lives
                        [self = QPointer(this)](const StagedFiles& files, bool isOver) {
                            if (self)
                                Q_EMIT self->waitedFor(files, isOver);
                        });
}

void ArtifactList::notePressed()
{
    m_copies = false;
    Q_EMIT chosenByUser();
    const std::vector<ArtifactRow> rows = selectedRows();
    qint64 bytes = 0;
    for (const ArtifactRow& row : rows)
        bytes += row.size;
    if (rows.size() <= kMostOnPress && bytes <= kStagedOnPress)
        stage();
}

void ArtifactList::copySelection()
{
    stage();
    if (m_staged && m_staged->isDone())
        copy();
    else
        m_copies = m_staged != nullptr;
}

void ArtifactList::mousePressEvent(QMouseEvent* event)
{
    QListView::mousePressEvent(event);
    m_copies = false;
    if (event->button() == Qt::LeftButton && indexAt(event->pos()).isValid())
        notePressed();
}

void ArtifactList::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    QListView::keyPressEvent(event);
    Q_EMIT chosenByUser();
}

void ArtifactList::startDrag(Qt::DropActions)
{
    dragSelection(*this);
}

void ArtifactList::dragSelection(QWidget& from)
{
    const std::vector<ArtifactRow> rows = selectedRows();
    if (rows.empty())
        return;
    stage();
    auto* drag = new QDrag(&from);
    drag->setMimeData(offer(rows));
    const auto thumbnail = m_model.index(m_model.indexOf(rows.front().id).row())
                               .data(ArtifactModel::ThumbnailRole)
                               .value<ArtifactThumbnail>();
    drag->setPixmap(dragPicture(rows, QPixmap::fromImage(thumbnail.image), devicePixelRatioF()));
    drag->setHotSpot({ 16, 16 });
    Q_EMIT dragging(true);
    // Only copying is offered: a program that moves files would remove copies that others still need.
    const bool isTaken = drag->exec(Qt::CopyAction) != Qt::IgnoreAction;
    Q_EMIT dragging(false);
    release(isTaken);
}

} // namespace sg::ui
