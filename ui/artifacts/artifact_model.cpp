#include "ui/artifacts/artifact_model.h"

#include "ui/widgets/byte_format.h"

#include <algorithm>

namespace sg::ui {
namespace {

int compared(const QString& a, const QString& b)
{
    return a.compare(b, Qt::CaseInsensitive);
}

// Texts are compared without the locale's rules, so that ten thousand rows are sorted quickly.
int compared(const ArtifactRow& a, const ArtifactRow& b, int column)
{
    const auto sign = [](auto one, auto other) { return one < other ? -1 : one > other ? 1 : 0; };
    switch (column) {
    case ArtifactModel::SizeColumn: return sign(a.size, b.size);
    case ArtifactModel::TypeColumn: return compared(artifactType(a), artifactType(b));
    case ArtifactModel::NodeColumn: return compared(a.node, b.node);
    case ArtifactModel::StepColumn: return sign(a.step, b.step);
    case ArtifactModel::ThreadColumn: return compared(a.thread, b.thread);
    case ArtifactModel::RunColumn: return compared(a.run, b.run);
    case ArtifactModel::CreatedColumn: return sign(a.createdMs, b.createdMs);
    default: return compared(a.name, b.name);
    }
}

} // namespace

int ArtifactModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ArtifactModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ArtifactRow& artifact = row(index);
    switch (role) {
    case Qt::DisplayRole: return artifact.name;
    case Qt::ToolTipRole: return artifact.path;
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3").arg(artifact.name, madeBy(artifact), formatBytes(artifact.size));
    case IdRole: return artifact.id;
    case MadeByRole: return madeBy(artifact);
    case SizeRole: return formatBytes(artifact.size);
    case IconRole: return QString(artifactIcon(artifact));
    case ThumbnailRole: {
        const ArtifactThumbnail* thumbnail = m_thumbnails.object(artifact.id);
        return QVariant::fromValue(thumbnail ? *thumbnail : ArtifactThumbnail());
    }
    default: return {};
    }
}

Qt::ItemFlags ArtifactModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | (index.isValid() ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

void ArtifactModel::reset(std::vector<ArtifactRow> rows)
{
    if (m_order.column >= 0)
        std::ranges::stable_sort(rows, [this](const ArtifactRow& a, const ArtifactRow& b) {
            const int before = compared(a, b, m_order.column);
            return m_order.isDescending ? before > 0 : before < 0;
        });
    if (std::ranges::equal(rows, m_rows, {}, &ArtifactRow::id, &ArtifactRow::id))
        return;
    beginResetModel();
    m_rows = std::move(rows);
    m_places.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_places.insert(m_rows[i].id, static_cast<int>(i));
    endResetModel();
}

void ArtifactModel::setThumbnail(const ArtifactThumbnail& thumbnail)
{
    m_thumbnails.insert(thumbnail.artifact, new ArtifactThumbnail(thumbnail));
    if (const QModelIndex place = indexOf(thumbnail.artifact); place.isValid())
        Q_EMIT dataChanged(place, place, { ThumbnailRole });
}

bool ArtifactModel::hasThumbnail(const QModelIndex& index) const
{
    return m_thumbnails.contains(row(index).id);
}

const ArtifactRow& ArtifactModel::row(const QModelIndex& index) const
{
    return m_rows[static_cast<std::size_t>(index.row())];
}

QModelIndex ArtifactModel::indexOf(const QString& id) const
{
    const auto found = m_places.constFind(id);
    return found == m_places.constEnd() ? QModelIndex() : index(*found);
}

QString madeBy(const ArtifactRow& row)
{
    return row.node.isEmpty() ? ArtifactModel::tr("step %1").arg(row.step)
                              : ArtifactModel::tr("%1, step %2").arg(row.node).arg(row.step);
}

QString artifactType(const ArtifactRow& row)
{
    const auto dot = row.name.lastIndexOf(QLatin1Char('.'));
    return dot > 0 && dot + 1 < row.name.size() ? row.name.mid(dot + 1).toLower() : row.mime;
}

QLatin1String artifactIcon(const ArtifactRow& row)
{
    const QString ending = row.name.section(QLatin1Char('.'), -1).toLower();
    const auto endsAs = [&ending](std::initializer_list<const char*> endings) {
        return std::ranges::any_of(endings,
                                   [&ending](const char* known) { return ending == QLatin1String(known); });
    };
    if (row.mime.startsWith(QLatin1String("image/")) || ending == QLatin1String("svg"))
        return QLatin1String("image");
    if (endsAs({ "csv", "tsv", "parquet", "xlsx", "feather", "arrow", "ipc" }))
        return QLatin1String("table");
    if (row.mime.startsWith(QLatin1String("text/")) || endsAs({ "json", "md", "txt", "log" }))
        return QLatin1String("text");
    return QLatin1String("file");
}

} // namespace sg::ui
