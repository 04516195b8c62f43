#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/previews/csv_table.h"
#include "ui/bridge/previews/table_sandbox.h"
#include "ui/bridge/rows/rows.h"

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>

namespace sg::ui {

// Makes previews, blocking, on worker threads. Images, SVG, CSV and text are read in this process in bounded
// memory, Parquet and Arrow in a sandbox.
class ArtifactPreviewer {
public:
    explicit ArtifactPreviewer(workbench::Workbench& workbench);
    // `stop` ends the wait for a content that is in the shared bucket alone.
    ArtifactPreview make(const ArtifactRow& artifact, const std::stop_token& stop);
    // The page of a table that holds `row`.
    ArtifactPreview page(const ArtifactRow& artifact, qint64 row, const TableOrder& order = {});
    ColumnFacts facts(const ArtifactRow& artifact, int column);
    // Compares texts and the first rows of tables line by line, and pictures side by side; for other files
    // the note says why not.
    ArtifactPreview compare(const ArtifactRow& older, const ArtifactRow& newer);
    static ArtifactThumbnail thumbnail(const ArtifactRow& artifact);

private:
    // Returns why it could not.
    QString bringHere(const ArtifactRow& artifact, const std::stop_token& stop);
    // Calls `read` with the content; returns why it could not.
    QString withCsv(const ArtifactRow& artifact,
                    const std::function<void(CsvTable& table, std::string_view content)>& read);
    QStringList linesOf(const ArtifactRow& artifact, QString& problem);

    workbench::Workbench& m_workbench;
    TableSandbox m_tables;
    std::mutex m_mutex;
    std::map<QString, CsvTable> m_csv; // by content hash; guarded by m_mutex
};

} // namespace sg::ui
