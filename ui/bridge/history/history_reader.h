#pragma once

#include "core/history/history_pages.h"
#include "core/rewind/snapshots.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"

#include <map>
#include <memory>
#include <optional>

namespace sg::ui {

// Reads one thread's history, or that of a run inside of it, in pieces. On a worker thread, one at a time;
// the workbench outlives it.
class HistoryReader {
public:
    HistoryReader(workbench::Workbench& workbench, QString thread, QString ns = {});

    Answer<HistoryRows> newest(int limit);
    struct Page {
        HistoryRows rows;
        bool isLast = false;
    };
    Answer<Page> next(int limit); // from the first one on
    Answer<QStringList> namespaces(int limit); // of subgraphs' runs

private:
    bool open(UserError& error);
    HistoryRows rowsOf(const history::HistoryPage& page);
    void readMarks();

    workbench::Workbench& m_workbench;
    const QString m_thread;
    const QString m_ns;
    std::optional<history::HistoryPages> m_pages;
    bool m_hasMarks = false;
    std::multimap<QString, std::pair<rewind::SnapshotMark, bool>> m_marks; // by checkpoint; asleep
    std::optional<CheckpointId> m_last; // of the page before
};

} // namespace sg::ui
