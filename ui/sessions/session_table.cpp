#include "ui/sessions/session_table.h"

#include "ui/sessions/session_choice.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sg::ui {

namespace {

constexpr int kBar = 48; // width of the memory bar
constexpr double kHotShare = 0.95;

QString inCapitals(const QString& word)
{
    return word.left(1).toUpper() + word.mid(1);
}

// Example: "2 cores, 1 GiB, 64 processes"
QString limitsOf(const SessionRow& row)
{
    QStringList limits;
    if (row.cpuLimit > 0)
        limits << (row.cpuLimit == 1 ? SessionTableModel::tr("1 core")
                                     : SessionTableModel::tr("%1 cores").arg(row.cpuLimit));
    if (row.memoryLimit > 0)
        limits << formatMemory(row.memoryLimit);
    if (row.pidsLimit > 0)
        limits << (row.pidsLimit == 1 ? SessionTableModel::tr("1 process")
                                      : SessionTableModel::tr("%1 processes").arg(row.pidsLimit));
    return limits.isEmpty() ? SessionTableModel::tr("none") : limits.join(QStringLiteral(", "));
}

// Whole minutes or hours, so that only the time left changes each second.
QString ageWords(double seconds)
{
    if (!(seconds >= 0))
        return QStringLiteral("–");
    const auto minutes = static_cast<qint64>(seconds / 60);
    if (minutes < 1)
        return SessionTableModel::tr("under 1 min");
    if (minutes < 60)
        return SessionTableModel::tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return SessionTableModel::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
    return SessionTableModel::tr("%1 days").arg(minutes / (24 * 60));
}

// "14:02:11"; on an earlier day "yesterday, 14:02".
QString endWords(double timeMs, double nowMs)
{
    const auto dayOf = [](double ms) { return QDateTime::fromMSecsSinceEpoch(std::llround(ms)).date(); };
    if (std::isnan(timeMs) || dayOf(timeMs) == dayOf(nowMs))
        return formatClock(timeMs);
    return formatDay(timeMs, QDateTime::fromMSecsSinceEpoch(std::llround(nowMs)));
}

bool isKilled(const SessionRow& row)
{
    return hasEnded(row) && row.state.end() == sessions::SessionState::End::Broken;
}

StateKind kindOf(const SessionRow& row)
{
    if (isKilled(row))
        return StateKind::Failed;
    if (hasEnded(row))
        return StateKind::Skipped;
    if (row.state.is(sessions::SessionState::Kind::Busy))
        return StateKind::Running;
    return row.state.is(sessions::SessionState::Kind::Paused) ? StateKind::Stopped : StateKind::Done;
}

// Paints glyph, bar and sign beside the model's texts.
class SessionDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool quiet = index.data(SessionTableModel::QuietRole).toBool();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const Token fill = selected ? &Tokens::selection : &Tokens::base;
        painter->fillRect(option.rect, color(fill));
        QRectF room = QRectF(option.rect).adjusted(10, 0, -8, 0);
        Token ink = quiet && !selected ? &Tokens::muted : &Tokens::text;
        if (index.column() == SessionTableModel::StateColumn) {
            const auto kind = static_cast<StateKind>(index.data(SessionTableModel::StateKindRole).toInt());
            const double side = scaledLength(14);
            paintStateGlyph(*painter, kind, QRectF(room.left(), room.center().y() - side / 2, side, side),
                            tokens().*fill);
            room.setLeft(room.left() + side + 7);
            if (!selected && kind == StateKind::Failed)
                ink = &Tokens::failed;
        } else if (index.column() == SessionTableModel::IsolationColumn
                   && index.data(SessionTableModel::WeakRole).toBool()) {
            const double side = scaledLength(13);
            const double right = std::min(
                room.right() - side,
                room.left() + QFontMetricsF(option.font).horizontalAdvance(index.data().toString()) + 6);
            paintIcon(*painter, QLatin1String("warn"),
                      QRectF(right, room.center().y() - side / 2, side, side), color(&Tokens::warn));
        } else if (index.column() == SessionTableModel::MemoryColumn) {
            room.setLeft(
                paintMemory(*painter, room, index.data(SessionTableModel::MemoryShareRole).toDouble()));
        }
        painter->setFont(index.column() == SessionTableModel::SessionColumn
                             ? monoFont(TextSize::Dense, QFont::DemiBold)
                             : uiFont(TextSize::Dense));
        painter->setPen(color(ink));
        painter->drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter->font()).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        if (option.state.testFlag(QStyle::State_HasFocus) && option.widget && option.widget->hasFocus()) {
            painter->setPen(color(&Tokens::accent));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter->restore();
    }

