#pragma once

#include "core/history/search.h"
#include "core/history/watch.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/query_rows.h"
#include "ui/bridge/rows/raw_rows.h"

#include <functional>
#include <stop_token>

// Blocking questions about the whole database; they run on worker threads and return errors as values.
namespace sg::ui {

SearchRows searchFor(history::Search& search, const QString& asked, const std::stop_token& stop);
SqlRows askSql(history::Search& search, const QString& sql, const std::stop_token& stop);
// Evaluates a jq program on the states of `way`, newest first; each call gives the next piece.
std::function<WatchRows(workbench::Workbench&)> watchOf(const QString& thread, const QStringList& way,
                                                        const QString& program);
RawPage readRaw(workbench::Workbench& workbench, const RawPlace& place,
                qint64 offset); // kRawPage bytes at most
UserError saveRaw(workbench::Workbench& workbench, const RawPlace& place, const QString& file); // all bytes

} // namespace sg::ui
