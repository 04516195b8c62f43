#pragma once

#include "core/history/history_pages.h"
#include "core/rewind/snapshots.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"

#include <map>
#include <memory>
#include <optional>

namespace sg::ui {

// Reads the history of a thread, or of one run of a subgraph, in pieces. One worker thread at a time; the
// workbench must outlive it.
class HistoryReader {
public:
    HistoryReader(workbench::Workbench& workbench, QString thread, QString ns = {});

    Answer<HistoryRows> newest(int limit);
    struct Page {
        HistoryRows rows;
        bool isLast = false;
    };
    Answer<Page> next(int limit); // the next page, oldest checkpoints first
    Answer<QStringList> namespaces(int limit); // of the runs of subgraphs

private:
    bool open(UserError& error);
    HistoryRows rowsOf(const history::HistoryPage& page);
    void readMarks();

    workbench::Workbench& m_workbench;
    const QString m_thread;
    const QString m_ns;
    std::optional<history::HistoryPages> m_pages;
    bool m_hasMarks = false;
    std::multimap<QString, std::pair<rewind::SnapshotMark, bool>> m_marks; // by checkpoint; true if asleep
    std::optional<CheckpointId> m_last; // last checkpoint of the previous page
};

} // namespace sg::ui
