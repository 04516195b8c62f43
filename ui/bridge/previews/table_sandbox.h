#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"

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
    ArtifactPreview page(const ArtifactRow& artifact, qint64 row, const TableOrder& order = {});
    ColumnFacts facts(const ArtifactRow& artifact, int column); // reads the whole column

private:
    // `question`: a function of the reader without its first argument, "facts(3)".
    Result<std::string> ask(const ArtifactRow& artifact, const std::string& question);

    workbench::Workbench& m_workbench;
    std::mutex m_mutex; // one page at a time
};

} // namespace sg::ui
