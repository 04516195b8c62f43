#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"

#include <mutex>

namespace sg::ui {

// Pages of Parquet and Arrow tables, read by pyarrow in a sandbox session of their own, so that a hostile
// file meets no parser in this process. The session stays for the next page. Blocking, on any thread.
class TableSandbox {
public:
    static constexpr const char* kThread = "sandglass:preview"; // the user can have no such thread

    explicit TableSandbox(workbench::Workbench& workbench)
        : m_workbench(workbench)
    {
    }
    static bool reads(const QString& name); // decides by the file's extension
    ArtifactPreview page(const ArtifactRow& artifact, qint64 row, const TableOrder& order = {});
    ColumnFacts facts(const ArtifactRow& artifact, int column); // reads the whole column

private:
    // `question` is a call of one of the reader's functions without its first argument: "facts(3)".
    Result<std::string> ask(const ArtifactRow& artifact, const std::string& question);

    workbench::Workbench& m_workbench;
    std::mutex m_mutex; // one page at a time
};

} // namespace sg::ui