private:
    static double paintMemory(QPainter& painter, const QRectF& room, double share)
    {
        const double width = scaledLength(kBar);
        const QRectF bar(room.left(), std::round(room.center().y()) - 3, width, 7);
        painter.fillRect(bar, color(&Tokens::neutralTint));
        if (share > 0)
            painter.fillRect(QRectF(bar.left(), bar.top(), width * std::min(1.0, share), bar.height()),
                             color(share >= kHotShare ? &Tokens::failed : &Tokens::text2));
        return bar.right() + 8;
    }
};

} // namespace

int SessionTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SessionTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString SessionTableModel::age(const SessionRow& row) const
{
    const double until = hasEnded(row) ? row.endedMs : m_nowMs;
    return ageWords((until - row.startedMs) / 1000);
}

QString SessionTableModel::timeLeft(const SessionRow& row) const
{
    if (hasEnded(row))
        return std::isnan(row.endedMs) ? tr("ended") : tr("ended %1").arg(endWords(row.endedMs, m_nowMs));
    if (std::isnan(row.expiresMs))
        return tr("no end");
    return formatCountdown(std::max(0.0, (row.expiresMs - m_nowMs) / 1000));
}

QString SessionTableModel::text(const SessionRow& row, int column) const
{
    const SampleRow sample = m_samples.value(row.session);
    const bool isMeasured = m_samples.contains(row.session);
    switch (column) {
    case SessionColumn: return row.session;
    case ThreadColumn:
        return row.part.isThreads() ? row.thread : tr("%1, %2").arg(row.thread, partWords(row));
    case StateColumn: return inCapitals(stateWords(row)); // including the cause of its end
    case AgeColumn: return age(row);
    case LimitsColumn: return limitsOf(row);
    case IsolationColumn: return row.isolation.isEmpty() ? row.backend : inCapitals(row.isolation);
    case MemoryColumn:
        return isMeasured ? formatMemoryOf(sample.memoryBytes,
                                           sample.memoryLimit > 0 ? sample.memoryLimit : row.memoryLimit)
                          : QStringLiteral("–");
    case CpuColumn:
        return isMeasured && !hasEnded(row) ? tr("%1 %").arg(std::lround(sample.cpuPercent))
                                            : QStringLiteral("–");
    case LeftColumn: return timeLeft(row);
    case WhereColumn: {
        QStringList where{ whereWords(row), row.backend, storageWords(row), dataWords(row) };
        where.removeAll(QString());
        return where.join(QStringLiteral(", "));
    }
    default: return {};
    }
}

// One sentence for screen readers.
QString SessionTableModel::spoken(const SessionRow& row) const
{
    return tr("Session %1 of thread %2, %3, age %4, %5, memory %6")
        .arg(row.session, text(row, ThreadColumn), stateWords(row), age(row), timeLeft(row),
             text(row, MemoryColumn));
}

QVariant SessionTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const SessionRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == SessionColumn ? spoken(row) : text(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == IsolationColumn && row.weakLimits
            ? tr("This sandbox cannot enforce its limits of CPU and memory on this machine. A container "
                 "engine can.")
            : text(row, index.column());
    case IdRole: return row.session;
    case StateKindRole: return static_cast<int>(kindOf(row));
    case WeakRole: return row.weakLimits;
    case QuietRole: return hasEnded(row) || index.column() == WhereColumn;
    case MemoryShareRole: {
        const SampleRow sample = m_samples.value(row.session);
        const double limit = sample.memoryLimit > 0 ? sample.memoryLimit : row.memoryLimit;
        return limit > 0 ? sample.memoryBytes / limit : 0.0;
    }
    default: return {};
    }
}

QVariant SessionTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = { tr("Session"), tr("Thread"),    tr("State"), tr("Isolation"), tr("Memory"),
                              tr("CPU"),     tr("Time left"), tr("Where"), tr("Age"),       tr("Limits") };
    return names[section];
}

