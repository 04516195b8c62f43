#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"

#include <QAbstractListModel>
#include <QCache>
#include <QHash>
#include <QLatin1String>

#include <vector>

namespace sg::ui {

class ArtifactModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole, MadeByRole, SizeRole, IconRole, ThumbnailRole };
    enum Column {
        NameColumn,
        SizeColumn,
        TypeColumn,
        NodeColumn,
        StepColumn,
        RunColumn,
        CreatedColumn,
        ThreadColumn,
        ColumnCount
    }; // the rows can be sorted by these
    using QAbstractListModel::QAbstractListModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    void setOrder(const TableOrder& order) { m_order = order; } // applies to the next rows
    void reset(std::vector<ArtifactRow> rows); // newest first; unchanged rows do not reset the model
    void setThumbnail(const ArtifactThumbnail& thumbnail);
    [[nodiscard]] bool hasThumbnail(const QModelIndex& index) const; // true if its absence is known, too
    [[nodiscard]] const ArtifactRow& row(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const QString& id) const; // invalid if there is none
    [[nodiscard]] const std::vector<ArtifactRow>& rows() const { return m_rows; }

private:
    std::vector<ArtifactRow> m_rows;
    TableOrder m_order;
    QHash<QString, int> m_places; // by id
    QCache<QString, ArtifactThumbnail> m_thumbnails{ 2000 }; // by id
};

QString madeBy(const ArtifactRow& row); // "visualize, step 13"
QString artifactType(const ArtifactRow& row); // "png": the extension, or else the kind of content
QLatin1String artifactIcon(const ArtifactRow& row); // by type, then by extension

} // namespace sg::ui
