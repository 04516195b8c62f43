#include "ui/bridge/search/search_client.h"

#include "core/history/search.h"
#include "core/history/usage_book.h"
#include "core/projects/project_notes.h"
#include "ui/bridge/history/usage_query.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/search/search_query.h"

#include <string>
#include <variant>
#include <vector>

namespace sg::ui {

SearchClient::SearchClient(OpenProject& project)
    : Client(project)
    , m_search(*this)
    , m_sql(*this)
    , m_watch(*this)
    , m_raw(*this)
    , m_usage(*this)
{
    m_sums.setMaxThreadCount(1);
    connect(&project, &OpenProject::closing, this, [this] { m_readingAhead.request_stop(); });
    connect(&project, &OpenProject::opened, this, [this] {
        m_kept.reset();
        m_hasReadAhead = false;
        loadWatches();
    });
}

SearchClient::~SearchClient()
{
    m_readingAhead.request_stop();
    m_usage.stop();
    m_sums.waitForDone();
}

std::shared_ptr<history::Search> SearchClient::searchOf()
{
    const auto& workbench = access().workbench();
    if (!m_kept)
        m_kept = std::make_shared<history::Search>(workbench->history(), workbench->project().checkpoints);
    return m_kept;
}

void SearchClient::search(const QString& query)
{
    m_search.cancel();
    if (!isOpen() || query.isEmpty())
        return;
    m_readingAhead.request_stop(); // history that is read already is kept
    m_search.ask(
        slow(),
        [search = searchOf(), query](workbench::Workbench&, const std::stop_token& stop) {
            return searchFor(*search, query, stop);
        },
        [this](const SearchRows& rows) { Q_EMIT searched(rows); });
}

void SearchClient::runSql(const QString& sql)
{
    m_sql.cancel();
    if (!isOpen() || sql.isEmpty())
        return;
    m_sql.ask(
        slow(),
        [search = searchOf(), sql](workbench::Workbench&, const std::stop_token& stop) {
            return askSql(*search, sql, stop);
        },
        [this](const SqlRows& rows) { Q_EMIT sqlAnswered(rows); });
}

void SearchClient::readAhead()
{
    if (!isOpen() || m_hasReadAhead)
        return;
    m_hasReadAhead = true;
    m_readingAhead = {};
    ask(
        slow(),
        [search = searchOf(), stop = m_readingAhead.get_token()] {
            const auto runs = query::parse("is:run");
            (void)search->find(std::get<query::Query>(runs), {}, kShownHits, stop); // fills its cache
            return true;
        },
        [](bool) {});
}

void SearchClient::watch(const QString& thread, const QStringList& way, const QString& program)
{
    watchOn(watchOf(thread, way, program));
}

void SearchClient::watchOn(const std::function<WatchRows(workbench::Workbench&)>& work)
{
    m_watch.ask(slow(), work, [this, work](const WatchRows& rows) {
        const std::stop_token asked = m_watch.token();
        Q_EMIT watched(rows);
        if (!rows.isLast && asked == m_watch.token()) // a newer request ends this one
            watchOn(work);
    });
}

void SearchClient::loadWatches()
{
    ask(
        access().pools().keeping,
        [notes = access().notes()] {
            QStringList programs;
            if (const auto found = notes->watches()) // the notes themselves report a broken file
                for (const std::string& program : *found)
                    programs << text(program);
            return programs;
        },
        [this](const QStringList& programs) { Q_EMIT watchesLoaded(programs); });
}

void SearchClient::keepWatches(const QStringList& programs)
{
    std::vector<std::string> kept;
    for (const QString& program : programs)
        kept.push_back(utf8(program));
    ask(
        access().pools().keeping,
        [notes = access().notes(), kept = std::move(kept)] {
            const auto done = notes->setWatches(kept);
            return done ? UserError() : userError(done.error());
        },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                fail(error);
        });
}

void SearchClient::loadUsage(const QString& thread, const QString& checkpoint)
{
    if (!isOpen())
        return;
    if (thread != m_usageThread) // for the same thread the history that is being read is needed anyway
        m_usage.stop();
    m_usageThread = thread;
    m_usage.ask(
        m_sums,
        [book = access().usage(), thread, checkpoint](workbench::Workbench&, const std::stop_token& stop) {
            return readUsage(*book, thread, checkpoint, stop);
        },
        [this](const UsageRows& rows) { Q_EMIT usageLoaded(rows); });
}

void SearchClient::loadPrices()
{
    if (!isOpen())
        return;
    ask(
        access().pools().keeping, // after pending writes
        [book = access().usage()] { return readPrices(*book); },
        [this](const PriceTable& table) { Q_EMIT pricesLoaded(table); });
}

void SearchClient::keepPrices(const PriceTable& prices)
{
    if (!isOpen())
        return;
    askAlways( // answered always: prices belong to the user, not to a project
        access().pools().keeping, [book = access().usage(), prices] { return writePrices(*book, prices); },
        [this](const PriceTable& table) { Q_EMIT pricesLoaded(table); });
}

void SearchClient::loadRaw(const RawPlace& place, qint64 offset)
{
    m_raw.ask(
        readers(),
        [place, offset](workbench::Workbench& workbench) { return readRaw(workbench, place, offset); },
        [this](const RawPage& page) { Q_EMIT rawLoaded(page); });
}

void SearchClient::saveRaw(const RawPlace& place, const QString& file)
{
    ask(
        slow(),
        [place, file](workbench::Workbench& workbench) { return sg::ui::saveRaw(workbench, place, file); },
        [this, file](const UserError& error) { Q_EMIT rawSaved(file, error); });
}

} // namespace sg::ui
