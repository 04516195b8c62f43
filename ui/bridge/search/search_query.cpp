#include "ui/bridge/search/search_query.h"

#include "core/base/printable.h"
#include "core/history/raw_value.h"
#include "ui/bridge/history/overview_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QElapsedTimer>

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

namespace sg::ui {
namespace {

constexpr qsizetype kFirstWatched = 500; // checkpoints of the first piece, so that results show soon
constexpr qsizetype kWatchedAtOnce = 4000; // checkpoints of each later piece

struct Watching {
    std::optional<history::Watch> watch; // refers to the workbench only during a call
    QString thread;
    QString program;
    QStringList way;
    qsizetype done = 0;
};

WatchRows watchOn(workbench::Workbench& workbench, Watching& watching)
{
    WatchRows rows;
    if (!watching.watch) {
        watching.watch.emplace(
            workbench.history().watch(ThreadId(utf8(watching.thread)), utf8(watching.program)));
        if (auto valid = watching.watch->check(); !valid)
            rows.error = userError(valid.error()).what;
    }
    const qsizetype count =
        std::min(watching.done == 0 ? kFirstWatched : kWatchedAtOnce, watching.way.size() - watching.done);
    if (rows.error.isEmpty() && count > 0) {
        std::vector<CheckpointId> ids;
        for (const QString& id : watching.way.mid(watching.done, count))
            ids.emplace_back(utf8(id));
        auto points = watching.watch->points(ids);
        if (points)
            rows = watchRows(*points);
        else
            rows.error = userError(points.error()).what;
        watching.done += count;
    }
    rows.thread = watching.thread;
    rows.program = watching.program;
    rows.isLast = !rows.error.isEmpty() || watching.done >= watching.way.size();
    return rows;
}

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

} // namespace

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

std::function<WatchRows(workbench::Workbench&)> watchOf(const QString& thread, const QStringList& way,
                                                        const QString& program)
{
    auto watching = std::make_shared<Watching>();
    watching->thread = thread;
    watching->program = program;
    watching->way = way;
    return [watching](workbench::Workbench& workbench) { return watchOn(workbench, *watching); };
}

RawPage readRaw(workbench::Workbench& workbench, const RawPlace& place, qint64 offset)
{
    RawPage page;
    page.place = place;
    page.offset = offset;
    if (auto here = workbench.history().bringHere(ThreadId(utf8(place.thread))); !here) {
        page.error = userError(here.error());
        return page;
    }
    history::RawValues values(workbench.project().checkpoints);
    auto found =
        values.find(ThreadId(utf8(place.thread)), CheckpointId(utf8(place.checkpoint)), utf8(place.pointer));
    if (!found) {
        page.error = userError(found.error());
        return page;
    }
    page.type = text(found->type);
    page.module = text(found->object);
    page.size = found->size;
    auto bytes = values.read(*found, offset, kRawPage);
    if (!bytes)
        page.error = userError(bytes.error());
    else
        page.bytes = QByteArray(bytes->data(), static_cast<qsizetype>(bytes->size()));
    return page;
}

UserError saveRaw(workbench::Workbench& workbench, const RawPlace& place, const QString& file)
{
    if (auto here = workbench.history().bringHere(ThreadId(utf8(place.thread))); !here)
        return userError(here.error());
    history::RawValues values(workbench.project().checkpoints);
    auto found =
        values.find(ThreadId(utf8(place.thread)), CheckpointId(utf8(place.checkpoint)), utf8(place.pointer));
    if (!found)
        return userError(found.error());
    auto saved = values.save(*found, utf8(file));
    return saved ? UserError() : userError(saved.error());
}

} // namespace sg::ui
