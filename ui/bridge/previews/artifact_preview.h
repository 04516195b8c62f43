#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/previews/csv_table.h"
#include "ui/bridge/previews/table_sandbox.h"
#include "ui/bridge/rows/rows.h"

#include <functional>
#include <map>
#include <mutex>

namespace sg::ui {

// Makes previews; blocking, for worker threads. Images, SVG, CSV and text are read here, in bounded memory;
// Parquet and Arrow in a sandbox.
class ArtifactPreviewer {
public:
    explicit ArtifactPreviewer(workbench::Workbench& workbench);
    ArtifactPreview make(const ArtifactRow& artifact);
    // Of a table.
    ArtifactPreview page(const ArtifactRow& artifact, qint64 row, const TableOrder& order = {});
    ColumnFacts facts(const ArtifactRow& artifact, int column);
    // Texts and the first rows of tables line by line, pictures side by side; else what a person can be told.
    ArtifactPreview compare(const ArtifactRow& older, const ArtifactRow& newer);
    static ArtifactThumbnail thumbnail(const ArtifactRow& artifact);

private:
    // Shows `read` its content; why not, where that cannot be.
    QString withCsv(const ArtifactRow& artifact,
                    const std::function<void(CsvTable& table, std::string_view content)>& read);
    QStringList linesOf(const ArtifactRow& artifact, QString& problem);

    TableSandbox m_tables;
    std::mutex m_mutex;
    std::map<QString, CsvTable> m_csv; // by content; guarded by m_mutex
};

} // namespace sg::ui
