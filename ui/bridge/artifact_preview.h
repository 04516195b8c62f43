#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows.h"

#include <mutex>

namespace sg::ui {

// Makes previews; blocking, for a worker thread. Images, CSV and text are read here, in bounded memory;
// Parquet is read by pyarrow in a sandbox session of its own, so that a hostile file meets no parser of ours.
class ArtifactPreviewer {
public:
    explicit ArtifactPreviewer(workbench::Workbench& workbench);
    ArtifactPreview make(const ArtifactRow& artifact);

private:
    ArtifactPreview table(const ArtifactRow& artifact); // Parquet

    workbench::Workbench& m_workbench;
    std::mutex m_sandbox; // one file at a time
};

// The first rows of a CSV text (RFC 4180; separator , ; or tab by the first line). Pure.
void readCsv(std::string_view content, std::size_t maxRows, ArtifactPreview& preview);

} // namespace sg::ui
