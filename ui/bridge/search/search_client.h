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

// What is looked for in the whole database: by a query, by SQL, by an expression over the states of a branch;
// what its models took; and the bytes of its values.
class SearchClient : public Client {
    Q_OBJECT
public:
    explicit SearchClient(OpenProject& project);
    ~SearchClient() override;

    // Runs, checkpoints, tasks and log lines of all threads, in core's words ("status:failed node:plan"). The
    // newest request wins; an empty one ends the one under way.
    void search(const QString& query);
    void runSql(const QString& sql); // over the database, which it cannot change; the same
    void readAhead(); // the history that the first search would read; once for a project, without an answer
    // What a jq program says of the states of `way`, newest first: in pieces, each as watched(). A newer
    // question ends it.
    void watch(const QString& thread, const QStringList& way, const QString& program);
    void loadWatches(); // jq programs that were watched when the project was open last
    void keepWatches(const QStringList& programs);
    // What models were asked for: of a thread up to a checkpoint (empty: all of it). The newest request wins.
    void loadUsage(const QString& thread, const QString& checkpoint);
    void loadPrices();
    void keepPrices(const PriceTable& prices);
    // A page of a value's bytes; nothing is made of them.
    void loadRaw(const RawPlace& place, qint64 offset);
    void saveRaw(const RawPlace& place, const QString& file); // all of them

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

    std::shared_ptr<history::Search> m_kept; // of the open project; made at its first question
    std::stop_source m_readingAhead;
    bool m_hasReadAhead = false; // of the open project
    Latest m_search;
    Latest m_sql;
    Latest m_watch;
    Latest m_raw;
    Turns m_usage; // the first reads a thread's whole history
    QString m_usageThread; // whose is being read
    QThreadPool m_sums;
};

} // namespace sg::ui
