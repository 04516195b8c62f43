#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/query_rows.h"
#include "ui/bridge/rows/raw_rows.h"
#include "ui/bridge/rows/usage_rows.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace sg::history {
class Search;
}

namespace sg::ui {

// Questions about the whole database: search by query, SQL, a jq expression over the states of a branch,
// token usage of models, and the bytes of values.
class SearchClient : public Client {
    Q_OBJECT
public:
    explicit SearchClient(OpenProject& project);
    ~SearchClient() override;

    // Finds runs, checkpoints, tasks and log lines of all threads, in core's query language ("status:failed
    // node:plan"). The newest request wins; an empty one ends the running one.
    void search(const QString& query);
    void runSql(const QString& sql); // read-only; the newest request wins
    void readAhead(); // reads the history for the first search, once for each project, without an answer
    // Evaluates a jq program on the states of `way`, newest first; watched() brings the results in pieces. A
    // newer request ends it.
    void watch(const QString& thread, const QStringList& way, const QString& program);
    void loadWatches(); // jq programs that were watched when the project was last open
    void keepWatches(const QStringList& programs);
    // Token usage of a thread up to a checkpoint (empty for all of it). The newest request wins.
    void loadUsage(const QString& thread, const QString& checkpoint);
    void loadPrices();
    void keepPrices(const PriceTable& prices);
    // A page of a value's bytes, which are not decoded.
    void loadRaw(const RawPlace& place, qint64 offset);
    void saveRaw(const RawPlace& place, const QString& file); // all bytes

Q_SIGNALS:
    void searched(const sg::ui::SearchRows& rows);
    void sqlAnswered(const sg::ui::SqlRows& rows);
    void watched(const sg::ui::WatchRows& rows);
    void watchesLoaded(const QStringList& programs);
    void usageLoaded(const sg::ui::UsageRows& usage);
    void pricesLoaded(const sg::ui::PriceTable& prices);
    void rawLoaded(const sg::ui::RawPage& page);
    void rawSaved(const QString& file, const sg::ui::UserError& error);

private:
    std::shared_ptr<history::Search> searchOf();
    void watchOn(const std::function<WatchRows(workbench::Workbench&)>& work);

    std::shared_ptr<history::Search> m_kept; // of the open project; made at the first question
    std::stop_source m_readingAhead;
    bool m_hasReadAhead = false; // for the open project
    Latest m_search;
    Latest m_sql;
    Latest m_watch;
    Latest m_raw;
    Turns m_usage; // the first question of a thread reads its whole history
    QString m_usageThread; // the thread that is being read
    QThreadPool m_sums;
};

} // namespace sg::ui
