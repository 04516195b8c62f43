#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows.h"

#include <mutex>

namespace sg::ui {

// Parquet and Arrow tables, a page at a time, read by pyarrow in a sandbox session of their own that stays
// for the next page: a hostile file meets no parser of ours. Blocking; any thread.
class TableSandbox {
public:
    static constexpr const char* kThread = "sandglass:preview"; // no thread of the user's

    explicit TableSandbox(workbench::Workbench& workbench)
        : m_workbench(workbench)
    {
    }
    static bool reads(const QString& name); // by its ending
    ArtifactPreview page(const ArtifactRow& artifact, qint64 row);

private:
    Result<std::string> ask(const ArtifactRow& artifact, qint64 row);

    workbench::Workbench& m_workbench;
    std::mutex m_mutex; // one page at a time
};

} // namespace sg::ui
