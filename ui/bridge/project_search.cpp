#include "core/base/printable.h"
#include "core/history/search.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"
#include "ui/bridge/usage_query.h"

#include <QElapsedTimer>

#include <variant>

// What is looked for in the whole database, and what its models took.
namespace sg::ui {
namespace {

SearchHit hitRow(const history::SearchHit& hit)
{
    return { static_cast<SearchHit::Kind>(hit.kind),
             text(hit.thread.value),
             text(hit.checkpoint),
             text(hit.run),
             text(history::shownPath(hit.ns, hit.node)),
             static_cast<int>(hit.step),
             text(hit.status),
             hit.timeMs,
             text(hit.text) };
}

SearchRows searchFor(history::Search& search, const QString& asked, const std::stop_token& stop)
{
    SearchRows rows;
    rows.query = asked;
    const std::string letters = utf8(asked);
    auto parsed = query::parse(letters);
    if (const auto* fault = std::get_if<query::Fault>(&parsed)) {
        rows.error = { text(fault->message), {} };
        rows.errorAt = static_cast<int>(text(letters.substr(0, fault->at)).size());
        return rows;
    }
    QElapsedTimer timer;
    timer.start();
    auto answer = search.find(std::get<query::Query>(parsed), {}, kShownHits, stop);
    rows.seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    if (!answer) {
        rows.error = userError(answer.error());
        return rows;
    }
    rows.found = answer->found;
    rows.hits.reserve(answer->hits.size());
    for (const history::SearchHit& hit : answer->hits)
        rows.hits.push_back(hitRow(hit));
    return rows;
}

SqlRows askSql(history::Search& search, const QString& sql, const std::stop_token& stop)
{
    SqlRows rows;
    rows.sql = sql;
    QElapsedTimer timer;
    timer.start();
    auto answer = search.sql(utf8(sql), {}, stop);
    rows.seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    if (!answer) {
        rows.error = userError(answer.error());
        return rows;
    }
    for (const std::string& name : answer->table.columns)
        rows.columns << text(printableText(name));
    for (const auto& row : answer->table.rows) {
        QStringList cells;
        for (const sqlite::QueryCell& cell : row)
            cells << (cell.isNull ? QString() : text(printableText(cell.text)));
        rows.rows.push_back(std::move(cells));
    }
    rows.isCut = answer->table.isCut;
    for (const auto& [thread, checkpoint] : answer->checkpoints) {
        SearchHit mark;
        mark.thread = text(thread.value);
        mark.checkpoint = text(checkpoint);
        rows.marks.push_back(std::move(mark));
    }
    return rows;
}

} // namespace

void ProjectBridge::search(const QString& query)
{
    m_impl->searching.request_stop();
    m_impl->searching = {};
    ++m_impl->searches;
    if (!isOpen() || query.isEmpty())
        return;
    m_impl->readingAhead.request_stop(); // what it has read stays
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, search = m_impl->searchOf(), query,
         stop = m_impl->searching.get_token()] { return searchFor(*search, query, stop); },
        [this, asked = m_impl->searches](const SearchRows& rows) {
            if (asked == m_impl->searches)
                Q_EMIT searched(rows);
        });
}

void ProjectBridge::readAhead()
{
    if (!isOpen() || m_impl->hasReadAhead)
        return;
    m_impl->hasReadAhead = true;
    m_impl->readingAhead = {};
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, search = m_impl->searchOf(),
         stop = m_impl->readingAhead.get_token()] {
            const auto runs = query::parse("is:run");
            (void)search->find(std::get<query::Query>(runs), {}, kShownHits, stop); // for what it keeps
            return true;
        },
        [](bool) {});
}

void ProjectBridge::runSql(const QString& sql)
{
    m_impl->askingSql.request_stop();
    m_impl->askingSql = {};
    ++m_impl->sqls;
    if (!isOpen() || sql.isEmpty())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, search = m_impl->searchOf(), sql,
         stop = m_impl->askingSql.get_token()] { return askSql(*search, sql, stop); },
        [this, asked = m_impl->sqls](const SqlRows& rows) {
            if (asked == m_impl->sqls)
                Q_EMIT sqlAnswered(rows);
        });
}

void ProjectBridge::loadUsage(const QString& thread, const QString& checkpoint)
{
    if (!isOpen())
        return;
    if (m_impl->readsUsage) {
        if (thread != m_impl->usageThread) // else what is being read is what the next question needs
            m_impl->summing.request_stop();
        m_impl->nextUsage = { thread, checkpoint };
        return;
    }
    m_impl->readsUsage = true;
    m_impl->usageThread = thread;
    m_impl->summing = {};
    m_impl->askAlways(
        m_impl->sums,
        [workbench = m_impl->workbench, book = m_impl->usageOf(), thread, checkpoint,
         stop = m_impl->summing.get_token()] { return readUsage(*book, thread, checkpoint, stop); },
        [this, asked = m_impl->generation](const UsageRows& rows) {
            m_impl->readsUsage = false;
            const auto next = std::exchange(m_impl->nextUsage, std::nullopt);
            if (next)
                loadUsage(next->first, next->second);
            else if (asked == m_impl->generation)
                Q_EMIT usageLoaded(rows);
        });
}

void ProjectBridge::loadPrices()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->editing, // behind what is being kept
        [workbench = m_impl->workbench, book = m_impl->usageOf()] { return readPrices(*book); },
        [this](const PriceTable& table) { Q_EMIT pricesLoaded(table); });
}

void ProjectBridge::keepPrices(const PriceTable& prices)
{
    if (!isOpen())
        return;
    m_impl->askAlways( // they are the user's, whatever project is open by then
        m_impl->editing,
        [workbench = m_impl->workbench, book = m_impl->usageOf(), prices] {
            return writePrices(*book, prices);
        },
        [this](const PriceTable& table) { Q_EMIT pricesLoaded(table); });
}

} // namespace sg::ui