void SessionTableModel::reset(const std::vector<SessionRow>& rows)
{
    m_nowMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    if (std::ranges::equal(rows, m_rows, {}, &SessionRow::session, &SessionRow::session)) {
        m_rows = rows;
        if (!rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

void SessionTableModel::setSample(const QString& session, const SampleRow& sample)
{
    m_samples.insert(session, sample);
    if (const QModelIndex place = indexOf(session); place.isValid())
        Q_EMIT dataChanged(place.siblingAtColumn(MemoryColumn), place.siblingAtColumn(CpuColumn));
}

void SessionTableModel::tick(double nowMs)
{
    m_nowMs = nowMs;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, AgeColumn), index(rowCount() - 1, LeftColumn), { Qt::DisplayRole });
}

QModelIndex SessionTableModel::indexOf(const QString& session) const
{
    const auto found = std::ranges::find(m_rows, session, &SessionRow::session);
    return found == m_rows.end() ? QModelIndex() : index(static_cast<int>(found - m_rows.begin()), 0);
}

SessionTable::SessionTable(QWidget* parent)
    : QTableView(parent)
    , m_model(new SessionTableModel(this))
{
    setObjectName(QStringLiteral("sessionTable"));
    setAccessibleName(tr("Sessions"));
    setModel(m_model);
    setItemDelegate(new SessionDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setFont(uiFont(TextSize::Dense));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(scaledLength(28));
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        // The last one that is shown is stretched by the header itself.
        const int last = isColumnHidden(SessionTableModel::AgeColumn) ? SessionTableModel::WhereColumn
                                                                      : SessionTableModel::LimitsColumn;
        m_isSetByHand |= !m_isFitting && column < last;
    });
    fitColumns();
    connect(m_model, &QAbstractItemModel::modelReset, this, &SessionTable::fitColumns);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid())
            Q_EMIT chosen(now.data(SessionTableModel::IdRole).toString());
    });
}

void SessionTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

// Columns that do not fit are left out or narrowed before the table has to be scrolled. Free room goes to
// figures of memory, then to the causes of ends, as much as they need, then to the last column.
void SessionTable::fitColumns()
{
    if (m_isSetByHand)
        return;
    constexpr std::array kWidths{ 92, 72, 116, 108, 158, 56, 112, 110, 92, 190 };
    static_assert(kWidths.size() == SessionTableModel::ColumnCount);
    const auto widthOf = [&](std::size_t columns) {
        return scaledLength(
            std::accumulate(kWidths.begin(), kWidths.begin() + static_cast<std::ptrdiff_t>(columns), 0));
    };
    const bool showsAll = viewport()->width() >= widthOf(kWidths.size());
    const std::size_t shown = showsAll ? kWidths.size() : std::size_t{ SessionTableModel::AgeColumn };
    const double share = std::clamp(viewport()->width() / double(widthOf(shown)), 0.85, 1.0);
    const int spare = std::max(viewport()->width() - widthOf(shown), 0);
    const int memory = std::min(spare, scaledLength(32));
    const int causes = sizeHintForColumn(SessionTableModel::StateColumn) + scaledLength(39)
        - scaledLength(kWidths[SessionTableModel::StateColumn]); // its glyph stands before the words
    const int state = std::clamp(causes, 0, spare - memory);
    const QScopedValueRollback fitting(m_isFitting, true);
    for (std::size_t i = 0; i < kWidths.size(); ++i) {
        const int column = static_cast<int>(i);
        setColumnHidden(column, i >= shown);
        setColumnWidth(column,
                       static_cast<int>(share * scaledLength(kWidths[i]))
                           + (column == SessionTableModel::StateColumn        ? state
                                  : column == SessionTableModel::MemoryColumn ? memory
                                                                              : 0));
    }
}

QString SessionTable::current() const
{
    return currentIndex().isValid()
        ? currentIndex().siblingAtColumn(0).data(SessionTableModel::IdRole).toString()
        : QString();
}

void SessionTable::select(const QString& session)
{
    const QModelIndex place = m_model->indexOf(session);
    if (place.isValid() && place.row() != currentIndex().row())
        selectionModel()->setCurrentIndex(place,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

} // namespace sg::ui
